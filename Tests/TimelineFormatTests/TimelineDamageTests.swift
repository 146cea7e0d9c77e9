import Foundation
import Motion
import TestSupport
import Testing

@testable import MotionSynthesis
@testable import TimelineFormat

struct TimelineDamageTests {
  static func goldenBlobs() throws -> [(name: String, bytes: [UInt8])] {
    try FileManager.default.contentsOfDirectory(atPath: goldenFolder.path).sorted()
      .filter { $0.hasSuffix(".blob") }
      .map { ($0, [UInt8](try Data(contentsOf: goldenFolder.appendingPathComponent($0)))) }
  }

  @Test func everyTruncationIsRejected() throws {
    for (_, bytes) in try Self.goldenBlobs() {
      let whole = try TimelineDecoder().decode(bytes)
      let rows = Set(whole.samples.times.indices.map { bits(of: $0, in: whole.samples) })
      for length in 0..<bytes.count {
        let cut = Array(bytes[..<length])
        #expect(throws: TimelineError.self) { try TimelineDecoder().decode(cut) }
        guard length % Self.truncationStep == 0 else { continue }
        let recovery = TimelineDecoder().recover(cut)
        #expect(!recovery.damage.isEmpty)
        expectPart(recovery.timeline, of: whole, rows: rows)
      }
    }
  }

  /// Steps of recovered truncations and bit flips. A full run flips every bit and recovers every 16th flip; a
  /// short one flips 1,000 bits and recovers all.
  private static let truncationStep = isFullRun ? 7 : 97
  private static let flipStep = isFullRun ? 16 : 1

  private static func flippedBits(of count: Int) -> [Int] {
    if isFullRun { return Array(0..<count) }
    var generator = RandomSource(seed: 3)
    return (0..<1000).map { _ in Int.random(in: 0..<count, using: &generator) }
  }

