/// A number of at most 19 digits without an exponent.
struct PlainDecimal {
  var value: Double
  /// Bytes of the number; 0 if it has another form.
  var length: Int
}

/// Reads plain decimals, fastest in the usual form of a double's shortest text: a digit, a point and 15 to 19
/// decimals. ``parseDecimal(_:at:end:grammar:)`` reads numbers of every form.
struct PlainDecimalReader: @unchecked Sendable {
  /// Number of bytes that must be readable from the start of a number.
  static let reach = 34
  static let shared = PlainDecimalReader()

  /// Constants for usual numbers of one length and sign.
  private struct Form {
    /// Exclusive upper bound of the digit before the point; below it, all digits fit 64 bits.
    var integers: UInt64 = 0
    /// Place values of that digit, and of the first and second eight bytes of decimals.
    var integerScale: UInt64 = 0
    var firstScale: UInt64 = 0
    var secondScale: UInt64 = 0
    /// The 63 most significant bits of 5^-decimals.
    var power: UInt64 = 0
    /// The sign, and the biased exponent of a product with ``power``.
    var exponent = 0
    /// Pads the size to 64 bytes, so that addresses are quick to compute.
    private var padding = (0, 0)
  }

  /// The forms by number of bytes beyond 17, and by sign. Written once and never freed.
  private let forms: UnsafePointer<Form>
  /// Masks of the decimals among the 16 bytes from the second one on, by sign. Never freed.
  private let decimalMasks: UnsafePointer<SIMD16<UInt8>>

  private init() {
    let forms = UnsafeMutablePointer<Form>.allocate(capacity: 16)
    forms.initialize(repeating: Form(), count: 16)
    for more in 0...5 {
      for sign in 0...1 where more - sign < 5 {
        let decimals = 15 + more - sign
        let scale = integerPowersOfTen[more]
        let form = forms + (2 * more + sign)
        form.pointee.integers = decimals < 19 ? 10 : 1
        form.pointee.integerScale = integerPowersOfTen[decimals]
        form.pointee.firstScale = scale * 100_000_000
        form.pointee.secondScale = scale
        form.pointee.power = powersOfFive[-decimals - smallestPowerOfFive].high >> 1
        form.pointee.exponent = sign << 11 + 1025 + (217_706 * -decimals) >> 16
      }
    }
    self.forms = UnsafePointer(forms)
    let masks = UnsafeMutablePointer<SIMD16<UInt8>>.allocate(capacity: 2)
    masks.initialize(repeating: SIMD16(repeating: 0xFF), count: 2)
    masks[0][0] = 0
    (masks[1][0], masks[1][1]) = (0, 0)
    decimalMasks = UnsafePointer(masks)
  }

  /// Reads the number at `start`; `length` is 0 if more digits or an exponent follow.
  ///
  /// - Precondition: ``reach`` bytes are readable.
  @inline(__always)
  func read(_ start: UnsafePointer<UInt8>) -> PlainDecimal {
    let text = UnsafeRawPointer(start)
    let sign = start[0] == UInt8(ascii: "-") ? 1 : 0
    let integer =
      UInt64(text.loadUnaligned(fromByteOffset: sign, as: UInt16.self).littleEndian ^ 0x2E30)
    // The load does not wait for the sign, since its offset is fixed. Zero before the decimals.
    let digits =
      (text.loadUnaligned(fromByteOffset: 1, as: SIMD16<UInt8>.self) ^ SIMD16(repeating: 0x30))
      & decimalMasks[sign]
    let others = unsafeBitCast(
      (digits &+ SIMD16(repeating: 0x76)) | digits, to: SIMD2<UInt64>.self)
    guard integer <= 9, (others[0] | others[1]) & topBits == 0 else { return Self.readOther(start) }
    // The number ends among the next eight bytes.
    let last = text.loadUnaligned(fromByteOffset: 17, as: UInt64.self).littleEndian ^ zeros
    let ends = nonDigits(last)
    guard ends != 0 else { return Self.readOther(start) }
    let bits = UInt64(truncatingIfNeeded: ends.trailingZeroBitCount)
    let more = Int(truncatingIfNeeded: bits >> 3)
    let form = forms + (2 &* more &+ sign)
    // An "e" lacks the fourth bit, unlike the usual separators.
    guard integer < form.pointee.integers, start[17 &+ more] & 8 != 0 else {
      return Self.readOther(start)
    }
    let eights = eightDigits(digits)
    let first = integer &* form.pointee.integerScale &+ eights[0] &* form.pointee.firstScale
    let second = eights[1] &* form.pointee.secondScale
    let mantissa = first &+ (second &+ eightDigits((last << 8) &<< ~bits))
    guard mantissa != 0 else { return Self.readOther(start) }
    // Eisel and Lemire's algorithm; neither overflow nor subnormal numbers occur. If the product's low bits
    // are ones, it may be exact or midway between two doubles.
    let leadingZeros = mantissa.leadingZeroBitCount
    let product = (mantissa &<< UInt64(truncatingIfNeeded: leadingZeros))
      .multipliedFullWidth(by: form.pointee.power).high
    guard product & 0xFF != 0xFF else { return Self.readOther(start) }
    // The conversion rounds; a sticky bit stands for all lower bits.
    let scale = UInt64(truncatingIfNeeded: form.pointee.exponent &- leadingZeros) &<< 52
    return PlainDecimal(
      value: Double(Int64(truncatingIfNeeded: product | 1)) * Double(bitPattern: scale),
      length: 17 &+ more)
  }

