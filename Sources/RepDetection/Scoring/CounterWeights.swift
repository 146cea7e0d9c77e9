/// The weights by which segmentations are scored and sets are told from other movements. They are fitted
/// (tools/fit-counter); ``fitted`` are those that come with the library.
package struct CounterWeights: Sendable, Hashable, Codable {
  /// Of the features of a segmentation, in the order of ``scoreNames``.
  package var score: SIMD8<Float>
  /// What the score is multiplied by before probabilities are taken: less than 1 makes them less sure.
  package var temperature: Float
  /// Of the figures of a run of reps, in the order of ``gateNames``.
  package var gate: [Float]

  /// The names of the features of a segmentation (docs/counter.md).
  package static let scoreNames = SegmentationFeatures.names
  /// The names of the figures that tell a set.
  package static let gateNames = SetGate.names
}
