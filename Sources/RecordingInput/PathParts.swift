/// The parts of a path, determined from its characters alone.
package struct PathParts {
  /// The part before the last `/`; `/` for a path in the root, and empty if there is no slash.
  package let folder: Substring
  /// The part after the last `/`.
  package let name: Substring
  /// The path without its extension.
  package let stem: Substring

  package init(_ path: String) {
    let bytes = path.utf8
    let slash = bytes.lastIndex(of: UInt8(ascii: "/"))
    let nameStart = slash.map { bytes.index(after: $0) } ?? bytes.startIndex
    name = path[nameStart...]
    folder = slash.map { $0 == bytes.startIndex ? path[...$0] : path[..<$0] } ?? ""
    let dot = name.utf8.lastIndex(of: UInt8(ascii: "."))
    // A name whose only dot is the first character has no extension.
    stem = dot.map { $0 > nameStart ? path[..<$0] : path[...] } ?? path[...]
  }
}
