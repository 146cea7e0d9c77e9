import Motion

/// What a caller may know about a set beforehand. Every part is optional; nothing is needed.
public struct SetHints: Sendable, Hashable {
  /// Seconds that one rep usually takes.
  public var expectedPeriodSeconds: Double?
  /// Whether left and right take turns, so that one cycle of the wrist holds two reps.
  public var isAlternating: Bool?
  /// How many reps are intended.
  public var targetReps: Int?
  /// Fewer reps than this are no set. Three where not given.
  public var minimumReps: Int?
  /// What reps of this exercise looked like in the person's earlier sets
  /// (``RepDetector/pattern(of:in:configuration:)``). A set that resembles one is a set already when
  /// it is short; others must be better sets than otherwise.
  public var patterns: [MovementPattern]
  /// What is known of the exercise (``ExercisePrior/named(_:)``).
  public var exercise: ExercisePrior?

  public init(
    expectedPeriodSeconds: Double? = nil, isAlternating: Bool? = nil, targetReps: Int? = nil,
    minimumReps: Int? = nil, patterns: [MovementPattern] = [], exercise: ExercisePrior? = nil
  ) {
    self.patterns = patterns
    self.exercise = exercise
    self.expectedPeriodSeconds = expectedPeriodSeconds
    self.isAlternating = isAlternating
    self.targetReps = targetReps
    self.minimumReps = minimumReps
  }

  /// The periods that reps of the set may have, within `limits`: from 0.6 to 1.7 times what is
  /// expected. All of `limits` where nothing sensible is expected.
  func periods(within limits: ClosedRange<Double>) -> ClosedRange<Double> {
    guard let expected = expectedPeriodSeconds, expected.isFinite, expected > 0 else {
      guard let usual = exercise?.periodSeconds, usual.overlaps(limits) else { return limits }
      return usual.clamped(to: limits)
    }
    let low = max(limits.lowerBound, 0.6 * expected)
    let high = min(limits.upperBound, 1.7 * expected)
    return low < high ? low...high : limits
  }

  /// Which of several readings that are equally good is to be taken: the one with as many reps as
  /// were intended, otherwise the one with most.
  func rank(_ reading: Segmentation) -> (Int, Float) {
    let count = reading.segments.count
    return (count == targetReps ? Int.max : count, reading.score)
  }
}
