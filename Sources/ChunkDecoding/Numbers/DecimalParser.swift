/// The grammar of decimal numbers.
enum DecimalGrammar {
  /// RFC 8259: no plus sign, no leading zeros, digits on both sides of a point.
  case json
  /// As printed into CSV files by various programs: `+1`, `01`, `.5` and `5.` are allowed too.
  case text
}

/// Powers of ten that a double holds exactly.
let exactPowersOfTen: [Double] = [
  1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
  1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
]

/// Parses the decimal number at `position`, correctly rounded, and moves `position` past it.
///
/// Returns nil if there is none, with `position` at the first invalid byte. Numbers too large for a double
/// give infinity with their sign; numbers too small give zero.
@inline(__always)
func parseDecimal(
  _ bytes: UnsafePointer<UInt8>, at position: inout Int, end: Int, grammar: DecimalGrammar
) -> Double? {
  var index = position
  guard index < end else { return nil }
  var negative = false
  if bytes[index] == UInt8(ascii: "-") {
    negative = true
    index += 1
  } else if grammar == .text, bytes[index] == UInt8(ascii: "+") {
    index += 1
  }
  let firstDigit = index
  var digits: UInt64 = 0
  readDigits(bytes, at: &index, end: end, into: &digits)
  var digitCount = index &- firstDigit
  if grammar == .json {
    guard digitCount > 0, digitCount == 1 || bytes[firstDigit] != 0x30 else {
      position = digitCount > 0 ? firstDigit + 1 : index
      return nil
    }
  }
  var power = 0
  if index < end, bytes[index] == UInt8(ascii: ".") {
    index += 1
    let firstDecimal = index
    readDigits(bytes, at: &index, end: end, into: &digits)
    let decimals = index &- firstDecimal
    if grammar == .json, decimals == 0 {
      position = index
      return nil
    }
    power = 0 &- decimals
    digitCount &+= decimals
  }
  guard digitCount > 0 else {
    position = index
    return nil
  }
  let behindDigits = index
  if index < end, bytes[index] | 0x20 == UInt8(ascii: "e") {
    var scan = index + 1
    var negativeExponent = false
    if scan < end, bytes[scan] == UInt8(ascii: "-") || bytes[scan] == UInt8(ascii: "+") {
      negativeExponent = bytes[scan] == UInt8(ascii: "-")
      scan += 1
    }
    let firstExponentDigit = scan
    var exponent = 0
    while scan < end {
      let digit = bytes[scan] &- 0x30
      guard digit <= 9 else { break }
      // Large enough to reach zero or infinity with any digits, even if Int has 32 bits.
      if exponent < Int.max / 40 { exponent = exponent * 10 + Int(digit) }
      scan += 1
    }
    if scan > firstExponentDigit {
      power += negativeExponent ? -exponent : exponent
      index = scan
    } else if grammar == .json {
      position = scan
      return nil
    }
  }
  position = index
  let magnitude: Double
  if digitCount <= 19 {
    magnitude = scaled(digits, power, digitCount: digitCount)
  } else {
    magnitude = manyDigits(
      UnsafeBufferPointer(start: bytes + firstDigit, count: behindDigits - firstDigit), digits,
      power)
  }
  return negative ? -magnitude : magnitude
}

@inline(__always)
private func scaled(_ digits: UInt64, _ power: Int, digitCount: Int) -> Double {
  // Clinger's fast path: both factors are exact, so one operation rounds once. It always applies to up to 15
  // digits; longer numbers never take it, so that the branch stays predictable.
  if digitCount <= 15, power >= -22, power <= 22 {
    let exact = Double(Int64(truncatingIfNeeded: digits))
    return power < 0 ? exact / exactPowersOfTen[-power] : exact * exactPowersOfTen[power]
  }
  return nearestDouble(digits, powerOfTen: power)
}

