/// The parts of a path, by its characters alone.
package struct PathParts {
  /// Up to the last `/`, without it; `/` for what lies in the root, empty where there is none.
  package let folder: Substring
  /// Behind the last `/`.
  package let name: Substring
  /// The path without the last name's extension.
  package let stem: Substring

  package init(_ path: String) {
    let bytes = path.utf8
    let slash = bytes.lastIndex(of: UInt8(ascii: "/"))
    let nameStart = slash.map { bytes.index(after: $0) } ?? bytes.startIndex
    name = path[nameStart...]
    folder = slash.map { $0 == bytes.startIndex ? path[...$0] : path[..<$0] } ?? ""
    let dot = name.utf8.lastIndex(of: UInt8(ascii: "."))
    // A name that only begins with a dot has no extension.
    stem = dot.map { $0 > nameStart ? path[..<$0] : path[...] } ?? path[...]
  }
}
