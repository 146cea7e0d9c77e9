extension CSVDialect {
  /// SensorLog: one wide file, `motionUserAccelerationX(G)`. Its accelerometer has another clock than
  /// its motion, which counts where both are there.
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
