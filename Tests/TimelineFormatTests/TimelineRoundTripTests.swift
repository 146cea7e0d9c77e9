import Motion
import TestSupport
import Testing

@testable import MotionSynthesis
@testable import TimelineFormat

struct TimelineRoundTripTests {
  /// Returns difficult columns of a given length for codecs.
  static func hostileColumns(count: Int) -> [[Double]] {
    var generator = RandomSource(seed: UInt64(count) + 7)
    func random() -> Double { Double(bitPattern: generator.next()) }
    let rows = 0..<count
    return [
      rows.map { _ in 0 }, rows.map { _ in -0.0 }, rows.map { $0 % 2 == 0 ? 0 : -0.0 },
      rows.map { _ in random() },
      rows.map { Double(bitPattern: 0x7FF0_0000_0000_0001 + UInt64($0)) },
      rows.map { $0 % 2 == 0 ? .nan : Double($0) },
      rows.map { $0 % 3 == 0 ? .infinity : -.infinity },
      rows.map { Double(bitPattern: UInt64($0)) },
      rows.map { $0 % 2 == 0 ? 1e300 : -1e300 }, rows.map { -Double($0) * 0.02 },
      rows.map { Double($0) * 1e15 }, rows.map { Double(Float($0) * 0.1) },
      rows.map { _ in Double(Int64(bitPattern: generator.next())) },
      rows.map { ($0 == count / 2 ? .greatestFiniteMagnitude : 1) },
      rows.map { Double($0) / 24e6 },
    ]
  }

  @Test(arguments: [1, 2, 3, 7, 31, 32, 33, 255, 1000, 4097])
  func roundTripIsBitExact(count: Int) throws {
    let columns = Self.hostileColumns(count: count)
    for shift in columns.indices {
      var named: [MotionChannel: [Double]] = [:]
      for (index, channel) in MotionChannel.allCases.enumerated() {
        named[channel] = columns[(index + shift) % columns.count]
      }
      let batch = MotionBatch(named)
      for rowsPerBlock in [1, 100, 8192] where rowsPerBlock > 1 || count < 100 {
        let encoder = TimelineEncoder(precision: .lossless, rowsPerBlock: rowsPerBlock)
        let blob = try encoder.encode(Timeline(samples: batch))
        #expect(sameBits(try TimelineDecoder().decode(blob).samples, batch))
      }
    }
  }

