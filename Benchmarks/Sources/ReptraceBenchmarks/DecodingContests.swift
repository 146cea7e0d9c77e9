import ChunkDecoding
import Foundation
import Motion

/// The decoders of every format, compared with the best alternatives for the same conversion.
///
/// The values are random doubles in their shortest exact decimal form, with 16 to 17 digits: the hardest case
/// that a recorder writes.
enum DecodingContests {
  static func all() throws -> [Contest] {
    let python = PythonRival.started("decode.py")
    return [
      try chunks("keys in order", shuffled: false, python),
      try chunks("keys in an order of its own in every sample", shuffled: true, python),
      try csv(python),
      frames(),
    ]
  }

  // MARK: - JSON

  private static func chunks(
    _ order: String, shuffled: Bool, _ python: PythonRival?
  ) throws -> Contest {
    var random = SplitMix64(state: 7)
    let chunks = (0..<200).map { _ in MotionText.chunk(shuffled: shuffled, &random) }
    var contestants = [
      Contest.Contestant(name: "RepTrace") {
        try chunks.reduce(0) { sum, data in
          let decoded = try data.withUnsafeBytes { try RecordingDecoder.decodeLine($0) }
          return try sum
            + decoded.messages.reduce(0) { sum, message in
              guard case .chunk(let chunk) = message else { throw UnexpectedMessage() }
              return sum + chunk.samples[.yaw].reduce(0, +)
            }
        }
      },
      SimdjsonRival.contestant(chunks),
      foundation(chunks),
    ]
    if let python {
      let path = try python.file(named: "chunks-\(shuffled).ndjson") {
        chunks.reduce(into: Data()) { $0 += $1 + [10] }
      }
      contestants.append(python.contestant("orjson and numpy", "chunks", path, wanted: 3))
    }
    return Contest(
      title: "JSON chunks of 100 samples, \(order)", amount: Double(chunks.count), unit: "chunks",
      contestants: contestants)
  }

  private static func foundation(_ chunks: [Data]) -> Contest.Contestant {
    let decoder = JSONDecoder()
    return .init(name: "Foundation's JSONDecoder", wanted: 20) {
      try chunks.reduce(0) { sum, data in
        sum + (try decoder.decode(Chunk.self, from: data)).samples.reduce(0) { $0 + $1.yaw }
      }
    }
  }

  private struct UnexpectedMessage: Error {}

  private struct Chunk: Decodable {
    var sessionId, exerciseId, setId: UUID
    var phase: String
    var samples: [Sample]
  }

  private struct Sample: Decodable {
    var timestamp, accelerationX, accelerationY, accelerationZ: Double
    var rotationX, rotationY, rotationZ, gravityX, gravityY, gravityZ: Double
    var roll, pitch, yaw: Double
  }

  // MARK: - CSV

  private static func csv(_ python: PythonRival?) throws -> Contest {
    let rows = 20_000
    var random = SplitMix64(state: 8)
    let text = MotionText.csv(rows: rows, &random)
    let path = FileManager.default.temporaryDirectory.path + "/reptrace-bench.csv"
    var contestants = [
      Contest.Contestant(name: "RepTrace") {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        let file = try data.withUnsafeBytes { try RecordingDecoder.decode($0, fileName: "x.csv") }
        return file.chunks.reduce(0) { $0 + $1.samples[.yaw].reduce(0, +) }
      }
    ]
    if let python {
      contestants.append(python.contestant("pandas' C reader", "csv", path, wanted: 1))
    }
    try text.write(to: URL(fileURLWithPath: path))
    return Contest(
      title: "CSV of \(rows) rows, 13 columns", amount: Double(text.count) / 1e6, unit: "MB",
      contestants: contestants)
  }

  // MARK: - Binary frames

  private static func frames() -> Contest {
    let frames = binaryFrames()
    return Contest(
      title: "binary frames of 100 samples, checksum included",
      amount: Double(frames.count * 13 * 8 * 100) / 1e6, unit: "MB of samples",
      contestants: [.init(name: "RepTrace") { try sumOfYaw(frames) }])
  }

  static func binaryFrames() -> [[UInt8]] {
    var random = SplitMix64(state: 9)
    return (0..<200).compactMap { _ -> [UInt8]? in
      let columns = MotionText.channels.map { channel -> (MotionChannel, [Double]) in
        (channel, (0..<100).map { MotionText.value(channel, row: $0, &random) })
      }
      let batch = MotionBatch(Dictionary(uniqueKeysWithValues: columns))
      return BinaryFrame.encode(DecodedChunk(phase: .execution, samples: batch))
    }
  }

  static func sumOfYaw(_ frames: [[UInt8]]) throws -> Double {
    try frames.reduce(0) { sum, frame in
      let chunk = try frame.withUnsafeBytes { try BinaryFrame.decode($0).chunk }
      return sum + chunk.samples[.yaw].reduce(0, +)
    }
  }
}
