/// The analysis of one rep's movement. A figure that the data cannot support is nil.
///
/// `docs/analysis.md` defines every figure.
public struct RepAnalysis: Sendable, Hashable {
  /// Number in the set, from 1.
  public var number: Int
  /// Duration without pauses between reps, in seconds.
  public var duration: Double
  /// Durations of lifting and of lowering the load, in seconds.
  public var concentricTime: Double?
  public var eccentricTime: Double?
  /// Pause at the turnaround, within the rep, in seconds.
  public var farPause: Double?
  /// Pause between this rep and the next, in seconds; nil for the last rep.
  public var pauseAfter: Double?
  /// Time from this rep's end to the next one's begin as counted, in seconds; nil for the last rep.
  public var restAfter: Double?
  /// Peak rotation rate about any axis, in degrees per second.
  public var peakRotationRate: Double?
  public var meanRotationRate: Double?
  /// Angle between the wrist's pose at the begin and the pose farthest from it, about any axis, in degrees,
  /// at most 180. Known with a gyroscope or an attitude, unlike ``rangeOfMotion``.
  public var rotationRange: Double?
  /// Rotation of the forearm about the movement's main axis, in degrees.
  public var rangeOfMotion: Double?
  /// Range as a fraction of the set's largest, 0 to 1; known even if degrees are not.
  public var relativeRange: Double?
  /// Mean speed in the concentric phase along the set's common movement, in the unit of the set's usual
  /// range: degrees per second, or meters per second for ``MovementCurve/Source/displacement``.
  public var meanConcentricSpeed: Double?
  /// Similarity to the other reps of the set, 0 to 1.
  public var similarity: Double?

  init(number: Int, duration: Double) {
    self.number = number
    self.duration = duration
  }
}
