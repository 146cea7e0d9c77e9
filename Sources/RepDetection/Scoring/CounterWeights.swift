/// The weights by which segmentations are scored and sets are told from other movements. They are fitted
/// (tools/fit-counter); ``fitted`` are those that come with the library.
public struct CounterWeights: Sendable, Hashable {
  /// Of the features of a segmentation, in the order of ``scoreNames``.
  public var score: SIMD8<Float>
  /// What the score is multiplied by before probabilities are taken: less than 1 makes them less sure.
  public var temperature: Float
  /// Of the figures of a row of reps, in the order of ``gateNames``.
  public var gate: [Float]

  public init(score: SIMD8<Float>, temperature: Float, gate: [Float]) {
    self.score = score
    self.temperature = temperature
    self.gate = gate
  }

  /// The names of the features of a segmentation (docs/counter.md).
  public static let scoreNames = SegmentationFeatures.names
  /// The names of the figures that tell a set.
  public static let gateNames = SetGate.names
}
