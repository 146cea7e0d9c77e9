extension CSVDialect {
  /// Sensor Logger: one file per sensor with `z,y,x`, or all sensors merged with prefixes like
  /// `wristMotion_`. `time` is in nanoseconds since 1970.
  static let sensorLogger = CSVDialect(
    times: [TimeColumn("secondselapsed", unit: .seconds, clock: .device)],
    dates: ["time"],
    quantities: [
      "acceleration": .userAcceleration, "rotationrate": .rotationRate, "gravity": .gravity,
      "quaternion": .quaternion, "q": .quaternion, "": .attitude,
    ],
    quantityOfAxis: { column, file in
      guard !column.isNamedAxis else { return nil }
      return switch column.sensor ?? file {
      case .accelerometer: .userAcceleration
      case .totalAcceleration: .totalAcceleration
      case .gyroscope: .rotationRate
      case .gravity: .gravity
      case .magnetometer: .magneticField
      case .wristMotion, .orientation, nil: nil
      }
    })
}
