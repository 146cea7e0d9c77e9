import Foundation
import Motion
import RepDetection
import Testing

/// What tells sets from other movements, step by step: each is tried with the step and without.
struct SetFindingTests {
  @Test func walkingIsNoSet() {
    let samples = Self.walk(seconds: 20)
    #expect(RepDetector.detectSets(in: samples).isEmpty)
    var blind = DetectorConfiguration()
    blind.leastBounceG = .infinity
    #expect(!RepDetector.detectSets(in: samples, configuration: blind).isEmpty)
  }

  @Test func twoSlowRepsAreASet() {
    let samples = SyntheticMotion.curls(reps: 2, period: 3.2).samples
    #expect(RepDetector.detectSets(in: samples).map(\.reps.count) == [2])
    var strict = DetectorConfiguration()
    strict.pairPeriodSeconds = 99
    #expect(RepDetector.detectSets(in: samples, configuration: strict).isEmpty)
  }

  @Test func twoRepsOfARememberedMovementAreASet() {
    var samples = SyntheticMotion.curls(reps: 8, period: 1.9, pause: 0.4).samples
    var two = SyntheticMotion.curls(reps: 2, period: 1.9, pause: 0.4, seed: 2).samples
    let offset = (samples.times.last ?? 0) + 0.02
    two[.time] = two[.time].map { $0 + offset }
    samples.append(two)
    let sets = RepDetector.detectSets(in: samples)
    #expect(sets.map(\.reps.count) == [8, 2])
    #expect(sets.last?.evidence?.isRecalled == true)
    var forgetful = DetectorConfiguration()
    forgetful.memoryCapacity = 0
    #expect(
      RepDetector.detectSets(in: samples, configuration: forgetful).map(\.reps.count) == [8])
  }

  /// An arm that hangs and swings once a second, while the body bounces with each of two steps.
  private static func walk(seconds: Double) -> MotionBatch {
    var columns: [MotionChannel: [Double]] = [:]
    for i in 0..<Int(seconds * 50) {
      let t = Double(i) / 50
      let angle = 0.35 * sin(2 * .pi * t)
      let bounce = 0.17 * sin(4 * .pi * t)
      let values: [MotionChannel: Double] = [
        .time: t, .gravityX: cos(angle), .gravityY: sin(angle), .gravityZ: 0.0,
        .rotationRateX: 0.0, .rotationRateY: 0.0, .rotationRateZ: -0.7 * .pi * cos(2 * .pi * t),
        .userAccelerationX: bounce * cos(angle), .userAccelerationY: bounce * sin(angle),
        .userAccelerationZ: 0.0,
      ]
      for (channel, value) in values { columns[channel, default: []].append(value) }
    }
    return MotionBatch(columns)
  }
}
