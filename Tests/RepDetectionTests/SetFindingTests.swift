import Foundation
import Motion
import MotionSynthesis
import RepDetection
import TestSupport
import Testing

/// Distinguishing sets from other movements, step by step.
struct SetFindingTests {
  @Test func walkingIsNotASet() {
    let samples = Self.walk(seconds: 20)
    #expect(RepDetector.detectSets(in: samples).isEmpty)
  }

  /// The direction of a device's axes on the forearm is unknown.
  @Test(arguments: deviceFrames) func walkingIsNotASetInAnyOrientation(_ axes: [SIMD3<Double>]) {
    let samples = Self.turned(Self.walk(seconds: 20), axes)
    #expect(RepDetector.detectSets(in: samples).isEmpty)
  }

  @Test func countsDoNotDependOnTheOrientation() throws {
    for options in SyntheticCorpus(seed: 17, count: 6) {
      let samples = try RecordingSynthesizer(options).make().recording.samples
      let sets = RepDetector.detectSets(in: samples)
      #expect(!sets.isEmpty, "\(options.name)")
      for axes in Self.deviceFrames {
        let turned = RepDetector.detectSets(in: Self.turned(samples, axes))
        #expect(turned.map(\.reps.count) == sets.map(\.reps.count), "\(options.name)")
        for (a, b) in zip(turned, sets) {
          // Each axis is rounded separately, so either of two equally probable segmentations may be chosen.
          #expect(abs(a.start - b.start) < 0.25, "\(options.name)")
          #expect(abs(a.end - b.end) < 0.5, "\(options.name)")
        }
      }
    }
  }

  @Test func gentleWalkingIsNotASet() {
    let samples = Self.walk(seconds: 20, swingRadians: 0.17, bounceG: 0.07)
    #expect(RepDetector.detectSets(in: samples).isEmpty)
    // The gate rejects this walk even without the search's own rule.
    var coarse = DetectorConfiguration()
    coarse.leastGait = 2
    #expect(RepDetector.detectSets(in: samples, configuration: coarse).isEmpty)
  }

  /// A run whose set probability is too low is tracked silently.
  @Test func otherMovementsAreNotAnnounced() {
    let samples = Self.walk(seconds: 20, swingRadians: 0.17, bounceG: 0.07)
    func announced(_ configuration: DetectorConfiguration) -> Int {
      var detector = RepDetector(configuration: configuration)
      var count = 0
      let take = { (event: DetectionEvent) in if case .setStarted = event { count += 1 } }
      for start in stride(from: 0, to: samples.count, by: 100) {
        detector.append(samples[start..<min(start + 100, samples.count)], onEvent: take)
      }
      detector.finish(onEvent: take)
      return count
    }
    #expect(announced(DetectorConfiguration()) == 0)
    // The caller's probability threshold also applies to announcements.
    var all = DetectorConfiguration()
    all.leastGait = 2
    all.setProbability = 0
    #expect(announced(all) > 0)
  }

  /// Between sets people walk, drink and scratch themselves, often without pauses.
  @Test func falseSetsAreShort() throws {
    var strays = 0
    for options in SyntheticCorpus(seed: 41, count: 30) {
      let made = try RecordingSynthesizer(options).make()
      for set in RepDetector.detectSets(in: made.recording.samples)
      where !made.truth.contains(where: { $0.start < set.end && $0.end > set.start }) {
        strays += 1
        #expect(set.reps.count < 10, "\(options.name)")
      }
    }
    #expect(strays > 0)
  }

