import ChunkDecoding
import Foundation
import Motion
import TimelineFormat

/// Encoding of timelines as blobs and decoding, compared with other codecs for columns of Doubles.
///
/// The sets are those of `../shared/datasets/coremotion` beside the package, or else synthetic ones of the
/// same structure. Each set is encoded separately, including its container. Decoded values are compared with
/// the input outside the measured time.
enum BlobContests {
  static func all() throws -> [Contest] {
    let sets = try BenchmarkRecordings.coreMotion()
    let python = PythonRival.started("blob.py")
    let path = try python?.file(named: "sets.bin") { sets.reduce(into: Data()) { $0 += bytes($1) } }
    let rivals = path.flatMap { path in python.map { (process: $0, path: path) } }
    let source =
      "\(sets.count) sets of Core Motion\(BenchmarkRecordings.areReal ? "" : " (synthetic)")"
    return try [
      contests(
        "lossless, \(source)", sets, .lossless, wanted: (150, 300), bytesWanted: 38, rivals,
        methods: [
          ("raw Doubles", "raw"), ("LZ4", "lz4"), ("byte shuffle and LZ4", "shuffled-lz4"),
          ("byte shuffle and zstd, level 3", "shuffled-zstd-3"),
          ("byte shuffle and zstd, level 19", "shuffled-zstd-19"),
          ("Parquet, byte stream split, zstd", "parquet"), ("pcodec, level 8", "pcodec-8"),
          ("pcodec, level 12", "pcodec-12"),
        ]),
      contests(
        "within 1e-4, \(source)", sets, .bounded(), wanted: (300, 500), bytesWanted: 11.3, rivals,
        methods: [
          ("differences, byte shuffle and LZ4", "bounded-shuffled-lz4"),
          ("pcodec on integers", "bounded-pcodec-8"),
          ("pcodec, gravity left out", "bounded-pcodec-8-without-gravity"),
        ]),
    ].flatMap { $0 }
  }

  private static func contests(
    _ title: String, _ sets: [MotionBatch], _ precision: TimelinePrecision,
    wanted: (encode: Double, decode: Double), bytesWanted: Double,
    _ rivals: (process: PythonRival, path: String)?, methods: [(name: String, id: String)]
  ) throws -> [Contest] {
    let encoder = TimelineEncoder(precision: precision)
    let decoder = TimelineDecoder()
    let timelines = sets.map { Timeline(samples: $0) }
    let blobs = try timelines.map { try encoder.encode($0) }
    for (set, blob) in zip(sets, blobs) {
      try check(decoder.decode(blob).samples, against: set, precision)
    }
    let samples = sets.reduce(0) { $0 + $1.count }
    let bytesPerSample =
      zip(sets, blobs).reduce(0) { $0 + Double($1.1.count) / Double($1.0.count) }
      / Double(sets.count)
    let megabytes = Double(samples * 13 * 8) / 1e6
    func contest(
      _ work: String, wanted: Double, figures: [String: Double], ours: @escaping () throws -> Double
    ) -> Contest {
      var contestants = [
        Contest.Contestant(name: "RepTrace", figures: figures, run: ours)
      ]
      if let rivals {
        contestants += methods.map { method in
          rivals.process.contestant(method.name, work, "\(method.id) \(rivals.path)")
        }
      }
      return Contest(
        title: "blob, \(work), \(title)", amount: megabytes, unit: "MB of Doubles",
        contestants: contestants, wantedRate: wanted)
    }
    return [
      contest(
        "encode", wanted: wanted.encode,
        figures: ["bytesPerSample": bytesPerSample, "bytesPerSampleWanted": bytesWanted]
      ) {
        for (timeline, expected) in zip(timelines, blobs) {
          guard try encoder.encode(timeline).count == expected.count else { throw RoundTripFails() }
        }
        return Double(samples)
      },
      contest("decode", wanted: wanted.decode, figures: [:]) {
        try Double(blobs.reduce(0) { $0 + (try decoder.decode($1).samples.count) })
      },
    ]
  }

  struct RoundTripFails: Error {}

  private static func check(
    _ decoded: MotionBatch, against original: MotionBatch, _ precision: TimelinePrecision
  ) throws {
    guard decoded.channels == original.channels else { throw RoundTripFails() }
    for channel in original.channels {
      let bound = channel == .time ? 1e-6 : 1e-4
      for (a, b) in zip(original[channel], decoded[channel]) {
        let isSame = a.bitPattern == b.bitPattern
        guard isSame || (precision != .lossless && abs(a - b) <= bound) else {
          throw RoundTripFails()
        }
      }
    }
  }

  /// Returns the set in the format that `Rivals/blob.py` reads.
  private static func bytes(_ set: MotionBatch) -> Data {
    var data = Data()
    func append(_ value: UInt64) { withUnsafeBytes(of: value.littleEndian) { data += $0 } }
    append(UInt64(set.channels.count))
    append(UInt64(set.count))
    for channel in set.channels {
      for value in set[channel] { append(value.bitPattern) }
    }
    return data
  }
}