  /// All numbers of rows that can remain at the end of an attitude's lanes.
  @Test func lanesOfAnyLengthRoundTrip() throws {
    let samples = GoldenExample.coreMotionLike(count: 72)
    for count in 1...72 {
      let batch = samples[0..<count]
      let exact = try TimelineEncoder().encode(Timeline(samples: batch))
      #expect(sameBits(try TimelineDecoder().decode(exact).samples, batch))
      let bounded = try TimelineEncoder(precision: .bounded()).encode(Timeline(samples: batch))
      let decoded = try TimelineDecoder().decode(bounded).samples
      for channel in batch.channels {
        #expect(
          zip(decoded[channel], batch[channel]).allSatisfy {
            abs($0 - $1) <= 1e-4 || $0.isNaN && $1.isNaN
          })
      }
    }
  }

  @Test func emptyTimelineRoundTrips() throws {
    let empty = MotionBatch(
      units: MotionUnits(time: .nanoseconds, gravity: .metersPerSecondSquared, attitude: .degrees),
      clock: .unix)
    let decoded = try TimelineDecoder().decode(TimelineEncoder().encode(Timeline(samples: empty)))
    #expect(decoded.samples.isEmpty)
    #expect(decoded.samples.units == empty.units)
    #expect(decoded.samples.clock == .unix)
  }

  @Test func millionSamplesRoundTrip() throws {
    let rows = 0..<1_000_000
    let batch = MotionBatch([
      .time: rows.map { Double($0) / 50 }, .rotationRateX: rows.map { Double($0 % 100) },
      .gravityZ: rows.map { _ in 1 },
    ])
    let blob = try TimelineEncoder().encode(Timeline(samples: batch))
    #expect(sameBits(try TimelineDecoder().decode(blob).samples, batch))
  }

  @Test func timeRangesAndChannelsCanBeRead() throws {
    let rows = 0..<5000
    let batch = MotionBatch([
      .time: rows.map { Double($0) * 20 }, .rotationRateX: rows.map { Double($0) },
      .gravityZ: rows.map { Double($0) / 7 },
    ])
    let blob = try TimelineEncoder(rowsPerBlock: 500).encode(Timeline(samples: batch))
    let part = try TimelineDecoder().samples(
      in: blob, channels: [.gravityZ], times: 19_999...40_000)
    #expect(part.channels == [.time, .gravityZ])
    #expect(part.times == Array(batch.times[1000...2000]))
    #expect(part[.gravityZ] == Array(batch[.gravityZ][1000...2000]))
    #expect(
      try TimelineDecoder().samples(in: blob, times: -5 ... -1).isEmpty)
  }

  @Test func damageOutsideTheTimeRangeIsIgnored() throws {
    let rows = 0..<5000
    let batch = MotionBatch([.time: rows.map { Double($0) }, .yaw: rows.map { Double($0) / 7 }])
    let whole = try TimelineEncoder(rowsPerBlock: 500).encode(Timeline(samples: batch))
    let inspection = try TimelineBlob(whole).inspect()
    let section = try #require(inspection.sections.first)
    var blob = whole
    // Everything except the index and the last tenth of the samples.
    for index in section.offset + 300..<section.offset + section.byteCount * 8 / 10 {
      blob[index] = 0
    }
    #expect(throws: TimelineError.self) { try TimelineDecoder().decode(blob) }
    #expect(throws: TimelineError.self) { try TimelineDecoder().samples(in: blob) }
    let part = try TimelineDecoder().samples(in: blob, times: 4600...4700)
    #expect(sameBits(part, batch[4600..<4701]))
  }

  @Test func encoderRejectsWhatTheDecoderRejects() {
    for rep in [-1, Int.max] {
      var timeline = GoldenTimeline.timeline()
      timeline.movementCurve[0].completedRep = rep
      #expect(throws: TimelineError.self) { try TimelineEncoder().encode(timeline) }
    }
    // None; one that is already in the timeline; one that is not; one that readers must not skip.
    let types: [UInt16] = [0, 1, TimelineSectionType.health.rawValue, 0x8001]
    for type in types {
      var timeline = GoldenTimeline.timeline()
      timeline.health = []
      timeline.otherSections.append(
        TimelineSection(type: TimelineSectionType(rawValue: type), payload: [1]))
      #expect(throws: TimelineError.self) { try TimelineEncoder().encode(timeline) }
    }
  }

  @Test func replacingTheCountKeepsEverythingElse() throws {
    var newer = try TimelineContainer.serialize(
      TimelineBlob(TimelineEncoder().encode(GoldenTimeline.timeline())).sections(),
      minorVersion: 7)
    // A damaged count does not matter.
    let sections = try TimelineBlob(newer).inspect().sections
    newer[try #require(sections.first { $0.type == .countedSet }).offset] ^= 1
    let set = CountedSet(cause: .declared, start: 1, end: 2, reps: [], confidence: 0.5)
    let rewritten = try TimelineEncoder.replacingCount(
      in: newer, with: set, movementCurve: [], provenance: nil, isLossless: true)
    #expect(rewritten[9] == 7)
    let decoded = try TimelineDecoder().decode(rewritten)
    #expect(decoded.set == set && decoded.movementCurve.isEmpty && decoded.provenance == nil)
    #expect(decoded.otherSections == GoldenTimeline.timeline().otherSections)
    #expect(sameBits(decoded.samples, GoldenTimeline.samples()))
    let again = try TimelineEncoder().encode(decoded)
    #expect(try TimelineDecoder().decode(again).otherSections == decoded.otherSections)
  }

  @Test func structureCanBeInspected() throws {
    let blob = try TimelineEncoder(rowsPerBlock: 128).encode(GoldenTimeline.timeline())
    let inspection = try TimelineBlob(blob).inspect()
    #expect(inspection.sampleCount == 300)
    #expect(inspection.blockCount == 3)
    #expect(inspection.columns.map(\.channel) == GoldenTimeline.samples().channels)
    #expect(inspection.sections.allSatisfy { $0.error == nil })
    #expect(inspection.sections.first?.type == .samples)
    let sections = inspection.sections.reduce(0) { $0 + $1.byteCount }
    #expect(sections + 16 + 12 * inspection.sections.count == blob.count)
  }

  /// 513 MiB of samples after 9 MiB of other data, which a reader of that size accepts.
  @Test func structureOfALargeTimelineCanBeInspected() throws {
    let blocks = 1025
    let block: [UInt8] = [ColumnCodec.constant.rawValue, 8] + [UInt8](repeating: 0, count: 8)
    var payload = ByteWriter()
    payload.varint(blocks * 65536)
    payload.append([0, 0, 0, 0])
    payload.varint(65536)
    payload.append([1, 0, 0])
    for _ in 0..<blocks {
      payload.uint32(UInt32(block.count))
      payload.uint32(CRC32C.checksum(block))
      payload.append([UInt8](repeating: 0, count: 16))
    }
    payload.uint32(CRC32C.checksum(payload.bytes))
    for _ in 0..<blocks { payload.append(block) }
    let other = TimelineSection(
      type: TimelineSectionType(rawValue: 77), payload: [UInt8](repeating: 0, count: 9 << 20))
    let samples = TimelineSection(type: .samples, payload: payload.bytes)
    let inspection = try TimelineBlob(TimelineContainer.serialize([samples, other])).inspect()
    #expect(inspection.sections.allSatisfy { $0.error == nil })
    #expect(inspection.sampleCount == blocks * 65536)
  }
}
