/// A number in the form that recorders write nearly always: at most ten digits, and perhaps a point
/// and at most 19 more; no exponent.
///
/// ``parseDecimal(_:at:end:grammar:)`` reads every form and says what is wrong with what is none.
/// This one gives up on all that is unusual, and is quick because of what it need not ask. It does not look at the byte
/// behind the number, which may be an exponent's.
struct PlainDecimal {
  var value: Double
  /// Bytes of the number, 0 if this is not the usual form.
  var length: Int

  /// The bytes that must be readable from a number's beginning: sign, ten digits, point, three words.
  static let reach = 40

  private static let none = PlainDecimal(value: 0, length: 0)

  @inline(__always)
  private init(value: Double, length: Int) {
    self.value = value
    self.length = length
  }

  /// Reads the number at `start`.
  ///
  /// - Precondition: ``reach`` bytes are readable.
  @inline(__always)
  static func read(_ start: UnsafePointer<UInt8>) -> PlainDecimal {
    let sign: Int = start[0] == UInt8(ascii: "-") ? 1 : 0
    let number = start + sign
    let firstDigit = number[0] &- 0x30
    guard firstDigit <= 9 else { return none }
    var integer = UInt64(firstDigit)
    var index = 1
    if number[1] != UInt8(ascii: ".") {
      while true {
        let digit = number[index] &- 0x30
        guard digit <= 9 else { break }
        // A leading zero, or too long.
        guard integer > 0, index <= 9 else { return none }
        integer = integer &* 10 &+ UInt64(digit)
        index &+= 1
      }
      guard number[index] == UInt8(ascii: ".") else {
        return PlainDecimal(value: signed(Double(integer), sign), length: sign &+ index)
      }
    }
    index &+= 1
    let text = UnsafeRawPointer(number + index)
    index &+= sign
    let first = text.loadUnaligned(as: UInt64.self).littleEndian ^ zeros
    let second = text.loadUnaligned(fromByteOffset: 8, as: UInt64.self).littleEndian ^ zeros
    guard nonDigits(first) | nonDigits(second) == 0 else {
      return few(first, second, integer, sign: sign, start: index)
    }
    // A double in its shortest form nearly always has 16 decimals or a few more. Its end is among the eight bytes from
    // the 16th, whatever its sign. That they do not depend on the sign matters: all that follows waits for the end.
    let ending = UnsafeRawPointer(start).loadUnaligned(fromByteOffset: 16, as: UInt64.self)
    let others = nonDigits(ending.littleEndian ^ zeros)
    let length = 16 &+ Int(truncatingIfNeeded: bitsBefore(others) >> 3)
    let more = length &- index &- 16
    guard others != 0, integer < integersBeforeMany[more] else { return none }
    let third = text.loadUnaligned(fromByteOffset: 16, as: UInt64.self).littleEndian ^ zeros
    return PlainDecimal(value: many(first, second, third, more, integer, sign), length: length)
  }

  /// The numbers before the point that leave at most 19 digits, which 64 bits hold, by decimals beyond 16.
  private static let integersBeforeMany: [UInt64] = [1000, 100, 10, 1, 0, 0, 0, 0]

  /// Returns the value of a number with 16 to 19 decimals. Not inlined, as the caller's loop needs the registers.
  @inline(never)
  private static func many(
    _ first: UInt64, _ second: UInt64, _ third: UInt64, _ more: Int, _ integer: UInt64, _ sign: Int
  ) -> Double {
    let upper =
      (integer &* 100_000_000 &+ eightDigits(first)) &* 100_000_000 &+ eightDigits(second)
    let last = fourDigits(
      UInt32(truncatingIfNeeded: third &<< UInt64(truncatingIfNeeded: 32 &- 8 &* more)))
    return rounded(upper &* integerPowersOfTen[more] &+ last, 16 &+ more, sign)
  }

