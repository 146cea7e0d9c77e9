import Foundation
import MotionSynthesis
import RepTrace

/// Runs a hot path on a small, fixed input, to count its instructions or to measure its time.
///
///     HotPaths NAME [SECONDS]
///
/// `.ci/instruction-counts` and `make profile` run it under `valgrind --tool=callgrind`, which counts only
/// the instructions inside ``hotPath(_:)``, so program start and the creation of the input are excluded. With
/// SECONDS, the path is repeated for that long. Prints the number of samples in the input, the bytes that the
/// path has to read and write, and the duration of the fastest run in nanoseconds. Without a name, lists the
/// names.
@main
struct HotPaths {
  /// A path that is ready to run.
  struct Path {
    var samples: Int
    /// Bytes of the input and the result.
    var bytes: Int
    var work: () throws -> Void
    /// Removes files that the path created.
    var remove: () throws -> Void = {}
  }

  static func main() throws {
    let paths: [(name: String, prepare: () throws -> Path)] = [
      ("decode-chunks", decodeChunks), ("decode-watch", decodeWatch), ("decode-csv", decodeCSV),
      ("count-live", { try countLive(samples()) }), ("count-set", countSet),
      ("rest", { try countLive(restSamples()) }), ("still", { countLive(stillSamples()) }),
      ("encode-lossless", { try encode(.lossless) }),
      ("encode-bounded", { try encode(.bounded()) }),
      ("decode-lossless", { try decode(.lossless) }),
      ("decode-bounded", { try decode(.bounded()) }), ("stream-store", streamToStore),
    ]
    // Memory bandwidth and clock speed, for comparison.
    let scales: [(name: String, prepare: () throws -> Path)] = [
      ("copy", copy), ("multiply", multiply),
    ]
    guard CommandLine.arguments.count > 1 else {
      for path in paths { print(path.name) }
      return
    }
    let name = CommandLine.arguments[1]
    guard let path = try (paths + scales).first(where: { $0.name == name })?.prepare() else {
      throw UnknownPath(name: name)
    }
    defer { try? path.remove() }
    let seconds = CommandLine.arguments.dropFirst(2).first.flatMap(Double.init) ?? 0
    // The first call pays for one-time initialization.
    try path.work()
    let clock = ContinuousClock()
    let end = clock.now + .seconds(seconds)
    var fastest = Duration.seconds(Int.max)
    var failure: (any Error)?
    repeat {
      fastest = min(
        fastest, clock.measure { hotPath { do { try path.work() } catch { failure = error } } })
    } while failure == nil && clock.now < end
    if let failure { throw failure }
    print(path.samples, path.bytes, Int(fastest / .nanoseconds(1)))
  }

  struct UnknownPath: Error {
    var name: String
  }

  // MARK: - Inputs

  /// Creates a recording of short sets with rest before and after.
  private static func recording(
    sets: Int = 1, restSeconds: Double = 6
  ) throws -> SyntheticRecording {
    var corpus = SyntheticCorpus(seed: 3, count: 1)
    corpus.faults = []
    corpus.rate = .constant(50)
    var options: [SynthesisOptions] = []
    for var option in corpus {
      option.sets = sets
      option.reps = 6
      option.restSeconds = restSeconds
      options.append(option)
    }
    guard let option = options.first else { throw UnknownPath(name: "an empty corpus") }
    return try RecordingSynthesizer(option).make()
  }

  private static func files(_ format: SyntheticFormat) throws -> [RecordingFile] {
    RecordingWriter(format: format, dateEncoding: .seconds1970, transportFaults: [])
      .files(of: try recording())
  }

  private static func csv() throws -> [UInt8] {
    try files(.csv).first { $0.relativePath.hasSuffix(".csv") }?.bytes ?? []
  }

  private static func samples() throws -> MotionBatch {
    let decoded = try csv().withUnsafeBytes {
      try RecordingDecoder.decode($0, fileName: "recording.csv")
    }
    var samples = decoded.chunks.first?.samples ?? MotionBatch()
    for chunk in decoded.chunks.dropFirst() { samples.append(chunk.samples) }
    return samples
  }

  /// Returns the samples between two sets.
  private static func restSamples() throws -> MotionBatch {
    let recording = try recording(sets: 2, restSeconds: 60)
    let samples = recording.recording.samples
    let rest = recording.truth[0].execution.upperBound..<recording.truth[1].execution.lowerBound
    let rows = samples.times.indices.filter { rest.contains(samples.times[$0]) }
    return samples[(rows.first ?? 0)..<(rows.last ?? 0)]
  }

  /// A minute of a wrist that lies still, with noise of 0.01 units.
  private static func stillSamples() -> MotionBatch {
    let rows = 0..<3_000
    var columns: [MotionChannel: [Double]] = [.time: rows.map { Double($0) / 50 }]
    for (index, channel) in MotionChannel.allCases.enumerated() where channel != .time {
      let level = channel == .gravityZ ? -1.0 : 0
      columns[channel] = rows.map {
        level + 0.01 * (Double(($0 * 7_919 + index * 104_729) % 2_003) / 1_001 - 1)
      }
    }
    return MotionBatch(columns)
  }

