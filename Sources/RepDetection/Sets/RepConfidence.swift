import Motion
import SignalProcessing

/// The probability that a counted event is a rep (step 11).
///
/// Logistic regression on how the event compares with the set's other reps, fitted on synthetic
/// recordings, the only ones with true rep times; docs/calibration/fit_confidence.py says how and how
/// it did on recordings that it was not fitted on.
enum RepConfidence {
  static let intercept = -0.799
  /// In the order of ``features(_:)``.
  static let weights = [1.698, 0.464, -1.717, -0.997, 0.526]

  static func features(_ e: RepEvidence) -> [Double] {
    [
      -Math.log(1.02 - min(e.similarity, 1)), min(max(e.relativeSimilarity, 0), 1.2),
      min(Math.log(max(e.relativeEnergy, 0.05)).magnitude, 2),
      min(Math.log(max(e.relativeDuration, 0.1)).magnitude, 1), e.isEdge ? 1 : 0,
    ]
  }

  static func probability(_ evidence: RepEvidence) -> Double {
    Math.logistic(
      zip(weights, features(evidence)).reduce(intercept) { $0 + $1.0 * $1.1 })
  }
}
