import ChunkDecoding
import Foundation
import Motion

/// Text formats as their recorders write them: files decoded into columns.
///
/// `Benchmarks/bench` generates the same synthetic recordings in each format with `reptrace generate`. All
/// contestants read the files, which are in the page cache. The checksum is the sum of the rotation rate
/// about x.
enum FormatContests {
  static let folder = PythonRival.benchmarksFolder.appendingPathComponent(".build/data/formats")

  /// The formats, and whether they are JSON, which determines the rivals.
  private static let formats: [(name: String, isJSON: Bool)] = [
    ("chunks", true), ("nested-chunks", true), ("watch-app", true), ("ndjson", true),
    ("csv", false), ("sensor-logger", false), ("wrist-motion", false), ("sensor-folder", false),
    ("sensorlog", false), ("metamotion", false), ("headerless", false),
  ]

  static func all() throws -> [Contest] {
    let python = PythonRival.started("formats.py")
    return try formats.compactMap { format in
      try contest(format.name, isJSON: format.isJSON, python)
    }
  }

  private static func contest(
    _ name: String, isJSON: Bool, _ python: PythonRival?
  ) throws -> Contest? {
    let files = try InputFile.below(folder.appendingPathComponent(name))
    guard !files.isEmpty else { return nil }
    let megabytes = Double(files.reduce(0) { $0 + $1.byteCount }) / 1e6
    var contestants = [
      Contest.Contestant(name: "RepTrace") { try files.reduce(0) { $0 + (try $1.sumOfRotation()) } }
    ]
    if let python {
      let list = try python.file(named: "format-\(name).txt") {
        Data(files.map { $0.url.path + "\n" }.joined().utf8)
      }
      contestants.append(
        python.contestant(isJSON ? "orjson and numpy" : "pandas' C reader", name, list))
    }
    if isJSON {
      contestants.append(
        .init(name: "Foundation's JSONDecoder") {
          try files.reduce(0) { $0 + (try FoundationSamples.sumOfRotation($1.url, name)) }
        })
    }
    return Contest(
      title: "format \(name), \(files.count) files", amount: megabytes, unit: "MB",
      contestants: contestants, repetitions: 5)
  }
}

/// A file with the information needed to decode it.
private struct InputFile {
  var url: URL
  var sidecar: URL?
  var description: ColumnDescription?
  var byteCount: Int

  static func below(_ folder: URL) throws -> [InputFile] {
    let manager = FileManager.default
    guard let paths = manager.enumerator(atPath: folder.path) else { return [] }
    return try paths.compactMap { $0 as? String }.sorted().compactMap { path in
      let url = folder.appendingPathComponent(path)
      guard ["csv", "json", "ndjson"].contains(url.pathExtension), path.hasPrefix("recordings/"),
        !path.hasSuffix(".metadata.json"), !path.hasSuffix("columns.json")
      else { return nil }
      let base = url.deletingPathExtension()
      let sidecar = base.appendingPathExtension("metadata.json")
      let columns = base.appendingPathExtension("columns.json")
      let size = try manager.attributesOfItem(atPath: url.path)[.size] as? Int ?? 0
      return InputFile(
        url: url, sidecar: manager.fileExists(atPath: sidecar.path) ? sidecar : nil,
        description: manager.fileExists(atPath: columns.path)
          ? try Data(contentsOf: columns).withUnsafeBytes { try ColumnDescription(json: $0) } : nil,
        byteCount: size)
    }
  }

  func sumOfRotation() throws -> Double {
    var options = DecodingOptions()
    options.columns = description
    let data = try Data(contentsOf: url)
    let side = try sidecar.map { try Data(contentsOf: $0) }
    let name = url.lastPathComponent
    let file = try data.withUnsafeBytes { bytes in
      guard let side else {
        return try RecordingDecoder.decode(bytes, fileName: name, options: options)
      }
      return try side.withUnsafeBytes {
        try RecordingDecoder.decode(bytes, fileName: name, sidecar: $0, options: options)
      }
    }
    return file.chunks.reduce(0) { sum, chunk in
      chunk.samples[.rotationRateX].reduce(sum) { $1.isFinite ? $0 + $1 : $0 }
    }
  }
}

/// Decoding with Foundation, as in a typical program.
private enum FoundationSamples {
  struct Vector: Decodable { var x, y, z: Double }
  struct Angles: Decodable { var roll, pitch, yaw: Double }

  struct Nested: Decodable {
    var timestamp: Double
    var acceleration, rotation, gravity: Vector?
    var attitude: Angles?
  }

  struct Flat: Decodable {
    var timestamp, accelerationX, accelerationY, accelerationZ: Double?
    var rotationX, rotationY, rotationZ, gravityX, gravityY, gravityZ: Double?
    var roll, pitch, yaw: Double?
  }

  struct Watch: Decodable {
    var capturedAt, accelerationX, accelerationY, accelerationZ: Double?
    var rotationX, rotationY, rotationZ, gravityX, gravityY, gravityZ: Double?
    var attitudeRoll, attitudePitch, attitudeYaw: Double?
  }

  struct Chunk<Sample: Decodable>: Decodable {
    var sessionId, exerciseId, setId, phase: String?
    var samples: [Sample]?
  }

  static func sumOfRotation(_ url: URL, _ format: String) throws -> Double {
    let data = try Data(contentsOf: url)
    let decoder = JSONDecoder()
    switch format {
    case "nested-chunks":
      return try decoder.decode(Chunk<Nested>.self, from: data).samples?
        .reduce(0) { $0 + ($1.rotation?.x ?? 0) } ?? 0
    case "watch-app":
      return try decoder.decode([Watch].self, from: data).reduce(0) { $0 + ($1.rotationX ?? 0) }
    case "ndjson":
      return try data.split(separator: 10).reduce(0) { $0 + (try sum(decoder, $1)) }
    default:
      return try sum(decoder, data)
    }
  }

  private static func sum(_ decoder: JSONDecoder, _ data: Data) throws -> Double {
    try decoder.decode(Chunk<Flat>.self, from: data).samples?
      .reduce(0) { $0 + ($1.rotationX ?? 0) } ?? 0
  }
}
