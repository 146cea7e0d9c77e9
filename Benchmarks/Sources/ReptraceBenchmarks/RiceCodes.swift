/// Rice codes of random integers: writing and reading them and nothing else, for the floor of the
/// timeline's codec.
struct RiceCodes {
  private var values: [UInt32]
  /// The number of low bits.
  private let parameter: UInt64

  /// Integers whose codes take about this many bits.
  init(count: Int, meanBits: Double) {
    // A geometric distribution is what these codes are for; of mean 2^k it takes k + 1.5 bits.
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

/// Sines and cosines by polynomials, eight angles at a time, with nothing checked.
enum Trigonometry {
  static func sum(_ angles: [Double]) -> Double {
    var sums = SIMD8<Double>(repeating: 0)
    angles.withUnsafeBytes { bytes in
      var offset = 0
      while offset + 64 <= bytes.count {
        sums += both(bytes.loadUnaligned(fromByteOffset: offset, as: SIMD8<Double>.self))
        offset += 64
      }
    }
    return sums.sum()
  }

  @inline(__always)
  private static func both(_ x: SIMD8<Double>) -> SIMD8<Double> {
    let magic = SIMD8<Double>(repeating: 6_755_399_441_055_744)
    let n = (x * 0.636619772367581382 + magic) - magic
    let r = (x - n * 1.57079632673412561417) - n * 6.07710050650619224932e-11
    let z = r * r
    var s = z * 1.58969099521155010221e-10 + -2.50507602534068634195e-08
    s = s * z + 2.75573137070700676789e-06
    s = s * z + -1.98412698298579493134e-04
    s = s * z + 8.33333333332248946124e-03
    s = s * z + -1.66666666666666324348e-01
    var c = z * -1.13596475577881948265e-11 + 2.08757232129817482790e-09
    c = c * z + -2.75573143513906633035e-07
    c = c * z + 2.48015872894767294178e-05
    c = c * z + -1.38888888888741095749e-03
    c = c * z + 4.16666666666666019037e-02
    return (r + r * z * s) + (1 - 0.5 * z + z * z * c)
  }
}
