/// The position of a decimal number in a text, so that only the arithmetic of its digits remains.
///
/// Converts eight digits to an integer at once (Mula's method with three multiplications) and multiplies by a
/// power of ten. If the digits have more than 53 bits, this rounds twice, so it is a lower bound on the cost
/// and not a parser.
struct DecimalPlace {
  private var integerStart: UInt32
  private var fractionStart: UInt32
  private var integerDigits: UInt8
  private var fractionDigits: UInt8
  private var isNegative: Bool

  /// Returns the positions of all numbers outside quoted strings.
  static func all(in text: [UInt8]) -> [DecimalPlace] {
    var places: [DecimalPlace] = []
    var index = 0
    var isInText = false
    func isDigit(_ i: Int) -> Bool { i < text.count && text[i] &- 48 < 10 }
    while index < text.count {
      if text[index] == UInt8(ascii: "\"") { isInText.toggle() }
      guard !isInText, isDigit(index) else {
        index += 1
        continue
      }
      let start = index
      while isDigit(index) { index += 1 }
      let integerDigits = index - start
      var fractionStart = index
      if index < text.count, text[index] == UInt8(ascii: ".") {
        index += 1
        fractionStart = index
        while isDigit(index) { index += 1 }
      }
      var end = index
      // Exponents are rare in these texts; read the digits one by one.
      var exponent = 0
      if end < text.count, text[end] | 32 == UInt8(ascii: "e") {
        end += 1
        let isSmall = text[end] == UInt8(ascii: "-")
        if isSmall { end += 1 }
        while isDigit(end) {
          exponent = 10 * exponent + Int(text[end] - 48)
          end += 1
        }
        exponent = isSmall ? exponent : -exponent
      }
      let fraction = index - fractionStart
      places.append(
        DecimalPlace(
          integerStart: UInt32(start), fractionStart: UInt32(fractionStart),
          integerDigits: UInt8(integerDigits), fractionDigits: UInt8(fraction),
          isNegative: start > 0 && text[start - 1] == UInt8(ascii: "-"), shift: Int8(exponent)))
      index = end
    }
    return places
  }

  /// Number of decimals that the exponent adds.
  private var shift: Int8

  @inline(__always)
  func value(in text: UnsafeRawBufferPointer) -> Double {
    var digits = Self.upTo8(text, integerStart, integerDigits)
    if fractionDigits <= 8 {
      digits = digits &* Self.integerPowers[Int(fractionDigits)]
      digits &+= Self.upTo8(text, fractionStart, fractionDigits)
    } else {
      let rest = fractionDigits - 8
      digits = digits &* 100_000_000 &+ Self.eight(text, Int(fractionStart))
      if rest <= 8 {
        digits = digits &* Self.integerPowers[Int(rest)]
        digits &+= Self.upTo8(text, fractionStart + 8, rest)
      } else {
        digits = digits &* 100_000_000 &+ Self.eight(text, Int(fractionStart) + 8)
        let last = min(rest - 8, 2)
        digits = digits &* Self.integerPowers[Int(last)]
        digits &+= Self.upTo8(text, fractionStart + 16, last)
      }
    }
    let scale = Self.powers[min(18, Int(fractionDigits)) + Int(shift)]
    let value = Double(digits) * scale
    return isNegative ? -value : value
  }

  @inline(__always)
  private static func upTo8(
    _ text: UnsafeRawBufferPointer, _ start: UInt32, _ count: UInt8
  ) -> UInt64 {
    guard count > 0 else { return 0 }
    // Shift the digits to the end of the word, after zeros.
    let word = text.loadUnaligned(fromByteOffset: Int(start), as: UInt64.self)
    return value((word &- 0x3030_3030_3030_3030) &<< (64 - 8 * UInt64(count)))
  }

  @inline(__always)
  private static func eight(_ text: UnsafeRawBufferPointer, _ start: Int) -> UInt64 {
    value(text.loadUnaligned(fromByteOffset: start, as: UInt64.self) &- 0x3030_3030_3030_3030)
  }

  @inline(__always)
  private static func value(_ digits: UInt64) -> UInt64 {
    let pairs = digits &* 10 &+ (digits &>> 8)
    let low = (pairs & 0x0000_00FF_0000_00FF) &* (100 &+ (1_000_000 &<< 32))
    let high = ((pairs &>> 16) & 0x0000_00FF_0000_00FF) &* (1 &+ (10000 &<< 32))
    return (low &+ high) &>> 32
  }

  private static let integerPowers: [UInt64] = [
    1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000,
  ]
  private static let powers: [Double] = (0..<40).map { Double("1e-\($0)") ?? 0 }
}
