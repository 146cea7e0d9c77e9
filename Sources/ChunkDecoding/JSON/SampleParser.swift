import Motion

/// Reads arrays of samples, flat or nested, into rows.
struct SampleParser {
  private var predicted: [Prediction] = []
  /// Whether keys are compared with the sample before; given up where each sample has an order of its
  /// own.
  private var predicts = true
  private var misses = 0
  private var unpredictableSamples = 0
  private let table = SampleKeyTable.shared

  /// The key at one place of the sample before: it will probably be there again.
  private struct Prediction {
    /// The key with its quotes and colon, zero behind them.
    var words: (UInt64, UInt64, UInt64)
    /// All bits of the bytes that the key has.
    var masks: (UInt64, UInt64, UInt64)
    var length: Int
    var field: SampleField

    static let longest = 24

    /// - Precondition: 24 bytes are readable, and `length` is at most that.
    init(_ start: UnsafePointer<UInt8>, length: Int, field: SampleField) {
      func mask(_ word: Int) -> UInt64 {
        let bytes = length - 8 * word
        return bytes >= 8 ? .max : bytes <= 0 ? 0 : (1 << UInt64(8 * bytes)) - 1
      }
      masks = (mask(0), mask(1), mask(2))
      let text = UnsafeRawPointer(start)
      words = (
        text.loadUnaligned(as: UInt64.self).littleEndian & masks.0,
        text.loadUnaligned(fromByteOffset: 8, as: UInt64.self).littleEndian & masks.1,
        text.loadUnaligned(fromByteOffset: 16, as: UInt64.self).littleEndian & masks.2
      )
      self.length = length
      self.field = field
    }

    /// - Precondition: 24 bytes are readable.
    @inline(__always)
    func matches(_ start: UnsafePointer<UInt8>) -> Bool {
      let text = UnsafeRawPointer(start)
      let first = (text.loadUnaligned(as: UInt64.self).littleEndian ^ words.0) & masks.0
      let second =
        (text.loadUnaligned(fromByteOffset: 8, as: UInt64.self).littleEndian ^ words.1) & masks.1
      let third =
        (text.loadUnaligned(fromByteOffset: 16, as: UInt64.self).littleEndian ^ words.2) & masks.2
      return first | second | third == 0
    }
  }

  /// Forgets what the last array looked like.
  mutating func reset() {
    predicted.removeAll(keepingCapacity: true)
    predicts = true
    unpredictableSamples = 0
    misses = 0
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
    var row = Row(rows.nextRow())
    var place = 0
    var known = false
    scanner.skipWhitespace()
    if scanner.byte == UInt8(ascii: "}") {
      scanner.position += 1
      return false
    }
    while true {
      let field = try key(&scanner, place: place)
      place &+= 1
      if let slot = field.slot {
        known = true
        if row.parsePlainNumber(&scanner, slot: slot) {
          // Nearly always: another key follows without any white space.
          if scanner.byte == UInt8(ascii: ",") {
            scanner.position &+= 1
            continue
          }
        } else {
          try row.parseValue(&scanner, slot: slot, depth: depth + 1)
        }
      } else if let quantity = field.nestedQuantity {
        known = true
        try parseNested(&scanner, quantity, into: &row, depth: depth + 1)
      } else {
        try scanner.skipValue(depth: depth + 1)
      }
      if try scanner.endsAfterElement(UInt8(ascii: "}")) { break }
    }
    guard known else { return false }
    if row.isBad { rows.drop(at: start) } else { rows.accept(row) }
    if predicts, misses > place / 2 {
      unpredictableSamples += 1
      if unpredictableSamples > 3 { predicts = false }
    }
    misses = 0
    return true
  }

  /// The next key's meaning: by comparison with the sample before, else by look-up.
  @inline(__always)
  private mutating func key(
    _ scanner: inout JSONScanner, place: Int
  ) throws(ScanFailure) -> SampleField {
    scanner.skipWhitespace()
    let start = scanner.position
    if predicts, place < predicted.count {
      if scanner.end - start >= Prediction.longest,
        predicted[place].matches(scanner.bytes + start)
      {
        scanner.position = start &+ predicted[place].length
        return predicted[place].field
      }
      misses &+= 1
    }
    let field = try lookUpKey(&scanner)
    if predicts { predict(field, scanner, from: start, place: place) }
    return field
  }

  private mutating func predict(
    _ field: SampleField, _ scanner: JSONScanner, from start: Int, place: Int
  ) {
    let length = scanner.position - start
    guard place < 64, length <= Prediction.longest, scanner.end - start >= Prediction.longest else {
      return
    }
    let prediction = Prediction(scanner.bytes + start, length: length, field: field)
    if place < predicted.count {
      predicted[place] = prediction
    } else if place == predicted.count {
      predicted.append(prediction)
    }
  }

  /// Reads the next key and its colon.
  @inline(__always)
  private func lookUpKey(_ scanner: inout JSONScanner) throws(ScanFailure) -> SampleField {
    let first = scanner.position + 1
    if scanner.end - first > SampleKeyTable.longestKey, scanner.bytes[first - 1] == 0x22 {
      let text = UnsafeRawPointer(scanner.bytes + first)
      var words: (UInt64, UInt64, UInt64) = (
        text.loadUnaligned(as: UInt64.self).littleEndian, 0, 0
      )
      var length = 0
      var quotes = quoteBits(words.0)
      if quotes != 0 {
        words.0 &= bytesBelow(quotes)
      } else {
        words.1 = text.loadUnaligned(fromByteOffset: 8, as: UInt64.self).littleEndian
        quotes = quoteBits(words.1)
        length = 8
        if quotes != 0 {
          words.1 &= bytesBelow(quotes)
        } else {
          words.2 = text.loadUnaligned(fromByteOffset: 16, as: UInt64.self).littleEndian
          quotes = quoteBits(words.2)
          length = 16
          words.2 &= bytesBelow(quotes)
        }
      }
      length += quotes.trailingZeroBitCount / 8
      let field = table.field(words, length: length)
      if quotes != 0, field != .unknown {
        scanner.position = first + length + 1
        try scanner.expect(UInt8(ascii: ":"), .expectedColon)
        return field
      }
    }
    let range = try scanner.skipKey()
    return table.field(
      UnsafeBufferPointer(start: scanner.bytes + range.lowerBound, count: range.count))
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

/// The top bit of each byte that is a quote; only the lowest set bit counts.
@inline(__always)
private func quoteBits(_ word: UInt64) -> UInt64 {
  let difference = word ^ 0x2222_2222_2222_2222
  return (difference &- 0x0101_0101_0101_0101) & ~difference & 0x8080_8080_8080_8080
}

/// All bits of the bytes below the byte whose top bit is the lowest one set.
@inline(__always)
private func bytesBelow(_ topBits: UInt64) -> UInt64 {
  // The lowest set bit is bit 8k + 7: below it are k bytes and seven bits.
  (((topBits & (0 &- topBits)) &- 1) >> 7)
}
