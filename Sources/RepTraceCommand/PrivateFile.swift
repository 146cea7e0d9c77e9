import Foundation

/// Files that only their owner may read.
enum PrivateFile {
  /// Writes a file completely or not at all. Replaces an existing file or link rather than writing through it,
  /// since another user may have planted it. Writes to a device, a pipe or `/dev/stdout` directly.
  ///
  /// - Throws: ``FileError``.
  static func write(_ data: Data, to path: String) throws {
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG || path.hasPrefix("/dev/") {
      return try FileError.naming(path) {
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        defer { try? handle.close() }
        try handle.write(contentsOf: data)
      }
    }
    let url = URL(fileURLWithPath: path)
    let partial = url.deletingLastPathComponent()
      .appendingPathComponent(".\(url.lastPathComponent).\(UUID().uuidString)")
    let descriptor = open(partial.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw FileError(path) }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      try file.write(contentsOf: data)
      try file.close()
      guard rename(partial.path, url.path) == 0 else { throw FileError(path) }
    } catch {
      unlink(partial.path)
      throw FileError(path, error)
    }
  }
}
