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

  public init(
    expectedPeriodSeconds: Double? = nil, isAlternating: Bool? = nil, targetReps: Int? = nil,
    minimumReps: Int? = nil
  ) {
    self.expectedPeriodSeconds = expectedPeriodSeconds
    self.isAlternating = isAlternating
    self.targetReps = targetReps
    self.minimumReps = minimumReps
  }

  /// The periods that reps of the set may have, within `limits`: from 0.6 to 1.7 times what is
  /// expected. All of `limits` where nothing sensible is expected.
  func periods(within limits: ClosedRange<Double>) -> ClosedRange<Double> {
    guard let expected = expectedPeriodSeconds, expected.isFinite, expected > 0 else {
      return limits
    }
    let low = max(limits.lowerBound, 0.6 * expected)
    let high = min(limits.upperBound, 1.7 * expected)
    return low < high ? low...high : limits
  }
}
