/// Text under construction, as bytes.
struct TextOutput: Sendable {
  private(set) var bytes: [UInt8] = []

  mutating func reserve(_ count: Int) { bytes.reserveCapacity(count) }

  mutating func add(_ text: String) { bytes.append(contentsOf: text.utf8) }

  mutating func add(byte: UInt8) { bytes.append(byte) }

  /// Appends the shortest decimal that reads back to the same Double; nothing for NaN and infinities, which
  /// neither CSV nor JSON can express.
  mutating func add(_ value: Double) {
    if value.isFinite { add(value.description) }
  }

  /// Appends values separated by commas, and a line end.
  mutating func addRow(_ values: [Double]) {
    for (index, value) in values.enumerated() {
      if index > 0 { add(byte: UInt8(ascii: ",")) }
      add(value)
    }
    add(byte: UInt8(ascii: "\n"))
  }

  /// Appends a JSON string with its quotes, escaping `"`, `\` and control characters (RFC 8259).
  mutating func add(jsonString text: String) {
    add(byte: UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): add("\\\"")
      case UInt8(ascii: "\\"): add("\\\\")
      case 0..<0x20:
        let digits = Array("0123456789abcdef".utf8)
        add("\\u00")
        add(byte: digits[Int(byte >> 4)])
        add(byte: digits[Int(byte & 15)])
      default: add(byte: byte)
      }
    }
    add(byte: UInt8(ascii: "\""))
  }

  /// Returns a CSV field, quoted if necessary (RFC 4180).
  static func csvField(_ text: String) -> String {
    guard text.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return text }
    var quoted = "\""
    for character in text {
      if character == "\"" { quoted.append("\"") }
      quoted.append(character)
    }
    return quoted + "\""
  }

  /// Formats a number with up to 6 decimals, half away from zero; empty if that needs over 18 digits.
  static func fixed(_ value: Double, decimals: Int) -> String {
    var scale: Int64 = 1
    for _ in 0..<min(6, max(0, decimals)) { scale *= 10 }
    guard value.magnitude * Double(scale) < 1e18 else { return "" }
    let scaled = Int64((value.magnitude * Double(scale)).rounded())
    let sign = value < 0 && scaled != 0 ? "-" : ""
    if scale == 1 { return sign + String(scaled) }
    let fraction = String(scaled % scale + scale).dropFirst()
    return sign + String(scaled / scale) + "." + fraction
  }

  /// Formats a time, rounded down, like `2025-03-01T10:20:30Z`.
  ///
  /// The calendar follows H. Hinnant, "chrono-compatible low-level date algorithms".
  static func iso8601(unixTime: Double, milliseconds: Bool = false) -> String {
    guard unixTime.isFinite, unixTime.magnitude < 1e11 else { return "" }
    let thousandths = Int64((unixTime * 1000).rounded(.down))
    var second = thousandths / 1000
    if thousandths % 1000 < 0 { second -= 1 }
    var day = second / 86_400
    if second % 86_400 < 0 { day -= 1 }
    let ofDay = second - day * 86_400
    let shifted = day + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let dayOfMonth = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let clock = "\(two(ofDay / 3600)):\(two(ofDay / 60 % 60)):\(two(ofDay % 60))"
    let fraction = String(thousandths - second * 1000 + 1000).dropFirst()
    let end = milliseconds ? "." + fraction : "Z"
    return "\(year)-\(two(month))-\(two(dayOfMonth))T\(clock)\(end)"
  }
}
