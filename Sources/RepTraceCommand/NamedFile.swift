import ArgumentParser
import Foundation

/// Reads files that a command is given beside recordings, such as labels or imports. If a file is missing or
/// unreadable, a message names it and the command ends with the matching status.
enum NamedFile {
  static func contents(of path: String) throws -> Data {
    guard FileManager.default.fileExists(atPath: path) else {
      throw ExitStatus.noInputExists.noting("\(path): no such file")
    }
    do {
      // The file may be a pipe, which FileManager does not read.
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw FileError(path) }
      let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      return try file.readToEnd() ?? Data()
    } catch {
      throw ExitStatus.noInputDecoded.noting("\(FileError(path, error))")
    }
  }

  /// Decodes the content of a file; errors name the file.
  static func decoding<T>(_ path: String, _ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch {
      throw ExitStatus.noInputDecoded.noting("\(path): \(error)")
    }
  }

  static func text(of path: String) throws -> String {
    guard let text = String(data: try contents(of: path), encoding: .utf8) else {
      throw ExitStatus.noInputDecoded.noting("\(path): expected UTF-8 text")
    }
    return text
  }
}
