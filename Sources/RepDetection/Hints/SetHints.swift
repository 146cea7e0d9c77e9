import Motion

/// What a caller may know about a set beforehand. Every part is optional.
public struct SetHints: Sendable, Hashable, Codable {
  /// Seconds that one rep usually takes.
  public var expectedPeriodSeconds: Double?
  /// Whether left and right take turns, so that one cycle of the wrist may hold two reps. Overrides what
  /// is known of the exercise. With `true` the halves of a cycle are counted also where
  /// they are quicker than the detector would ask for by itself; with `false` never.
  public var isAlternating: Bool?
  /// How many reps are intended. Decides between segmentations of a set that are about as good, and
  /// whether a doubtful first or last movement counts; never more than that.
  public var targetReps: Int?
  /// Fewer reps than this are no set. Two where not given.
  public var minimumReps: Int?
  /// What reps looked like in the person's earlier sets (``RepDetector/pattern(of:in:configuration:)``,
  /// ``KnownMovements/patterns(exceptFrom:for:)``). A run that resembles one in posture, tempo and speed is likelier
  /// a set, and one that resembles none less likely.
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

  /// Whether two sides take turns, as far as the caller knows.
  var alternates: Bool? { isAlternating ?? exercise?.isAlternating }

  /// Found sets of quicker reps are other movements, s.
  var shortestPeriodSeconds: Double {
    sensiblePeriod.map { 0.4 * $0 } ?? exercise?.periodSeconds.lowerBound ?? 0
  }

  private var sensiblePeriod: Double? {
    expectedPeriodSeconds.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
  }

  /// The periods that are expected, s: 0.6 to 1.7 times what the caller declares, which leaves out half a
  /// rep and two, or what the exercise can have.
  private var usualPeriods: ClosedRange<Double>? {
    sensiblePeriod.map { 0.6 * $0...1.7 * $0 } ?? exercise?.periodSeconds
  }

  /// - Parameter period: asked for where a period is expected.
  func isUsual(_ period: @autoclosure () -> Double) -> Bool {
    usualPeriods.map { $0.contains(period()) } ?? false
  }
}
