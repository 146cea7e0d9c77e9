@_spi(Testing)
extension BinaryFrame {
  /// Makes the size and checksum of a frame fit its bytes, so that tests and fuzzers reach what lies
  /// behind them.
  ///
  /// - Returns: Whether the bytes are long enough for a frame.
  public static func repair(_ frame: inout [UInt8]) -> Bool {
    frame.removeLast(frame.count % 8)
    guard frame.count >= headerSize + checksumSize else { return false }
    func write(_ value: UInt64, at offset: Int, bytes: Int) {
      for index in 0..<bytes {
        frame[offset + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * index))
      }
    }
    write(UInt64(magic), at: 0, bytes: 4)
    frame[4] = version
    write(UInt64(frame.count), at: 8, bytes: 4)
    let body = frame.count - checksumSize
    let hash = frame.withUnsafeBytes { bytes in
      XXHash64.hash(UnsafeRawBufferPointer(rebasing: bytes[..<body]))
    }
    write(hash, at: body, bytes: 8)
    return true
  }
}
