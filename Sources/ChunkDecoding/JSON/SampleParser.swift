import Motion

/// Reads arrays of samples, flat or nested, into rows.
struct SampleParser {
  private var predicted: [Prediction] = []

  /// The key at one place of the sample before: it will probably be there again.
  private struct Prediction {
    /// Where the key with quotes and colon was.
    var token: Range<Int>
    var field: SampleField
  }

  /// Parses an array from its bracket. What was read before a failure stays in `rows`.
  ///
  /// - Returns: The number of elements that are no samples.
  mutating func parseArray(
    _ scanner: inout JSONScanner, into rows: inout SampleRows, depth: Int
  ) throws(ScanFailure) -> Int {
    try scanner.expect(UInt8(ascii: "["), .expectedValue)
    guard depth + 1 < scanner.limits.depth else { throw scanner.failure(.tooDeep) }
    scanner.skipWhitespace()
    if scanner.byte == UInt8(ascii: "]") {
      scanner.position += 1
      return 0
    }
    var others = 0
    repeat {
      scanner.skipWhitespace()
      if scanner.byte == UInt8(ascii: "{") {
        guard rows.count < scanner.limits.samples else { throw scanner.failure(.tooManySamples) }
        if try !parseSample(&scanner, into: &rows, depth: depth + 1) { others += 1 }
      } else {
        try scanner.skipValue(depth: depth + 1)
        others += 1
      }
    } while try !scanner.endsAfterElement(UInt8(ascii: "]"))
    return others
  }

  /// Parses a sample from its brace; false if the object has no key that a sample has.
  private mutating func parseSample(
    _ scanner: inout JSONScanner, into rows: inout SampleRows, depth: Int
  ) throws(ScanFailure) -> Bool {
    let start = scanner.position
    scanner.position += 1
    var row = Row()
    var place = 0
    var known = false
    scanner.skipWhitespace()
    if scanner.byte == UInt8(ascii: "}") {
      scanner.position += 1
      return false
    }
    repeat {
      let field = try key(&scanner, place: place)
      place += 1
      if let slot = field.slot {
        known = true
        try row.parseValue(&scanner, slot: slot, depth: depth + 1)
      } else if let quantity = field.nestedQuantity {
        known = true
        try parseNested(&scanner, quantity, into: &row, depth: depth + 1)
      } else {
        try scanner.skipValue(depth: depth + 1)
      }
    } while try !scanner.endsAfterElement(UInt8(ascii: "}"))
    guard known else { return false }
    if row.isBad {
      rows.drop(at: start)
    } else {
      if row.sawWholeSeconds { rows.sawWholeSeconds = true }
      if row.sawFraction { rows.sawFraction = true }
      row.append(to: &rows)
    }
    return true
  }

  /// The next key's meaning: by comparison with the sample before, else by look-up.
  @inline(__always)
  private mutating func key(
    _ scanner: inout JSONScanner, place: Int
  ) throws(ScanFailure) -> SampleField {
    scanner.skipWhitespace()
    if place < predicted.count {
      let prediction = predicted[place]
      let length = prediction.token.count
      let start = scanner.position
      if scanner.end - start >= length,
        equalBytes(scanner.bytes + start, scanner.bytes + prediction.token.lowerBound, length)
      {
        scanner.position = start + length
        return prediction.field
      }
    }
    let start = scanner.position
    let range = try scanner.skipKey()
    let field = SampleKeyTable.shared.field(
      UnsafeBufferPointer(start: scanner.bytes + range.lowerBound, count: range.count))
    let prediction = Prediction(token: start..<scanner.position, field: field)
    if place < predicted.count {
      predicted[place] = prediction
    } else if place == predicted.count, place < 64 {
      predicted.append(prediction)
    }
    return field
  }

  private func parseNested(
    _ scanner: inout JSONScanner, _ quantity: MotionQuantity, into row: inout Row, depth: Int
  ) throws(ScanFailure) {
    scanner.skipWhitespace()
    guard scanner.byte == UInt8(ascii: "{") else {
      // Null is a sensor without a value; anything else is no measurement.
      if scanner.byte != UInt8(ascii: "n") { row.isBad = true }
      return try scanner.skipValue(depth: depth)
    }
    guard depth < scanner.limits.depth else { throw scanner.failure(.tooDeep) }
    scanner.position += 1
    scanner.skipWhitespace()
    if scanner.byte == UInt8(ascii: "}") {
      scanner.position += 1
      return
    }
    repeat {
      let range = try scanner.skipKey()
      let key = UnsafeBufferPointer(start: scanner.bytes + range.lowerBound, count: range.count)
      if let slot = SampleField.nestedSlot(quantity, key) {
        try row.parseValue(&scanner, slot: slot, depth: depth + 1)
      } else {
        try scanner.skipValue(depth: depth + 1)
      }
    } while try !scanner.endsAfterElement(UInt8(ascii: "}"))
  }
}

@inline(__always)
private func equalBytes(
  _ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, _ count: Int
) -> Bool {
  let a = UnsafeRawPointer(a)
  let b = UnsafeRawPointer(b)
  guard count >= 8 else {
    for offset in 0..<count {
      if a.load(fromByteOffset: offset, as: UInt8.self)
        != b.load(fromByteOffset: offset, as: UInt8.self)
      {
        return false
      }
    }
    return true
  }
  var offset = 0
  while offset + 8 < count {
    if a.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      != b.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    {
      return false
    }
    offset += 8
  }
  // The last eight bytes, overlapping those before.
  return a.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
    == b.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
}
