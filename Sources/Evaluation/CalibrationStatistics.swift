import SignalProcessing

/// Agreement of stated probabilities with outcomes.
///
/// Brier score and reliability as in Murphy (1973); the area under the ROC curve as the Mann–Whitney
/// statistic, ties counted half; the expected calibration error over bins of equally many predictions.
package struct CalibrationStatistics: Sendable {
  /// One row of the reliability table.
  package struct Bin: Sendable {
    package var count: Int
    package var meanConfidence: Double
    /// Fraction of predictions that came true.
    package var rate: Double
    /// The central 90 % of the bootstrap distribution of the rate.
    package var rateInterval: ClosedRange<Double>
  }

  package var count: Int
  package var meanConfidence: Double
  package var rate: Double
  package var brierScore: Double
  /// Brier score of a constant prediction equal to the overall rate.
  package var brierScoreOfConstant: Double
  /// Probability that a true prediction has a higher confidence than a false one; nil unless there are both.
  package var areaUnderROC: Double?
  package var expectedCalibrationError: Double
  package var bins: [Bin]

  /// Creates the statistics; nil without predictions. Each has a stated probability and its outcome.
  package init?(_ predictions: [(confidence: Double, cameTrue: Bool)], binCount: Int = 5) {
    guard !predictions.isEmpty else { return nil }
    let n = Double(predictions.count)
    func outcome(_ prediction: (confidence: Double, cameTrue: Bool)) -> Double {
      prediction.cameTrue ? 1 : 0
    }
    count = predictions.count
    meanConfidence = predictions.reduce(0) { $0 + $1.confidence } / n
    rate = predictions.reduce(0) { $0 + outcome($1) } / n
    brierScore =
      predictions.reduce(0) {
        let miss = $1.confidence - outcome($1)
        return $0 + miss * miss
      } / n
    brierScoreOfConstant = rate * (1 - rate)
    areaUnderROC = Self.areaUnderROC(predictions)

    let sorted = predictions.sorted { $0.confidence < $1.confidence }
    var bins: [Bin] = []
    let binTotal = min(binCount, sorted.count)
    for bin in 0..<binTotal {
      let slice = sorted[(sorted.count * bin / binTotal)..<(sorted.count * (bin + 1) / binTotal)]
      let size = Double(slice.count)
      let outcomes = slice.map(outcome)
      bins.append(
        Bin(
          count: slice.count,
          meanConfidence: slice.reduce(0) { $0 + $1.confidence } / size,
          rate: outcomes.reduce(0, +) / size,
          rateInterval: Self.bootstrapInterval(of: outcomes)))
    }
    self.bins = bins
    expectedCalibrationError = bins.reduce(0) {
      $0 + Double($1.count) / n * abs($1.meanConfidence - $1.rate)
    }
  }

  private static func areaUnderROC(
    _ predictions: [(confidence: Double, cameTrue: Bool)]
  ) -> Double? {
    let positives = predictions.filter(\.cameTrue).map(\.confidence)
    let negatives = predictions.filter { !$0.cameTrue }.map(\.confidence).sorted()
    guard !positives.isEmpty, !negatives.isEmpty else { return nil }
    var sum = 0.0
    for confidence in positives {
      let below = negatives.partitioningIndex { $0 >= confidence }
      let notAbove = negatives.partitioningIndex { $0 > confidence }
      sum += Double(below) + Double(notAbove - below) / 2
    }
    return sum / Double(positives.count) / Double(negatives.count)
  }

  /// Returns the central 90 % of the mean over 1,000 resamplings with a fixed seed.
  static func bootstrapInterval(of outcomes: [Double]) -> ClosedRange<Double> {
    guard !outcomes.isEmpty else { return 0...1 }
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    var means: [Double] = []
    for _ in 0..<1000 {
      var sum = 0.0
      for _ in outcomes {
        // SplitMix64 (Steele, Lea, Flood 2014).
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        z ^= z >> 31
        sum += outcomes[Int(z % UInt64(outcomes.count))]
      }
      means.append(sum / Double(outcomes.count))
    }
    means.sort()
    return means[50]...means[949]
  }
}
