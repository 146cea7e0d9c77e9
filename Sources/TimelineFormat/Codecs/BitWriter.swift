/// Writes bits, starting with the least significant bit of the first byte.
struct BitWriter {
  private var words: [UInt64] = []
  private var pending: UInt64 = 0
  private var pendingCount: UInt64 = 0

  /// - Parameter capacity: Expected size, in bytes.
  init(capacity: Int = 0) { words.reserveCapacity(capacity / 8 + 1) }

  /// Writes the lowest `count` bits of a value, 0 to 64; ignores the others.
  @inline(__always)
  mutating func write(_ value: UInt64, count: Int) {
    guard count > 0 else { return }
    let bits = value & (UInt64.max &>> UInt64(64 &- count))
    pending |= bits &<< pendingCount
    pendingCount &+= UInt64(count)
    if pendingCount >= 64 {
      words.append(pending)
      pendingCount &-= 64
      // The bits that did not fit. A shift by 64 gives 0.
      pending = bits >> (UInt64(count) &- pendingCount)
    }
  }

  /// Returns the bytes, with the last one zero-padded.
  consuming func finished() -> [UInt8] {
    let count = words.count * 8 + Int(pendingCount + 7) / 8
    words.append(pending)
    for index in words.indices { words[index] = words[index].littleEndian }
    return words.withUnsafeBytes { Array($0.prefix(count)) }
  }
}
