import Motion

/// The caller's prior knowledge of a set. Every part is optional.
public struct SetHints: Sendable, Hashable, Codable {
  /// Typical duration of a rep, in seconds.
  public var expectedPeriodSeconds: Double?
  /// True if left and right alternate, so that one cycle of the wrist may contain two reps. Overrides the
  /// exercise's prior. With `true`, the halves of a cycle are counted even if they are faster than the
  /// detector would otherwise accept; with `false`, they never are.
  public var isAlternating: Bool?
  /// The intended number of reps. Decides only between segmentations of a set that are about equally good,
  /// and whether a doubtful first or last movement counts.
  public var targetReps: Int?
  /// Minimum number of reps in a set; two if nil.
  public var minimumReps: Int?
  /// Mean reps of the person's earlier sets (``RepDetector/pattern(of:in:configuration:)``,
  /// ``KnownMovements/patterns(exceptFrom:for:)``). A run that resembles one in posture, tempo and speed is
  /// more likely a set.
  public var patterns: [MovementPattern]
  /// Prior for the exercise (``ExercisePrior/named(_:)``).
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

  /// True if both sides alternate; nil if unknown.
  var alternates: Bool? { isAlternating ?? exercise?.isAlternating }

  /// Minimum period of a detected set, in seconds. Faster runs are other movements.
  var shortestPeriodSeconds: Double {
    sensiblePeriod.map { 0.4 * $0 } ?? exercise?.periodSeconds.lowerBound ?? 0
  }

  private var sensiblePeriod: Double? {
    expectedPeriodSeconds.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
  }

  /// The expected range of periods, in seconds: 0.6 to 1.7 times the declared period, which excludes half
  /// reps and double reps, or the exercise's range.
  private var expectedPeriods: ClosedRange<Double>? {
    sensiblePeriod.map { 0.6 * $0...1.7 * $0 } ?? exercise?.periodSeconds
  }

  /// Returns true if a period is expected and `period` is within the expected range.
  ///
  /// - Parameter period: Evaluated only if a period is expected.
  func isExpected(_ period: @autoclosure () -> Double) -> Bool {
    expectedPeriods.map { $0.contains(period()) } ?? false
  }
}
