import ChunkDecoding
import Motion
import MotionSynthesis
import Testing

@testable import RecordingPipeline

struct PackedSamplesTests {
  /// Columns of every kind, with every kind of exception, are restored bit for bit.
  @Test(arguments: 0..<60) func isLossless(seed: Int) {
    var random = RandomSource(seed: UInt64(seed))
    let count = [1, 2, 3, 99, 100, 101, 1000][seed % 7]
    var columns: [MotionChannel: [Double]] = [:]
    for (index, channel) in MotionChannel.allCases.enumerated() where (index + seed) % 3 != 1 {
      columns[channel] = (0..<count).map { row in
        let uniform = Double(random.next() >> 11) / 0x1p52 - 1
        let outlier = random.next() % 40
        switch (outlier, (index + seed / 7) % 7) {
        case (0, 1...5): return [-0.0, .nan, .infinity, 0x1p-1074, 1e300][Int(random.next() % 5)]
        case (_, 0): return 0.25
        case (_, 1): return (uniform * 1e6).rounded() / 1e6
        case (_, 2): return 267_522.389 + Double(row) * 0.02
        case (_, 3): return Double(Float(uniform))
        case (_, 4): return (uniform * 1e3).rounded()
        case (_, 5): return (uniform * 0x1p53).rounded()
        default: return Double(bitPattern: random.next())
        }
      }
    }
    columns[.time] = (0..<count).map { (Double($0) * 20).rounded() / 1000 + 1_741_388_546.9 }
    var batch = MotionBatch(columns, clock: seed % 2 == 0 ? .unix : .device)
    batch.units.time = seed % 5 == 0 ? .milliseconds : .seconds
    batch.estimated = seed % 4 == 0 ? [.gravityX] : []
    var bytes: [UInt8] = [1, 2]
    PackedSamples(batch).append(to: &bytes)
    #expect(PackedSamples(bytes.dropLast().dropFirst(2)) == nil)
    let read = PackedSamples(bytes.dropFirst(2))
    for (row, values) in batch.channels.map({ (batch[$0], read?.batch[$0] ?? []) }) {
      #expect(row.map(\.bitPattern) == values.map(\.bitPattern))
    }
    #expect(read?.batch.units == batch.units && read?.batch.clock == batch.clock)
    let back = PackedSamples(batch).batch
    #expect(back.count == batch.count)
    #expect(back.units == batch.units)
    #expect(back.clock == batch.clock)
    #expect(back.estimated == batch.estimated)
    #expect(back.channels == batch.channels)
    for channel in batch.channels {
      #expect(back[channel].map(\.bitPattern) == batch[channel].map(\.bitPattern), "\(channel)")
    }
  }

  /// Altered bytes of a journal are rejected or decode to other values, but never trap.
  @Test func damagedBytesDoNotTrap() {
    var random = RandomSource(seed: 3)
    var chunk = DecodedChunk(
      samples: MotionBatch([
        .time: (0..<50).map { Double($0) / 50 }, .gravityX: (0..<50).map { _ in 1 },
        .rotationRateX: (0..<50).map { $0 == 7 ? -0.0 : Double($0) / 1000 },
      ]))
    chunk.captureFrequenciesHz = (0..<50).map { Double($0) }
    let bytes = StoredChunk(chunk).journalBytes(hash: 9)
    #expect(StoredChunk.decodeJournal(bytes)?.hash == 9)
    for _ in 0..<3000 {
      var damaged = bytes
      for _ in 0...random.next() % 3 {
        damaged[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
      }
      if random.next() % 4 == 0 { damaged.removeLast(Int(random.next() % UInt64(bytes.count))) }
      _ = StoredChunk.decodeJournal(damaged)
    }
  }

  @Test(arguments: [DecodedChunk.TimeResolution.exact, .wholeSeconds])
  func journalingAChunkIsLossless(resolution: DecodedChunk.TimeResolution) throws {
    var chunk = DecodedChunk(
      samples: MotionBatch([
        .time: (0..<100).map { Double($0 / 50) },
        .rotationRateX: [Double](repeating: 2, count: 100),
      ]))
    chunk.timeResolution = resolution
    chunk.gravityIsUncertain = resolution == .exact
    chunk.captureFrequenciesHz = (0..<100).map { Double($0) }
    chunk.unixTimeOfFirstSample = resolution == .exact ? 5 : nil
    chunk.metadata.unixTime = 7.5
    let read = try #require(StoredChunk.decodeJournal(StoredChunk(chunk).journalBytes(hash: 1)))
    #expect(read.hash == 1)
    #expect(read.chunk.samples.times == chunk.samples.times)
    #expect(read.chunk.samples[.rotationRateX] == chunk.samples[.rotationRateX])
    #expect(read.chunk.timeResolution == chunk.timeResolution)
    #expect(read.chunk.gravityIsUncertain == chunk.gravityIsUncertain)
    #expect(read.chunk.captureFrequenciesHz == chunk.captureFrequenciesHz)
    #expect(read.chunk.unixTimeOfFirstSample == chunk.unixTimeOfFirstSample)
    #expect(read.chunk.metadata.unixTime == 7.5)
    let empty = DecodedChunk(samples: MotionBatch())
    #expect(
      StoredChunk.decodeJournal(StoredChunk(empty).journalBytes(hash: 1))?.chunk.samples.isEmpty
        == true)
  }

  @Test func compressingAChunkIsLossless() {
    var random = RandomSource(seed: 7)
    let values = (0..<100).map { _ in Double(random.next() >> 40) / 1e6 }
    var chunk = DecodedChunk(
      samples: MotionBatch([.time: (0..<100).map { Double($0) / 50 }, .rotationRateX: values]))
    chunk.captureFrequenciesHz = Array(repeating: 50, count: 100)
    var stored = StoredChunk(chunk)
    let before = stored.chunk
    stored.compress()
    let after = stored.chunk
    #expect(before.samples[.rotationRateX] == values)
    #expect(after.samples[.rotationRateX] == values)
    #expect(before.samples.times == after.samples.times)
    #expect(after.captureFrequenciesHz == chunk.captureFrequenciesHz)
  }
}
