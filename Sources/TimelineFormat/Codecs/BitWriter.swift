/// Writes bits, the first into the least significant bit of the first byte.
struct BitWriter {
  private var words: [UInt64] = []
  private var pending: UInt64 = 0
  private var pendingCount: UInt64 = 0

  /// - Parameter capacity: Bytes that are likely to be written.
  init(capacity: Int = 0) { words.reserveCapacity(capacity / 8 + 1) }

  /// Writes the lowest `count` bits of a value, 0 to 64; the others are ignored.
  @inline(__always)
  mutating func write(_ value: UInt64, count: Int) {
    guard count > 0 else { return }
    let bits = value & (UInt64.max &>> UInt64(64 &- count))
    pending |= bits &<< pendingCount
    pendingCount &+= UInt64(count)
    if pendingCount >= 64 {
      words.append(pending)
      pendingCount &-= 64
      // What did not fit; a shift by 64 leaves nothing.
      pending = bits >> (UInt64(count) &- pendingCount)
    }
  }

  /// The bytes so far, the last filled with zeros.
  consuming func finished() -> [UInt8] {
    let count = words.count * 8 + Int(pendingCount + 7) / 8
    words.append(pending)
    for index in words.indices { words[index] = words[index].littleEndian }
    return words.withUnsafeBytes { Array($0.prefix(count)) }
  }
}
