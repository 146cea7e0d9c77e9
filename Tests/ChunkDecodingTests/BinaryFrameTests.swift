import Foundation
import Motion
import TestSupport
import Testing

@testable import ChunkDecoding

@Suite struct BinaryFrameTests {
  private func chunk() -> DecodedChunk {
    var samples = MotionBatch(
      [.time: [1, 1.02, 1.04], .rotationRateX: [0.1, .nan, -0.0], .gravityZ: [-1, -1, -0.5]],
      units: MotionUnits(gravity: .metersPerSecondSquared, rotationRate: .degrees), clock: .device)
    samples.units.time = .milliseconds
    return DecodedChunk(
      identity: SetIdentity(sessionId: "w", exerciseId: "e", setId: "s"), phase: .rest,
      chunkId: "c-1", samples: samples, captureFrequenciesHz: [50, 50, 50],
      unixTimeOfFirstSample: 1_748_772_000.5,
      metadata: ChunkMetadata(
        planId: "p", setOrder: -2, exerciseIndex: 3, statedCount: 3, unixTime: 1_748_772_003))
  }

  private func decode(_ bytes: [UInt8]) throws -> DecodedChunk {
    try bytes.withUnsafeBytes { (bytes) throws(DecodingFailure) in
      try BinaryFrame.decode(bytes).chunk
    }
  }

  @Test func framesReadBackBitForBit() throws {
    let original = chunk()
    let decoded = try decode(try #require(BinaryFrame.encode(original)))
    for channel in MotionChannel.allCases {
      #expect(
        decoded.samples[channel].map(\.bitPattern) == original.samples[channel].map(\.bitPattern))
    }
    #expect(decoded.samples.units == original.samples.units)
    #expect(decoded.identity == original.identity)
    #expect(decoded.phase == .rest)
    #expect(decoded.chunkId == "c-1")
    #expect(decoded.metadata == original.metadata)
    #expect(decoded.captureFrequenciesHz == original.captureFrequenciesHz)
    #expect(decoded.unixTimeOfFirstSample == original.unixTimeOfFirstSample)
  }

