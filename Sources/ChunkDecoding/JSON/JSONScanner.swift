/// A position in JSON text, with the operations that all JSON parsers share. Checks every read.
struct JSONScanner {
  let bytes: UnsafePointer<UInt8>
  let end: Int
  var position: Int
  let limits: DecodingLimits

  /// Creates a scanner for a part of a buffer. Offsets count from the start of the buffer.
  ///
  /// - Precondition: `range` lies in the buffer, and the buffer outlives the scanner.
  init(_ buffer: UnsafeRawBufferPointer, range: Range<Int>, limits: DecodingLimits) {
    precondition(range.lowerBound >= 0 && range.upperBound <= buffer.count)
    // An empty buffer may have no address; it is never read.
    bytes =
      buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
      ?? UnsafePointer(bitPattern: 1).unsafelyUnwrapped
    end = range.upperBound
    position = range.lowerBound
    self.limits = limits
  }

  /// The byte at the position, or 0 at the end. NUL is never valid, so errors can distinguish them.
  @inline(__always)
  var byte: UInt8 { position < end ? bytes[position] : 0 }

  func failure(_ reason: ScanFailure.Reason) -> ScanFailure {
    ScanFailure(reason: position >= end ? .endOfInput : reason, offset: min(position, end))
  }

  @inline(__always)
  mutating func skipWhitespace() {
    while position < end {
      let byte = bytes[position]
      guard byte <= 0x20 else { return }
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
      position += 1
    }
  }

  /// Moves past `byte`, which must be next after white space.
  @inline(__always)
  mutating func expect(_ expected: UInt8, _ reason: ScanFailure.Reason) throws(ScanFailure) {
    skipWhitespace()
    guard position < end, bytes[position] == expected else { throw failure(reason) }
    position += 1
  }

  /// Moves past a valid JSON value of any kind.
  mutating func skipValue(depth: Int) throws(ScanFailure) {
    skipWhitespace()
    switch byte {
    case UInt8(ascii: "{"):
      guard depth < limits.depth else { throw failure(.tooDeep) }
      if entersEmpty(UInt8(ascii: "}")) { return }
      repeat {
        _ = try skipKey()
        try skipValue(depth: depth + 1)
      } while try !endsAfterElement(UInt8(ascii: "}"))
    case UInt8(ascii: "["):
      guard depth < limits.depth else { throw failure(.tooDeep) }
      if entersEmpty(UInt8(ascii: "]")) { return }
      repeat { try skipValue(depth: depth + 1) } while try !endsAfterElement(UInt8(ascii: "]"))
    case UInt8(ascii: "\""):
      _ = try skipString()
    case UInt8(ascii: "-"), 0x30...0x39:
      _ = try number()
    case UInt8(ascii: "t"): try skipLiteral("true")
    case UInt8(ascii: "f"): try skipLiteral("false")
    case UInt8(ascii: "n"): try skipLiteral("null")
    default: throw failure(.expectedValue)
    }
  }

  /// Moves into the array or object at the position. If it is empty, moves past it and returns true.
  mutating func entersEmpty(_ closing: UInt8) -> Bool {
    position += 1
    skipWhitespace()
    guard byte == closing else { return false }
    position += 1
    return true
  }

  /// Moves past a comma or closing bracket after an element; returns true for the bracket.
  @inline(__always)
  mutating func endsAfterElement(_ closing: UInt8) throws(ScanFailure) -> Bool {
    skipWhitespace()
    guard position < end else { throw failure(.endOfInput) }
    let byte = bytes[position]
    guard byte == UInt8(ascii: ",") || byte == closing else {
      throw failure(.expectedCommaOrEnd)
    }
    position += 1
    return byte == closing
  }

  /// Moves past a key and its colon; returns the key's characters.
  @inline(__always)
  mutating func skipKey() throws(ScanFailure) -> UnsafeBufferPointer<UInt8> {
    skipWhitespace()
    guard byte == UInt8(ascii: "\"") else { throw failure(.expectedKey) }
    let key = try skipString()
    try expect(UInt8(ascii: ":"), .expectedColon)
    return key
  }

  /// Reads the number at the position and moves past it.
  @inline(__always)
  mutating func number() throws(ScanFailure) -> Double {
    guard let value = parseDecimal(bytes, at: &position, end: end, grammar: .json) else {
      throw failure(.invalidNumber)
    }
    return value
  }

