extension CSVDialect {
  /// Names that many small tools use.
  static let plain = CSVDialect(
    times: [TimeColumn("time"), TimeColumn("t", clock: .device)],
    quantities: [
      "gyroscope": .rotationRate, "gyro": .rotationRate, "attitudequaternion": .quaternion,
    ])
}
