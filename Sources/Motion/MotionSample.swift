/// One instant of motion, as a sensor gives it to a program: in seconds, g and radians.
///
/// A quantity that was not measured is nil.
public struct MotionSample: Sendable, Hashable {
  /// Seconds on the sensor's clock.
  public var time: Double
  /// Acceleration without gravity, in g.
  public var userAcceleration: SIMD3<Double>?
  /// Radians per second.
  public var rotationRate: SIMD3<Double>?
  /// Where gravity pulls in the device's frame, of length 1 g.
  public var gravity: SIMD3<Double>?
  /// Acceleration with gravity, in g, in Core Motion's sign: at rest it equals gravity.
  public var totalAcceleration: SIMD3<Double>?

  public init(
    time: Double, userAcceleration: SIMD3<Double>? = nil, rotationRate: SIMD3<Double>? = nil,
    gravity: SIMD3<Double>? = nil, totalAcceleration: SIMD3<Double>? = nil
  ) {
    self.time = time
    self.userAcceleration = userAcceleration
    self.rotationRate = rotationRate
    self.gravity = gravity
    self.totalAcceleration = totalAcceleration
  }
}

extension MotionBatch {
  /// A batch of one sample.
  public init(_ sample: MotionSample) {
    self.init()
    append(sample)
  }
}

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
