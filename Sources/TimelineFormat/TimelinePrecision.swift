/// The precision of a timeline's samples.
public enum TimelinePrecision: Sendable, Hashable {
  /// All values are kept bit for bit.
  case lossless
  /// Values are kept within the bound of their quantity; infinities, NaN and overlarge numbers bit for bit.
  case bounded(ErrorBounds = .standard)
}

/// Maximum absolute errors of the values in a bounded timeline, in standard units.
public struct ErrorBounds: Sendable, Hashable {
  /// Seconds.
  public var time: Double
  /// User acceleration, total acceleration and gravity, in g.
  public var acceleration: Double
  /// Radians per second.
  public var rotationRate: Double
  /// Roll, pitch and yaw, in radians.
  public var attitude: Double
  /// Microtesla.
  public var magneticField: Double
  /// Components of the attitude's quaternion.
  public var quaternion: Double

  public init(
    time: Double = 1e-6, acceleration: Double = 1e-4, rotationRate: Double = 1e-4,
    attitude: Double = 1e-4, magneticField: Double = 0.1, quaternion: Double = 1e-4
  ) {
    self.time = time
    self.acceleration = acceleration
    self.rotationRate = rotationRate
    self.attitude = attitude
    self.magneticField = magneticField
    self.quaternion = quaternion
  }

  /// 1 µs, 1e-4 g, 1e-4 rad/s, 1e-4 rad, 0.1 µT, 1e-4.
  public static let standard = ErrorBounds()
}