/// Appends the digits at `index` to `digits`, eight bytes at a time.
@inline(__always)
private func readDigits(
  _ bytes: UnsafePointer<UInt8>, at index: inout Int, end: Int, into digits: inout UInt64
) {
  while end &- index >= 8 {
    let eight = UnsafeRawPointer(bytes + index).loadUnaligned(as: UInt64.self).littleEndian
    let values = eight ^ zeros
    let others = nonDigits(values)
    if others == 0 {
      digits = digits &* 100_000_000 &+ eightDigits(values)
      index &+= 8
      continue
    }
    // Fewer than eight digits: shift them to the top, with zeros before them.
    let bits = UInt64(truncatingIfNeeded: others.trailingZeroBitCount & ~7)
    let count = Int(truncatingIfNeeded: bits / 8)
    if count > 0 {
      digits = digits &* integerPowersOfTen[count] &+ eightDigits(values &<< (64 - bits))
      index &+= count
    }
    return
  }
  while index < end {
    let digit = bytes[index] &- 0x30
    guard digit <= 9 else { return }
    digits = digits &* 10 &+ UInt64(digit)
    index += 1
  }
}

let integerPowersOfTen: [UInt64] = [
  1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
  10_000_000_000, 100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000,
  1_000_000_000_000_000, 10_000_000_000_000_000, 100_000_000_000_000_000,
  1_000_000_000_000_000_000, 10_000_000_000_000_000_000,
]

/// Eight ASCII zeros: exclusive or converts digits to their values.
let zeros: UInt64 = 0x3030_3030_3030_3030

/// The top bits of eight bytes.
let topBits: UInt64 = 0x8080_8080_8080_8080

/// Sets the top bit of each digit value that is not 0 to 9. Only the lowest bit set is reliable.
@inline(__always)
func nonDigits(_ values: UInt64) -> UInt64 {
  ((values &+ 0x7676_7676_7676_7676) | values) & topBits
}

/// Converts numbers of more than 19 digits: drops leading zeros, and uses exact arithmetic if still too long.
@inline(never)
private func manyDigits(
  _ text: UnsafeBufferPointer<UInt8>, _ digits: UInt64, _ power: Int
) -> Double {
  var first = 0
  while first < text.count, text[first] == 0x30 || text[first] == UInt8(ascii: ".") { first += 1 }
  let significant = UnsafeBufferPointer(rebasing: text[first...])
  let hasPoint = significant.contains(UInt8(ascii: "."))
  let count = significant.count - (hasPoint ? 1 : 0)
  if count <= 19 { return scaled(digits, power, digitCount: count) }
  // The magnitude of the first digit decides on infinity and zero without big integers.
  if power + count > 310 { return .infinity }
  if power + count < -330 { return 0 }
  return nearestDouble(longDigits: significant, powerOfTen: power)
}

/// Returns the value of eight digits, 0 to 9 each, the first in the least significant byte.
@inline(__always)
func eightDigits(_ values: UInt64) -> UInt64 {
  let pairs = (values &* 0x0A01) >> 8 & 0x00FF_00FF_00FF_00FF
  let fours = (pairs &* 0x0064_0001) >> 16 & 0x0000_FFFF_0000_FFFF
  return (fours &* 0x2710_0000_0001) >> 32
}

/// Returns the values of two groups of eight digits, 0 to 9 each, the first in the first byte.
@inline(__always)
func eightDigits(_ digits: SIMD16<UInt8>) -> SIMD2<UInt64> {
  // With inferred types, the compiler selects scalar operators.
  typealias Eights = SIMD2<UInt64>
  typealias Fours = SIMD4<UInt32>
  typealias Pairs = SIMD8<UInt16>
  let bytes = unsafeBitCast(digits, to: Pairs.self)
  let pairs = (bytes &* Pairs(repeating: 0x0A01)) &>> Pairs(repeating: 8)
  let hundreds = unsafeBitCast(pairs &* Pairs(100, 1, 100, 1, 100, 1, 100, 1), to: Fours.self)
  let sums = (hundreds &+ (hundreds &>> Fours(repeating: 16))) & Fours(repeating: 0xFFFF)
  let fours = unsafeBitCast(sums, to: Eights.self)
  let thousands = (fours & Eights(repeating: 0xFFFF)) &* Eights(repeating: 10_000)
  return thousands &+ (fours &>> Eights(repeating: 32))
}
