/// One file to be written.
public struct RecordingFile: Sendable, Hashable {
  /// Below the output folder, with `/` between names.
  public var relativePath: String
  public var bytes: [UInt8]

  public init(relativePath: String, bytes: [UInt8]) {
    self.relativePath = relativePath
    self.bytes = bytes
  }

  init(_ relativePath: String, text: String) {
    self.init(relativePath: relativePath, bytes: Array(text.utf8))
  }
}
