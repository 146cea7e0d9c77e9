import Foundation
import Motion
import Testing

@testable import ChunkDecoding
@testable import MotionSynthesis

/// Damaged inputs of every format: no input traps, and every output is sound.
@Suite struct MutationTests {
  private static let id = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

  private func seeds() throws -> [(name: String, bytes: [UInt8])] {
    let flat = MadeSamples.flat(12)
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    // Makes the damage reproducible.
    encoder.outputFormatting = .sortedKeys
    let watch = flat.map { MadeSamples.watch($0, date: Date(timeIntervalSince1970: 1_748_772_000)) }
    let chunk = Chunk(
      sessionId: Self.id, exerciseId: Self.id, setId: Self.id, phase: "rest",
      samples: flat.map(MadeSamples.nested))
    let lines = try (0..<3).map { _ in
      try String(decoding: encoder.encode(chunk), as: UTF8.self)
        + "\n{\"type\":\"endSet\",\"setId\":\"s\",\"timestamp\":1e9}\n"
    }
    let columns = MotionBatch([
      .time: flat.map(\.timestamp), .rotationRateX: flat.map(\.rotationX),
      .gravityZ: flat.map(\.gravityZ),
    ])
    let frame = BinaryFrame.encode(
      DecodedChunk(identity: SetIdentity(setId: "set"), samples: columns))
    let csv =
      "timestamp,accelerationX,\"rotationX\",note,gravityZ\r\n"
      + flat.map {
        "\($0.timestamp),\($0.accelerationX),\"\($0.rotationX)\",\"a,b\",\($0.gravityZ)"
      }
      .joined(separator: "\r\n")
    return [
      ("chunk.json", Array(try encoder.encode(chunk))),
      ("array.json", Array(try encoder.encode(watch))),
      ("lines.ndjson", Array(lines.joined().utf8)),
      ("x.csv", Array(csv.utf8)),
      ("Gyroscope.csv", Array("time,seconds_elapsed,z,y,x\n1700000000000000000,0.5,1,2,3\n".utf8)),
      ("x.bin", try #require(frame) + (try #require(frame))),
    ]
  }

  private func check(_ bytes: [UInt8], _ name: String) {
    do throws(DecodingFailure) {
      let file = try RecordingDecoder.decode(bytes, fileName: name, sidecar: nil)
      var reassembler = ChunkReassembler()
      for chunk in file.chunks {
        #expect(!chunk.samples.times.contains { !$0.isFinite })
        reassembler.add(chunk)
      }
      let result = reassembler.assemble(name: name)
      let times = result.recording.samples.times
      #expect(times == times.sorted())
      #expect(result.recording.samples.addingDerivedMotion().count == times.count)
    } catch {
      #expect((error.byteOffset ?? 0) <= bytes.count)
    }
  }

  @Test func everyPrefixIsHandled() throws {
    for (name, bytes) in try seeds() {
      for count in bytes.indices { check(Array(bytes[..<count]), name) }
    }
  }

  @Test func randomDamageIsHandled() throws {
    var generator = RandomSource(seed: 21)
    let seeds = try seeds()
    let tokens = [
      "\"", "{", "}", "[", "]", ",", ":", "null", "NaN", "1e999", "-", "\n", "\r", ";", "\u{0}",
      "1e-400", "99999999999999999999999999", "\\u", "\\uD800", "\u{FEFF}", "timestamp", "e", ".",
    ]
    for _ in 0..<6000 {
      var (name, bytes) = try #require(seeds.randomElement(using: &generator))
      for _ in 0..<Int.random(in: 1...6, using: &generator) where !bytes.isEmpty {
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        case 2:
          let end = min(bytes.count, index + Int.random(in: 1...40, using: &generator))
          bytes.removeSubrange(index..<end)
        case 3:
          let token = tokens.randomElement(using: &generator) ?? ""
          bytes.insert(contentsOf: Array(token.utf8), at: index)
        case 4:
          let end = min(bytes.count, index + Int.random(in: 1...200, using: &generator))
          bytes.insert(contentsOf: bytes[index..<end], at: index)
        default: bytes.removeSubrange(index...)
        }
      }
      check(bytes, name)
    }
  }

