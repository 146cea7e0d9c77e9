#if canImport(CoreMotion) && !os(visionOS) && !os(tvOS)
  import CoreMotion

  extension MotionSample {
    /// A sample of Core Motion, which has the same units and signs.
    public init(_ motion: CMDeviceMotion) {
      self.init(
        time: motion.timestamp,
        userAcceleration: SIMD3(
          motion.userAcceleration.x, motion.userAcceleration.y, motion.userAcceleration.z),
        rotationRate: SIMD3(
          motion.rotationRate.x, motion.rotationRate.y, motion.rotationRate.z),
        gravity: SIMD3(motion.gravity.x, motion.gravity.y, motion.gravity.z))
    }
  }
#endif
