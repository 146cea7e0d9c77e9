import ChunkDecoding
import Foundation

/// Reading files whole, with the reason in words where that fails.
enum FileReading {
  /// Larger files are refused rather than read into memory.
  static let sizeLimitBytes = DecodingLimits.standard.inputBytes

  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  static func bytes(ofFile path: String, limit: Int = sizeLimitBytes) throws -> Data {
    let url = URL(fileURLWithPath: path)
    let values = try url.resourceValues(forKeys: [.isRegularFileKey, .fileSizeKey])
    guard values.isRegularFile == true else { throw Failure(description: "not a regular file") }
    guard (values.fileSize ?? 0) <= limit else {
      throw Failure(description: "larger than \(limit) bytes")
    }
    return try Data(contentsOf: url)
  }

  /// The first bytes of a file, enough to recognise its format.
  static func head(ofFile path: String) throws -> Data {
    let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    defer { try? handle.close() }
    return try handle.read(upToCount: 4096) ?? Data()
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
