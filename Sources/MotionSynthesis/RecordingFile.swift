package struct RecordingFile: Sendable, Hashable {
  /// The path in the output folder, with `/` between names.
  package var relativePath: String
  package var bytes: [UInt8]
}

extension RecordingFile {
  init(_ relativePath: String, text: String) {
    self.init(relativePath: relativePath, bytes: Array(text.utf8))
  }
}
