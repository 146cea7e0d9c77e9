/// Escapes arbitrary text for use in a page.
enum MarkupText {
  /// Escapes text as content or attribute value of SVG, XML or HTML. Characters that XML forbids become
  /// U+FFFD. Controls that change the direction of writing are made visible.
  static func escaped(_ text: String) -> String {
    var result = ""
    result.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x26: result += "&amp;"
      case 0x3C: result += "&lt;"
      case 0x3E: result += "&gt;"
      case 0x22: result += "&quot;"
      case 0x27: result += "&#39;"
      case 0x09, 0x0A, 0x0D, 0x2028, 0x2029: result += " "
      case 0..<0x20, 0x7F..<0xA0, 0xFFFE, 0xFFFF, 0x202A...0x202E, 0x2066...0x2069:
        result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Escapes JSON text for a script element, so that it cannot end the element or a line.
  static func scriptSafe(json: String) -> String {
    var result = ""
    result.reserveCapacity(json.utf8.count)
    for scalar in json.unicodeScalars {
      switch scalar.value {
      case 0x26: result += "\\u0026"
      case 0x3C: result += "\\u003c"
      case 0x3E: result += "\\u003e"
      case 0x2028: result += "\\u2028"
      case 0x2029: result += "\\u2029"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Returns an estimate of a text's width in the pages' font, in pixels. Tends to overestimate.
  static func width(_ text: String, size: Double) -> Double {
    text.unicodeScalars.reduce(0.0) { sum, scalar in
      let share =
        switch scalar.value {
        case 0x20, 0x2C, 0x2E, 0x3A, 0x69, 0x6A, 0x6C: 0.34
        case 0x30...0x39: 0.6
        case 0x41...0x5A, 0x6D, 0x77, 0x25: 0.8
        case 0x1100...: 1.05
        default: 0.6
        }
      return sum + share * size
    }
  }

  /// Returns the text, shortened in the middle if it is wider than `width` pixels.
  static func fitted(_ text: String, size: Double, width: Double) -> String {
    guard self.width(text, size: size) > width else { return text }
    var head: [Character] = []
    var tail: [Character] = []
    var used = self.width("…", size: size)
    var rest = text[...]
    while let first = rest.first {
      used += self.width(String(first), size: size)
      if used > width { break }
      head.append(first)
      rest.removeFirst()
      guard let last = rest.last else { break }
      used += self.width(String(last), size: size)
      if used > width { break }
      tail.append(last)
      rest.removeLast()
    }
    return String(head) + "…" + String(tail.reversed())
  }
}
