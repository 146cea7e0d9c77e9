/// The ids under which an app hands over what belongs together, as it wrote them.
public struct SetIdentity: Sendable, Hashable, Codable {
  public var sessionId: String?
  public var exerciseId: String?
  public var setId: String?

  public init(sessionId: String? = nil, exerciseId: String? = nil, setId: String? = nil) {
    self.sessionId = sessionId
    self.exerciseId = exerciseId
    self.setId = setId
  }
}

/// What the wearer does, as the watch app tells it: 50 Hz in execution, 20 Hz in rest.
public enum WorkoutPhase: String, Sendable, Hashable, Codable {
  case execution, rest
}

/// A run of consecutive samples in one phase.
public struct PhaseSpan: Sendable, Hashable {
  /// Rows of the recording's samples.
  public var rows: Range<Int>
  public var phase: WorkoutPhase

  public init(rows: Range<Int>, phase: WorkoutPhase) {
    self.rows = rows
    self.phase = phase
  }
}

/// A reading of heart rate and energy, with its own clock.
public struct HealthReading: Sendable, Hashable {
  /// Seconds since 1970.
  public var unixTime: Double
  public var heartRateBPM: Double?
  /// Kilocalories so far.
  public var calories: Double?

  public init(unixTime: Double, heartRateBPM: Double? = nil, calories: Double? = nil) {
    self.unixTime = unixTime
    self.heartRateBPM = heartRateBPM
    self.calories = calories
  }
}

/// The samples of one recording, in order of time, with what its source said about them.
public struct Recording: Sendable {
  /// The name under which results are reported: a path, or the folder of a group of chunk files.
  public var name: String
  public var identity: SetIdentity
  /// In order of time; exact duplicates removed.
  public var samples: MotionBatch
  /// Spans of known phase, in order, not overlapping. Empty where the source does not tell.
  public var phases: [PhaseSpan]
  public var health: [HealthReading]
  /// Seconds since 1970 at `samples.times[0]`, where the source gave a date.
  public var unixTimeOfFirstSample: Double?

  public init(
    name: String, identity: SetIdentity = SetIdentity(), samples: MotionBatch,
    phases: [PhaseSpan] = [], health: [HealthReading] = [], unixTimeOfFirstSample: Double? = nil
  ) {
    self.name = name
    self.identity = identity
    self.samples = samples
    self.phases = phases
    self.health = health
    self.unixTimeOfFirstSample = unixTimeOfFirstSample
  }
}
