import ArgumentParser
import Foundation

/// A file beside the recordings that a command is given: labels, or what is to be imported. One that is not there or
/// cannot be read is named, and ends the command with the status for it.
enum NamedFile {
  /// Its bytes.
  static func contents(of path: String) throws -> Data {
    guard FileManager.default.fileExists(atPath: path) else {
      StandardStreams.note("\(path): no such file")
      throw ExitStatus.noInputExists
    }
    do {
      // It may be a pipe, which FileManager does not read.
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw FileError(path) }
      let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      return try file.readToEnd() ?? Data()
    } catch {
      StandardStreams.note("\(FileError(path, error))")
      throw ExitStatus.noInputDecoded
    }
  }

  /// Its text.
  static func text(of path: String) throws -> String {
    guard let text = String(data: try contents(of: path), encoding: .utf8) else {
      StandardStreams.note("\(path): expected UTF-8 text")
      throw ExitStatus.noInputDecoded
    }
    return text
  }
}
