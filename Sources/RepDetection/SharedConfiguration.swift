/// A configuration that all parts of a detector share. It has more than a kilobyte, and of each
/// detector there may be thousands.
final class SharedConfiguration: Sendable, Codable {
  let value: DetectorConfiguration

  init(_ value: DetectorConfiguration) {
    self.value = value
  }

  /// Bytes that are held.
  static var byteCount: Int { MemoryLayout<DetectorConfiguration>.size + 16 }
}
