import Motion

/// The probability that a settled count is exactly right (step 11).
///
/// Logistic regression on what a count rests on. The coefficients come from
/// docs/calibration/fit_confidence.py, which says how they were found and how they did on groups
/// of recordings left out.
enum SetConfidence {
  static let intercept = -4.692
  /// In the order of ``features(_:reps:)``.
  static let weights = [1.164, 0.113, 1.856, 2.149, 0.049, -0.894, -0.147, -1.212]

  static func features(_ e: SetEvidence, reps: Int) -> [Double] {
    func sharpness(_ similarity: Double) -> Double { -Math.log(1.02 - min(similarity, 1)) }
    return [
      sharpness(e.meanSimilarity), sharpness(e.leastSimilarity), e.agreement, e.stability,
      min(e.boundaryMotion, 1.5), e.rows > 1 ? 1 : 0, 1 - e.rotationMeasured,
      reps < 4 ? 1 : 0,
    ]
  }

  static func probabilityOfExactCount(_ evidence: SetEvidence, reps: Int) -> Double {
    let odds = zip(weights, features(evidence, reps: reps)).reduce(intercept) { $0 + $1.0 * $1.1 }
    return Math.logistic(odds)
  }
}
