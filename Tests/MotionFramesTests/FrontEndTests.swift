import Motion
import TestSupport
import Testing

@testable import MotionFrames

@Suite struct FrontEndTests {
  private static func frames(
    of samples: MotionBatch, configuration: FrontEndConfiguration = FrontEndConfiguration()
  ) -> [TimedFrame] {
    var frontEnd = FrontEnd(configuration)
    var frames: [TimedFrame] = []
    frontEnd.append(samples, rows: 0..<samples.count, phase: nil, into: &frames)
    frontEnd.finish(into: &frames)
    return frames
  }

  /// Two seconds are added before the first sample and after the last, in which the wrist decelerates to
  /// rest.
  @Test func aSignalBeginsAndEndsAtRest() throws {
    let whole = SyntheticMotion.curls(reps: 3, pause: 0).samples
    // The wrist turns at both ends.
    let samples = whole[640..<860]
    let first = try #require(samples.times.first)
    let last = try #require(samples.times.last)
    let frames = Self.frames(of: samples)
    let before = frames.filter { $0.time < first }
    let after = frames.filter { $0.time > last }
    #expect((50...52).contains(before.count))
    #expect((48...50).contains(after.count))
    #expect(frames.allSatisfy { $0.isBeyondSignal == ($0.time < first || $0.time > last) })
    #expect(zip(frames, frames.dropFirst()).allSatisfy { $0.time < $1.time })
    #expect(before.prefix(38).allSatisfy { $0.frame.squaredAngularSpeed == 0 })
    let rest = try #require(after.last?.frame)
    #expect(rest.squaredAngularSpeed < 1e-6)
    // A wrist that decelerates evenly gets about as far as in half the time at its initial speed.
    let steps = 10
    let gravity = whole[.gravityX].map(Float.init)
    let cameFrom =
      (before[0].frame.gravity.x - gravity[640]) / (gravity[640 - steps] - gravity[640])
    let went = (rest.gravity.x - gravity[859]) / (gravity[859 + steps] - gravity[859])
    #expect((0.5...1.5).contains(cameFrom))
    #expect((0.5...1.5).contains(went))
  }

  /// Rest is added on both sides of a gap that ends a segment, whatever the minimum duration of such gaps.
  @Test(arguments: [0.1, 1, 10])
  func restIsAdded(besideGapsFrom longestGap: Double) {
    let samples = SyntheticMotion.curls(reps: 3).samples
    let gap = Int(longestGap * 50) + 25
    let parts = [samples[0..<300], samples[(300 + gap)..<samples.count]]
    var configuration = FrontEndConfiguration()
    configuration.longestGapSeconds = longestGap
    var joined = parts[0]
    joined.append(parts[1])
    let frames = Self.frames(of: joined, configuration: configuration)
    #expect(frames.count { $0.startsAfterBreak } == 2)
    #expect(zip(frames, frames.dropFirst()).allSatisfy { $0.time < $1.time })
  }

  /// The cost of gaps is bounded by the number of samples around them.
  @Test(arguments: [0.7, 9.9, 10.1]) func frameCountIsBoundedBySamples(every seconds: Double) {
    let count = 4_000
    func values(_ scale: Double) -> [Double] { (0..<count).map { Double($0 % 7) * scale } }
    let samples = MotionBatch([
      .time: (0..<count).map { Double($0) * seconds }, .userAccelerationX: values(0.1),
      .userAccelerationY: values(0.02), .userAccelerationZ: values(0.03),
    ])
    #expect(Self.frames(of: samples).count < 3_000 + 16 * count)
  }

  @Test func noSamplesGiveNoFrames() {
    #expect(Self.frames(of: SyntheticMotion.curls(reps: 1).samples[0..<0]).isEmpty)
  }
}