  /// Returns the number with at most 15 decimals, which begin at `start`.
  @inline(never)
  private static func few(
    _ first: UInt64, _ second: UInt64, _ integer: UInt64, sign: Int, start: Int
  ) -> PlainDecimal {
    let others = nonDigits(first)
    if others != 0 {
      let bits = bitsBefore(others)
      let decimals = Int(truncatingIfNeeded: bits >> 3)
      let digits = appending(first, bits, to: integer)
      guard decimals > 0, digits < 1 << 53 else { return none }
      return PlainDecimal(value: signed(exact(digits, decimals), sign), length: start &+ decimals)
    }
    let bits = bitsBefore(nonDigits(second))
    let decimals = 8 &+ Int(truncatingIfNeeded: bits >> 3)
    guard integer < integerPowersOfTen[19 &- decimals] else { return none }
    let digits = appending(second, bits, to: integer &* 100_000_000 &+ eightDigits(first))
    // Few values of 15 decimals are beyond what a double holds exactly.
    let value =
      digits < 1 << 53 ? signed(exact(digits, decimals), sign) : rounded(digits, decimals, sign)
    return PlainDecimal(value: value, length: start &+ decimals)
  }

  @inline(__always)
  private static func signed(_ value: Double, _ sign: Int) -> Double {
    Double(bitPattern: value.bitPattern | UInt64(truncatingIfNeeded: sign) &<< 63)
  }

  /// Clinger's fast path: both factors are exact, so that one operation rounds once.
  @inline(__always)
  private static func exact(_ digits: UInt64, _ decimals: Int) -> Double {
    Double(Int64(truncatingIfNeeded: digits)) / exactPowersOfTen[decimals]
  }

  /// Eisel and Lemire's algorithm for 8 to 19 decimals, where neither overflow nor subnormal numbers
  /// nor ties occur: see ``nearestDouble(_:powerOfTen:)``.
  @inline(__always)
  private static func rounded(_ digits: UInt64, _ decimals: Int, _ sign: Int) -> Double {
    guard digits != 0 else { return signed(0, sign) }
    let leadingZeros = digits.leadingZeroBitCount
    let normalized = digits &<< UInt64(truncatingIfNeeded: leadingZeros)
    let index = 2 &* (0 &- decimals &- smallestPowerOfFive)
    var (high, low) = normalized.multipliedFullWidth(by: powersOfFive[index])
    if high & 0x1FF == 0x1FF {
      let second = normalized.multipliedFullWidth(by: powersOfFive[index &+ 1]).high
      if low.addingReportingOverflow(second).overflow { high &+= 1 }
    }
    // The conversion rounds. As the product is never a tie, a bit stands for all that is below it.
    let mantissa = Double(Int64(truncatingIfNeeded: high >> 1 | 1))
    let exponent = exponents[decimals] &- leadingZeros &+ sign &<< 11
    let scale = UInt64(truncatingIfNeeded: exponent) &<< 52
    return mantissa * Double(bitPattern: scale)
  }

  /// The biased exponents of the powers of five from 5^0 to 5^−19, times two to the exponent's power.
  private static let exponents: [Int] = [
    1025, 1021, 1018, 1015, 1011, 1008, 1005, 1001, 998, 995,
    991, 988, 985, 981, 978, 975, 971, 968, 965, 961,
  ]

  /// Appends the digits in the lowest `bits` bits, at most 56, to a number.
  @inline(__always)
  private static func appending(
    _ values: UInt64, _ bits: UInt64, to number: UInt64
  ) -> UInt64 {
    number &* integerPowersOfTen[Int(truncatingIfNeeded: bits >> 3)]
      &+ eightDigits((values &<< (63 &- bits)) &<< 1)
  }

  /// The bits of the bytes below the lowest one that is no digit.
  @inline(__always)
  private static func bitsBefore(_ others: UInt64) -> UInt64 {
    UInt64(truncatingIfNeeded: others.trailingZeroBitCount) & 0x38
  }
}
