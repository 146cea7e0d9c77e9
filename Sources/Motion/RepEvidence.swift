/// What speaks for an event being a rep: the figures from which its confidence is computed.
public struct RepEvidence: Sendable, Hashable {
  /// How like the set's other reps it is, −1 to 1.
  public var similarity: Double
  /// The same, mean square of its motion, and duration, each as a share of the set's median.
  public var relativeSimilarity: Double
  public var relativeEnergy: Double
  public var relativeDuration: Double
  /// Whether it is the first or last of the set, or next to a long pause.
  public var isEdge: Bool

  public init(
    similarity: Double, relativeSimilarity: Double, relativeEnergy: Double,
    relativeDuration: Double, isEdge: Bool
  ) {
    self.similarity = similarity
    self.relativeSimilarity = relativeSimilarity
    self.relativeEnergy = relativeEnergy
    self.relativeDuration = relativeDuration
    self.isEdge = isEdge
  }
}