  /// Inputs that both decoders accept give equal values.
  @Test func foundationReadsEqualValues() throws {
    var generator = RandomSource(seed: 22)
    let flat = MadeSamples.flat(8)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let encoded = Array(
      try encoder.encode(
        Chunk(
          sessionId: Self.id, exerciseId: Self.id, setId: Self.id, phase: "rest", samples: flat)))
    var agreed = 0
    for _ in 0..<3000 {
      var bytes = encoded
      let index = Int.random(in: 0..<(bytes.count - 1), using: &generator)
      bytes[index] = Array("0123456789.-eE+,\"{}[] x".utf8).randomElement(using: &generator) ?? 0x20
      let oracle = try? JSONDecoder().decode(Chunk<FlatSample>.self, from: Data(bytes))
      let ours = try? RecordingDecoder.decodeLine(bytes)
      guard let oracle else { continue }
      // A changed key or id may be read differently here, but a changed number must not.
      guard case .chunk(let chunk)? = ours?.messages.first else {
        // Foundation accepts a comma before a closing brace, which is invalid JSON.
        let isTrailingComma = bytes[index] == 0x2C && [0x7D, 0x5D].contains(bytes[index + 1])
        if isTrailingComma { continue }
        let context = bytes[max(0, index - 30)..<min(bytes.count, index + 30)]
        Issue.record("refused: \(String(decoding: context, as: UTF8.self))")
        continue
      }
      guard chunk.samples.count == oracle.samples.count else { continue }
      agreed += 1
      #expect(
        chunk.samples[.userAccelerationX].map(\.bitPattern)
          == oracle.samples.map(\.accelerationX.bitPattern))
      #expect(chunk.samples[.yaw].map(\.bitPattern) == oracle.samples.map(\.yaw.bitPattern))
    }
    #expect(agreed > 500)
  }

  /// Members in any order, with white space and numbers of every form, give Foundation's bits.
  @Test func foundationReadsEqualBits() throws {
    var generator = RandomSource(seed: 23)
    let keys = [
      "timestamp", "accelerationX", "accelerationY", "accelerationZ", "rotationX", "rotationY",
      "rotationZ", "gravityX", "gravityY", "gravityZ", "roll", "pitch", "yaw",
    ]
    func digits(_ count: Int) -> String {
      String((0..<count).map { _ in Character("\(Int.random(in: 0...9, using: &generator))") })
    }
    func number() -> String {
      let sign = Bool.random(using: &generator) ? "-" : ""
      let integer =
        Bool.random(using: &generator)
        ? "0"
        : "\(Int.random(in: 1...9, using: &generator))"
          + digits(Int.random(in: 0...11, using: &generator))
      switch Int.random(in: 0..<8, using: &generator) {
      case 0: return sign + integer
      // Foundation rejects some zeros with an exponent.
      case 1: return sign + "7." + digits(Int.random(in: 1...3, using: &generator)) + "e-2"
      case 2...4: return sign + "0." + digits(Int.random(in: 14...20, using: &generator))
      default: return sign + integer + "." + digits(Int.random(in: 1...25, using: &generator))
      }
    }
    func space() -> String {
      ["", "", "", "", " ", "  ", "\n  "].randomElement(using: &generator) ?? ""
    }
    for _ in 0..<100 {
      let samples = (0..<40).map { index in
        let members = keys.shuffled(using: &generator).map { key in
          let value = key == "timestamp" ? "\(1000 + index).\(digits(9))" : number()
          return "\(space())\"\(key)\"\(space()):\(space())\(value)\(space())"
        }
        return "{" + members.joined(separator: ",") + "}"
      }
      let text = "[" + samples.joined(separator: ",") + "]"
      let oracle = try JSONDecoder().decode([FlatSample].self, from: Data(text.utf8))
      let file = try RecordingDecoder.decode(Array(text.utf8), fileName: "x.json")
      let columns = try #require(file.chunks.first).samples
      let expected: [(MotionChannel, KeyPath<FlatSample, Double>)] = [
        (.time, \.timestamp), (.userAccelerationX, \.accelerationX),
        (.userAccelerationY, \.accelerationY), (.userAccelerationZ, \.accelerationZ),
        (.rotationRateX, \.rotationX), (.rotationRateY, \.rotationY),
        (.rotationRateZ, \.rotationZ), (.gravityX, \.gravityX), (.gravityY, \.gravityY),
        (.gravityZ, \.gravityZ), (.roll, \.roll), (.pitch, \.pitch), (.yaw, \.yaw),
      ]
      for (channel, value) in expected {
        #expect(columns[channel].map(\.bitPattern) == oracle.map { $0[keyPath: value].bitPattern })
      }
    }
  }
}
