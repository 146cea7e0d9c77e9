import Motion
import Testing

@testable import ChunkDecoding
@testable import MotionSynthesis

@Suite struct ReassemblyTests {
  /// Returns a recording whose rate switches between 50 and 20 Hz, with gaps, optional bursts of samples with
  /// equal times, and an optional change of the clock.
  private func recording(
    _ count: Int, bursts: Bool, jumps: Bool = false, using generator: inout RandomSource
  ) -> MotionBatch {
    var times: [Double] = []
    var time = 1000.0
    var step = 0.02
    for row in 0..<count {
      let kind = Int.random(in: 0..<40, using: &generator)
      if row % 250 == 249 { step = step == 0.02 ? 0.05 : 0.02 }
      if kind == 0 {
        time += 3
      } else if !(bursts && kind < 6) {
        time += step * Double.random(in: 0.75...1.25, using: &generator)
      }
      if jumps, row == count / 2 { time += 86_400 }
      times.append(time)
    }
    var columns: [MotionChannel: [Double]] = [.time: times]
    for channel in [MotionChannel.userAccelerationX, .rotationRateY, .gravityX] {
      columns[channel] = times.map { _ in Double.random(in: -1...1, using: &generator) }
    }
    for channel in [MotionChannel.gravityY, .gravityZ] { columns[channel] = times.map { _ in 0.5 } }
    return MotionBatch(columns)
  }

  private func expectSame(_ a: MotionBatch, _ b: MotionBatch) {
    #expect(a.count == b.count)
    #expect(a.channels == b.channels)
    for channel in a.channels {
      #expect(a[channel].map(\.bitPattern) == b[channel].map(\.bitPattern))
    }
  }

  /// Divides a batch into windows that cover it. Some overlap, and some are repeated.
  private func cut(
    _ batch: MotionBatch, using generator: inout RandomSource,
    _ make: (Range<Int>) -> DecodedChunk
  ) -> [DecodedChunk] {
    var chunks: [DecodedChunk] = []
    var start = 0
    while start < batch.count {
      let end = min(batch.count, start + Int.random(in: 20...150, using: &generator))
      let overlap = Bool.random(using: &generator) ? Int.random(in: 0...15, using: &generator) : 0
      chunks.append(make(max(0, start - overlap)..<end))
      start = end
    }
    for chunk in chunks where Int.random(in: 0..<4, using: &generator) == 0 { chunks.append(chunk) }
    return chunks.shuffled(using: &generator)
  }

  @Test func splitOrderAndRepetitionDoNotMatter() {
    var generator = RandomSource(seed: 11)
    for round in 0..<60 {
      let batch = recording(
        900, bursts: round % 2 == 1, jumps: round % 3 == 0, using: &generator)
      var whole = ChunkReassembler()
      whole.add(DecodedChunk(samples: batch))
      let expected = whole.assemble(name: "x")
      expectSame(expected.recording.samples, batch)
      #expect(expected.statistics.clockJumps == (round % 3 == 0 ? 1 : 0))
      let times = batch.times
      let shared = zip(times, times.dropFirst()).count { $0 == $1 }
      #expect(expected.statistics.samplesSharingTime == shared)
      for _ in 0..<4 {
        var reassembler = ChunkReassembler()
        for chunk in cut(batch, using: &generator, { DecodedChunk(samples: batch[$0]) }) {
          reassembler.add(chunk)
        }
        let result = reassembler.assemble(name: "x")
        expectSame(result.recording.samples, batch)
        #expect(result.statistics.gaps == expected.statistics.gaps)
        #expect(result.statistics.conflictingSamples == 0)
        #expect(result.statistics.samplesSharingTime == shared)
        #expect(result.statistics.clockJumps == expected.statistics.clockJumps)
        #expect(result.statistics.samples == batch.count)
      }
    }
  }

