import ChunkDecoding
import Foundation
import Motion

/// The recordings that contests run on: real ones if they lie beside the package, else those that
/// `Benchmarks/bench` generates with `reptrace generate`.
enum BenchmarkRecordings {
  static let package = PythonRival.benchmarksFolder.deletingLastPathComponent()
  static let datasets = package.appendingPathComponent("../shared/datasets")
  static let generated = PythonRival.benchmarksFolder
    .appendingPathComponent(".build/data/recordings")

  static var areReal: Bool { FileManager.default.fileExists(atPath: datasets.path) }

  /// Returns sets of Core Motion's 13 columns at full precision.
  static func coreMotion() throws -> [MotionBatch] {
    try batches(areReal ? datasets.appendingPathComponent("coremotion") : generated)
      .filter { $0.channels.count == 13 }
  }

  /// Returns whole recordings of workouts: rest, a set, rest.
  static func workouts() throws -> [MotionBatch] {
    try batches(areReal ? datasets.appendingPathComponent("watch-gym/recordings") : generated)
  }

  private static func batches(_ folder: URL) throws -> [MotionBatch] {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else {
      throw NoRecordings(folder: folder.path)
    }
    let batches = try names.sorted().filter { $0.hasSuffix(".csv") }.map {
      try batch(folder.appendingPathComponent($0))
    }
    guard !batches.isEmpty else { throw NoRecordings(folder: folder.path) }
    return batches
  }

  /// Returns the samples of a file.
  static func batch(_ file: URL) throws -> MotionBatch {
    let data = try Data(contentsOf: file)
    let decoded = try data.withUnsafeBytes {
      try RecordingDecoder.decode($0, fileName: file.lastPathComponent)
    }
    var batch = decoded.chunks.first?.samples ?? MotionBatch()
    for chunk in decoded.chunks.dropFirst() { batch.append(chunk.samples) }
    return batch
  }

  struct NoRecordings: Error {
    var folder: String
  }
}
