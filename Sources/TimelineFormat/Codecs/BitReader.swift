/// Reads bits, the least significant bit of the first byte first.
///
/// Behind the end there are zeros, so that reading never fails; ``isWithinEnd`` tells afterwards
/// whether the bits were there.
struct BitReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private(set) var position = 0

  /// - Parameter bytes: Must outlive the reader.
  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// Whether everything that was read was there, and nothing but the rest of the last byte, which
  /// must be zero, is left.
  var isAtEnd: Bool {
    guard (position + 7) / 8 == bytes.count else { return false }
    return position % 8 == 0 || bytes[bytes.count - 1] >> UInt8(position % 8) == 0
  }

  var isWithinEnd: Bool { position <= 8 * bytes.count }

  /// At least 57 bits from the position on.
  @inline(__always)
  private func window() -> UInt64 {
    let start = position &>> 3
    if start &+ 8 <= bytes.count {
      let word = UnsafeRawBufferPointer(bytes).loadUnaligned(
        fromByteOffset: start, as: UInt64.self)
      return UInt64(littleEndian: word) >> UInt64(position & 7)
    }
    return lastWindow(start)
  }

  @inline(never)
  private func lastWindow(_ start: Int) -> UInt64 {
    var word: UInt64 = 0
    for index in 0..<8 where start + index < bytes.count {
      word |= UInt64(bytes[start + index]) << UInt64(8 * index)
    }
    return word >> UInt64(position & 7)
  }

  /// Reads 0 to 56 bits.
  @inline(__always)
  mutating func read(_ count: Int) -> UInt64 {
    let value = window() & ((1 << UInt64(count)) &- 1)
    position &+= count
    return value
  }

  /// Takes back bits that were read last.
  @inline(__always)
  mutating func skipBack(_ count: Int) { position &-= count }

  /// Reads 0 to 64 bits.
  @inline(__always)
  mutating func readLong(_ count: Int) -> UInt64 {
    guard count > 32 else { return read(count) }
    let low = read(32)
    return low | read(count &- 32) << 32
  }

  /// Reads a Golomb-Rice number: ones, a zero, and `parameter` bits; or after
  /// ``ResidualCoding/escapeOnes`` ones, 6 bits that are one less than a width, and as many bits.
  @inline(__always)
  mutating func readRice(_ parameter: Int) -> UInt64 {
    let bits = window()
    let ones = (~bits).trailingZeroBitCount
    guard ones < ResidualCoding.escapeOnes else {
      position &+= ResidualCoding.escapeOnes
      return readLong(Int(read(6)) &+ 1)
    }
    let head = ones &+ 1
    let low: UInt64
    if head &+ parameter <= 57 {
      low = bits >> UInt64(head) & ((1 << UInt64(parameter)) &- 1)
      position &+= head &+ parameter
    } else {
      position &+= head
      low = read(parameter)
    }
    return UInt64(ones) << UInt64(parameter) | low
  }
}
