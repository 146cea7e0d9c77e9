/// The files that a page provided, in place of a file system.
package enum HeldFiles {
  nonisolated(unsafe) fileprivate static var files: [String: [UInt8]] = [:]

  package static func add(_ path: String, _ bytes: [UInt8]) { files[path] = bytes }
  package static func removeAll() { files = [:] }

  fileprivate static func isFolder(_ path: String) -> Bool {
    files.keys.contains { $0.hasPrefix(path + "/") }
  }
}

/// Reads the files that a page provided. Replaces the type of the same name for systems with files.
package enum FileReading {
  package struct Failure: Error, CustomStringConvertible {
    package var description: String
    var isAbsence = false

    static var ofSystem: Failure {
      Failure(description: "No such file or directory", isAbsence: true)
    }
  }

  enum Kind {
    case file
    case folder
    case other
  }

  static func bytes(
    ofFile path: String, limit: Int = .max
  ) throws(Failure) -> [UInt8] {
    guard let bytes = HeldFiles.files[path] else { throw Failure.ofSystem }
    guard bytes.count <= limit else { throw Failure(description: "larger than \(limit) bytes") }
    return bytes
  }

  static func head(ofFile path: String) throws(Failure) -> [UInt8] {
    Array(try bytes(ofFile: path).prefix(4096))
  }

  static func bytes(
    ofFile path: String, at offset: Int, count: Int
  ) throws(Failure) -> [UInt8] {
    Array(try bytes(ofFile: path).dropFirst(offset).prefix(count))
  }

  static func size(ofFile path: String) throws(Failure) -> Int { try bytes(ofFile: path).count }

  static func exists(_ path: String) -> Bool { kind(of: path) != nil }

  static func kind(of path: String) -> Kind? {
    if HeldFiles.files[path] != nil { return .file }
    return HeldFiles.isFolder(path) ? .folder : nil
  }

  static func isLink(_ path: String) -> Bool { false }

  /// Returns the names of a folder's entries, sorted.
  static func names(inFolder path: String) throws(Failure) -> [String] {
    var names = Set<String>()
    let prefix = path + "/"
    for file in HeldFiles.files.keys where file.hasPrefix(prefix) {
      let rest = file.utf8.dropFirst(prefix.utf8.count)
      names.insert(String(Substring(rest.prefix { $0 != UInt8(ascii: "/") })))
    }
    return names.sorted()
  }
}

/// An empty standard input, because a page has none.
final class StandardInput: Sendable {
  func bytes(limit: Int) throws(FileReading.Failure) -> [UInt8] {
    throw FileReading.Failure(description: "there is no standard input")
  }
}