  /// Reads a number in another form than the usual one.
  @inline(never)
  private static func readOther(_ start: UnsafePointer<UInt8>) -> PlainDecimal {
    let none = PlainDecimal(value: 0, length: 0)
    let sign = start[0] == UInt8(ascii: "-") ? 1 : 0
    let first = start[sign] &- 0x30
    let integer: (value: UInt64, count: Int) =
      first <= 9 && start[sign &+ 1] == UInt8(ascii: ".")
      ? (UInt64(first), 1) : digits(start + sign)
    var length = sign &+ integer.count
    guard integer.count > 0, integer.count == 1 || start[sign] != UInt8(ascii: "0") else {
      return none
    }
    var mantissa = integer.value
    var decimals = 0
    if start[length] == UInt8(ascii: ".") {
      let fraction = digits(start + (length &+ 1))
      decimals = fraction.count
      guard decimals > 0, integer.count &+ decimals <= 19 else { return none }
      mantissa = mantissa &* integerPowersOfTen[decimals] &+ fraction.value
      length &+= 1 &+ decimals
    }
    guard start[length] & 8 != 0 else { return none }
    // Clinger's fast path: both factors are exact, so one operation rounds once.
    let value =
      mantissa < 1 << 53
      ? Double(Int64(truncatingIfNeeded: mantissa)) / exactPowersOfTen[decimals]
      : nearestDouble(mantissa, powerOfTen: -decimals)
    // Branch-free, since signs are unpredictable.
    let signed = value.bitPattern | UInt64(truncatingIfNeeded: sign) &<< 63
    return PlainDecimal(value: Double(bitPattern: signed), length: length)
  }

  /// Returns the value and number of the digits at `start`; none if there are more than 15.
  @inline(__always)
  private static func digits(_ start: UnsafePointer<UInt8>) -> (value: UInt64, count: Int) {
    let text = UnsafeRawPointer(start)
    func word(_ offset: Int) -> (digits: UInt64, ends: UInt64) {
      let digits =
        text.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian ^ zeros
      return (digits, nonDigits(digits))
    }
    /// Returns the value and number of the digits before the first other byte.
    func leading(_ word: (digits: UInt64, ends: UInt64)) -> (value: UInt64, count: Int) {
      let bits = UInt64(truncatingIfNeeded: word.ends.trailingZeroBitCount)
      let digits = eightDigits((word.digits << 8) &<< ~bits)
      return (digits, Int(truncatingIfNeeded: bits >> 3))
    }
    let first = word(0)
    if first.ends != 0 { return leading(first) }
    let second = word(8)
    guard second.ends != 0 else { return (0, 0) }
    let rest = leading(second)
    let scale = integerPowersOfTen[rest.count]
    return (eightDigits(first.digits) &* scale &+ rest.value, 8 &+ rest.count)
  }
}
