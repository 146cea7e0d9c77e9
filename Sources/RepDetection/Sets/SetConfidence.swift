import Motion
import SignalProcessing

/// The probability that a settled count is exactly right (step 11).
///
/// Logistic regression on what a count rests on. The coefficients come from
/// docs/calibration/fit_confidence.py, which says how they were found and how they did on groups
/// of recordings left out. Few figures, each with a sign that follows from what it means: of some
/// forty these kept their meaning from one kind of recording to another.
enum SetConfidence {
  static let intercept = -2.197
  /// In the order of ``features(_:cause:)``.
  static let weights = [0.605, 1.228, 0.949, 7.467, -1.967, -0.342]

  /// Whether the set was declared; how alike its reps are; how slow they are (ln s); by how much the
  /// best reading with another count falls short; whether reps were put into gaps or cycles counted by
  /// halves; the share without a gyroscope.
  static func features(_ evidence: SetEvidence, cause: SetCause) -> [Double] {
    let isCompleted = evidence.filledReps > 0 || evidence.isAlternating
    return [
      cause == .declared ? 1 : 0, -Math.log(1.02 - min(evidence.meanSimilarity, 1)),
      Math.log(min(max(evidence.periodSeconds, 0.6), 4)), min(max(evidence.margin, -0.1), 0.25),
      isCompleted ? 1 : 0, 1 - evidence.rotationMeasured,
    ]
  }

  static func probabilityOfExactCount(_ evidence: SetEvidence, cause: SetCause) -> Double {
    let odds = zip(weights, features(evidence, cause: cause)).reduce(intercept) {
      $0 + $1.0 * $1.1
    }
    return Math.logistic(odds)
  }
}
