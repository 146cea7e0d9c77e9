import Foundation

/// A file or folder that could not be read or written, with its name and the system's reason.
struct FileError: Error, CustomStringConvertible {
  var path: String
  var reason: String

  /// Creates the error of the last failed system call.
  init(_ path: String, code: Int32 = errno) {
    self.path = path
    reason = String(cString: strerror(code))
  }

  /// Wraps an error thrown by Foundation, whose message omits the file and often the reason.
  init(_ path: String, _ error: any Error) {
    if let error = error as? FileError {
      self = error
      return
    }
    self.path = path
    let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey]
    if let code = (underlying as? POSIXError)?.code.rawValue {
      reason = String(cString: strerror(code))
    } else if let cause = underlying as? NSError, cause.domain == NSPOSIXErrorDomain {
      reason = String(cString: strerror(Int32(cause.code)))
    } else {
      reason = error.localizedDescription
    }
  }

  var description: String { "\(path): \(reason)" }

  /// Runs a body and adds the file's name to its errors.
  static func naming<T>(_ path: String, _ body: () throws -> T) throws -> T {
    do { return try body() } catch { throw FileError(path, error) }
  }
}
