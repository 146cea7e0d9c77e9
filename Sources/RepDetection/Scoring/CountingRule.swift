import SignalProcessing

/// The rule that chooses the count of a window. Only ``fitted`` is used for counting; the other is a baseline
/// (`reptrace evaluate --counter`).
package enum CountingRule: String, Sendable, Codable, CaseIterable {
  /// The fitted score of the segmentations.
  case fitted
  /// The most reps among the nearly best explanations.
  case mostReps = "most-reps"

  /// Returns the log probability of each segmentation of a window, up to a constant.
  func scores(of segmentations: [ScoredSegmentation], _ weights: CounterWeights) -> [Float] {
    switch self {
    case .fitted: segmentations.map { ($0.features * weights.score).sum() * weights.temperature }
    case .mostReps: MostReps.scores(of: segmentations)
    }
  }
}

/// A rule without fitted parameters. Eligible are the segmentations that explain at least nine tenths of the
/// best one's sum and have no rep much less similar than the others. The one with the most reps wins; among
/// equals, the one that explains most. It assigns every count full confidence.
///
/// Equals `Benchmarks/Rivals/segmental.py`, except that these segmentations include no alternatives with
/// stiller boundaries: ``FinalSegmentation`` chooses those afterwards.
private enum MostReps {
  static func scores(of segmentations: [ScoredSegmentation]) -> [Float] {
    let even = segmentations.filter { isEven($0.features) }
    let most = even.map { $0.features[SegmentationFeatures.explained] }.max() ?? 0
    return segmentations.map {
      let explained = $0.features[SegmentationFeatures.explained]
      let isEligible = isEven($0.features) && explained >= most + Math.log(Float(0.9))
      // Large enough that a larger eligible count always wins.
      return (isEligible ? 100 * Float($0.count) : 0) + 10 * explained
    }
  }

  /// True if the least similar rep has at least 0.68 of the mean similarity.
  private static func isEven(_ features: SIMD8<Float>) -> Bool {
    let mean = 1.02 - Math.exp(-Double(features[SegmentationFeatures.likeness]))
    let outlier = Double(features[SegmentationFeatures.outlierRep])
    return outlier == 0 || 1.02 - Math.exp(outlier - 1.3) >= 0.68 * mean
  }
}
