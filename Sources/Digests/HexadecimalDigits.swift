extension Sequence<UInt8> {
  /// The bytes in lower-case hexadecimal, two digits each.
  package var hexadecimalDigits: String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(2 * underestimatedCount)
    for byte in self {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}

extension [UInt8] {
  /// Decodes hexadecimal digits, two per byte; nil if the text is invalid.
  package init?(hexadecimalDigits text: String) {
    let digits = Array(text.utf8)
    guard digits.count.isMultiple(of: 2) else { return nil }
    self = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let byte = UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16)
      else { return nil }
      append(byte)
    }
  }
}
