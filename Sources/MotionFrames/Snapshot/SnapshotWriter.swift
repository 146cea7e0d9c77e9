import Motion

/// Writes `Codable` values one after the other, for a ``SnapshotReader``.
///
/// Numbers are stored as in memory, `Bool` in a byte. An optional field begins with a presence byte, a
/// sequence with its number of elements in four bytes. Names are not written: the reader requests the same
/// fields in the same order, which a digest of names and sizes verifies.
package final class SnapshotWriter {
  package private(set) var bytes: [UInt8] = []
  /// Digest of the names and sizes of all fields so far.
  package private(set) var layout = FNV1a()
  private var shared: [any SharedState] = []

  package init() {}

  package func write<T: Encodable>(_ value: T) throws {
    switch value {
    case let value as Bool: bytes.append(value ? 1 : 0)
    case let value as String: Array(value.utf8).append(to: &bytes)
    case let value as any PlainValue: append(value)
    case let values as any PlainSequence: values.append(to: &bytes)
    case let state as any SharedState:
      let known = shared.firstIndex { $0 === state }
      append(known ?? shared.count)
      guard known == nil else { return }
      shared.append(state)
      try state.encode(to: SnapshotEncoder(writer: self))
    default: try value.encode(to: SnapshotEncoder(writer: self))
    }
  }

  package func writeIfPresent<T: Encodable>(_ value: T?) throws {
    bytes.append(value == nil ? 0 : 1)
    if let value { try write(value) }
  }

  private func append(_ value: some PlainValue) {
    withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) }
  }

  fileprivate func note<T>(_ key: some CodingKey, _ type: T.Type) {
    layout.append(key.stringValue.utf8)
    layout.append(CollectionOfOne(UInt8(truncatingIfNeeded: MemoryLayout<T>.size)))
  }

  /// Reserves the bytes for a sequence's number of elements, and returns their position.
  fileprivate func beginSequence() -> Int {
    bytes += [0, 0, 0, 0]
    return bytes.count - 4
  }

  fileprivate func setCount(_ count: Int, at position: Int) {
    for i in 0..<4 { bytes[position + i] = UInt8(truncatingIfNeeded: count >> (8 * i)) }
  }
}

private struct SnapshotEncoder: Encoder, SingleValueEncodingContainer {
  let writer: SnapshotWriter
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(FieldEncoder(writer: writer))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { ElementEncoder(writer) }
  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func encodeNil() throws { try writer.write(false) }
  func encode<T: Encodable>(_ value: T) throws { try writer.write(value) }
}

private struct FieldEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let writer: SnapshotWriter
  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) throws { try writer.write(false) }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    writer.note(key, T.self)
    try writer.write(value)
  }

  private func field<T: Encodable>(_ value: T?, _ key: Key) throws {
    writer.note(key, T.self)
    try writer.writeIfPresent(value)
  }

  func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws { try field(value, key) }

  // The default implementations write nothing for nil. State and companions have optional fields of these
  // types only. A new type must be added both here and in the reader; otherwise the snapshot is refused and
  // the set is counted again.
  func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try field(value, key) }
  func encodeIfPresent(_ value: String?, forKey key: Key) throws { try field(value, key) }
  func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try field(value, key) }
  func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try field(value, key) }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    KeyedEncodingContainer(FieldEncoder<NestedKey>(writer: writer))
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    ElementEncoder(writer)
  }

  func superEncoder() -> any Encoder { SnapshotEncoder(writer: writer) }
  func superEncoder(forKey key: Key) -> any Encoder { superEncoder() }
}

private struct ElementEncoder: UnkeyedEncodingContainer {
  private let writer: SnapshotWriter
  private let position: Int
  private(set) var count = 0
  var codingPath: [any CodingKey] { [] }

  init(_ writer: SnapshotWriter) {
    self.writer = writer
    position = writer.beginSequence()
  }

  private mutating func begin() {
    count += 1
    writer.setCount(count, at: position)
  }

  mutating func encodeNil() throws {
    begin()
    try writer.write(false)
  }

  mutating func encode<T: Encodable>(_ value: T) throws {
    begin()
    try writer.write(value)
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    begin()
    return KeyedEncodingContainer(FieldEncoder<NestedKey>(writer: writer))
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    begin()
    return ElementEncoder(writer)
  }

  mutating func superEncoder() -> any Encoder {
    begin()
    return SnapshotEncoder(writer: writer)
  }
}
