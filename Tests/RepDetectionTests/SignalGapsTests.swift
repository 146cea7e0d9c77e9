import Motion
import TestSupport
import Testing

@testable import MotionFrames
@testable import RepDetection
@testable import TemplateSearch

/// Reps at gaps in the signal.
struct SignalGapsTests {
  /// Returns a hundred frames, some not measured and some beyond the samples.
  private func window(missing: Range<Int>, beyond: Range<Int>) -> TimedFrames {
    var window = TimedFrames()
    for i in 0..<100 {
      window.frames.append(
        MotionFrame(gravity: SIMD4(0, 0, -1, 0), rotation: SIMD4(), userAcceleration: SIMD4()))
      window.times.append(Double(i) / FrontEnd.frameRateHz)
      window.isMissing.append(missing.contains(i))
      window.isBeyondSignal.append(beyond.contains(i))
    }
    return window
  }

  /// Returns the fractions of an evenly moving rep that lie beyond all samples, and in gaps.
  private func unmeasured(_ gaps: SignalGaps, _ start: Double, _ end: Double) -> [Double] {
    let rep = Segment(start: start, end: end)
    let evenly = (0...100).map { Float($0) }
    let shares = gaps.unmeasuredFractions(
      of: rep, profile: MotionProfile(of: [rep], turned: evenly))
    return [shares.beyond, shares.inGaps].map { ($0 * 1e6).rounded() / 1e6 }
  }

  @Test func timeInAGapIsUnmeasured() {
    let gaps = SignalGaps(window(missing: 41..<60, beyond: 90..<100), shortest: 0.5)
    #expect(unmeasured(gaps, 0, 40) == [0, 0])
    #expect(unmeasured(gaps, 40, 60) == [0, 1])
    #expect(unmeasured(gaps, 20, 60) == [0, 0.5])
    #expect(unmeasured(gaps, 79, 99) == [0.5, 0])
    #expect(abs(gaps.unknownSeconds(from: 0, to: 50) - 0.4) < 1e-9)
    #expect(abs(gaps.unknownSeconds(touching: 0, 50) - 0.8) < 1e-9)
    #expect(gaps.unknownSeconds(touching: 0, 40) == 0)
    #expect(abs(gaps.unknownSeconds(from: 0, to: 99) - 0.8) < 1e-9)
  }

  /// The wrist is assumed to rest at a break, but its motion is unknown.
  @Test func syntheticRestIsUnmeasured() {
    var broken = window(missing: 50..<51, beyond: 40..<60)
    for i in 50..<100 { broken.times[i] += 20 }
    let gaps = SignalGaps(broken, shortest: 0.5)
    #expect(unmeasured(gaps, 29, 49) == [0, 0.5])
    #expect(abs(gaps.unknownSeconds(touching: 0, 45) - 20.84) < 1e-9)
  }

  /// Counts eight reps of 2.4 s with a gap, given in seconds from the begin of the fourth rep.
  private func set(lostSeconds: ClosedRange<Double>) -> (set: CountedSet, gap: ClosedRange<Double>)
  {
    let recording = SyntheticMotion.curls(reps: 8)
    let begin = recording.start + 3 * 2.9
    let gap = begin + lostSeconds.lowerBound...begin + lostSeconds.upperBound
    var samples = recording.samples[0..<0]
    let kept = recording.samples.times.indices.filter {
      !gap.contains(recording.samples.times[$0])
    }
    for row in kept { samples.append(recording.samples[row..<(row + 1)]) }
    return (RepDetector.countSet(in: samples), gap)
  }

  /// The rep is counted, and cut off at the gap.
  @Test(arguments: [-0.3...0.9, 0.0...0.9, 0.4...1.5, 0.7...1.6, 0.9...2.2, 1.5...2.4])
  func halfMeasuredRepsAreCounted(lostSeconds: ClosedRange<Double>) {
    let (set, gap) = set(lostSeconds: lostSeconds)
    #expect(set.reps.count == 8)
    #expect(set.reps.allSatisfy { $0.end - $0.start > 0.3 })
    #expect(
      set.reps.allSatisfy {
        min($0.end, gap.upperBound) - max($0.start, gap.lowerBound) <= 0.1
      })
  }

  /// Long pauses between reps do not increase the longest gap allowed within them.
  @Test func gapLimitExcludesPauses() throws {
    let swing = SyntheticMotion.Swing(seconds: 2, pause: 2.6)
    let recording = SyntheticMotion.swings(Array(repeating: swing, count: 8))
    let begin = try #require(RepDetector.countSet(in: recording.samples).reps.dropFirst(3).first)
      .start
    let gap = begin + 0.6...begin + 1.5
    var samples = recording.samples[0..<0]
    for row in recording.samples.times.indices where !gap.contains(recording.samples.times[row]) {
      samples.append(recording.samples[row..<(row + 1)])
    }
    let set = RepDetector.countSet(in: samples)
    #expect(set.reps.count > 6)
    #expect(
      set.reps.allSatisfy {
        min($0.end, gap.upperBound) - max($0.start, gap.lowerBound) <= 0.1
      })
  }

  /// A lost rep is not counted, and it lowers the confidence.
  @Test func aLostRepIsNotCounted() {
    let (lost, _) = set(lostSeconds: -0.2...2.6)
    #expect(lost.reps.count == 7)
    #expect(lost.confidence < 0.6)
    let (known, _) = set(lostSeconds: 0.7...1.6)
    #expect(known.confidence > lost.confidence + 0.2)
  }

  /// There may have been reps in a gap after the last known rep.
  @Test func lostLastRepsLowerTheConfidence() {
    let (set, _) = set(lostSeconds: 5.6...14.2)
    #expect(set.reps.count == 5)
    #expect(set.confidence < 0.5)
  }
}
