/// Where in its movement the wrist was, at a fixed rate over a set.
public struct MovementCurve: Sendable, Hashable {
  /// What the curve was made of, from the most to the least trustworthy.
  public enum Source: String, Sendable, Hashable, Codable {
    /// The angle about the movement's main axis, from an attitude that the device fused.
    case attitude
    /// The same angle, from rotation rate held level by gravity or acceleration where there is one.
    case rotationRate
    /// The way along the movement's main direction, from acceleration integrated twice; for
    /// movements that hardly turn the wrist.
    case displacement
    /// The tilt of the wrist against gravity or low-passed acceleration.
    case tilt
  }

  public struct Point: Sendable, Hashable {
    /// Seconds since the set began.
    public var time: Double
    /// From −1, the end of the eccentric phase, to +1, the end of the concentric phase.
    public var movement: Double
    /// The number of the rep that completes here, from 1.
    public var completedRep: Int?

    package init(time: Double, movement: Double, completedRep: Int? = nil) {
      self.time = time
      self.movement = movement
      self.completedRep = completedRep
    }
  }

  public var source: Source
  public var rateHz: Double
  /// In order of time, `rateHz` a second; none within gaps of the recording.
  public var points: [Point]

  package init(source: Source, rateHz: Double, points: [Point]) {
    self.source = source
    self.rateHz = rateHz
    self.points = points
  }
}