  /// A run beside a set needs a higher probability than elsewhere, by a fixed factor of the odds at any
  /// threshold.
  @Test(arguments: [(9, 1), (43, 7), (61, 9)])
  func runsBesideSetsNeedAHigherProbability(seed: UInt64, recording: Int) throws {
    let options = SyntheticCorpus(seed: seed, count: 60)[recording]
    let samples = try RecordingSynthesizer(options).make().recording.samples
    let refused = RepDetector.diagnose(samples).rejections.filter {
      guard case .unlikely(let probability, let needed) = $0.reason else { return false }
      return needed > 0.8 && probability > 0.6
    }
    #expect(refused.count == 1)
    var lower = DetectorConfiguration()
    lower.setProbability = 0.2
    let sets = RepDetector.detectSets(in: samples, configuration: lower)
    #expect(
      refused.allSatisfy { run in sets.contains { $0.start < run.end && run.start < $0.end } })
  }

  @Test func twoSlowRepsAreASet() {
    let samples = SyntheticMotion.curls(reps: 2, period: 3.2).samples
    #expect(RepDetector.detectSets(in: samples).map(\.reps.count) == [2])
  }

  /// Two fast movements alone are not a set.
  @Test func twoRepsAfterAnOpenSetAreABout() {
    let samples = Self.joined(
      SyntheticMotion.curls(reps: 8, period: 1.2, pause: 0.2, restSeconds: 6).samples,
      SyntheticMotion.curls(reps: 2, period: 1.2, pause: 0.2, restSeconds: 6, seed: 3).samples)
    #expect(RepDetector.detectSets(in: samples).map(\.reps.count) == [10])
    var closing = DetectorConfiguration()
    closing.longestRestWithinSetSeconds = 0
    #expect(
      RepDetector.detectSets(in: samples, configuration: closing).map(\.reps.count) == [8])
  }

  /// Axes of a device in the frame of another: two rotations that permute the axes, and an oblique one.
  static let deviceFrames: [[SIMD3<Double>]] = [
    [SIMD3(0, 1, 0), SIMD3(0, 0, 1), SIMD3(1, 0, 0)],
    [SIMD3(0, -1, 0), SIMD3(1, 0, 0), SIMD3(0, 0, 1)],
    [SIMD3(0.36, 0.48, -0.8), SIMD3(-0.8, 0.6, 0), SIMD3(0.48, 0.64, 0.6)],
  ]

  /// Returns the samples that a device in another orientation on the forearm would have measured.
  private static func turned(_ samples: MotionBatch, _ axes: [SIMD3<Double>]) -> MotionBatch {
    var turned = MotionBatch(
      [.time: samples.times], units: samples.units, clock: samples.clock)
    for quantity in [MotionQuantity.gravity, .rotationRate, .userAcceleration, .totalAcceleration]
    where samples.has(quantity) {
      let columns = quantity.channels.map { samples[$0] }
      for (channel, axis) in zip(quantity.channels, axes) {
        turned[channel] = samples.times.indices.map { row in
          (axis * SIMD3(columns[0][row], columns[1][row], columns[2][row])).sum()
        }
      }
    }
    return turned
  }

  /// Returns one recording followed by the other.
  private static func joined(_ first: MotionBatch, _ second: MotionBatch) -> MotionBatch {
    var samples = first
    var later = second
    let offset = (first.times.last ?? 0) + 0.02
    later[.time] = later[.time].map { $0 + offset }
    samples.append(later)
    return samples
  }

  /// Returns an arm that hangs and swings once a second, while the body bounces with each of two steps.
  private static func walk(
    seconds: Double, swingRadians: Double = 0.35, bounceG: Double = 0.17
  ) -> MotionBatch {
    var columns: [MotionChannel: [Double]] = [:]
    for i in 0..<Int(seconds * 50) {
      let t = Double(i) / 50
      let angle = swingRadians * sin(2 * .pi * t)
      let bounce = bounceG * sin(4 * .pi * t)
      let values: [MotionChannel: Double] = [
        .time: t, .gravityX: cos(angle), .gravityY: sin(angle), .gravityZ: 0.0,
        .rotationRateX: 0.0, .rotationRateY: 0.0,
        .rotationRateZ: -2 * swingRadians * .pi * cos(2 * .pi * t),
        .userAccelerationX: bounce * cos(angle), .userAccelerationY: bounce * sin(angle),
        .userAccelerationZ: 0.0,
      ]
      for (channel, value) in values { columns[channel, default: []].append(value) }
    }
    return MotionBatch(columns)
  }
}
