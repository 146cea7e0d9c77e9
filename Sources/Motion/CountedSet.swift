/// One counted repetition.
public struct CountedRep: Sendable, Hashable, Codable {
  /// Time at which the wrist leaves its starting posture, in seconds on the samples' clock.
  public var start: Double
  /// Time at which it is back in its starting posture, in seconds on the samples' clock.
  public var end: Double
  /// Probability that this movement is a rep, 0 to 1.
  public var confidence: Double

  public init(start: Double, end: Double, confidence: Double) {
    self.start = start
    self.end = end
    self.confidence = confidence
  }

  public var duration: Double { end - start }
}

/// The origin of a set's boundaries.
public enum SetCause: String, Sendable, Hashable, Codable {
  /// The caller declared the set: an id, a `startSet` message, an option.
  case declared
  /// The detector found the set in the signal.
  case detected
}

/// The sides whose reps a count includes if left and right alternate.
public enum CountedSides: String, Sendable, Hashable, Codable {
  /// The reps of the watch's arm only; the other side did as many.
  case watchSide
  /// The reps of both sides; each side did half.
  case bothSides
}

/// One set with its reps.
public struct CountedSet: Sendable, Hashable, Codable {
  public var cause: SetCause
  /// Begin of the first rep, in seconds on the samples' clock; the first sample of a declared set without
  /// reps.
  public var start: Double
  /// End of the last rep, in seconds on the samples' clock.
  public var end: Double
  public var reps: [CountedRep]
  /// Movements that resemble a rep but fall short of one; reported, not counted.
  public var partialReps: [CountedRep]
  /// Calibrated probability that this is a set and that `reps.count` is exactly right, 0 to 1.
  public var confidence: Double
  /// The counted sides if left and right are known to alternate; otherwise nil.
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

  /// Number of reps per side of the body. If both sides are counted and the count is odd, that of the first
  /// side.
  public var repsPerSide: Int { sides == .bothSides ? (reps.count + 1) / 2 : reps.count }

  /// Number of reps of both sides together; the count itself if the sides do not alternate.
  public var repsOfBothSides: Int { sides == .watchSide ? 2 * reps.count : reps.count }
}
