import Motion

/// Parses arrays of samples, flat or nested, into rows.
struct SampleParser {
  private let table = SampleKeyTable.shared
  private let decimals = PlainDecimalReader.shared
  private let order = MemberOrder()
  /// Number of entries in `order`, starting with a sample's first member.
  private var orderCount = 1
  /// Number of texts that differed from `order` since the last sample without any.
  private var mismatches = 0

  /// Number of mismatches after which `order` is disabled, since each sample has its own order.
  private static let manyMismatches = 64

  /// Bytes that must be readable for a member: a separator, a key and a number.
  private static let reach = 1 + MemberText.reach + PlainDecimalReader.reach

  /// Parses an array from its bracket. Rows read before a failure stay in `rows`.
  ///
  /// - Returns: The number of elements that are not samples.
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

  /// Parses a sample from its brace; returns false if the object has no sample keys.
  private mutating func parseSample(
    _ scanner: inout JSONScanner, into rows: inout SampleRows, depth: Int
  ) throws(ScanFailure) -> Bool {
    let start = scanner.position
    var row = Row(rows.nextRow())
    var isKnown = false
    var place = 0
    let mismatchesBefore = mismatches
    while true {
      let position = scanner.position
      try parsePlainMembers(
        &scanner, into: &row, place: &place, isFirst: position == start, depth: depth + 1)
      if scanner.position > position { isKnown = true }
      let textStart = scanner.position
      if textStart == start {
        if scanner.entersEmpty(UInt8(ascii: "}")) { return false }
      } else if try scanner.endsAfterElement(UInt8(ascii: "}")) {
        break
      }
      let field = table.field(try scanner.skipKey())
      scanner.skipWhitespace()
      if let slot = field.slot {
        isKnown = true
        if scanner.end - textStart >= MemberText.reach {
          expect(scanner.bytes + textStart, length: scanner.position - textStart, field, at: &place)
        }
        try row.parseValue(&scanner, slot: slot, depth: depth + 1)
      } else if let quantity = field.nestedQuantity {
        isKnown = true
        try parseNested(&scanner, quantity, into: &row, depth: depth + 1)
      } else {
        try scanner.skipValue(depth: depth + 1)
      }
      place = max(place, 1)
    }
    if mismatches == mismatchesBefore, mismatches < Self.manyMismatches { mismatches = 0 }
    guard isKnown || row.slots != 0 else { return false }
    if row.isBad { rows.drop(at: start) } else { rows.accept(row) }
    return true
  }

  /// Reads consecutive members with a known key and a scalar value: nearly always the whole sample. Not
  /// inlined because the loop needs the registers.
  @inline(never)
  private mutating func parsePlainMembers(
    _ scanner: inout JSONScanner, into row: inout Row, place: inout Int, isFirst: Bool, depth: Int
  ) throws(ScanFailure) {
    guard scanner.end - scanner.position > Self.reach else { return }
    let limit = scanner.bytes + (scanner.end - Self.reach)
    // Local copies stay in registers.
    let (table, decimals) = (table, decimals)
    let start = scanner.bytes + scanner.position
    var text = start
    var expected = order.texts + place
    let values = row.values
    var slots: UInt32 = 0
    defer { row.slots |= slots }
    while text < limit {
      let slot: Int
      if expected.pointee.isNext(text) {
        slot = Int(expected.pointee.field.code)
        text += expected.pointee.length
        expected += 1
      } else {
        let separator = isFirst && text == start ? UInt8(ascii: "{") : UInt8(ascii: ",")
        guard text[0] == separator, let key = table.key(at: text + 1), let found = key.field.slot
        else { break }
        slot = found
        if mismatches < Self.manyMismatches {
          var place = expected - order.texts
          expect(text, length: key.length + 1, key.field, at: &place)
          expected = order.texts + place
        }
        text += key.length + 1
      }
      let number = decimals.read(text)
      if number.length > 0 {
        values[slot] = number.value
        slots |= 1 &<< UInt32(truncatingIfNeeded: slot)
        text += number.length
      } else {
        row.slots |= slots
        slots = 0
        scanner.position = text - scanner.bytes
        try row.parseValue(&scanner, slot: slot, depth: depth)
        text = scanner.bytes + scanner.position
      }
    }
    place = expected - order.texts
    scanner.position = text - scanner.bytes
  }

  /// Records an unexpected text before a value in `order`.
  ///
  /// - Precondition: ``MemberText/reach`` bytes are readable.
  @inline(never)
  private mutating func expect(
    _ text: UnsafePointer<UInt8>, length: Int, _ field: SampleField, at place: inout Int
  ) {
    guard mismatches < Self.manyMismatches, length <= MemberText.reach, place < MemberOrder.capacity
    else { return }
    mismatches += 1
    if mismatches == Self.manyMismatches {
      (order.texts[0], order.texts[1]) = (.none, .none)
      (orderCount, place) = (1, 1)
    } else {
      order.texts[place] = MemberText(text, length: length, field: field)
      place += 1
      orderCount = max(orderCount, place)
      order.texts[orderCount] = .none
    }
  }

  private func parseNested(
    _ scanner: inout JSONScanner, _ quantity: MotionQuantity, into row: inout Row, depth: Int
  ) throws(ScanFailure) {
    scanner.skipWhitespace()
    guard scanner.byte == UInt8(ascii: "{") else {
      // Null means that a sensor has no value; anything else is invalid.
      if scanner.byte != UInt8(ascii: "n") { row.isBad = true }
      return try scanner.skipValue(depth: depth)
    }
    guard depth < scanner.limits.depth else { throw scanner.failure(.tooDeep) }
    if scanner.entersEmpty(UInt8(ascii: "}")) { return }
    repeat {
      if let slot = SampleField.nestedSlot(quantity, try scanner.skipKey()) {
        try row.parseValue(&scanner, slot: slot, depth: depth + 1)
      } else {
        try scanner.skipValue(depth: depth + 1)
      }
    } while try !scanner.endsAfterElement(UInt8(ascii: "}"))
  }
}

/// The texts before the values of a sample, by position. The next sample nearly always repeats them.
private final class MemberOrder {
  static let capacity = 64
  /// The texts, then one that never matches.
  let texts = UnsafeMutablePointer<MemberText>.allocate(capacity: capacity + 1)

  init() { texts.initialize(repeating: .none, count: 2) }

  deinit { texts.deallocate() }
}
