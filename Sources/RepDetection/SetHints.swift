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
}
