import Motion
import Testing

@testable import Evaluation

@Suite struct ResamplingTests {
  @Test func interpolatesAtMultiplesOfThePeriod() {
    let batch = MotionBatch([.time: [0.05, 0.15, 0.35], .rotationRateX: [1, 3, 7]])
    let result = batch.resampled(rateHz: 10)
    #expect(result.times == [0.1, 0.2, 0.3])
    for (value, expected) in zip(result[.rotationRateX], [2.0, 4, 6]) {
      #expect(abs(value - expected) < 1e-12)
    }
  }

  /// Frequencies above the new Nyquist frequency are not aliased.
  @Test func fastOscillationsAreAveraged() {
    let times = (0...200).map { Double($0) / 100 }
    let batch = MotionBatch([
      .time: times, .rotationRateX: times.map { $0 + 5 * Double(Int(($0 * 100).rounded()) % 2) },
      .yaw: times.map { (3 + $0).remainder(dividingBy: 2 * .pi) },
    ])
    let result = batch.resampled(rateHz: 10)
    for (row, time) in result.times.enumerated().dropFirst().dropLast() {
      #expect(abs(result[.rotationRateX][row] - time - 2.5) < 1e-9)
      #expect(abs((result[.yaw][row] - 3 - time).remainder(dividingBy: 2 * .pi)) < 1e-9)
    }
  }

  @Test func sensorsAreResampledSeparately() {
    let batch = MotionBatch([
      .time: [0, 0.5, 1], .rotationRateX: [0, .nan, 10], .gravityX: [.nan, 5, 5],
    ])
    let result = batch.resampled(rateHz: 4)
    #expect(result[.rotationRateX] == [0, 2.5, 5, 7.5, 10])
    #expect(result[.gravityX][0].isNaN && result[.gravityX][1].isNaN)
    #expect(Array(result[.gravityX][2...]) == [5, 5, 5])
  }

  @Test func anglesTakeTheShorterArc() {
    let batch = MotionBatch([.time: [0, 1], .yaw: [3.0, -3.0]])
    let result = batch.resampled(rateHz: 2)
    #expect(abs(result[.yaw][1] - .pi) < 1e-12)
  }

  @Test func convertsUnitsAndSurvivesRepeatedStamps() {
    let batch = MotionBatch(
      [.time: [0, 10, 10, 20], .rotationRateX: [0, 90, 180, 180]],
      units: MotionUnits(time: .milliseconds, rotationRate: .degrees))
    let result = batch.resampled(rateHz: 100)
    #expect(result.units == .standard)
    #expect(result.times == [0, 0.01, 0.02])
    #expect(result[.rotationRateX].allSatisfy { $0.isFinite })
  }

  @Test func hostileTimesAllocateNothing() {
    let batch = MotionBatch([.time: [0, 1e300], .rotationRateX: [0, 1]])
    #expect(batch.resampled(rateHz: 50).isEmpty)
  }
}
