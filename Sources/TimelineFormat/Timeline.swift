import Motion

/// A segment of recorded motion with all that was found in it: what the history keeps of a set,
/// or of the rest between sets.
public struct Timeline: Sendable {
  public var samples: MotionBatch
  /// Spans of known phase; rows of ``samples``.
  public var phases: [PhaseSpan]
  /// What the detector counted; times in seconds on the samples' clock. Nil for rest.
  public var set: CountedSet?
  public var health: [HealthReading]
  /// Empty where it has not been computed.
  public var movementCurve: [MovementPoint]
  public var identity: SetIdentity
  /// Seconds since 1970 at the first sample, where the source gave a date.
  public var unixTimeOfFirstSample: Double?
  public var provenance: TimelineProvenance?
  /// Sections of types that this version does not know, kept as they are.
  public var otherSections: [TimelineSection]

  public init(
    samples: MotionBatch, phases: [PhaseSpan] = [], set: CountedSet? = nil,
    health: [HealthReading] = [], movementCurve: [MovementPoint] = [],
    identity: SetIdentity = SetIdentity(), unixTimeOfFirstSample: Double? = nil,
    provenance: TimelineProvenance? = nil, otherSections: [TimelineSection] = []
  ) {
    self.samples = samples
    self.phases = phases
    self.set = set
    self.health = health
    self.movementCurve = movementCurve
    self.identity = identity
    self.unixTimeOfFirstSample = unixTimeOfFirstSample
    self.provenance = provenance
    self.otherSections = otherSections
  }
}

/// A point of a set's movement curve, as charts draw it.
public struct MovementPoint: Sendable, Hashable {
  /// Seconds since the set began.
  public var time: Double
  /// From −1, the end of the eccentric phase, to +1, the end of the concentric phase.
  public var movement: Double
  /// The number of the rep that completes here, from 1.
  public var completedRep: Int?

  public init(time: Double, movement: Double, completedRep: Int? = nil) {
    self.time = time
    self.movement = movement
    self.completedRep = completedRep
  }
}

/// Who wrote a timeline, and which detector found what it says.
public struct TimelineProvenance: Sendable, Hashable {
  /// The program and its version.
  public var writer: String
  /// The detector and its version.
  public var detector: String
  /// The detector's settings by name.
  public var settings: [String: String]

  public init(writer: String = "", detector: String = "", settings: [String: String] = [:]) {
    self.writer = writer
    self.detector = detector
    self.settings = settings
  }
}
