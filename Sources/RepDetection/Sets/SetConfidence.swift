import Motion

/// The probability that a settled count is exactly right (step 11).
///
/// Logistic regression on what a count rests on. The coefficients come from
/// docs/calibration/fit_confidence.py, which says how they were found and how they did on groups
/// of recordings left out.
enum SetConfidence {
  static let intercept = -1.892
  /// In the order of ``features(_:reps:)``.
  static let weights = [1.016, 0.733, 1.711, -2.069, -2.838, -2.501, 0.914]

  static func features(_ e: SetEvidence, reps: Int) -> [Double] {
    [
      -Math.log(1.02 - min(e.meanSimilarity, 1)), min(max(e.margin, -0.3), 0.6), e.agreement,
      e.neighbourSimilarity, e.leftoverSimilarity, reps < 4 ? 1 : 0,
      // Beyond the tempos that were seen it says no more.
      Math.log(min(max(e.periodSeconds, 0.4), 6)),
    ]
  }

  static func probabilityOfExactCount(_ evidence: SetEvidence, reps: Int) -> Double {
    let odds = zip(weights, features(evidence, reps: reps)).reduce(intercept) { $0 + $1.0 * $1.1 }
    return Math.logistic(odds)
  }
}
