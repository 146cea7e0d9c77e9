/// How exactly a timeline keeps its samples.
public enum TimelinePrecision: Sendable, Hashable {
  /// Every value comes back bit for bit, whatever it is.
  case lossless
  /// Every finite value comes back within the bound of its quantity; whatever cannot be held
  /// within it (an infinity, a NaN, a huge number) comes back bit for bit.
  case bounded(ErrorBounds = .standard)
}

/// The greatest absolute error of a value in a bounded timeline, in standard units.
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
