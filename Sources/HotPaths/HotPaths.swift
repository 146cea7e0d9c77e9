import Foundation
import MotionSynthesis
import RepTrace

/// Runs a hot path on a small, fixed input, to count its instructions.
///
///     HotPaths NAME
///
/// `HotPaths --samples` prints the number of samples in that input.
///
/// `.ci/instruction-counts` runs it under `valgrind --tool=callgrind`, which counts only the instructions
/// inside ``hotPath(_:)``: program start and the creation of the input are excluded. Without a name, the
/// names are listed.
@main
struct HotPaths {
  static func main() throws {
    let paths: [(name: String, prepare: () throws -> () throws -> Void)] = [
      ("decode-chunks", decodeChunks), ("decode-csv", decodeCSV), ("count-live", countLive),
      ("count-set", countSet), ("encode-lossless", { try encode(.lossless) }),
      ("encode-bounded", { try encode(.bounded()) }),
      ("decode-lossless", { try decode(.lossless) }),
      ("decode-bounded", { try decode(.bounded()) }),
    ]
    guard CommandLine.arguments.count == 2 else {
      for path in paths { print(path.name) }
      return
    }
    if CommandLine.arguments[1] == "--samples" { return print(try samples().count) }
    guard let path = paths.first(where: { $0.name == CommandLine.arguments[1] }) else {
      throw UnknownPath(name: CommandLine.arguments[1])
    }
    let work = try path.prepare()
    // The first call pays for one-time initialization.
    try work()
    var failure: (any Error)?
    hotPath { do { try work() } catch { failure = error } }
    if let failure { throw failure }
  }

  struct UnknownPath: Error {
    var name: String
  }

  // MARK: - Inputs

  /// A short set with rest before and after.
  private static func files(_ format: SyntheticFormat) throws -> [RecordingFile] {
    var corpus = SyntheticCorpus(seed: 3, count: 1)
    corpus.faults = []
    corpus.rate = .constant(50)
    var options: [SynthesisOptions] = []
    for var option in corpus {
      option.sets = 1
      option.reps = 6
      option.restSeconds = 6
      options.append(option)
    }
    guard let option = options.first else { return [] }
    let recording = try RecordingSynthesizer(option).make()
    return RecordingWriter(format: format, dateEncoding: .seconds1970, transportFaults: [])
      .files(of: recording)
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

  // MARK: - Paths

  private static func decodeChunks() throws -> () throws -> Void {
    let lines = try files(.ndjson).flatMap { $0.bytes.split(separator: 10).map(Array.init) }
    return {
      for line in lines { _ = try line.withUnsafeBytes { try RecordingDecoder.decodeLine($0) } }
    }
  }

  private static func decodeCSV() throws -> () throws -> Void {
    let text = try csv()
    return {
      _ = try text.withUnsafeBytes { try RecordingDecoder.decode($0, fileName: "recording.csv") }
    }
  }

  private static func countLive() throws -> () throws -> Void {
    let samples = try samples()
    let pieces = stride(from: 0, to: samples.count, by: 100).map {
      samples[$0..<min($0 + 100, samples.count)]
    }
    return {
      var detector = RepDetector()
      for piece in pieces { detector.append(piece) { _ in } }
      detector.finish { _ in }
    }
  }

  private static func countSet() throws -> () throws -> Void {
    let samples = try samples()
    return { _ = RepDetector.countSet(in: samples) }
  }

  private static func encode(_ precision: TimelinePrecision) throws -> () throws -> Void {
    let timeline = Timeline(samples: try samples())
    let encoder = TimelineEncoder(precision: precision)
    return { _ = try encoder.encode(timeline) }
  }

  private static func decode(_ precision: TimelinePrecision) throws -> () throws -> Void {
    let blob = try TimelineEncoder(precision: precision)
      .encode(Timeline(samples: try samples()))
    return { _ = try TimelineDecoder().decode(blob) }
  }
}

/// Calls the measured work. Callgrind finds this function by name.
@inline(never)
func hotPath(_ work: () -> Void) {
  work()
}
