import ChunkDecoding
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Reads files and folders, with readable error messages.
///
/// Uses system calls. With many small chunk files, Foundation's file access costs several times as much as
/// decoding, and it would make the native library four times as large.
package enum FileReading {
  package struct Failure: Error, CustomStringConvertible {
    package var description: String
    /// True if the file does not exist.
    var isAbsence = false

    /// The failure of the last system call, from `errno`.
    static var ofSystem: Failure {
      let code = errno
      return Failure(
        description: String(cString: strerror(code)), isAbsence: code == ENOENT || code == ENOTDIR)
    }
  }

  /// - Parameter limit: Maximum size; larger files are rejected rather than read into memory.
  static func bytes(
    ofFile path: String, limit: Int = DecodingLimits.standard.inputBytes
  ) throws(Failure) -> [UInt8] {
    let size = try regularSize(ofFile: path)
    guard size <= limit else { throw Failure(description: "larger than \(limit) bytes") }
    return try bytes(ofFile: path, count: size)
  }

  /// Reads the first bytes of a file, enough to recognize its format.
  static func head(ofFile path: String) throws(Failure) -> [UInt8] {
    try bytes(ofFile: path, count: min(4096, try regularSize(ofFile: path)))
  }

  /// Returns the size of a regular file. Called before opening, since opening a pipe waits for its writer.
  private static func regularSize(ofFile path: String) throws(Failure) -> Int {
    let facts = try facts(ofFile: path)
    guard facts.kind == .file else { throw Failure(description: "not a regular file") }
    return facts.size
  }

  static func size(ofFile path: String) throws(Failure) -> Int { try facts(ofFile: path).size }

  /// Reads standard input to its end.
  static func standardInput(limit: Int) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 1)
    defer { piece.deallocate() }
    while true {
      let count = try readSome(STDIN_FILENO, piece)
      if count == 0 { return bytes }
      guard bytes.count + count <= limit else {
        throw Failure(description: "larger than \(limit) bytes")
      }
      bytes.append(contentsOf: piece[..<count])
    }
  }

  /// Returns whether a file or folder exists at the path.
  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  // MARK: - Folders

  enum Kind {
    case file
    case folder
    /// A pipe or a device, or a link if links are not followed.
    case other
  }

  /// Returns the kind of a path's target, following links; nil if there is none.
  static func kind(of path: String) -> Kind? { try? facts(ofFile: path).kind }

  /// Returns whether the path itself is a link.
  static func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// Returns the sorted names of a folder's entries.
  static func names(inFolder path: String) throws(Failure) -> [String] {
    guard let folder = opendir(path) else { throw Failure.ofSystem }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        tuple.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: tuple.pointee))
        {
          String(cString: $0)
        }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  // MARK: - The system's calls

  private struct Facts {
    var kind: Kind
    var size: Int
  }

  private static func facts(ofFile path: String) throws(Failure) -> Facts {
    var status = stat()
    guard stat(path, &status) == 0 else { throw Failure.ofSystem }
    let kind: Kind
    switch status.st_mode & S_IFMT {
    case S_IFREG: kind = .file
    case S_IFDIR: kind = .folder
    default: kind = .other
    }
    return Facts(kind: kind, size: Int(status.st_size))
  }

  /// Reads a part of a file; shorter if the file ends earlier.
  static func bytes(
    ofFile path: String, at offset: Int = 0, count size: Int
  ) throws(Failure) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure.ofSystem }
    defer { close(descriptor) }
    if offset > 0, lseek(descriptor, off_t(offset), SEEK_SET) < 0 { throw Failure.ofSystem }
    var failure: Failure?
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = 0
      do throws(Failure) {
        while count < size {
          let rest = UnsafeMutableRawBufferPointer(
            rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
          let got = try readSome(descriptor, rest)
          // The file was truncated in the meantime.
          if got == 0 { break }
          count += got
        }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Reads the available bytes, at least one; returns 0 at the end.
  private static func readSome(
    _ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer
  ) throws(Failure) -> Int {
    while true {
      let got = read(descriptor, buffer.baseAddress, buffer.count)
      if got >= 0 { return got }
      guard errno == EINTR else { throw Failure.ofSystem }
    }
  }
}

/// Standard input as a file: read completely on first use, then cached.
final class StandardInput: Sendable {
  private let content = Mutex<Result<[UInt8], FileReading.Failure>?>(nil)

  func bytes(limit: Int) throws(FileReading.Failure) -> [UInt8] {
    try content.withLock { content in
      let result =
        content
        ?? Result { () throws(FileReading.Failure) in try FileReading.standardInput(limit: limit) }
      content = result
      return result
    }.get()
  }
}
