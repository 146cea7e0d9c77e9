/// The motion at one instant, in seconds, g and radians. A quantity that was not measured is nil.
public struct MotionSample: Sendable, Hashable {
  /// Seconds on the sensor's clock.
  public var time: Double
  /// Acceleration without gravity, in g.
  public var userAcceleration: SIMD3<Double>?
  /// Rotation rate, in radians per second.
  public var rotationRate: SIMD3<Double>?
  /// Direction of gravity in the device's frame, of length 1 g.
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
  /// Creates a batch of one sample.
  public init(_ sample: MotionSample) {
    self.init()
    append(sample)
  }
}

#if canImport(CoreMotion) && !os(visionOS) && !os(tvOS)
  import CoreMotion

  extension MotionSample {
    /// Converts a sample of Core Motion, which uses the same units and signs.
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
