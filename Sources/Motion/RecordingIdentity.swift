/// The ids of the source app for its samples, verbatim.
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

/// The phase of a workout, as the watch app reports it: 50 Hz in execution, 20 Hz in rest.
public enum WorkoutPhase: String, Sendable, Hashable, Codable {
  case execution, rest
}

/// A span of consecutive samples in one phase.
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
  /// Time of the reading, in seconds since 1970.
  public var unixTime: Double
  public var heartRateBPM: Double?
  /// Energy burned so far, in kilocalories.
  public var calories: Double?

  public init(unixTime: Double, heartRateBPM: Double? = nil, calories: Double? = nil) {
    self.unixTime = unixTime
    self.heartRateBPM = heartRateBPM
    self.calories = calories
  }
}

/// The samples of a recording in order of time, with the metadata of their source.
public struct Recording: Sendable {
  /// The name used in results: a path, or the folder of a group of chunk files.
  public var name: String
  public var identity: SetIdentity
  /// Samples in order of time, without exact duplicates.
  public var samples: MotionBatch
  /// Spans of known phase, in order and without overlap. Empty if the source gives none.
  public var phases: [PhaseSpan]
  public var health: [HealthReading]
  /// Date of `samples.times[0]`, in seconds since 1970, if the source gave one.
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

  /// Returns the date of a time on the samples' clock, in seconds since 1970; nil if the source gave no date.
  package func unixTime(atSeconds seconds: Double) -> Double? {
    if samples.clock == .unix { return seconds }
    guard let base = unixTimeOfFirstSample, let first = samples.times.first else { return nil }
    return base + (seconds - first / samples.units.time.unitsPerSecond)
  }

  /// The dates of the first and last sample, in seconds since 1970; nil if the source gave no date.
  package var dates: (first: Double, last: Double)? {
    let scale = samples.units.time.unitsPerSecond
    guard let first = samples.times.first, let last = samples.times.last,
      let start = unixTime(atSeconds: first / scale), let end = unixTime(atSeconds: last / scale)
    else { return nil }
    return (start, end)
  }
}
