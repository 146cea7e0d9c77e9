extension CSVDialect {
  /// MetaMotion: one file per sensor with `x-axis (g)` or `x-axis (deg/s)`, whose unit identifies the sensor
  /// too. Acceleration includes gravity. `time (01:00)` is text in a time zone, not a clock.
  static let metaMotion = CSVDialect(
    times: [
      TimeColumn("epoch", clock: .unix), TimeColumn("epoc", clock: .unix),
      TimeColumn("elapsed", clock: .device),
    ],
    dates: ["epoch", "epoc"],
    quantityOfAxis: { column, file in
      guard column.isNamedAxis else { return nil }
      return switch column.sensor ?? file {
      case .accelerometer, .totalAcceleration: .totalAcceleration
      case .gyroscope: .rotationRate
      case .gravity: .gravity
      case .magnetometer: .magneticField
      case .wristMotion, .orientation: nil
      case nil:
        column.accelerationUnit != nil
          ? .totalAcceleration : column.angleUnit != nil ? .rotationRate : nil
      }
    })
}
