/// Reads little-endian values from a range of bytes, with checks.
struct ByteReader {
  let bytes: [UInt8]
  private(set) var position: Int
  let end: Int
  /// Name of the range, for errors.
  var place: String

  init(_ bytes: [UInt8], range: Range<Int>? = nil, place: String) {
    self.bytes = bytes
    let range = range ?? 0..<bytes.count
    position = max(0, range.lowerBound)
    end = min(range.upperBound, bytes.count)
    self.place = place
  }

  var remaining: Int { max(0, end - position) }
  var isAtEnd: Bool { position >= end }

  private mutating func take(_ count: Int) throws(TimelineError) -> Int {
    guard count >= 0, count <= remaining else { throw .truncated(place: place) }
    let start = position
    position += count
    return start
  }

  mutating func uint8() throws(TimelineError) -> UInt8 {
    bytes[try take(1)]
  }

  mutating func uint16() throws(TimelineError) -> UInt16 {
    UInt16(truncatingIfNeeded: try little(2))
  }

  mutating func uint32() throws(TimelineError) -> UInt32 {
    UInt32(truncatingIfNeeded: try little(4))
  }

  mutating func double() throws(TimelineError) -> Double {
    Double(bitPattern: try little(8))
  }

  /// Reads an unsigned integer of 1 to 8 bytes, least significant first.
  mutating func little(_ count: Int) throws(TimelineError) -> UInt64 {
    let start = try take(count)
    var value: UInt64 = 0
    for index in (0..<count).reversed() { value = value << 8 | UInt64(bytes[start + index]) }
    return value
  }

  /// Reads an unsigned LEB128 integer of at most 63 bits in its shortest form.
  mutating func varint() throws(TimelineError) -> Int { Int(try leb128(bits: 63)) }

  /// Reads a signed integer, zigzag-coded as an unsigned LEB128 integer of at most 64 bits in its shortest form.
  mutating func zigzag() throws(TimelineError) -> Int64 {
    ResidualCoding.unzigzag(try leb128(bits: 64))
  }

  private mutating func leb128(bits: UInt64) throws(TimelineError) -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: 0, to: bits, by: 7) {
      let byte = try uint8()
      value |= UInt64(byte & 0x7F) << shift
      guard byte & 0x80 == 0 else { continue }
      guard byte != 0 || shift == 0, shift < 63 || byte <= 1 else {
        throw .malformed(place: place, reason: "an integer is not in its shortest form")
      }
      return value
    }
    throw .malformed(place: place, reason: "an integer exceeds \(bits) bits")
  }

  /// Skips bytes and returns their range.
  mutating func skip(_ count: Int) throws(TimelineError) -> Range<Int> {
    let start = try take(count)
    return start..<start + count
  }

  mutating func text() throws(TimelineError) -> String {
    let range = try skip(try varint())
    guard let text = String(validating: bytes[range], as: UTF8.self) else {
      throw .malformed(place: place, reason: "a text is not UTF-8")
    }
    return text
  }

  /// Reads values with names, which must be in strictly ascending order of their UTF-8.
  mutating func named<Value>(
    _ count: Int, _ value: (inout ByteReader) throws(TimelineError) -> Value
  ) throws(TimelineError) -> [String: Value] {
    var result: [String: Value] = [:]
    var last = ""
    for index in 0..<count {
      let name = try text()
      guard index == 0 || last.utf8.lexicographicallyPrecedes(name.utf8),
        result.updateValue(try value(&self), forKey: name) == nil
      else { throw .malformed(place: place, reason: "names that come twice or out of order") }
      last = name
    }
    return result
  }

  func requireEnd() throws(TimelineError) {
    guard isAtEnd else { throw .malformed(place: place, reason: "\(remaining) bytes too many") }
  }
}
