/// A small JSON document as a tree, for sidecars, messages and column descriptions; never for samples.
enum JSONValue: Sendable, Equatable {
  case null
  case bool(Bool)
  case number(Double)
  case text(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// Parses a document of exactly one value. The last of equal keys is used.
  static func parse(
    _ bytes: UnsafeRawBufferPointer, limits: DecodingLimits
  ) throws(DecodingFailure) -> JSONValue {
    let start = try textStart(of: bytes)
    var scanner = JSONScanner(bytes, range: start..<bytes.count, limits: limits)
    do throws(ScanFailure) {
      let value = try JSONValue(&scanner, depth: 0)
      scanner.skipWhitespace()
      guard scanner.position == scanner.end else { throw scanner.failure(.trailingContent) }
      return value
    } catch {
      throw error.failure(limits: limits)
    }
  }

  init(_ scanner: inout JSONScanner, depth: Int) throws(ScanFailure) {
    scanner.skipWhitespace()
    switch scanner.byte {
    case UInt8(ascii: "{"):
      guard depth < scanner.limits.depth else { throw scanner.failure(.tooDeep) }
      var members: [String: JSONValue] = [:]
      if !scanner.entersEmpty(UInt8(ascii: "}")) {
        repeat {
          let key = JSONScanner.text(try scanner.skipKey())
          members[key] = try JSONValue(&scanner, depth: depth + 1)
        } while try !scanner.endsAfterElement(UInt8(ascii: "}"))
      }
      self = .object(members)
    case UInt8(ascii: "["):
      guard depth < scanner.limits.depth else { throw scanner.failure(.tooDeep) }
      var elements: [JSONValue] = []
      if !scanner.entersEmpty(UInt8(ascii: "]")) {
        repeat {
          elements.append(try JSONValue(&scanner, depth: depth + 1))
        } while try !scanner.endsAfterElement(UInt8(ascii: "]"))
      }
      self = .array(elements)
    case UInt8(ascii: "\""):
      self = .text(JSONScanner.text(try scanner.skipString()))
    case UInt8(ascii: "-"), 0x30...0x39:
      self = .number(try scanner.number())
    case UInt8(ascii: "t"):
      try scanner.skipLiteral("true")
      self = .bool(true)
    case UInt8(ascii: "f"):
      try scanner.skipLiteral("false")
      self = .bool(false)
    case UInt8(ascii: "n"):
      try scanner.skipLiteral("null")
      self = .null
    default: throw scanner.failure(.expectedValue)
    }
  }

  subscript(key: String) -> JSONValue? {
    if case .object(let members) = self { members[key] } else { nil }
  }

  /// The text, or a number in its shortest form, since ids are sent as both.
  var idText: String? {
    switch self {
    case .text(let text): text
    case .number(let number):
      number.magnitude < 1e15 && number == number.rounded() ? "\(Int64(number))" : "\(number)"
    default: nil
    }
  }

  var text: String? { if case .text(let text) = self { text } else { nil } }
  var number: Double? { if case .number(let number) = self { number } else { nil } }

  /// The value if it is a whole number that a double represents exactly.
  var integer: Int? {
    guard let number, number.magnitude < 1e15 else { return nil }
    return Int(exactly: number)
  }

  /// Returns seconds since 1970 for a number in any date encoding or ISO 8601 text.
  func unixTime(_ encoding: DateEncoding?) -> Double? {
    switch self {
    case .text(let text): ISO8601.parse(text)?.unixTime
    case .number(let value):
      value.isFinite ? (encoding ?? .recognize(value))?.unixTime(value) : nil
    default: nil
    }
  }
}

/// Returns the offset of UTF-8 text after its byte order mark; fails for UTF-16 and UTF-32.
func textStart(of bytes: UnsafeRawBufferPointer) throws(DecodingFailure) -> Int {
  guard bytes.count >= 2 else { return 0 }
  // A byte order mark, or two ASCII characters of two bytes each. A lone NUL is a different error.
  let isUTF16 =
    (bytes[0] == 0xFF && bytes[1] == 0xFE) || (bytes[0] == 0xFE && bytes[1] == 0xFF)
    || (bytes.count != 3 && bytes[0] == 0 && (bytes.count == 2 || bytes[2] == 0))
    || (bytes.count != 3 && bytes[0] < 0x80 && bytes[1] == 0
      && (bytes.count == 2 || bytes[3] == 0))
  if isUTF16 {
    throw DecodingFailure(
      .unsupportedEncoding, "the text seems to be UTF-16; UTF-8 was expected", byteOffset: 0)
  }
  if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { return 3 }
  return 0
}
