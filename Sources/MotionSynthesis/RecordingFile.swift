/// One file to be written.
package struct RecordingFile: Sendable, Hashable {
  /// Below the output folder, with `/` between names.
  package var relativePath: String
  package var bytes: [UInt8]

  package init(relativePath: String, bytes: [UInt8]) {
    self.relativePath = relativePath
    self.bytes = bytes
  }

  init(_ relativePath: String, text: String) {
    self.init(relativePath: relativePath, bytes: Array(text.utf8))
  }
}
