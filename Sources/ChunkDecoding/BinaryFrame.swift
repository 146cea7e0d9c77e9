/// The project's binary chunk frame, for transport at high rates.
public enum BinaryFrame {
  /// The first bytes of every frame.
  static let magic: [UInt8] = [0x52, 0x54, 0x43, 0xF1]

  /// Whether the bytes begin with a frame.
  static func isFrame(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.count >= 4 && bytes.prefix(4).elementsEqual(magic)
  }

  static func decodeFile(
    _ bytes: UnsafeRawBufferPointer, options: DecodingOptions
  ) throws(DecodingFailure) -> DecodedFile {
    throw DecodingFailure(.invalidFrame, "binary frames are not read yet", byteOffset: 0)
  }
}
