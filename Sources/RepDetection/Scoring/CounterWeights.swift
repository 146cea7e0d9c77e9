/// The weights for scoring segmentations and for distinguishing sets from other movements. tools/fit-counter
/// computes them; ``fitted`` are the library's own.
package struct CounterWeights: Sendable, Hashable, Codable {
  /// Weights of a segmentation's features, in the order of ``scoreNames``.
  package var score: SIMD8<Float>
  /// Factor applied to the score before probabilities are computed. Less than 1 makes them less confident.
  package var temperature: Float
  /// Weights of a run's gate features, in the order of ``gateNames``.
  package var gate: [Float]

  /// The names of the features of a segmentation (docs/counter.md).
  package static let scoreNames = SegmentationFeatures.names
  /// The names of the gate's features.
  package static let gateNames = SetGate.names
}