  mutating func skipLiteral(_ literal: StaticString) throws(ScanFailure) {
    for index in 0..<literal.utf8CodeUnitCount {
      guard position < end else { throw failure(.endOfInput) }
      guard bytes[position] == literal.utf8Start[index] else { throw failure(.invalidLiteral) }
      position += 1
    }
  }

  /// Moves past the string whose opening quote is at the position; returns its characters.
  mutating func skipString() throws(ScanFailure) -> UnsafeBufferPointer<UInt8> {
    position += 1
    let start = position
    while position < end {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") {
        position += 1
        return UnsafeBufferPointer(start: bytes + start, count: position - 1 - start)
      }
      if byte < 0x20 { throw failure(.controlCharacter) }
      if byte == UInt8(ascii: "\\") {
        try skipEscape()
      } else if byte < 0x80 {
        position += 1
      } else {
        try skipMultibyteCharacter()
      }
    }
    throw failure(.endOfInput)
  }

  private mutating func skipEscape() throws(ScanFailure) {
    position += 1
    guard position < end else { throw failure(.endOfInput) }
    switch bytes[position] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      position += 1
    case UInt8(ascii: "u"):
      position += 1
      for _ in 0..<4 {
        guard position < end else { throw failure(.endOfInput) }
        guard hexDigit(bytes[position]) != nil else { throw failure(.invalidEscape) }
        position += 1
      }
    default: throw failure(.invalidEscape)
    }
  }

  /// Moves past a UTF-8 sequence (RFC 3629): no overlong forms, no surrogates, nothing above U+10FFFF.
  private mutating func skipMultibyteCharacter() throws(ScanFailure) {
    let first = bytes[position]
    let count: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch first {
    case 0xC2...0xDF: count = 2
    case 0xE0: (count, second) = (3, 0xA0...0xBF)
    case 0xE1...0xEC, 0xEE...0xEF: count = 3
    case 0xED: (count, second) = (3, 0x80...0x9F)
    case 0xF0: (count, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: count = 4
    case 0xF4: (count, second) = (4, 0x80...0x8F)
    default: throw failure(.invalidUTF8)
    }
    for index in 1..<count {
      guard position + index < end else {
        position = end
        throw failure(.endOfInput)
      }
      let byte = bytes[position + index]
      guard index == 1 ? second.contains(byte) : byte & 0xC0 == 0x80 else {
        throw failure(.invalidUTF8)
      }
    }
    position += count
  }

  /// Returns a text with its escapes resolved. A lone surrogate becomes U+FFFD.
  static func text(_ raw: UnsafeBufferPointer<UInt8>) -> String {
    guard raw.contains(UInt8(ascii: "\\")) else { return String(decoding: raw, as: UTF8.self) }
    var units: [UInt16] = []
    var literalStart = 0
    var index = 0
    func flush(to end: Int) {
      units.append(
        contentsOf: String(decoding: raw[literalStart..<end], as: UTF8.self).utf16)
    }
    while index + 1 < raw.count {
      guard raw[index] == UInt8(ascii: "\\") else {
        index += 1
        continue
      }
      flush(to: index)
      index += 2
      switch raw[index - 1] {
      case UInt8(ascii: "b"): units.append(8)
      case UInt8(ascii: "f"): units.append(12)
      case UInt8(ascii: "n"): units.append(10)
      case UInt8(ascii: "r"): units.append(13)
      case UInt8(ascii: "t"): units.append(9)
      case UInt8(ascii: "u"):
        var unit: UInt16 = 0
        for _ in 0..<4 where index < raw.count {
          unit = unit << 4 | UInt16(hexDigit(raw[index]) ?? 0)
          index += 1
        }
        units.append(unit)
      case let other: units.append(UInt16(other))
      }
      literalStart = index
    }
    flush(to: raw.count)
    return String(decoding: units, as: UTF16.self)
  }
}

@inline(__always)
private func hexDigit(_ byte: UInt8) -> UInt8? {
  switch byte {
  case 0x30...0x39: byte - 0x30
  case 0x41...0x46: byte - 0x37
  case 0x61...0x66: byte - 0x57
  default: nil
  }
}
