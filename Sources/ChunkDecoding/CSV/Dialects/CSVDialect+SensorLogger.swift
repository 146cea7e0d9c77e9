extension CSVDialect {
  /// Sensor Logger: a file a sensor with `z,y,x`, or all sensors merged with `wristMotion_` and the
  /// like before the names. `time` is nanoseconds since 1970.
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
