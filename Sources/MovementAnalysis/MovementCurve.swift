/// The wrist's position in its movement, at a fixed rate over a set.
public struct MovementCurve: Sendable, Hashable {
  /// The signal that the curve was computed from, most trustworthy first.
  public enum Source: String, Sendable, Hashable, Codable {
    /// Angle about the movement's main axis, from an attitude that the device computed.
    case attitude
    /// Angle about that axis, from rotation rate, leveled by gravity or acceleration if available.
    case rotationRate
    /// Displacement along the movement's main direction, from acceleration integrated twice; for movements
    /// that hardly rotate the wrist.
    case displacement
    /// Tilt of the wrist against gravity or low-passed acceleration.
    case tilt
  }

  public struct Point: Sendable, Hashable {
    /// Time since the set began, in seconds.
    public var time: Double
    /// Position from −1, the end of the eccentric phase, to +1, the end of the concentric phase.
    public var movement: Double
    /// Number of the rep that completes here, from 1.
    public var completedRep: Int?

    package init(time: Double, movement: Double, completedRep: Int? = nil) {
      self.time = time
      self.movement = movement
      self.completedRep = completedRep
    }
  }

  public var source: Source
  public var rateHz: Double
  /// Points in order of time, `rateHz` per second. Gaps of the recording have none.
  public var points: [Point]

  package init(source: Source, rateHz: Double, points: [Point]) {
    self.source = source
    self.rateHz = rateHz
    self.points = points
  }
}
