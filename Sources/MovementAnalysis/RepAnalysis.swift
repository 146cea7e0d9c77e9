/// What one rep's movement was like. A figure that the data cannot support is nil.
///
/// `docs/analysis.md` defines every figure.
public struct RepAnalysis: Sendable, Hashable {
  /// 1, 2, … in its set.
  public var number: Int
  /// Seconds, pauses between reps not included.
  public var duration: Double
  /// Seconds in which the load is moved, and in which it is let back.
  public var concentricTime: Double?
  public var eccentricTime: Double?
  /// Seconds of rest at the turnaround of the movement, within the rep.
  public var farPause: Double?
  /// Seconds of rest between this rep and the next; nil for the last one.
  public var pauseAfter: Double?
  /// Seconds from its end to the next rep's begin, as counted; nil for the last one.
  public var restAfter: Double?
  /// Degrees per second, about whatever axis.
  public var peakRotationRate: Double?
  public var meanRotationRate: Double?
  /// Degrees between the wrist's pose as the rep begins and the pose furthest from it, about
  /// whatever axis, at most 180. Known with a gyroscope or an attitude, unlike ``rangeOfMotion``.
  public var rotationRange: Double?
  /// Degrees swept by the forearm about the movement's main axis.
  public var rangeOfMotion: Double?
  /// Range as a share of the set's largest, 0 to 1; also where degrees cannot be told.
  public var relativeRange: Double?
  /// Way along the set's common movement per second of the concentric phase, in the unit of the
  /// set's usual range: degrees per second, or for ``MovementCurve/Source/displacement`` metres per
  /// second along the movement's main direction.
  public var meanConcentricSpeed: Double?
  /// Likeness to the other reps of the set, 0 to 1.
  public var similarity: Double?

  init(number: Int, duration: Double) {
    self.number = number
    self.duration = duration
  }
}
