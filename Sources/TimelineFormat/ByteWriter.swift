/// Writes little-endian values.
struct ByteWriter {
  private(set) var bytes: [UInt8] = []

  mutating func uint8(_ value: UInt8) { bytes.append(value) }
  mutating func uint16(_ value: UInt16) { little(UInt64(value), count: 2) }
  mutating func uint32(_ value: UInt32) { little(UInt64(value), count: 4) }
  mutating func double(_ value: Double) { little(value.bitPattern, count: 8) }

  mutating func little(_ value: UInt64, count: Int) {
    for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * index))) }
  }

  /// Writes an unsigned LEB128 integer; negative numbers become 0.
  mutating func varint(_ value: Int) { leb128(UInt64(max(0, value))) }

  /// Writes a signed integer, zigzag-coded as an unsigned LEB128 integer.
  mutating func zigzag(_ value: Int64) { leb128(ResidualCoding.zigzag(value)) }

  private mutating func leb128(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  mutating func text(_ text: String) {
    varint(text.utf8.count)
    bytes.append(contentsOf: text.utf8)
  }

  mutating func append(_ other: some Sequence<UInt8>) { bytes.append(contentsOf: other) }
}