  /// Written once. Every later version must read it.
  @Test func goldenFrame() throws {
    let batch = MotionBatch([.time: [1, 2], .userAccelerationX: [0.5, -0.25]])
    let bytes = try #require(
      BinaryFrame.encode(
        DecodedChunk(
          identity: SetIdentity(setId: "s1"), phase: .execution, samples: batch)))
    let golden: [UInt8] = [
      0x52, 0x54, 0x43, 0xF1, 0x01, 0x02, 0x04, 0x00, 0x48, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00,
      0x00,
      0x03, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0x02, 0x73, 0x31, 0x00, 0x00, 0x00,
      0x00,
      0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xF0, 0x3F, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
      0x40,
      0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xE0, 0x3F, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xD0,
      0xBF,
    ]
    #expect(Array(bytes.dropLast(8)) == golden)
    #expect(bytes.count == 72)
  }

  /// A stated unit is used even if it is unknown whether acceleration includes gravity.
  @Test func statedUnitIsKept() throws {
    let values = (0..<200).map { 2 * sin(Double($0) / 10) }
    let zero = values.map { _ in 0.0 }
    let batch = MotionBatch(
      [
        .time: values.indices.map { Double($0) / 50 }, .userAccelerationX: values,
        .userAccelerationY: zero, .userAccelerationZ: zero,
      ], units: MotionUnits(userAcceleration: .metersPerSecondSquared))
    let frame = try #require(
      BinaryFrame.encode(DecodedChunk(samples: batch, gravityIsUncertain: true)))
    var reassembler = ChunkReassembler()
    reassembler.add(try decode(frame))
    let samples = reassembler.assemble(name: "x").recording.samples
    #expect(samples.units.userAcceleration == .metersPerSecondSquared)
    #expect(samples[.userAccelerationX] == values)
  }

  /// Each header claims half of the file. Verifying all of them would take minutes.
  @Test func nestedFramesTakeLinearTime() throws {
    let count = 100_000
    let half = 12 * count / 64 * 64
    var header = [UInt8](repeating: 0, count: 24)
    let samples = (half - 32) / 8
    for (offset, value) in [(0, 0xF143_5452), (4, 1), (8, half), (12, samples), (16, 1)] {
      for byte in 0..<(offset == 4 ? 1 : 4) {
        header[offset + byte] = UInt8(truncatingIfNeeded: value >> (8 * byte))
      }
    }
    let bytes = Array(repeatElement(header, count: count).joined())
    #expect(throws: DecodingFailure.self) { try RecordingDecoder.decode(bytes) }
    let file = try RecordingDecoder.decode(try #require(BinaryFrame.encode(chunk())) + bytes)
    #expect(file.chunks.count == 1)
    #expect(file.issues.count <= 101)
  }

  /// Checks the reference values of the hash's documentation and test program.
  @Test func checksumIsXXH64() {
    func hash(_ text: String) -> UInt64 { Array(text.utf8).withUnsafeBytes { XXHash64.hash($0) } }
    #expect(hash("") == 0xEF46_DB37_51D8_E999)
    #expect(hash("a") == 0xD24E_C4F1_A98C_6E5B)
    #expect(hash("abc") == 0x44BC_2CF5_AD77_0999)
    #expect(
      hash("Nobody inspects the spammish repetition") == 0xFBCE_A83C_8A37_8BF1)
  }

  @Test func everyBitFlipIsDetected() throws {
    let bytes = try #require(BinaryFrame.encode(chunk()))
    for index in bytes.indices {
      for bit in 0..<8 {
        var damaged = bytes
        damaged[index] ^= 1 << UInt8(bit)
        #expect(throws: DecodingFailure.self) { try decode(damaged) }
      }
    }
  }

  @Test func everyPrefixIsTruncated() throws {
    let bytes = try #require(BinaryFrame.encode(chunk()))
    for count in 0..<bytes.count {
      let failure = #expect(throws: DecodingFailure.self) { try decode(Array(bytes[..<count])) }
      #expect(failure?.kind == .truncated)
    }
  }

  /// Headers with wrong values and a matching checksum.
  @Test func wrongHeadersAreRejected() throws {
    let bytes = try #require(BinaryFrame.encode(chunk()))
    let lies: [(Int, UInt8)] = [
      (5, 0xFF), (5, 4), (6, 0xFF), (7, 0xFF), (12, 4), (13, 1), (15, 0xFF), (16, 0x7E),
      (18, 0xFF), (19, 0x80), (20, 0x80), (23, 1), (25, 250),
    ]
    for (offset, value) in lies {
      var lie = bytes
      lie[offset] = value
      // The checksum matches, so the wrong value must be detected.
      let isLongEnough = BinaryFrame.repair(&lie)
      #expect(isLongEnough)
      let failure = #expect(throws: DecodingFailure.self, "offset \(offset)") { try decode(lie) }
      #expect(failure?.kind == .invalidFrame || failure?.kind == .limitExceeded)
    }
  }

  @Test func filesOfFramesSurviveDamage() throws {
    let frame = try #require(BinaryFrame.encode(chunk()))
    var bytes = frame + frame + frame + frame[..<20]
    bytes[frame.count + 70] ^= 1
    let file = try RecordingDecoder.decode(bytes)
    #expect(file.format == .frames)
    #expect(file.chunks.count == 2)
    #expect(file.issues.map(\.kind) == [.damaged, .truncated])
  }

  @Test func damagedSizeIsDetectedInTheHeader() throws {
    let frame = try #require(BinaryFrame.encode(chunk()))
    for (offset, value) in [(8, UInt8(0xF8)), (9, 0x40), (10, 0x40), (11, 0x01), (12, 9)] {
      var damaged = frame
      damaged[offset] = value
      let header = Array(damaged[..<24])
      let failure = #expect(throws: DecodingFailure.self) {
        try header.withUnsafeBytes { (bytes) throws(DecodingFailure) in
          try BinaryFrame.size(ofFrameIn: bytes)
        }
      }
      #expect(failure?.kind == .invalidFrame)
      let file = try RecordingDecoder.decode(damaged + frame + frame)
      #expect(file.chunks.count == 2)
    }
  }

  /// Checks that the output of `fixtures/make-frames.py`, which was written from docs/formats.md alone,
  /// decodes to the samples of its input.
  @Test(.enabled(if: hasPython, "needs python3"))
  func pythonFramesDecodeToTheirChunks() throws {
    let chunkFolder = fixtureRecordings.appending(path: "bench-chunks")
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "python3", packageRoot.appending(path: "fixtures/make-frames.py").path, chunkFolder.path,
    ]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let bytes = [UInt8](output.fileHandleForReading.readDataToEndOfFile())
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let frames = try RecordingDecoder.decode(bytes).chunks
    let files = try FileManager.default.contentsOfDirectory(
      at: chunkFolder, includingPropertiesForKeys: nil
    ).sorted { $0.path < $1.path }
    #expect(frames.count == files.count)
    for (frame, file) in zip(frames, files) {
      let text = [UInt8](try Data(contentsOf: file))
      let chunk = try #require(try RecordingDecoder.decode(text, fileName: "x.json").chunks.first)
      #expect(frame.identity == chunk.identity)
      #expect(frame.phase == chunk.phase)
      #expect(frame.samples.channels == chunk.samples.channels)
      for channel in chunk.samples.channels {
        #expect(frame.samples[channel] == chunk.samples[channel])
      }
    }
  }
}
