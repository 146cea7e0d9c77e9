/// What a settled count rests on: the figures from which its confidence is computed.
public struct SetEvidence: Sendable, Hashable {
  /// Seconds a typical rep takes.
  public var periodSeconds: Double
  /// How alike each rep is to the others, −1 to 1: on average, and of the least alike.
  public var meanSimilarity: Double
  public var leastSimilarity: Double
  /// Of readings of the signal that fit about as well, the share with the same count.
  public var agreement: Double
  /// Of neighbouring settings of the detector, the share that gives the same count.
  public var stability: Double
  /// How much the wrist moves where one rep ends and the next begins, as a share of its mean
  /// motion.
  public var boundaryMotion: Double
  /// Rows of reps with long pauses between them.
  public var rows: Int
  /// The share of the signal in which a gyroscope was measured.
  public var rotationMeasured: Double
  /// Whether the set is a short row of reps that was recognised by the shape of an earlier set.
  public var isRecalled = false
  /// Reps that were put into gaps between reps: something moved there, unlike the others.
  public var filledReps = 0
  /// Whether the halves of a cycle were counted, because two sides took turns.
  public var isAlternating = false

  public init(
    periodSeconds: Double, meanSimilarity: Double, leastSimilarity: Double, agreement: Double,
    stability: Double, boundaryMotion: Double, rows: Int, rotationMeasured: Double
  ) {
    self.periodSeconds = periodSeconds
    self.meanSimilarity = meanSimilarity
    self.leastSimilarity = leastSimilarity
    self.agreement = agreement
    self.stability = stability
    self.boundaryMotion = boundaryMotion
    self.rows = rows
    self.rotationMeasured = rotationMeasured
  }
}
