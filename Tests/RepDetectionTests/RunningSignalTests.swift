import Motion
import MotionSynthesis
import RepDetection
import TestSupport
import Testing

/// Requirements of an endless signal: bounded memory, and the same answer whatever happens to the clock.
struct RunningSignalTests {
  /// Returns four minutes: rest, a set, rest, a longer set, rest.
  private func workout() throws -> MotionBatch {
    var samples = SyntheticMotion.curls(reps: 8, restSeconds: 30).samples
    for reps in [20, 12] {
      var next = SyntheticMotion.curls(reps: reps, restSeconds: 30, seed: UInt64(reps)).samples
      let offset = try #require(samples.times.last) + 0.02
      next[.time] = next[.time].map { $0 + offset }
      samples.append(next)
    }
    return samples
  }

  @Test func memoryBeyondTheSetIsBounded() throws {
    let samples = try workout()
    var detector = RepDetector()
    var sets = 0
    for batch in samples.batches(of: 50) {
      detector.append(batch) { event in
        if case .setEnded = event { sets += 1 }
      }
      #expect(detector.snapshot().count <= 65_536 + detector.approximateSetByteCount)
      #expect(detector.approximateSetByteCount <= 65_536)
    }
    detector.finish { event in if case .setEnded = event { sets += 1 } }
    #expect(sets == 3)
    #expect(detector.approximateSetByteCount == 0)
  }

  @Test func declaredSetKeepsItsFrames() throws {
    let samples = try workout()
    var detector = RepDetector()
    detector.beginSet { _ in }
    var largest = 0
    for batch in samples.batches(of: 100) {
      detector.append(batch) { _ in }
      #expect(detector.snapshot().count <= 65_536 + detector.approximateSetByteCount)
      largest = max(largest, detector.approximateSetByteCount)
    }
    let seconds = try #require(samples.times.last)
    // The limits are relative to 27 bytes for each of 25 frames a second. The set and its current bout both
    // keep frames.
    #expect(Double(largest) > 0.9 * 27 * 25 * seconds)
    #expect(Double(largest) < 2.2 * 27 * 25 * seconds)
  }

  @Test func resetEqualsANewDetector() throws {
    let samples = SyntheticMotion.curls(reps: 8).samples
    var used = RepDetector()
    used.append(samples[0..<1200]) { _ in }
    used.beginSet { _ in }
    used.append(samples[1200..<1500]) { _ in }
    used.reset()
    #expect(used.events(of: samples) == RepDetector.events(of: samples, chunk: 100))
  }

  /// 50 Hz in the set and 20 Hz in the rests, like recordings of the original watch app.
  @Test func rateChangesDoNotChangeTheCount() {
    let fast = SyntheticMotion.curls(reps: 8)
    let slow = SyntheticMotion.curls(reps: 8, rateHz: 20)
    let (begin, end) = (fast.start - 1, fast.end + 1)
    var samples = rows(of: slow.samples) { $0 < begin }
    samples.append(rows(of: fast.samples) { $0 >= begin && $0 < end })
    samples.append(rows(of: slow.samples) { $0 >= end })
    #expect(RepDetector.detectSets(in: samples).map(\.reps.count) == [8])
  }

  @Test func jitterDoesNotChangeTheCount() {
    var samples = SyntheticMotion.curls(reps: 8).samples
    var noise = Noise(seed: 9)
    samples[.time] = samples[.time].map { $0 + 0.009 * noise.next() }
    #expect(RepDetector.detectSets(in: samples).map(\.reps.count) == [8])
  }

  /// Seconds are missing in the rest before the set, and a fifth of a second in each rep.
  @Test func gapsInRepsDoNotChangeTheCount() {
    let recording = SyntheticMotion.curls(reps: 8)
    let samples = rows(of: recording.samples) { t in
      !(t > 3 && t < 7)
        && !(t > recording.start
          && (t - recording.start).truncatingRemainder(dividingBy: 2.9) < 0.2)
    }
    #expect(RepDetector.detectSets(in: samples).map(\.reps.count) == [8])
  }

  @Test func constantInputHasNoSet() {
    let n = 3000
    var columns: [MotionChannel: [Double]] = [.time: (0..<n).map { Double($0) / 50 }]
    for channel in MotionQuantity.gravity.channels + MotionQuantity.rotationRate.channels
      + MotionQuantity.userAcceleration.channels
    {
      columns[channel] = Array(repeating: 0.5, count: n)
    }
    #expect(RepDetector.events(of: MotionBatch(columns), chunk: 100).isEmpty)
  }

  /// A channel of NaN is equivalent to a missing sensor.
  @Test func samplesWithoutSensorsHaveNoSet() {
    var samples = SyntheticMotion.curls(reps: 6).samples
    for channel in samples.channels where channel != .time {
      samples[channel] = Array(repeating: .nan, count: samples.count)
    }
    #expect(RepDetector.events(of: samples, chunk: 100).isEmpty)
  }

  @Test(arguments: [3, 50, 333])
  func chunkingDoesNotChangeAWorkout(size: Int) throws {
    let samples = try workout()
    #expect(RepDetector.events(of: samples) == RepDetector.events(of: samples, chunk: size))
  }

  /// Reps are consecutive, times never decrease, and pauses are reported.
  @Test func eventsAreInOrder() throws {
    expectOrder(of: RepDetector.events(of: try workout(), chunk: 25))
  }

  /// Recordings with pauses, partial reps, walking and sips: sets are announced early, joined and canceled.
  @Test func eventsOfHardRecordingsAreInOrder() throws {
    let corpus = SyntheticCorpus(seed: 17, count: 24)
    var cancelled = 0
    for index in 0..<24 {
      let samples = try RecordingSynthesizer(corpus[index]).make().recording.samples
      let all = RepDetector.events(of: samples, chunk: 25)
      expectOrder(of: all)
      cancelled += all.count { if case .setCancelled = $0 { true } else { false } }
    }
    #expect(cancelled > 0)
  }

  private func rows(of samples: MotionBatch, where isKept: (Double) -> Bool) -> MotionBatch {
    samples.selecting(samples.times.indices.filter { isKept(samples.times[$0]) })
  }
}