  @Test func wholeSecondsAreRebuiltInAnyOrder() {
    var generator = RandomSource(seed: 12)
    for _ in 0..<30 {
      let count = 1200
      let begin = 1_748_772_000 + Double.random(in: 0..<1, using: &generator)
      let times = (0..<count).map { begin + Double($0) * 0.02 }
      var columns: [MotionChannel: [Double]] = [.time: times.map { $0.rounded(.down) }]
      columns[.rotationRateX] = times.map { _ in Double.random(in: -1...1, using: &generator) }
      let batch = MotionBatch(columns, clock: .unix)
      func chunk(_ rows: Range<Int>) -> DecodedChunk {
        DecodedChunk(
          phase: .execution, samples: batch[rows], timeResolution: .wholeSeconds,
          captureFrequenciesHz: Array(repeating: 50, count: rows.count))
      }
      var reassembler = ChunkReassembler()
      var start = 0
      var chunks: [DecodedChunk] = []
      while start < count {
        // A short remainder at the end joins the last chunk.
        let length = Int.random(in: 60...150, using: &generator)
        let end = count - start - length < 60 ? count : start + length
        chunks.append(chunk(max(0, start - Int.random(in: 0...20, using: &generator))..<end))
        start = end
      }
      chunks += chunks.filter { _ in Bool.random(using: &generator) }
      for chunk in chunks.shuffled(using: &generator) { reassembler.add(chunk) }
      let samples = reassembler.assemble(name: "x").recording.samples
      #expect(samples[.rotationRateX] == batch[.rotationRateX])
      #expect(
        zip(samples.times, times).allSatisfy { abs($0 - $1) < 0.025 })
      for (a, b) in zip(samples.times, samples.times.dropFirst()) {
        #expect(abs(b - a - 0.02) < 1e-6)
      }
    }
  }

  /// Three seconds of a wrist at rest.
  private static let rest = MotionBatch(
    [
      .time: (0..<150).map { 1_748_772_000 + Double($0 / 50) },
      .rotationRateX: (0..<150).map { $0 < 120 ? 0 : Double($0) },
    ], clock: .unix)

  private func atRest(_ rows: Range<Int>) -> DecodedChunk {
    DecodedChunk(
      samples: Self.rest[rows], timeResolution: .wholeSeconds,
      captureFrequenciesHz: Array(repeating: 50, count: rows.count))
  }

  private func expectRest(_ reassembler: ChunkReassembler) {
    let samples = reassembler.assemble(name: "x").recording.samples
    #expect(samples[.rotationRateX] == Self.rest[.rotationRateX])
    for (row, time) in samples.times.enumerated() {
      #expect(abs(time - 1_748_772_000 - Double(row) / 50) < 1e-6)
    }
  }

  /// A wrist at rest has many equal samples per second; a repeated chunk adds none.
  @Test func equalSamplesWithinASecondAreKept() {
    var reassembler = ChunkReassembler()
    for rows in [0..<150, 0..<150, 10..<130] {
      reassembler.add(atRest(rows))
      expectRest(reassembler)
    }
    #expect(reassembler.assemble(name: "x").statistics.duplicateSamples == 270)
  }

  /// Checks that a chunk continues another one within the second that they share.
  @Test(arguments: [[0, 1], [1, 0], [1, 0, 1, 0], [0, 1, 2], [2, 1, 0]])
  func chunksSharingASecondAddUp(_ order: [Int]) {
    let chunks = [0..<75, 75..<150, 5..<150].map { atRest($0) }
    var reassembler = ChunkReassembler()
    for index in order { reassembler.add(chunks[index]) }
    expectRest(reassembler)
  }

  /// No sensor has such a rate.
  @Test(arguments: [1e-300, 0.01, 1e9]) func impossibleRateIsIgnored(_ rate: Double) {
    let batch = MotionBatch([.time: [5, 5, 5, 6, 6, 6], .rotationRateX: [1, 2, 3, 4, 5, 6]])
    let chunk = DecodedChunk(
      samples: batch, timeResolution: .wholeSeconds,
      captureFrequenciesHz: Array(repeating: rate, count: 6))
    let times = chunk.withRebuiltTimes().samples.times
    #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 1 / 3) < 0.01 })
  }

  @Test func fewerRatesThanRowsAreAccepted() {
    let batch = MotionBatch([.time: [5, 5, 5, 6, 6, 6], .rotationRateX: [1, 2, 3, 4, 5, 6]])
    let chunk = DecodedChunk(
      samples: batch, timeResolution: .wholeSeconds, captureFrequenciesHz: [3])
    var reassembler = ChunkReassembler()
    reassembler.add(chunk)
    #expect(reassembler.assemble(name: "x").recording.samples[.rotationRateX].count == 6)
    #expect(chunk.withRebuiltTimes().samples.count == 6)
  }

  /// Samples with equal times in a burst are all kept, in order, however they are divided.
  @Test func samplesWithEqualTimesKeepTheirOrder() {
    let times = [1.0, 1.02, 1.02, 1.02, 1.04, 1.06]
    let batch = MotionBatch([.time: times, .rotationRateX: [1, 3, 2, 5, 4, 6]])
    for cut in 1..<times.count {
      var reassembler = ChunkReassembler()
      reassembler.add(DecodedChunk(samples: batch[cut..<times.count]))
      reassembler.add(DecodedChunk(samples: batch[0..<cut]))
      reassembler.add(DecodedChunk(samples: batch))
      let result = reassembler.assemble(name: "x")
      expectSame(result.recording.samples, batch)
      #expect(result.statistics.samplesSharingTime == 2)
      #expect(result.statistics.duplicateSamples == times.count)
    }
  }

  @Test func warningsDescribeTheIrregularities() {
    #expect(ReassemblyStatistics().unusual == nil)
    var statistics = ReassemblyStatistics()
    statistics.lateChunks = 2
    statistics.duplicateSamples = 1
    statistics.gaps = [.init(start: 1, end: 3.5)]
    #expect(
      statistics.unusual == "2 late chunks, 1 exact duplicate dropped, 1 gap (2.5 s in all)")
  }

  @Test func warningsAreCounted() {
    let batch = MotionBatch([
      .time: (0..<300).map { Double($0) * 0.02 + ($0 < 200 ? 0 : 2) },
      .rotationRateX: (0..<300).map(Double.init),
    ])
    var wrong = batch[100..<200]
    wrong[.rotationRateX] = wrong[.rotationRateX].map { -$0 }
    var reassembler = ChunkReassembler()
    reassembler.add(DecodedChunk(phase: .rest, samples: batch[200..<300]))
    reassembler.add(DecodedChunk(phase: .execution, samples: batch[90..<200]))
    reassembler.add(DecodedChunk(phase: .execution, samples: batch[0..<100]))
    reassembler.add(DecodedChunk(phase: .rest, samples: batch[200..<300]))
    reassembler.add(DecodedChunk(samples: MotionBatch()))
    let result = reassembler.assemble(name: "x")
    #expect(result.recording.samples.times == batch.times)
    #expect(result.statistics.chunks == 5)
    #expect(result.statistics.emptyChunks == 1)
    #expect(result.statistics.repeatedChunks == 1)
    #expect(result.statistics.overlappingChunks == 1)
    #expect(result.statistics.lateChunks == 2)
    #expect(result.statistics.duplicateSamples == 110)
    let gap = ReassemblyStatistics.Gap(start: batch.times[199], end: batch.times[200])
    #expect(result.statistics.gaps == [gap])
    #expect(
      result.recording.phases == [
        PhaseSpan(rows: 0..<200, phase: .execution), PhaseSpan(rows: 200..<300, phase: .rest),
      ])
    reassembler.add(DecodedChunk(phase: .execution, samples: wrong))
    let disputed = reassembler.assemble(name: "x")
    #expect(disputed.statistics.conflictingSamples > 90)
    // Either may be right, so no accepted sample is dropped.
    #expect(disputed.recording.samples.count == batch.count + wrong.count)
    let times = disputed.recording.samples.times
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
  }

  @Test func unitsApplyToTheWholeRecording() {
    let count = 400
    let times = (0..<count).map { Double($0) * 0.02 }
    // At rest at first; every sample includes gravity.
    let z = (0..<count).map { $0 < 200 ? -9.81 : -9.81 + Double($0 % 7) }
    let zero = Array(repeating: 0.0, count: count)
    let batch = MotionBatch([
      .time: times, .userAccelerationX: zero, .userAccelerationY: zero, .userAccelerationZ: z,
    ])
    for size in [37, 100, 400] {
      var reassembler = ChunkReassembler()
      for start in stride(from: 0, to: count, by: size) {
        reassembler.add(
          DecodedChunk(
            samples: batch[start..<min(count, start + size)], gravityIsUncertain: true))
      }
      let samples = reassembler.assemble(name: "x").recording.samples
      #expect(samples[.totalAccelerationZ] == z)
      #expect(!samples.has(.userAcceleration))
      #expect(samples.units.totalAcceleration == .metersPerSecondSquared)
    }
  }

  @Test func healthReadingsAreSortedAndDistinct() {
    var reassembler = ChunkReassembler()
    for time in [4.0, 2, 4, 6] { reassembler.add(HealthReading(unixTime: time, heartRateBPM: 100)) }
    #expect(reassembler.assemble(name: "x").recording.health.map(\.unixTime) == [2, 4, 6])
  }

  /// Found by fuzzing: a repeated chunk that repeats samples with equal times.
  @Test func repeatedChunkWithRepeatedSamples() {
    let chunk = DecodedChunk(
      samples: MotionBatch([.time: [1, 1, 1, 1, 0, 1], .rotationRateX: [1, 2, 1, .nan, 7, 2]]))
    var once = ChunkReassembler()
    once.add(chunk)
    var twice = once
    twice.add(chunk)
    expectSame(
      once.assemble(name: "x").recording.samples, twice.assemble(name: "x").recording.samples)
  }

  /// Hostile: all samples of many chunks have one time. Quadratic time would be minutes.
  @Test func manySamplesWithOneTimeTakeLinearTime() {
    let count = 600_000
    let batch = MotionBatch([
      .time: Array(repeating: 5, count: count), .rotationRateX: (0..<count).map(Double.init),
    ])
    var reassembler = ChunkReassembler()
    for start in stride(from: 0, to: count, by: 200_000) {
      reassembler.add(DecodedChunk(samples: batch[start..<start + 200_000]))
      reassembler.add(DecodedChunk(samples: batch[start..<start + 200_000]))
    }
    let result = reassembler.assemble(name: "x")
    #expect(result.recording.samples.count == count)
    #expect(result.statistics.duplicateSamples == count)
  }

  /// Checks hostile pairs that collide under common bit mixers. Quadratic time would be minutes.
  @Test func collidingSamplesTakeLinearTime() {
    func mixed(_ bits: UInt64) -> UInt64 { (bits ^ (bits >> 29)) &* 0x9E37_79B9_7F4A_7C15 }
    let first = (0..<200_000).map { 1 + Double($0) }
    let second = first.map {
      Double(bitPattern: mixed(0xCBF2_9CE4_8422_2325 ^ $0.bitPattern) ^ 1)
    }
    let rows = first.indices.filter { !second[$0].isNaN }
    var reassembler = ChunkReassembler()
    reassembler.add(
      DecodedChunk(
        samples: MotionBatch([
          .time: rows.map { _ in 5 }, .userAccelerationX: rows.map { first[$0] },
          .userAccelerationY: rows.map { second[$0] },
        ])))
    #expect(reassembler.assemble(name: "x").recording.samples.count == rows.count)
  }

  @Test func sequencesAreMergedByCommonElements() {
    #expect(EqualTimeMerge.merged([[0, 1, 2], [1, 2, 3]], count: 4) == [0, 1, 2, 3])
    #expect(EqualTimeMerge.merged([[1, 2], [0, 1]], count: 3) == [0, 1, 2])
    #expect(EqualTimeMerge.merged([[0, 1], [2, 3]], count: 4) == [0, 1, 2, 3])
    #expect(EqualTimeMerge.merged([[0, 1], [1, 0]], count: 2) == [0, 1])
  }
}
