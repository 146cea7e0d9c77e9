/// Reads bits, the least significant bit of the first byte first.
///
/// Reading past the end gives zeros. ``isWithinEnd`` is false afterwards.
struct BitReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private(set) var position = 0

  /// - Parameter bytes: Must outlive the reader.
  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// True if the position is in the last byte or at its end, and the remaining bits are zero.
  var isAtEnd: Bool {
    guard (position + 7) / 8 == bytes.count else { return false }
    return position % 8 == 0 || bytes[bytes.count - 1] >> UInt8(position % 8) == 0
  }

  var isWithinEnd: Bool { position <= 8 * bytes.count }

  /// Returns at least 57 bits from a position on.
  @inline(__always)
  private func window(_ position: Int) -> UInt64 {
    position &>> 3 &+ 8 <= bytes.count ? uncheckedWindow(position) : lastWindow(position)
  }

  /// Returns the same as ``window(_:)``. At least eight bytes must follow the position.
  @inline(__always)
  private func uncheckedWindow(_ position: Int) -> UInt64 {
    let start = UnsafeRawPointer(bytes.baseAddress.unsafelyUnwrapped)
    let word = start.loadUnaligned(fromByteOffset: position &>> 3, as: UInt64.self)
    return UInt64(littleEndian: word) &>> UInt64(position & 7)
  }

  @inline(never)
  private func lastWindow(_ position: Int) -> UInt64 {
    let start = position &>> 3
    var word: UInt64 = 0
    for index in 0..<8 where start + index < bytes.count {
      word |= UInt64(bytes[start + index]) << UInt64(8 * index)
    }
    return word >> UInt64(position & 7)
  }

  /// Reads 0 to 56 bits.
  @inline(__always)
  mutating func read(_ count: Int) -> UInt64 {
    let value = window(position) & (1 &<< UInt64(count) &- 1)
    position &+= count
    return value
  }

  /// Reads 0 to 56 bits. At least eight bytes must follow the position.
  @inline(__always)
  mutating func readUnchecked(_ count: Int) -> UInt64 {
    let value = uncheckedWindow(position) & (1 &<< UInt64(count) &- 1)
    position &+= count
    return value
  }

  /// Reads 0 to 64 bits.
  @inline(__always)
  mutating func readLong(_ count: Int) -> UInt64 {
    guard count > 56 else { return read(count) }
    let low = read(32)
    return low | read(count &- 32) << 32
  }

  /// Returns at least 57 bits from the position on.
  @inline(__always)
  func peek() -> UInt64 { window(position) }

  /// Returns the same as ``peek()``. At least eight bytes must follow the position.
  @inline(__always)
  func peekUnchecked() -> UInt64 { uncheckedWindow(position) }

  @inline(__always)
  mutating func skip(_ count: Int) { position &+= count }

  /// Returns the number of reads of at most `width` bits that can be unchecked.
  func safeCount(_ width: Int) -> Int { max(0, 8 * (bytes.count - 16) - position) / width }

  /// Returns true if reads of `count` bits in all can be unchecked.
  @inline(__always)
  func hasMore(than count: Int) -> Bool { (position &+ count) &>> 3 &+ 16 <= bytes.count }
}
