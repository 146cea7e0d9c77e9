import Motion

/// A segment of recorded motion with all that was found in it: what the history keeps of a set,
/// or of the rest between sets.
public struct Timeline: Sendable {
  public var samples: MotionBatch
  /// Spans of known phase; rows of ``samples``.
  public var phases: [PhaseSpan]
  /// Where samples are known to be missing, in order.
  public var gaps: [TimelineGap]
  /// What the detector counted; times in seconds on the samples' clock. Nil for rest.
  public var set: CountedSet?
  public var health: [HealthReading]
  /// Empty where it has not been computed.
  public var movementCurve: [MovementPoint]
  /// Templates of reps and the like; empty where none were computed.
  public var patterns: [TimelinePattern]
  public var identity: SetIdentity
  /// Seconds since 1970 at the first sample, where the source gave a date.
  public var unixTimeOfFirstSample: Double?
  public var provenance: TimelineProvenance?
  /// Sections of types that this version does not know, kept as they are.
  public var otherSections: [TimelineSection]

  public init(
    samples: MotionBatch, phases: [PhaseSpan] = [], gaps: [TimelineGap] = [],
    set: CountedSet? = nil, health: [HealthReading] = [], movementCurve: [MovementPoint] = [],
    patterns: [TimelinePattern] = [], identity: SetIdentity = SetIdentity(),
    unixTimeOfFirstSample: Double? = nil,
    provenance: TimelineProvenance? = nil, otherSections: [TimelineSection] = []
  ) {
    self.samples = samples
    self.phases = phases
    self.gaps = gaps
    self.set = set
    self.health = health
    self.movementCurve = movementCurve
    self.patterns = patterns
    self.identity = identity
    self.unixTimeOfFirstSample = unixTimeOfFirstSample
    self.provenance = provenance
    self.otherSections = otherSections
  }
}

/// An interval of time in which samples are known to be missing.
public struct TimelineGap: Sendable, Hashable {
  /// Seconds on the samples' clock: the last sample before the gap.
  public var start: Double
  /// Seconds on the samples' clock: the first sample after it.
  public var end: Double

  public init(start: Double, end: Double) {
    self.start = start
    self.end = end
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
