/// A number in the form that a double's shortest text usually has: a digit, a point and 15 to 19 decimals.
struct PlainDecimal {
  var value: Double
  /// Bytes of the number; 0 if it has another form.
  var length: Int
}

/// Reads plain decimals. ``parseDecimal(_:at:end:grammar:)`` reads numbers of every form.
struct PlainDecimalReader: @unchecked Sendable {
  /// Number of bytes that must be readable from a number's beginning.
  static let reach = 25
  static let shared = PlainDecimalReader()

  /// The constants for numbers of one length and sign.
  private struct Form {
    /// Upper bound of the digit before the point. Below it, 64 bits hold all digits.
    var integers: UInt64 = 0
    /// The values of one in that digit, and in the first and second eight of the bytes that have the decimals.
    var integerScale: UInt64 = 0
    var firstScale: UInt64 = 0
    var secondScale: UInt64 = 0
    /// The 63 most significant bits of 5^-decimals.
    var power: UInt64 = 0
    /// The sign, and the biased exponent of a product with ``power``.
    var exponent = 0
    /// Fills 64 bytes: a form's address is then quick to compute.
    private var padding = (0, 0)
  }

  /// The forms by bytes beyond 17, and by sign. Written once and never freed.
  private let forms: UnsafePointer<Form>
  /// All bits of the bytes that are decimals, among 16 from a number's second byte, by sign. Never freed.
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

  /// Reads the number at `start`, behind which come neither more digits nor an exponent.
  ///
  /// - Precondition: ``reach`` bytes are readable.
  @inline(__always)
  func read(_ start: UnsafePointer<UInt8>) -> PlainDecimal {
    let none = PlainDecimal(value: 0, length: 0)
    let text = UnsafeRawPointer(start)
    let sign = start[0] == UInt8(ascii: "-") ? 1 : 0
    let integer =
      UInt64(text.loadUnaligned(fromByteOffset: sign, as: UInt16.self).littleEndian ^ 0x2E30)
    // The same bytes with and without a sign, so that nothing waits for it. Zero before the decimals.
    let digits =
      (text.loadUnaligned(fromByteOffset: 1, as: SIMD16<UInt8>.self) ^ SIMD16(repeating: 0x30))
      & decimalMasks[sign]
    let others = unsafeBitCast(
      (digits &+ SIMD16(repeating: 0x76)) | digits, to: SIMD2<UInt64>.self)
    guard integer <= 9, (others[0] | others[1]) & topBits == 0 else { return none }
    // The end is among the next eight bytes.
    let last = text.loadUnaligned(fromByteOffset: 17, as: UInt64.self).littleEndian ^ zeros
    let ends = nonDigits(last)
    guard ends != 0 else { return none }
    let bits = UInt64(truncatingIfNeeded: ends.trailingZeroBitCount)
    let more = Int(truncatingIfNeeded: bits >> 3)
    let form = forms + (2 &* more &+ sign)
    // No exponent has the fourth bit in its first byte.
    guard integer < form.pointee.integers, start[17 &+ more] & 8 != 0 else { return none }
    let eights = eightDigits(digits)
    let first = integer &* form.pointee.integerScale &+ eights[0] &* form.pointee.firstScale
    let second = eights[1] &* form.pointee.secondScale
    let mantissa = first &+ (second &+ eightDigits((last << 8) &<< ~bits))
    guard mantissa != 0 else { return none }
    // Eisel and Lemire's algorithm, where neither overflow nor subnormal numbers occur. Products whose low bits are
    // ones may be exact, or in the middle of two doubles.
    let leadingZeros = mantissa.leadingZeroBitCount
    let product = (mantissa &<< UInt64(truncatingIfNeeded: leadingZeros))
      .multipliedFullWidth(by: form.pointee.power).high
    guard product & 0xFF != 0xFF else { return none }
    // The conversion rounds; a bit stands for all that is below it.
    let scale = UInt64(truncatingIfNeeded: form.pointee.exponent &- leadingZeros) &<< 52
    return PlainDecimal(
      value: Double(Int64(truncatingIfNeeded: product | 1)) * Double(bitPattern: scale),
      length: 17 &+ more)
  }
}
