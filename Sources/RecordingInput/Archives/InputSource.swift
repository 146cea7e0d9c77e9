/// The source of an input's bytes.
enum InputSource: Sendable {
  /// A file of the file system.
  case file
  /// A file in an archive.
  case member(ZipArchive, ZipArchive.Entry)
  /// Standard input, read once.
  case standardInput(StandardInput)
  /// An unreadable archive, with the reason.
  case damaged(String)
}

extension InputFile {
  /// The path without the extension of a compressed file, which describes the content.
  var contentPath: String {
    path.lowercased().hasSuffix(".gz") ? String(path.dropLast(3)) : path
  }

  /// The paths of the file's possible sidecar and column descriptions.
  package var companionPaths: [(file: InputFile, path: String)] {
    let stem = String(PathParts(contentPath).stem)
    return [
      stem + InputScanner.sidecarSuffix, stem + ".columns.json", folder + "/columns.json",
    ].map { (self, $0) }
  }

  /// Returns the decompressed content, up to where it is intact.
  ///
  /// - Throws: ``FileReading/Failure``.
  package func bytes(limit: Int) throws(FileReading.Failure) -> [UInt8] {
    try content(limit: limit).bytes
  }

  /// Returns the decompressed content, and the reason why it ends early if a compressed file was truncated.
  ///
  /// - Throws: ``FileReading/Failure``.
  func content(
    limit: Int
  ) throws(FileReading.Failure) -> (bytes: [UInt8], cutOff: Inflater.Failure?) {
    let stored: [UInt8]
    switch source {
    case .file: stored = try FileReading.bytes(ofFile: path, limit: limit)
    case .member(let archive, let entry): stored = try archive.bytes(of: entry, limit: limit)
    case .standardInput(let input): stored = try input.bytes(limit: limit)
    case .damaged(let reason): throw FileReading.Failure(description: reason)
    }
    var cutOff: Inflater.Failure?
    let bytes = try decompressed(stored) { (bytes) throws(Inflater.Failure) in
      try Inflater.inflate(bytes, .gzip, limit: limit, cutOff: &cutOff)
    }
    return (bytes, cutOff)
  }

  /// Returns the first bytes of the content, enough to recognize its format.
  ///
  /// - Throws: ``FileReading/Failure``.
  func head() throws(FileReading.Failure) -> [UInt8] {
    let head: [UInt8]
    switch source {
    case .file: head = try FileReading.head(ofFile: path)
    case .member(let archive, let entry): head = try archive.head(of: entry, count: 4096)
    case .standardInput(let input): head = Array(try input.bytes(limit: 1 << 30).prefix(4096))
    case .damaged(let reason): throw FileReading.Failure(description: reason)
    }
    return try decompressed(head) { (bytes) throws(Inflater.Failure) in
      try Inflater.inflate(bytes, .gzip, limit: 4096, stopsAtLimit: true)
    }
  }

  /// Returns the bytes, decompressed if they are gzip data.
  private func decompressed(
    _ bytes: [UInt8], by inflate: (UnsafeRawBufferPointer) throws(Inflater.Failure) -> [UInt8]
  ) throws(FileReading.Failure) -> [UInt8] {
    let result = bytes.withUnsafeBytes { buffer -> Result<[UInt8], Inflater.Failure> in
      guard Inflater.isGzip(buffer) else { return .success(bytes) }
      return Result { () throws(Inflater.Failure) in try inflate(buffer) }
    }
    return try result.mapError { FileReading.Failure(description: $0.description) }.get()
  }

  /// Returns the content of a file beside this one, on disk or in the same archive; nil if there is none.
  ///
  /// - Throws: ``FileReading/Failure``.
  package func bytes(beside path: String) throws(FileReading.Failure) -> [UInt8]? {
    switch source {
    case .file:
      guard FileReading.exists(path) else { return nil }
      return try FileReading.bytes(ofFile: path)
    case .member(let archive, _):
      let name = String(path.dropFirst(archive.path.count + 1))
      guard let entry = archive.entry(named: name) else { return nil }
      return try archive.bytes(of: entry, limit: 64 << 20)
    case .standardInput, .damaged: return nil
    }
  }
}
