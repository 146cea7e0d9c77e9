/// What a settled count rests on: the figures from which its confidence is computed.
public struct SetEvidence: Sendable, Hashable {
  /// Seconds a typical rep takes.
  public var periodSeconds: Double
  /// How alike each rep is to the others, −1 to 1: on average, and of the least alike.
  public var meanSimilarity: Double
  public var leastSimilarity: Double
  /// Of readings of the signal that fit about as well, the share with the same count.
  public var agreement: Double
  /// How much the wrist moves where one rep ends and the next begins, as a share of its mean
  /// motion.
  public var boundaryMotion: Double
  /// Rows of reps with long pauses between them.
  public var rows: Int
  /// The share of the signal in which a gyroscope was measured.
  public var rotationMeasured: Double
  /// By how much the best reading with this count fits better than the best with another count at
  /// about this period, as a share of its score; −1 to 1.
  public var margin = 0.0
  /// How like each other the first and second halves of the reps are, −1 to 1.
  public var halfSimilarity = 0.0
  /// How like a rep the movement just before the first or just after the last rep is, 0 to 1.
  public var neighbourSimilarity = 0.0
  /// How like the missing halves of a rep what lies before the first and after the last rep is, 0
  /// to 1: high where reps were cut at the far end of the movement.
  public var leftoverSimilarity = 0.0
  /// The less alike of the first and the last rep, as a share of the median similarity.
  public var edgeSimilarity = 1.0
  /// The weaker of the first and the last rep, as a share of the median energy.
  public var edgeEnergy = 1.0
  /// Standard deviations of the logarithms of the reps' energies and durations.
  public var energyVariation = 0.0
  public var durationVariation = 0.0
  /// The longest pause between two reps, in durations of a typical rep.
  public var longestPause = 0.0
  /// What speaks for each rep, in order.
  public var reps: [RepEvidence] = []
  /// Whether the set is a short row of reps that was recognised by the shape of an earlier set.
  public var isRecalled = false
  /// Reps that were put into gaps between reps: something moved there, unlike the others.
  public var filledReps = 0
  /// Whether the halves of a cycle were counted, because two sides took turns.
  public var isAlternating = false
  /// Where the set has several bouts with rests between them, what the count of each rests on.
  public var bouts: [SetEvidence] = []

  public init(
    periodSeconds: Double, meanSimilarity: Double, leastSimilarity: Double, agreement: Double,
    boundaryMotion: Double, rows: Int, rotationMeasured: Double
  ) {
    self.periodSeconds = periodSeconds
    self.meanSimilarity = meanSimilarity
    self.leastSimilarity = leastSimilarity
    self.agreement = agreement
    self.boundaryMotion = boundaryMotion
    self.rows = rows
    self.rotationMeasured = rotationMeasured
  }
}
