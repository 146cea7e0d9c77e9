/// Writes bits, the first into the least significant bit of the first byte.
struct BitWriter {
  private(set) var bytes: [UInt8] = []
  private var pending: UInt64 = 0
  private var pendingCount: UInt64 = 0

  /// Writes the lowest `count` bits of a value, 0 to 64; the others are ignored.
  @inline(__always)
  mutating func write(_ value: UInt64, count: Int) {
    if count > 32 {
      writeShort(value & 0xFFFF_FFFF, count: 32)
      writeShort(value >> 32, count: UInt64(count) &- 32)
    } else {
      writeShort(value, count: UInt64(count))
    }
  }

  @inline(__always)
  private mutating func writeShort(_ value: UInt64, count: UInt64) {
    pending |= (value & ((1 << count) &- 1)) << pendingCount
    pendingCount &+= count
    if pendingCount >= 32 {
      withUnsafeBytes(of: UInt32(truncatingIfNeeded: pending).littleEndian) {
        bytes.append(contentsOf: $0)
      }
      pending >>= 32
      pendingCount &-= 32
    }
  }

  /// The bytes so far, the last filled with zeros.
  consuming func finished() -> [UInt8] {
    while pendingCount > 0 {
      bytes.append(UInt8(truncatingIfNeeded: pending))
      pending >>= 8
      pendingCount = pendingCount > 8 ? pendingCount - 8 : 0
    }
    return bytes
  }
}
