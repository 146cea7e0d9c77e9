extension CSVDialect {
  /// Common names in files of small tools.
  static let plain = CSVDialect(
    times: [TimeColumn("time"), TimeColumn("t", clock: .device)],
    quantities: [
      "gyroscope": .rotationRate, "gyro": .rotationRate, "attitudequaternion": .quaternion,
    ])
}
