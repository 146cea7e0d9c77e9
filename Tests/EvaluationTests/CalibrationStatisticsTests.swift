import Testing

@testable import Evaluation

@Suite struct CalibrationStatisticsTests {
  @Test func statisticsOfASmallExample() throws {
    // Computed by hand: of 3 × 1 pairs, all but (.6 < .7) are in order.
    let statistics = try #require(
      CalibrationStatistics([(0.9, true), (0.8, true), (0.6, true), (0.7, false)]))
    #expect(abs(statistics.brierScore - (0.01 + 0.04 + 0.16 + 0.49) / 4) < 1e-12)
    #expect(abs(statistics.brierScoreOfConstant - 0.1875) < 1e-12)
    #expect(abs(try #require(statistics.areaUnderROC) - 2.0 / 3) < 1e-12)
    #expect(abs(statistics.meanConfidence - 0.75) < 1e-12)
    #expect(statistics.rate == 0.75)
    #expect(statistics.bins.count == 4)
  }

  @Test func perfectCalibrationHasNoError() throws {
    let predictions = (0..<1000).map { (confidence: 0.7, cameTrue: $0 % 10 < 7) }
    let statistics = try #require(CalibrationStatistics(predictions))
    #expect(abs(statistics.expectedCalibrationError) < 0.011)
    #expect(statistics.bins.allSatisfy { $0.rateInterval.contains(0.7) })
    #expect(statistics.areaUnderROC == 0.5)
  }

  @Test func overconfidenceIsMeasured() throws {
    let predictions = (0..<100).map { (confidence: 0.95, cameTrue: $0 % 2 == 0) }
    let statistics = try #require(CalibrationStatistics(predictions))
    #expect(abs(statistics.expectedCalibrationError - 0.45) < 0.01)
  }

  @Test func emptyStatisticsAreNil() {
    #expect(CalibrationStatistics([]) == nil)
    #expect(CalibrationStatistics([(1, true)])?.areaUnderROC == nil)
  }
}
