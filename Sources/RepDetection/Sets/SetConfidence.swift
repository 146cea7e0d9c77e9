import Motion

/// The probability that a settled count is exactly right (step 11).
///
/// Logistic regression on what a count rests on. The coefficients come from
/// docs/calibration/fit_confidence.py, which says how they were found and how they did on groups
/// of recordings left out. Three figures only: of some twenty these kept their meaning from one kind of
/// recording to another.
enum SetConfidence {
  static let intercept = -2.751
  /// In the order of ``features(_:cause:)``.
  static let weights = [0.950, 1.352, 1.655]

  static func features(_ evidence: SetEvidence, cause: SetCause) -> [Double] {
    [
      cause == .declared ? 1 : 0, -Math.log(1.02 - min(evidence.meanSimilarity, 1)),
      evidence.stability,
    ]
  }

  static func probabilityOfExactCount(_ evidence: SetEvidence, cause: SetCause) -> Double {
    let odds = zip(weights, features(evidence, cause: cause)).reduce(intercept) {
      $0 + $1.0 * $1.1
    }
    return Math.logistic(odds)
  }
}
