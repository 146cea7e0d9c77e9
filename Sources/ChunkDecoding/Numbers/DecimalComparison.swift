/// Returns the nearest double to a decimal number with more digits than 64 bits hold.
///
/// The first 19 digits give a candidate that is not above the answer; an exact comparison with the midpoint
/// between it and its upper neighbor decides. Digits after the 800th only count as "more than zero", since
/// midpoints of doubles have at most 767.
///
/// - Parameters:
///   - digits: Significant digits as ASCII, perhaps with a point among them, the first not zero.
///   - power: Power of ten of the last digit of `digits`.
/// - Complexity: O(digits²).
@inline(never)
func nearestDouble(longDigits digits: UnsafeBufferPointer<UInt8>, powerOfTen power: Int) -> Double {
  let kept = 800
  var leading: UInt64 = 0
  var seen = 0
  var total = 0
  for byte in digits where byte != UInt8(ascii: ".") {
    if seen < 19 {
      leading = leading &* 10 &+ UInt64(byte &- 0x30)
      seen += 1
    }
    total += 1
  }
  var candidate = nearestDouble(leading, powerOfTen: power + (total - seen))
  guard candidate.isFinite else { return candidate }

  var value = BigNatural()
  var taken = 0
  var sticky = false
  for byte in digits where byte != UInt8(ascii: ".") {
    if taken < kept {
      value.multiply(by: 10, adding: UInt32(byte &- 0x30))
      taken += 1
    } else if byte != 0x30 {
      sticky = true
    }
  }
  if sticky { value.multiply(by: 10, adding: 1) }
  let valuePower = power + (total - taken) - (sticky ? 1 : 0)

  while candidate.isFinite {
    // Midpoint between the candidate and the next double: (2m + 1) · 2^(e − 1).
    let bits = candidate.bitPattern
    let field = Int(bits >> 52)
    let fraction = bits & ((1 << 52) - 1)
    let mantissa = field == 0 ? fraction : fraction | 1 << 52
    let exponent = (field == 0 ? 1 : field) - 1075 - 1
    var left = value
    var right = BigNatural(2 * mantissa + 1)
    if valuePower >= 0 {
      left.multiply(byPowerOfTen: valuePower)
    } else {
      right.multiply(byPowerOfTen: -valuePower)
    }
    if exponent >= 0 { right.shiftLeft(by: exponent) } else { left.shiftLeft(by: -exponent) }
    let order = left.compared(to: right)
    guard order > 0 || (order == 0 && mantissa & 1 == 1) else { break }
    candidate = candidate.nextUp
  }
  return candidate
}

/// A natural number of any size, least significant limb first, with the operations that the comparison needs.
struct BigNatural {
  private var limbs: [UInt32] = []

  init() {}

  init(_ value: UInt64) {
    limbs = [UInt32(truncatingIfNeeded: value), UInt32(truncatingIfNeeded: value >> 32)]
    trim()
  }

  mutating func multiply(by factor: UInt32, adding addend: UInt32 = 0) {
    var carry = UInt64(addend)
    for index in limbs.indices {
      let product = UInt64(limbs[index]) * UInt64(factor) + carry
      limbs[index] = UInt32(truncatingIfNeeded: product)
      carry = product >> 32
    }
    if carry > 0 { limbs.append(UInt32(carry)) }
  }

  mutating func divide(by divisor: UInt32) {
    var remainder: UInt64 = 0
    for index in limbs.indices.reversed() {
      let dividend = remainder << 32 | UInt64(limbs[index])
      limbs[index] = UInt32(dividend / UInt64(divisor))
      remainder = dividend % UInt64(divisor)
    }
    trim()
  }

  /// The 128 most significant bits, starting with a one; zero-padded for shorter numbers.
  var leadingBits: (high: UInt64, low: UInt64) {
    func limb(_ index: Int) -> UInt64 {
      index < limbs.count ? UInt64(limbs[limbs.count - 1 - index]) : 0
    }
    let shift = limb(0).leadingZeroBitCount - 32
    func bits(from index: Int) -> UInt64 {
      (limb(index) << 32 | limb(index + 1)) << shift | limb(index + 2) >> (32 - shift)
    }
    return (bits(from: 0), bits(from: 2))
  }

  mutating func multiply(byPowerOfTen power: Int) {
    var left = power
    while left >= 9 {
      multiply(by: 1_000_000_000)
      left -= 9
    }
    for _ in 0..<left { multiply(by: 10) }
  }

  mutating func shiftLeft(by count: Int) {
    guard !limbs.isEmpty else { return }
    let bits = UInt32(count % 32)
    if bits > 0 { multiply(by: 1 << bits) }
    limbs.insert(contentsOf: repeatElement(0, count: count / 32), at: 0)
  }

  /// Returns a number that is negative, zero or positive like the difference to `other`.
  func compared(to other: BigNatural) -> Int {
    if limbs.count != other.limbs.count { return limbs.count - other.limbs.count }
    for index in limbs.indices.reversed() where limbs[index] != other.limbs[index] {
      return limbs[index] < other.limbs[index] ? -1 : 1
    }
    return 0
  }

  private mutating func trim() {
    while limbs.last == 0 { limbs.removeLast() }
  }
}
