/// Writes bits into memory, starting with the least significant bit of the first byte.
struct BitWriter {
  private var position: UnsafeMutableRawPointer
  private var pending: UInt64 = 0
  /// Number of pending bits, less than 8.
  private var pendingCount: UInt64 = 0

  /// Returns the bytes that `write` produces, with the last one zero-padded.
  ///
  /// - Parameters:
  ///   - capacity: Upper bound of the size, in bytes.
  ///   - write: Returns the advanced writer. Passing it by value keeps it in registers.
  static func bytes(capacity: Int, _ write: (BitWriter) -> BitWriter) -> [UInt8] {
    // Each write stores whole words.
    [UInt8](unsafeUninitializedCapacity: capacity + 8) { buffer, written in
      guard let start = buffer.baseAddress.map({ UnsafeMutableRawPointer($0) }) else { return }
      let writer = write(BitWriter(position: start))
      written = writer.position - start + (writer.pendingCount > 0 ? 1 : 0)
    }
  }

  private init(position: UnsafeMutableRawPointer) { self.position = position }

  /// Writes the lowest `count` bits of a value, 0 to 64; ignores the others.
  @inline(__always)
  mutating func write(_ value: UInt64, count: Int) {
    guard count > 56 else { return writeShort(value & (1 &<< UInt64(count) &- 1), count: count) }
    writeShort(value & 0xFFFF_FFFF, count: 32)
    writeShort(value &>> 32 & (1 &<< UInt64(count &- 32) &- 1), count: count &- 32)
  }

  /// Writes a value of at most `count` bits, 0 to 56.
  @inline(__always)
  mutating func writeShort(_ value: UInt64, count: Int) {
    pending |= value &<< pendingCount
    position.storeBytes(of: pending.littleEndian, as: UInt64.self)
    pendingCount &+= UInt64(count)
    position += Int(pendingCount &>> 3)
    pending &>>= pendingCount & ~7
    pendingCount &= 7
  }
}
