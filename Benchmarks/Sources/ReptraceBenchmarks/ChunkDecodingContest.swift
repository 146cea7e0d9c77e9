import ChunkDecoding
import Foundation
import Motion

/// Chunks of 100 samples from JSON into columns, against Foundation's `JSONDecoder`.
enum ChunkDecodingContest {
  private static let keys = [
    "timestamp", "accelerationX", "accelerationY", "accelerationZ", "rotationX", "rotationY",
    "rotationZ", "gravityX", "gravityY", "gravityZ", "roll", "pitch", "yaw",
  ]

  static func keysInOrder() -> Contest { contest("keys in order", shuffles: false) }

  /// As Swift's own encoder writes them: in another order in every sample.
  static func keysShuffled() -> Contest { contest("keys in any order", shuffles: true) }

  private static func contest(_ order: String, shuffles: Bool) -> Contest {
    var random = SplitMix64(state: 7)
    let chunks = (0..<200).map { _ in chunk(shuffles: shuffles, &random) }
    let decoder = JSONDecoder()
    return Contest(
      title: "JSON chunks of 100 samples, \(order)", amount: Double(chunks.count), unit: "chunks",
      contestants: [
        .init(name: "RepTrace") {
          try chunks.reduce(0) { sum, data in
            let decoded = try data.withUnsafeBytes { try RecordingDecoder.decodeLine($0) }
            return try sum
              + decoded.messages.reduce(0) { sum, message in
                guard case .chunk(let chunk) = message else { throw UnexpectedMessage() }
                return sum + chunk.samples[.yaw].reduce(0, +)
              }
          }
        },
        .init(name: "Foundation JSONDecoder") {
          try chunks.reduce(0) { sum, data in
            sum + (try decoder.decode(Chunk.self, from: data)).samples.reduce(0) { $0 + $1.yaw }
          }
        },
      ])
  }

  private struct UnexpectedMessage: Error {}

  private struct Chunk: Decodable {
    var setId: UUID
    var samples: [Sample]
  }

  private struct Sample: Decodable {
    var timestamp, accelerationX, accelerationY, accelerationZ: Double
    var rotationX, rotationY, rotationZ, gravityX, gravityY, gravityZ: Double
    var roll, pitch, yaw: Double
  }

  private static func chunk(shuffles: Bool, _ random: inout SplitMix64) -> Data {
    let samples = (0..<100).map { row in
      let order = shuffles ? keys.shuffled(using: &random) : keys
      let members = order.map { key in
        let value =
          key == "timestamp"
          ? 100_000 + Double(row) / 50 : Double.random(in: -1...1, using: &random)
        return "\"\(key)\":\(value)"
      }
      return "{" + members.joined(separator: ",") + "}"
    }
    let id = "6F9619FF-8B86-D011-B42D-00C04FC964FF"
    return Data(
      """
      {"sessionId":"\(id)","exerciseId":"\(id)","setId":"\(id)","phase":"execution",\
      "samples":[\(samples.joined(separator: ","))]}
      """.utf8)
  }
}

/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers in every run.
struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