  private static func lines() throws -> [[UInt8]] {
    try files(.ndjson).flatMap { $0.bytes.split(separator: 10).map(Array.init) }
  }

  private static func valueBytes(_ samples: MotionBatch) -> Int {
    8 * samples.count * samples.channels.count
  }

  // MARK: - Paths

  private static func decodeChunks() throws -> Path {
    let lines = try lines()
    return try decoding(lines) { _ = try RecordingDecoder.decodeLine($0) }
  }

  /// Decodes samples whose keys are in varying order.
  private static func decodeWatch() throws -> Path {
    let files = try files(.watchApp).filter { !$0.relativePath.hasSuffix(".metadata.json") }
    return try decoding(files.map(\.bytes)) {
      _ = try RecordingDecoder.decode($0, fileName: "samples.json")
    }
  }

  private static func decodeCSV() throws -> Path {
    try decoding([csv()]) { _ = try RecordingDecoder.decode($0, fileName: "recording.csv") }
  }

  private static func decoding(
    _ texts: [[UInt8]], _ decode: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Path {
    let samples = try samples()
    return Path(
      samples: samples.count, bytes: texts.reduce(valueBytes(samples)) { $0 + $1.count }
    ) {
      for text in texts { try text.withUnsafeBytes(decode) }
    }
  }

  private static func countLive(_ samples: MotionBatch) -> Path {
    let pieces = stride(from: 0, to: samples.count, by: 100).map {
      samples[$0..<min($0 + 100, samples.count)]
    }
    return Path(samples: samples.count, bytes: valueBytes(samples)) {
      var detector = RepDetector()
      for piece in pieces { detector.append(piece) { _ in } }
      detector.finish { _ in }
    }
  }

  private static func countSet() throws -> Path {
    let samples = try samples()
    return Path(samples: samples.count, bytes: valueBytes(samples)) {
      _ = RepDetector.countSet(in: samples)
    }
  }

  private static func encode(_ precision: TimelinePrecision) throws -> Path {
    let timeline = Timeline(samples: try samples())
    let encoder = TimelineEncoder(precision: precision)
    let bytes = valueBytes(timeline.samples) + (try encoder.encode(timeline)).count
    return Path(samples: timeline.samples.count, bytes: bytes) { _ = try encoder.encode(timeline) }
  }

  private static func decode(_ precision: TimelinePrecision) throws -> Path {
    let samples = try samples()
    let blob = try TimelineEncoder(precision: precision).encode(Timeline(samples: samples))
    return Path(samples: samples.count, bytes: valueBytes(samples) + blob.count) {
      _ = try TimelineDecoder().decode(blob)
    }
  }

  /// Does the work of `reptrace stream --store` on one thread, in an empty history each time.
  private static func streamToStore() throws -> Path {
    let lines = try lines()
    let inputs = lines.enumerated().map { StreamInput(number: $0 + 1, content: .line($1)) }
    var options = StreamOptions()
    options.workers = 1
    options.keepsJournal = true
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("reptrace-hot-path-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let empty = folder.appendingPathComponent("empty.sqlite")
    let copy = folder.appendingPathComponent("history.sqlite")
    try HistoryStore(path: empty.path, mode: .create).close()
    // At least the encoded values are stored.
    let encoded = try TimelineEncoder(precision: .lossless).encode(Timeline(samples: samples()))
    return Path(
      samples: try samples().count, bytes: lines.reduce(encoded.count) { $0 + $1.count },
      work: {
        try? FileManager.default.removeItem(at: copy)
        try FileManager.default.copyItem(at: empty, to: copy)
        let history = try HistoryStore(path: copy.path, mode: .create)
        let engine = StreamEngine(options: options, journal: history.journal)
        try history.journal.commit(try engine.process(inputs).journal)
        while let batch = try engine.finish() { try history.journal.commit(batch.journal) }
        try history.close()
      }, remove: { try FileManager.default.removeItem(at: folder) })
  }

  // MARK: - Scales

  /// Copies 64 MiB, more than any cache.
  private static func copy() -> Path {
    let source = [UInt64](repeating: 1, count: 8 << 20)
    var target = source
    return Path(samples: source.count, bytes: 16 * source.count) {
      source.withUnsafeBytes { bytes in
        target.withUnsafeMutableBytes { $0.copyMemory(from: bytes) }
      }
    }
  }

  /// Performs dependent multiplications: three cycles each on all current processors.
  private static func multiply() -> Path {
    var value: UInt64 = 3
    return Path(samples: 10_000_000, bytes: 0) {
      for _ in 0..<10_000_000 { value &*= value }
    }
  }
}

/// Calls the measured work. Callgrind finds this function by name.
@inline(never)
func hotPath(_ work: () -> Void) {
  work()
}
