import SignalProcessing

/// By what the count of a window is decided. Only ``fitted`` is the counter; the other is there to be compared
/// with (`reptrace evaluate --counter`).
package enum CountingRule: String, Sendable, Codable, CaseIterable {
  /// By the fitted score of its segmentations.
  case fitted
  /// As many reps as nearly the best explanation has.
  case mostReps = "most-reps"

  /// Of each segmentation of a window the ln of its probability, up to a constant.
  func scores(of segmentations: [ScoredSegmentation], _ weights: CounterWeights) -> [Float] {
    switch self {
    case .fitted: segmentations.map { ($0.features * weights.score).sum() * weights.temperature }
    case .mostReps: MostReps.scores(of: segmentations)
    }
  }
}

/// A rule without anything fitted: of the segmentations that explain nine tenths of what the best one does, and
/// have no rep much less alike than the others, that with the most reps; of as many, the one that explains most.
/// It is sure of every count.
///
/// It is how `Benchmarks/Rivals/segmental.py` decides, but that this program's segmentations have no stiller
/// boundaries to choose between: ``FinalSegmentation`` chooses those afterwards.
private enum MostReps {
  static func scores(of segmentations: [ScoredSegmentation]) -> [Float] {
    let even = segmentations.filter { isEven($0.features) }
    let most = even.map { $0.features[SegmentationFeatures.explained] }.max() ?? 0
    return segmentations.map {
      let explained = $0.features[SegmentationFeatures.explained]
      let isEligible = isEven($0.features) && explained >= most + Math.log(Float(0.9))
      // So large that nothing else matters where more reps are eligible.
      return (isEligible ? 100 * Float($0.count) : 0) + 10 * explained
    }
  }

  /// Whether the least similar rep is at least 0.68 as alike as they are on average.
  private static func isEven(_ features: SIMD8<Float>) -> Bool {
    let mean = 1.02 - Math.exp(-Double(features[SegmentationFeatures.likeness]))
    let outlier = Double(features[SegmentationFeatures.outlierRep])
    return outlier == 0 || 1.02 - Math.exp(outlier - 1.3) >= 0.68 * mean
  }
}