  /// Expects that recovered values equal the original ones.
  private func expectPart(_ part: Timeline, of whole: Timeline, rows: Set<[UInt64]>) {
    let samples = part.samples
    #expect(Set(samples.times.indices.map { bits(of: $0, in: samples) }).isSubset(of: rows))
    if let set = part.set { #expect(set == whole.set) }
    if let provenance = part.provenance { #expect(provenance == whole.provenance) }
    if part.identity != SetIdentity() { #expect(part.identity == whole.identity) }
    if !part.phases.isEmpty { #expect(part.phases == whole.phases) }
  }

  /// Every bit flip is detected, and values that a recovery reports as intact are intact.
  @Test func everyBitFlipIsDetected() throws {
    for (name, bytes) in try Self.goldenBlobs() {
      let whole = try TimelineDecoder().decode(bytes)
      let rows = Set(whole.samples.times.indices.map { bits(of: $0, in: whole.samples) })
      for (number, bit) in Self.flippedBits(of: 8 * bytes.count).enumerated() {
        var damaged = bytes
        damaged[bit / 8] ^= 1 << UInt8(bit % 8)
        #expect(throws: TimelineError.self, "bit \(bit) of \(name)") {
          try TimelineDecoder().decode(damaged)
        }
        guard number % Self.flipStep == 0 else { continue }
        let recovery = TimelineDecoder().recover(damaged)
        #expect(!recovery.damage.isEmpty)
        expectPart(recovery.timeline, of: whole, rows: rows)
      }
    }
  }

  private func bits(of row: Int, in samples: MotionBatch) -> [UInt64] {
    samples.channels.map { samples[$0][row].bitPattern }
  }

  /// A bit flip in header or directory loses nothing. Tests every third bit.
  @Test func damagedHeaderIsRepaired() throws {
    for (_, bytes) in try Self.goldenBlobs() {
      let whole = TimelineSummary.lines(of: bytes)
      let head = 16 + 12 * Int(bytes[10])
      for bit in stride(from: 0, to: 8 * head, by: 3) {
        var damaged = bytes
        damaged[bit / 8] ^= 1 << UInt8(bit % 8)
        let recovery = TimelineDecoder().recover(damaged)
        #expect(recovery.damage.count == 1 && recovery.damage[0].section == nil)
        #expect(TimelineSummary.lines(recovery.timeline) == whole)
      }
    }
  }

  @Test func otherBlocksSurviveDamage() throws {
    let rows = 0..<1000
    let batch = MotionBatch([
      .time: rows.map { Double($0) }, .rotationRateX: rows.map { Double($0) / 3 },
    ])
    let phases = [PhaseSpan(rows: 0..<50, phase: .rest)]
    var blob = try TimelineEncoder(rowsPerBlock: 100).encode(
      Timeline(samples: batch, phases: phases))
    let samples = try #require(try TimelineBlob(blob).inspect().sections.first)
    blob[samples.offset + samples.byteCount - 5] ^= 1
    let recovery = TimelineDecoder().recover(blob)
    #expect(recovery.damage.map(\.rows) == [900..<1000])
    #expect(recovery.storedSampleCount == 1000)
    #expect(sameBits(recovery.timeline.samples, batch[0..<900]))
    // Phases refer to row numbers, which are lost.
    #expect(recovery.timeline.phases.isEmpty)
  }

  @Test func exaggeratedSizesAllocateNothing() throws {
    for (count, rowsPerBlock) in [(1 << 40, 65536), (1 << 62, 1), (1 << 40, 1)] {
      var payload = ByteWriter()
      payload.varint(count)
      payload.append([0, 0, 0, 0])
      payload.varint(rowsPerBlock)
      payload.append([1, 0, 0])
      payload.append([UInt8](repeating: 0, count: 1000))
      let blob = try TimelineContainer.serialize([
        TimelineSection(type: .samples, payload: payload.bytes)
      ])
      #expect(throws: TimelineError.self) { try TimelineDecoder().decode(blob) }
    }
    for type in [TimelineSectionType.health, .movementCurve, .phases] {
      var payload = ByteWriter()
      payload.varint(1 << 40)
      payload.append([UInt8](repeating: 0, count: 1000))
      let blob = try TimelineContainer.serialize([
        TimelineSection(type: type, payload: payload.bytes)
      ])
      #expect(throws: TimelineError.self) { try TimelineDecoder().decode(blob) }
    }
  }

  @Test func decodedBytesAreLimited() throws {
    let batch = MotionBatch([.time: [Double](repeating: 1, count: 100_000)])
    let blob = try TimelineEncoder(rowsPerBlock: 65536).encode(Timeline(samples: batch))
    #expect(blob.count < 200)
    let decoder = TimelineDecoder(limits: TimelineLimits(decodedBytes: 799_999))
    #expect(throws: TimelineError.tooLarge(place: "section samples")) {
      try decoder.decode(blob)
    }
  }

  /// Random bytes with correct checksums reach every decoder; none may trap.
  @Test func randomSectionsNeverTrap() throws {
    var generator = RandomSource(seed: 11)
    // A single block has no checksum of its own.
    let encoders = [
      TimelineEncoder(rowsPerBlock: 64), TimelineEncoder(), TimelineEncoder(precision: .bounded()),
    ]
    let sections = try encoders.flatMap {
      try TimelineBlob($0.encode(GoldenTimeline.timeline())).sections()
    }
    for round in 0..<20_000 {
      var section = sections[round % sections.count]
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        guard !section.payload.isEmpty else { continue }
        let end = min(section.payload.count, round % 2 == 0 ? 120 : .max)
        let index = Int.random(in: 0..<end, using: &generator)
        section.payload[index] = UInt8.random(in: 0...255, using: &generator)
      }
      if round % 5 == 0 { section.payload.removeLast(min(section.payload.count, round % 11)) }
      let blob = try TimelineContainer.serialize([section])
      _ = try? TimelineDecoder().decode(blob)
      _ = TimelineDecoder().recover(blob)
      _ = try? TimelineBlob(blob).inspect()
    }
  }

  @Test func documentedRulesAreEnforced() throws {
    let good = try TimelineEncoder().encode(GoldenTimeline.timeline())
    #expect(throws: TimelineError.notATimeline) { try TimelineDecoder().decode([]) }
    #expect(throws: TimelineError.notATimeline) {
      try TimelineDecoder().decode(Array("PNG".utf8))
    }
    #expect(throws: TimelineError.malformed(place: "container", reason: "1 bytes too many")) {
      try TimelineDecoder().decode(good + [0])
    }
    var newer = good
    newer[8] = 2
    #expect(throws: TimelineError.newerFormat(major: 2)) { try TimelineDecoder().decode(newer) }
    let critical = try TimelineContainer.serialize([
      TimelineSection(type: TimelineSectionType(rawValue: 0x8001), payload: [])
    ])
    #expect(throws: TimelineError.unknownCriticalSection(type: 0x8001)) {
      try TimelineDecoder().decode(critical)
    }
  }

  @Test func duplicateSectionsAreRejected() throws {
    let good = try TimelineEncoder().encode(GoldenTimeline.timeline())
    let sections = try TimelineBlob(good).sections()
    for section in sections where section.type.isKnown {
      let twice = try TimelineContainer.serialize(sections + [section])
      let error = TimelineError.malformed(
        place: "directory", reason: "two sections \(section.type.name)")
      #expect(throws: error) { try TimelineDecoder().decode(twice) }
      #expect(throws: error) { try TimelineDecoder().samples(in: twice) }
      #expect(throws: error) { try TimelineDecoder().countedSet(in: twice) }
      #expect(TimelineDecoder().recover(twice).damage.map(\.error) == [error])
    }
    let other = TimelineSection(type: TimelineSectionType(rawValue: 77), payload: [])
    let decoded = try TimelineDecoder().decode(try TimelineContainer.serialize([other, other]))
    #expect(decoded.otherSections == [other, other])
  }

  @Test func duplicateOrUnorderedNamesAreRejected() throws {
    let timeline = Timeline(
      samples: MotionBatch(),
      provenance: TimelineProvenance(writer: "", detector: "", settings: ["p": "1", "q": "2"]))
    var tried = 0
    for section in try TimelineBlob(TimelineEncoder().encode(timeline)).sections() {
      for index in section.payload.indices where section.payload[index] == UInt8(ascii: "p") {
        for name in "qr".utf8 {
          var changed = section
          changed.payload[index] = name
          let blob = try TimelineContainer.serialize([changed])
          #expect(
            throws: TimelineError.malformed(
              place: "section \(section.type.name)",
              reason: "names that come twice or out of order")
          ) { try TimelineDecoder().decode(blob) }
          tried += 1
        }
      }
    }
    #expect(tried == 2)
  }

  @Test func checksumIsCRC32C() {
    #expect(CRC32C.checksum(Array("123456789".utf8)) == 0xE306_9283)
    #expect(CRC32C.checksum([]) == 0)
    #expect(CRC32C.checksum([UInt8](repeating: 0, count: 32)) == 0x8A91_36AA)
    // Long inputs use a different code path than single bytes.
    let bytes = (0..<40_007).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }
    for range in [0..<5119, 0..<5120, 3..<5200, 1..<21_504, 5..<40_007] {
      var checksum = CRC32C()
      for byte in bytes[range] { checksum.add(byte) }
      #expect(CRC32C.checksum(bytes, in: range) == checksum.value)
    }
  }
}
