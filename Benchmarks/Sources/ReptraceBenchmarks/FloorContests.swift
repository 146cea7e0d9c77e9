import ChunkDecoding
import Foundation
import Motion
import TimelineStore

/// How far each hot path is from what the machine allows: beside the path run parts of its work
/// that no program could leave out, each alone and with everything else taken away.
///
/// They are not rivals: none of them does the path's work. The ratio of each says how much of the
/// path's time it would take by itself.
enum FloorContests {
  static func all() throws -> [Contest] {
    try [memory(), chunks(), csv(), frames()] + blob()
  }

  // MARK: - Memory

  private static func memory() -> Contest {
    let words = 8 << 20
    let source = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: words)
    let target = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: words)
    source.initialize(repeating: 1)
    target.initialize(repeating: 0)
    return Contest(
      title: "floor: memory, one core, 64 MiB", amount: Double(words * 8) / 1e6, unit: "MB",
      contestants: [
        .init(name: "memcpy") {
          UnsafeMutableRawBufferPointer(target).copyMemory(from: UnsafeRawBufferPointer(source))
          return Double(target[words - 1])
        },
        .init(name: "every byte read once") {
          Double(sumOfWords(UnsafeRawBufferPointer(source)) / UInt64(words))
        },
      ])
  }

  private static func sumOfWords(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var sums = SIMD8<UInt64>(repeating: 0)
    var index = 0
    while index + 64 <= bytes.count {
      sums &+= bytes.loadUnaligned(fromByteOffset: index, as: SIMD8<UInt64>.self)
      index += 64
    }
    return sums.wrappedSum()
  }

  // MARK: - Text

  private static func chunks() throws -> Contest {
    var random = SplitMix64(state: 7)
    let chunks = (0..<200).map { _ in [UInt8](MotionText.chunk(shuffled: false, &random)) }
    return try text("JSON chunks of 17 digits a number", chunks) {
      try chunks.reduce(0) { sum, bytes in
        let line = try bytes.withUnsafeBytes { try RecordingDecoder.decodeLine($0) }
        return line.messages.reduce(sum) { sum, message in
          guard case .chunk(let chunk) = message else { return sum }
          return sum + self.sum(chunk.samples)
        }
      }
    }
  }

  private static func csv() throws -> Contest {
    var random = SplitMix64(state: 8)
    let bytes = [UInt8](MotionText.csv(rows: 20_000, &random))
    return try text("CSV of 17 digits a number", [bytes]) {
      let file = try bytes.withUnsafeBytes { try RecordingDecoder.decode($0, fileName: "x.csv") }
      return file.chunks.reduce(0) { $0 + sum($1.samples) }
    }
  }

  private static func sum(_ batch: MotionBatch) -> Double {
    batch.channels.reduce(0) { $0 + batch[$1].reduce(0, +) }
  }

  private static func text(
    _ name: String, _ texts: [[UInt8]], _ ours: @escaping () throws -> Double
  ) throws -> Contest {
    let padded = texts.map { $0 + [UInt8](repeating: 0, count: 32) }
    let numbers = padded.map(DecimalPlace.all(in:))
    func digits() -> Double {
      zip(padded, numbers).reduce(0) { sum, text in
        text.0.withUnsafeBytes { bytes in text.1.reduce(sum) { $0 + $1.value(in: bytes) } }
      }
    }
    let expected = try ours()
    guard abs(digits() - expected) <= 1e-9 * abs(expected) else {
      throw UnequalResults(title: name, contestant: "digits", ours: expected, other: digits())
    }
    return Contest(
      title: "floor: \(name)", amount: Double(texts.reduce(0) { $0 + $1.count }) / 1e6,
      unit: "MB",
      contestants: [
        .init(name: "RepTrace", run: ours),
        .init(name: "the numbers alone, at known places, rounded once or twice", run: digits),
        .init(name: "every byte read once") {
          padded.reduce(0) { $0 + Double($1.withUnsafeBytes(sumOfWords) & 0xFFFF) }
        },
      ], tolerance: nil)
  }

  private static func frames() -> Contest {
    let frames = DecodingContests.binaryFrames()
    let bytes = frames.reduce(0) { $0 + $1.count }
    var copy = [UInt8](repeating: 0, count: frames.map(\.count).max() ?? 0)
    return Contest(
      title: "floor: binary frames, in the cache", amount: Double(bytes) / 1e6, unit: "MB",
      contestants: [
        .init(name: "RepTrace") { try DecodingContests.sumOfYaw(frames) },
        .init(name: "memcpy") {
          for frame in frames {
            copy.withUnsafeMutableBytes { target in
              frame.withUnsafeBytes { target.copyMemory(from: $0) }
            }
          }
          return Double(copy[0])
        },
        .init(name: "every byte read once") {
          frames.reduce(0) { $0 + Double($1.withUnsafeBytes(sumOfWords) & 0xFFFF) }
        },
      ], tolerance: nil)
  }

  // MARK: - Timelines

  private static func blob() throws -> [Contest] {
    let sets = try BenchmarkRecordings.coreMotion()
    let encoder = TimelineEncoder(precision: .bounded())
    let decoder = TimelineDecoder()
    let timelines = sets.map { Timeline(samples: $0) }
    let blobs = try timelines.map { try encoder.encode($0) }
    let samples = sets.reduce(0) { $0 + $1.count }
    let megabytes = Double(samples * 13 * 8) / 1e6
    // As many integers, of as many bits, as the columns but gravity leave.
    let bits = Double(8 * blobs.reduce(0) { $0 + $1.count }) / Double(10 * samples)
    let codes = RiceCodes(count: 10 * samples, meanBits: bits)
    let coded = codes.coded()
    guard codes.sum(of: coded) == codes.sum else { throw BlobContests.RoundTripFails() }
    let angles = sets.flatMap { zip($0[.roll], $0[.pitch]).flatMap { [$0, $1] } }
    var copies = [Double](repeating: 0, count: 13 * samples)
    let columns = sets.flatMap { set in set.channels.flatMap { set[$0] } }
    let parts: [Contest.Contestant] = [
      .init(name: "sine and cosine of roll and pitch, 8 at a time") { Trigonometry.sum(angles) },
      .init(name: "memcpy of the columns") {
        copies.withUnsafeMutableBytes { $0.copyBytes(from: columns.withUnsafeBytes { $0 }) }
        return copies[0]
      },
    ]
    return [
      Contest(
        title: "floor: timelines within 1e-4, decode", amount: megabytes, unit: "MB of Doubles",
        contestants: [
          .init(name: "RepTrace") {
            Double(try blobs.reduce(0) { $0 + (try decoder.decode($1).samples.count) })
          },
          .init(name: "ten Rice codes a sample, read one after the other") {
            Double(codes.sum(of: coded))
          },
        ] + parts, tolerance: nil),
      Contest(
        title: "floor: timelines within 1e-4, encode", amount: megabytes, unit: "MB of Doubles",
        contestants: [
          .init(name: "RepTrace") {
            Double(try timelines.reduce(0) { $0 + (try encoder.encode($1).count) })
          },
          .init(name: "ten Rice codes a sample, written one after the other") {
            Double(codes.coded().count)
          },
        ] + parts, tolerance: nil),
    ]
  }
}
