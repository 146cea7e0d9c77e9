import ChunkDecoding
import Foundation

/// Reading files whole, with the reason in words where that fails.
///
/// With the system's own calls: for the many small files of chunks, Foundation's way to a file costs
/// several times what decoding it does.
enum FileReading {
  struct Failure: Error, CustomStringConvertible {
    var description: String

    /// The failure of the last system call.
    static var ofSystem: Failure { Failure(description: String(cString: strerror(errno))) }
  }

  /// - Parameter limit: larger files are refused rather than read into memory.
  static func bytes(
    ofFile path: String, limit: Int = DecodingLimits.standard.inputBytes
  ) throws -> [UInt8] {
    // Looked at before it is opened: opening a pipe would wait for its writer.
    guard let facts = facts(ofFile: path) else { throw Failure.ofSystem }
    guard facts.isRegular else { throw Failure(description: "not a regular file") }
    guard facts.size <= limit else { throw Failure(description: "larger than \(limit) bytes") }
    return try read(path, atMost: facts.size)
  }

  /// The first bytes of a file, enough to recognise its format.
  static func head(ofFile path: String) throws -> [UInt8] {
    guard let facts = facts(ofFile: path) else { throw Failure.ofSystem }
    guard facts.isRegular else { throw Failure(description: "not a regular file") }
    return try read(path, atMost: min(4096, facts.size))
  }

  /// Whether something of this name is there.
  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  private struct Facts {
    var isRegular: Bool
    var size: Int
  }

  private static func facts(ofFile path: String) -> Facts? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return Facts(isRegular: status.st_mode & S_IFMT == S_IFREG, size: Int(status.st_size))
  }

  private static func read(_ path: String, atMost size: Int) throws -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure.ofSystem }
    defer { close(descriptor) }
    return try [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = 0
      while count < size {
        let rest = UnsafeMutableRawBufferPointer(
          rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
        let got = Foundation.read(descriptor, rest.baseAddress, rest.count)
        if got < 0 {
          if errno == EINTR { continue }
          throw Failure.ofSystem
        }
        // A file that became shorter meanwhile.
        if got == 0 { break }
        count += got
      }
    }
  }

  /// The reason of a failed file operation, without the words around it.
  static func reason(of error: any Error) -> String {
    if let failure = error as? Failure { return failure.description }
    let nsError = error as NSError
    if let underlying = nsError.userInfo[NSUnderlyingErrorKey] as? NSError {
      return reason(of: underlying)
    }
    if nsError.domain == NSPOSIXErrorDomain {
      return String(cString: strerror(Int32(nsError.code)))
    }
    return nsError.localizedDescription
  }
}
