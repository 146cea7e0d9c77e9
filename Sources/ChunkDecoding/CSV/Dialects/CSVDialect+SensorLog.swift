extension CSVDialect {
  /// SensorLog: one wide file with `motionUserAccelerationX(G)`. The accelerometer's clock differs from that
  /// of the motion, which is used if a file has both.
  static let sensorLog = CSVDialect(
    times: [
      TimeColumn("motiontimestampsincereboot", clock: .device),
      TimeColumn("accelerometertimestampsincereboot", clock: .device),
      TimeColumn("loggingtime", unit: .seconds, clock: .unix),
    ],
    dates: ["loggingtime"],
    quantities: [
      "motionuseracceleration": .userAcceleration, "motionrotationrate": .rotationRate,
      "motiongravity": .gravity, "motion": .attitude, "motionmagneticfield": .magneticField,
      "motionquaternion": .quaternion, "accelerometeracceleration": .totalAcceleration,
      "gyrorotation": .rotationRate,
    ])
}
