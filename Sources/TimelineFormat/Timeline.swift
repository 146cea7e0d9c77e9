import Motion

/// A segment of recorded motion with its set, phases and provenance. The history stores one per set and rest.
public struct Timeline: Sendable {
  public var samples: MotionBatch
  /// Spans of known phase, in rows of ``samples``.
  public var phases: [PhaseSpan]
  /// The detector's count; times in seconds on the samples' clock. Nil for rest.
  public var set: CountedSet?
  public var health: [HealthReading]
  /// Empty if not computed.
  public var movementCurve: [MovementPoint]
  public var identity: SetIdentity
  /// Time of the first sample, in seconds since 1970, if the source gave a date.
  public var unixTimeOfFirstSample: Double?
  public var provenance: TimelineProvenance?
  /// Sections of unknown types, kept unchanged.
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

/// A point of the movement curve that charts of a set show.
public struct MovementPoint: Sendable, Hashable {
  /// Time since the set began, in seconds.
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

/// The program that wrote a timeline, and the detector that counted its reps.
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
