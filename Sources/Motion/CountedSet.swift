/// One repetition that was found.
public struct CountedRep: Sendable, Hashable, Codable {
  /// When the wrist leaves its starting posture, in seconds on the samples' clock.
  public var start: Double
  /// When it is back, in seconds on the samples' clock.
  public var end: Double
  /// The probability that this event is a rep, 0 to 1.
  public var confidence: Double

  public init(start: Double, end: Double, confidence: Double) {
    self.start = start
    self.end = end
    self.confidence = confidence
  }

  public var duration: Double { end - start }
}

/// Where a set's boundaries come from.
public enum SetCause: String, Sendable, Hashable, Codable {
  /// The caller said that there is a set: an id, a `startSet` message, an option.
  case declared
  /// The detector found it in the signal.
  case detected
}

/// Which reps a count holds where left and right take turns.
public enum CountedSides: String, Sendable, Hashable, Codable {
  /// Only the watch's arm moves the watch: the other side did as many unseen.
  case watchSide
  /// The watch saw both: each side did half.
  case bothSides
}

/// One set with its reps.
public struct CountedSet: Sendable, Hashable, Codable {
  public var cause: SetCause
  /// Seconds on the samples' clock: begin of the first rep. For a declared set without reps, the
  /// first sample.
  public var start: Double
  /// Seconds on the samples' clock: end of the last rep.
  public var end: Double
  public var reps: [CountedRep]
  /// Movements that resemble a rep but fall short of it; reported, not counted.
  public var partialReps: [CountedRep]
  /// The calibrated probability that this is a set and `reps.count` exactly right, 0 to 1.
  public var confidence: Double
  /// Where left and right take turns: which reps were counted. Nil where they are not known to.
  public var sides: CountedSides? = nil

  public init(
    cause: SetCause, start: Double, end: Double, reps: [CountedRep],
    partialReps: [CountedRep] = [], confidence: Double
  ) {
    self.cause = cause
    self.start = start
    self.end = end
    self.reps = reps
    self.partialReps = partialReps
    self.confidence = confidence
  }

  /// Reps of one side of the body. Of an odd count of both, those of the side that began.
  public var repsPerSide: Int { sides == .bothSides ? (reps.count + 1) / 2 : reps.count }

  /// Reps of both sides together, where they take turns; otherwise as many as were counted.
  public var repsOfBothSides: Int { sides == .watchSide ? 2 * reps.count : reps.count }
}
