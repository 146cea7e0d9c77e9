import Motion

/// Reads arrays of samples, flat or nested, into rows.
struct SampleParser {
  private let table = SampleKeyTable.shared
  private let order = KeyOrder()
  /// Number of keys in `order`.
  private var orderCount = 0
  /// Number of keys that were not where `order` has them, since the last sample without any.
  private var surprises = 0

  /// Number of surprises after which each sample is taken to have an order of its own, and `order` is not used.
  private static let manySurprises = 64

  /// Bytes that must be readable for a member: a key in quotes, a colon, a space, and a number.
  private static let reach = 1 + SampleKeyTable.reach + 1 + PlainDecimal.reach

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
    var known = false
    var place = 0
    let surprisesBefore = surprises
    scanner.skipWhitespace()
    if scanner.byte == UInt8(ascii: "}") {
      scanner.position += 1
      return false
    }
    repeat {
      guard let field = try parsePlainMembers(&scanner, into: &row, place: &place) else { continue }
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
    if surprises == surprisesBefore, orderCount > 0 { surprises = 0 }
    guard known || row.slots != 0 else { return false }
    if row.isBad { rows.drop(at: start) } else { rows.accept(row) }
    return true
  }

  /// Reads members with a known key and a plain number, which nearly all are. Not inlined, as its loop needs the
  /// registers.
  ///
  /// - Returns: The field of the first other member, whose value is next; nil at the end of the sample.
  @inline(never)
  private mutating func parsePlainMembers(
    _ scanner: inout JSONScanner, into row: inout Row, place: inout Int
  ) throws(ScanFailure) -> SampleField? {
    let (table, predicted) = (table, order.keys)
    // Copies, which the compiler keeps in registers: the next number waits for none of them in memory.
    let bytes = scanner.bytes
    let end = scanner.end
    var position = scanner.position
    var index = place
    defer { place = index }
    while true {
      guard end &- position > Self.reach else { break }
      guard bytes[position] == UInt8(ascii: "\"") else {
        scanner.position = position
        let first = scanner.firstAfterWhitespace
        if first == position { break }
        position = first
        continue
      }
      let start = bytes + (position &+ 1)
      let key: UnsafePointer<SampleKeyTable.Key>
      let length: Int
      if index < orderCount, predicted[index].pointee.isNext(start) {
        key = predicted[index]
        length = key.pointee.length
      } else {
        guard let found = table.key(at: start) else { break }
        (key, length) = found
        if surprises < Self.manySurprises { note(key, at: index) }
      }
      index &+= 1
      position = position &+ length &+ 1
      // A branch and no conditional move, which would make all that follows wait for this byte.
      if _slowPath(bytes[position] == UInt8(ascii: " ")) { position &+= 1 }
      guard let slot = key.pointee.field.slot,
        case let number = PlainDecimal.read(bytes + position), number.length > 0,
        case let next = bytes[position &+ number.length],
        next == UInt8(ascii: ",") || next | 0x20 != UInt8(ascii: "e")
      else {
        scanner.position = position
        return key.pointee.field
      }
      row.set(slot, number.value)
      position = position &+ number.length
      guard next == UInt8(ascii: ",") else {
        scanner.position = position
        return nil
      }
      position &+= 1
    }
    scanner.position = position
    let key = try scanner.skipKey()
    return table.field(
      UnsafeBufferPointer(start: scanner.bytes + key.lowerBound, count: key.count))
  }

  /// Notes a key that was not expected at its place in the sample.
  @inline(never)
  private mutating func note(_ key: UnsafePointer<SampleKeyTable.Key>, at place: Int) {
    surprises += 1
    if surprises == Self.manySurprises {
      orderCount = 0
    } else if place <= orderCount, place < KeyOrder.capacity {
      order.keys[place] = key
      orderCount = max(orderCount, place + 1)
    }
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

/// The keys of the samples before, by place: the next sample nearly always repeats them.
private final class KeyOrder {
  static let capacity = 64
  let keys = UnsafeMutablePointer<UnsafePointer<SampleKeyTable.Key>>.allocate(capacity: capacity)

  deinit { keys.deallocate() }
}
