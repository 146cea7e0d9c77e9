import SignalProcessing
import Testing

@testable import RepDetection

struct CountingRuleTests {
  /// Returns the features of a segmentation whose reps have a mean similarity of 0.9.
  private func segmentation(
    _ count: Int, explained share: Double, leastSimilarity: Double = 0.9
  ) -> ScoredSegmentation {
    var features = SIMD8<Float>()
    features[SegmentationFeatures.explained] = Float(Math.log(share))
    features[SegmentationFeatures.likeness] = Float(-Math.log(0.12))
    features[SegmentationFeatures.outlierRep] = Float(
      max(0, 1.3 + Math.log(1.02 - leastSimilarity)))
    return ScoredSegmentation(
      run: 0, first: 0, last: count - 1, count: count, features: features)
  }

  private func count(_ segmentations: [ScoredSegmentation]) throws -> Int {
    var configuration = DetectorConfiguration()
    configuration.rule = .mostReps
    return try #require(CountPosterior(segmentations, configuration: configuration)).best.count
  }

  @Test func takesMostRepsOfWhatExplainsNearlyAsMuch() throws {
    let usual = segmentation(8, explained: 1)
    #expect(try count([usual, segmentation(9, explained: 0.92)]) == 9)
    #expect(try count([usual, segmentation(9, explained: 0.88)]) == 8)
    #expect(try count([usual, segmentation(10, explained: 1, leastSimilarity: 0.5)]) == 8)
    #expect(try count([usual, segmentation(10, explained: 1, leastSimilarity: 0.65)]) == 10)
    // Segmentations that are not eligible are still ordered.
    #expect(
      try count([
        segmentation(7, explained: 0.7, leastSimilarity: 0.2),
        segmentation(6, explained: 1, leastSimilarity: 0.2),
      ]) == 6)
  }

  @Test(arguments: CountingRule.allCases) func countsCurls(rule: CountingRule) {
    var configuration = DetectorConfiguration()
    configuration.rule = rule
    let motion = SyntheticMotion.curls(reps: 9)
    let set = RepDetector.countSet(in: motion.samples, configuration: configuration)
    #expect(set.reps.count == 9)
  }
}
