/// Encoding and decoding random integers as Rice codes, as the floor of the timeline's codec.
struct RiceCodes {
  private var values: [UInt32]
  /// Number of low bits.
  private let parameter: UInt64

  /// Creates integers whose codes take about `meanBits` bits.
  init(count: Int, meanBits: Double) {
    // Rice codes suit a geometric distribution; with mean 2^k a code takes k + 1.5 bits.
    let low = max(1, min(20, Int(meanBits - 1.5)))
    parameter = UInt64(low)
    var random = SplitMix64(state: 31)
    values = (0..<count).map { _ in
      let quotient = min(12, UInt32(random.next().trailingZeroBitCount))
      return quotient << UInt32(low) | UInt32(truncatingIfNeeded: random.next()) & (1 << low - 1)
    }
  }

  var sum: UInt64 { values.reduce(0) { $0 &+ UInt64($1) } }

  func coded() -> [UInt64] {
    var words: [UInt64] = []
    words.reserveCapacity(values.count)
    var word: UInt64 = 0
    var used: UInt64 = 0
    for value in values {
      let quotient = UInt64(value) &>> parameter
      let low = UInt64(value) & (1 &<< parameter &- 1)
      let bits = (1 &<< quotient &- 1) | low &<< (quotient &+ 1)
      let length = quotient &+ 1 &+ parameter
      word |= bits &<< used
      used &+= length
      if used >= 64 {
        words.append(word)
        used &-= 64
        word = used == 0 ? 0 : bits &>> (length &- used)
      }
    }
    words.append(word)
    words.append(0)
    return words
  }

  func sum(of words: [UInt64]) -> UInt64 {
    var sum: UInt64 = 0
    words.withUnsafeBytes { bytes in
      var position: UInt64 = 0
      let mask: UInt64 = 1 &<< parameter &- 1
      for _ in 0..<values.count {
        let offset = min(Int(position &>> 3), bytes.count - 8)
        let window =
          bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
          &>> (position & 7)
        let quotient = UInt64((~window).trailingZeroBitCount)
        sum &+= quotient &<< parameter | (window &>> (quotient &+ 1)) & mask
        position &+= quotient &+ 1 &+ parameter
      }
    }
    return sum
  }
}
