/// Parses ISO 8601 dates as programs write them: `2025-06-01T10:00:00Z`, with or without a fraction, followed
/// by `Z`, `+02:00`, `+0200`, `+02` or nothing (UTC). A space may replace the T.
package enum ISO8601 {
  package struct Instant: Equatable {
    /// Seconds since 1970.
    package var unixTime: Double
    var hasFraction: Bool
  }

  package static func parse(_ text: String) -> Instant? {
    var text = text
    return text.withUTF8 { parse($0) }
  }

  static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> Instant? {
    let count = bytes.count
    var index = 0
    func digits(_ width: Int) -> Int? {
      guard index + width <= count else { return nil }
      var value = 0
      for offset in index..<index + width {
        let digit = bytes[offset] &- 0x30
        guard digit <= 9 else { return nil }
        value = value * 10 + Int(digit)
      }
      index += width
      return value
    }
    func skip(_ expected: UInt8) -> Bool {
      guard index < count, bytes[index] == expected else { return false }
      index += 1
      return true
    }
    guard let year = digits(4), skip(UInt8(ascii: "-")), let month = digits(2),
      skip(UInt8(ascii: "-")), let day = digits(2),
      skip(UInt8(ascii: "T")) || skip(UInt8(ascii: " ")) || skip(UInt8(ascii: "t")),
      let hour = digits(2), skip(UInt8(ascii: ":")), let minute = digits(2),
      skip(UInt8(ascii: ":")), let second = digits(2),
      (1...12).contains(month), (1...31).contains(day), hour <= 24, minute < 60, second <= 60
    else { return nil }
    var fraction = 0.0
    var hasFraction = false
    if skip(UInt8(ascii: ".")) || skip(UInt8(ascii: ",")) {
      var scale = 0
      var value: UInt64 = 0
      while index < count, bytes[index] &- 0x30 <= 9 {
        if scale < 18 {
          value = value * 10 + UInt64(bytes[index] &- 0x30)
          scale += 1
        }
        index += 1
      }
      guard scale > 0 else { return nil }
      var divisor = 1.0
      for _ in 0..<scale { divisor *= 10 }
      fraction = Double(value) / divisor
      hasFraction = true
    }
    var offset = 0
    _ = skip(UInt8(ascii: " "))
    if index < count {
      if skip(UInt8(ascii: "Z")) || skip(UInt8(ascii: "z")) {
      } else {
        let sign: Int
        if skip(UInt8(ascii: "+")) {
          sign = 1
        } else if skip(UInt8(ascii: "-")) {
          sign = -1
        } else {
          return nil
        }
        guard let hours = digits(2) else { return nil }
        var minutes = 0
        if index < count {
          _ = skip(UInt8(ascii: ":"))
          guard let value = digits(2) else { return nil }
          minutes = value
        }
        offset = sign * (hours * 3600 + minutes * 60)
      }
      guard index == count else { return nil }
    }
    let days = daysSince1970(year: year, month: month, day: day)
    // Seconds since 1970 have more than 32 bits after 2038.
    let whole = Double(days) * 86400 + Double(hour * 3600 + minute * 60 + second - offset)
    return Instant(unixTime: whole + fraction, hasFraction: hasFraction)
  }

  /// Returns the days from 1970-01-01 in the proleptic Gregorian calendar (Hinnant, "chrono-Compatible
  /// Low-Level Date Algorithms").
  package static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }
}
