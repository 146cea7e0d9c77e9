import ChunkDecoding
import Synchronization

/// Where the bytes of an input come from.
enum InputSource: Sendable {
  /// A file of the file system.
  case file
  /// A file in an archive.
  case member(ZipArchive, ZipArchive.Entry)
  /// Standard input, read once.
  case standardInput(StandardInput)
  /// An archive that cannot be read, and why.
  case damaged(String)
}

/// Standard input as a file: read whole when it is first wanted, and kept.
final class StandardInput: Sendable {
  private let content = Mutex<Result<[UInt8], FileReading.Failure>?>(nil)

  func bytes(limit: Int) throws -> [UInt8] {
    try content.withLock { content in
      let result =
        content
        ?? Result { () throws(FileReading.Failure) in try FileReading.standardInput(limit: limit) }
      content = result
      return try result.get()
    }
  }
}

extension InputFile {
  /// The path without the ending of a compressed file: what its name says is said by that.
  var contentPath: String {
    path.lowercased().hasSuffix(".gz") ? String(path.dropLast(3)) : path
  }

  /// Where a description of its columns and its sidecar may lie.
  package var companionPaths: [(file: InputFile, path: String)] {
    let stem = String(PathParts(contentPath).stem)
    return [
      stem + InputScanner.sidecarSuffix, stem + ".columns.json", folder + "/columns.json",
    ].map { (self, $0) }
  }

  /// The content, decompressed, as far as it goes.
  ///
  /// - Throws: ``FileReading/Failure``.
  package func bytes(limit: Int) throws -> [UInt8] { try content(limit: limit).bytes }

  /// The content, decompressed, and why it ends early where a compressed file was cut off.
  ///
  /// - Throws: ``FileReading/Failure``.
  func content(limit: Int) throws -> (bytes: [UInt8], cutOff: Inflater.Failure?) {
    let stored: [UInt8]
    switch source {
    case .file: stored = try FileReading.bytes(ofFile: path, limit: limit)
    case .member(let archive, let entry): stored = try archive.bytes(of: entry, limit: limit)
    case .standardInput(let input): stored = try input.bytes(limit: limit)
    case .damaged(let reason): throw FileReading.Failure(description: reason)
    }
    var cutOff: Inflater.Failure?
    let bytes =
      try stored.withUnsafeBytes { bytes -> [UInt8]? in
        guard Inflater.isGzip(bytes) else { return nil }
        do {
          return try Inflater.inflate(bytes, .gzip, limit: limit, cutOff: &cutOff)
        } catch {
          throw FileReading.Failure(description: "\(error)")
        }
      } ?? stored
    return (bytes, cutOff)
  }

  /// The first bytes of the content, enough to recognise its format.
  ///
  /// - Throws: ``FileReading/Failure``.
  func head() throws -> [UInt8] {
    let head: [UInt8]
    switch source {
    case .file: head = try FileReading.head(ofFile: path)
    case .member(let archive, let entry): head = try archive.head(of: entry, count: 4096)
    case .standardInput(let input): head = Array(try input.bytes(limit: 1 << 30).prefix(4096))
    case .damaged(let reason): throw FileReading.Failure(description: reason)
    }
    return try head.withUnsafeBytes { bytes -> [UInt8]? in
      guard Inflater.isGzip(bytes) else { return nil }
      do {
        return try Inflater.inflate(bytes, .gzip, limit: 4096, stopsAtLimit: true)
      } catch {
        throw FileReading.Failure(description: "\(error)")
      }
    } ?? head
  }

  /// A file beside this one, by its path: on disk, or in the same archive; nil where there is none.
  ///
  /// - Throws: ``FileReading/Failure``.
  package func bytes(beside path: String) throws -> [UInt8]? {
    switch source {
    case .file:
      guard FileReading.exists(path) else { return nil }
      return try FileReading.bytes(ofFile: path)
    case .member(let archive, _):
      let name = String(path.dropFirst(archive.path.count + 1))
      return try archive.entry(named: name).map { try archive.bytes(of: $0, limit: 64 << 20) }
    case .standardInput, .damaged: return nil
    }
  }
}
