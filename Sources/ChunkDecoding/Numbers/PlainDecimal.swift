/// A number in the form that recorders write nearly always: at most ten digits, and perhaps a point
/// and at most 23 more; no exponent.
///
/// ``parseDecimal(_:at:end:grammar:)`` reads every form and says what is wrong with what is none.
/// This one gives up on all that is unusual, and is quick because of what it need not ask.
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
    var index = sign
    let first = start[index] &- 0x30
    guard first <= 9 else { return none }
    index &+= 1
    var integer = UInt64(first)
    if start[index] != UInt8(ascii: ".") {
      while true {
        let digit = start[index] &- 0x30
        guard digit <= 9 else { break }
        // A leading zero, or too long.
        guard integer > 0, index <= 9 else { return none }
        integer = integer &* 10 &+ UInt64(digit)
        index &+= 1
      }
      guard start[index] == UInt8(ascii: ".") else {
        guard start[index] | 0x20 != UInt8(ascii: "e") else { return none }
        return PlainDecimal(value: signed(Double(integer), sign), length: index)
      }
    }
    index &+= 1
    let text = UnsafeRawPointer(start + index)
    let word = text.loadUnaligned(as: UInt64.self).littleEndian ^ zeros
    let others = nonDigits(word)
    if others != 0 {
      let bits = bitsBefore(others)
      let decimals = Int(truncatingIfNeeded: bits >> 3)
      index &+= decimals
      let digits = appending(word, bits, to: integer)
      guard decimals > 0, digits < 1 << 53, start[index] | 0x20 != UInt8(ascii: "e") else {
        return none
      }
      return PlainDecimal(value: signed(exact(digits, decimals), sign), length: index)
    }
    let second = text.loadUnaligned(fromByteOffset: 8, as: UInt64.self).littleEndian ^ zeros
    let secondNonDigits = nonDigits(second)
    let upper = integer &* 100_000_000 &+ eightDigits(word)
    if secondNonDigits != 0 {
      let bits = bitsBefore(secondNonDigits)
      let decimals = 8 &+ Int(truncatingIfNeeded: bits >> 3)
      index &+= decimals
      guard start[index] | 0x20 != UInt8(ascii: "e"), fits(integer, decimals) else { return none }
      let digits = appending(second, bits, to: upper)
      // Few values of 15 decimals are beyond what a double holds exactly.
      let value = digits < 1 << 53 ? exact(digits, decimals) : rounded(digits, decimals)
      return PlainDecimal(value: signed(value, sign), length: index)
    }
    let third = text.loadUnaligned(fromByteOffset: 16, as: UInt64.self).littleEndian ^ zeros
    let thirdNonDigits = nonDigits(third)
    let bits = bitsBefore(thirdNonDigits)
    let decimals = 16 &+ Int(truncatingIfNeeded: bits >> 3)
    index &+= decimals
    guard thirdNonDigits != 0, start[index] | 0x20 != UInt8(ascii: "e") else { return none }
    guard decimals <= 19, fits(integer, decimals) else { return none }
    let digits = appending(third, bits, to: upper &* 100_000_000 &+ eightDigits(second))
    return PlainDecimal(value: signed(rounded(digits, decimals), sign), length: index)
  }

  @inline(__always)
  private static func signed(_ value: Double, _ sign: Int) -> Double {
    Double(bitPattern: value.bitPattern | UInt64(truncatingIfNeeded: sign) &<< 63)
  }

  /// Whether there are at most 19 digits, which 64 bits hold. 8 to 19 decimals.
  @inline(__always)
  private static func fits(_ integer: UInt64, _ decimals: Int) -> Bool {
    integer < integerPowersOfTen[19 &- decimals]
  }

  /// Clinger's fast path: both factors are exact, so that one operation rounds once.
  @inline(__always)
  private static func exact(_ digits: UInt64, _ decimals: Int) -> Double {
    Double(Int64(truncatingIfNeeded: digits)) / exactPowersOfTen[decimals]
  }

  /// Eisel and Lemire's algorithm for 8 to 23 decimals, where neither overflow nor subnormal numbers
  /// nor ties occur: see ``nearestDouble(_:powerOfTen:)``.
  @inline(__always)
  private static func rounded(_ digits: UInt64, _ decimals: Int) -> Double {
    guard digits != 0 else { return 0 }
    let leadingZeros = digits.leadingZeroBitCount
    let normalized = digits &<< UInt64(truncatingIfNeeded: leadingZeros)
    let index = 2 &* (0 &- decimals &- smallestPowerOfFive)
    var (high, low) = normalized.multipliedFullWidth(by: powersOfFive[index])
    if high & 0x1FF == 0x1FF {
      let second = normalized.multipliedFullWidth(by: powersOfFive[index &+ 1]).high
      let (sum, carried) = low.addingReportingOverflow(second)
      low = sum
      if carried { high &+= 1 }
    }
    let upperBit = high >> 63
    var mantissa = high &>> (upperBit &+ 9)
    let exponent =
      ((217_706 &* (0 &- decimals)) >> 16) &+ (63 + 1023 - 1) &- leadingZeros
      &+ Int(truncatingIfNeeded: upperBit)
    mantissa = (mantissa &+ (mantissa & 1)) >> 1
    // The mantissa's highest bit, or the next where it was rounded up, adds one to the exponent.
    return Double(
      bitPattern: UInt64(truncatingIfNeeded: exponent) &<< 52 &+ mantissa)
  }

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
