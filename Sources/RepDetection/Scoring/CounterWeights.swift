// Written by tools/fit-counter. Do not edit.

/// The weights of the score of a segmentation, in the order of ``SegmentationFeatures``.
enum CounterWeights {
  static let score = SIMD8<Float>(
    8.1998, 4.6983, 6.4582, -2.8047, -4.2583, -5.379, -2.0869, -1.6336)
  /// What the score is divided by before probabilities are taken: without, they are too sure.
  static let temperature: Float = 1.15
}
