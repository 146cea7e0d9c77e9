import Motion

/// Decodes the bytes of a ``SnapshotWriter``. Allocates no more memory than the bytes justify.
package final class SnapshotReader {
  private let bytes: ArraySlice<UInt8>
  private var position: Int
  package private(set) var layout = FNV1a()
  private var shared: [any SharedState] = []

  package init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  package var isAtEnd: Bool { position == bytes.endIndex }

  package func read<T: Decodable>(_ type: T.Type) throws -> T {
    let value: Any =
      switch type {
      case is Bool.Type: try bool()
      case is String.Type: String(decoding: try [UInt8].read(from: self), as: UTF8.self)
      case let type as any PlainValue.Type: try plain(type)
      case let type as any PlainSequence.Type: try type.read(from: self)
      case let type as any SharedState.Type: try sharedState(type)
      default: try T(from: SnapshotDecoder(reader: self))
      }
    guard let value = value as? T else { throw UnreadableState() }
    return value
  }

  package func readIfPresent<T: Decodable>(_ type: T.Type) throws -> T? {
    try bool() ? try read(type) : nil
  }

  /// Consumes the bytes of `count` values of a size.
  package func take(_ count: Int, of size: Int) throws -> ArraySlice<UInt8> {
    guard count <= (bytes.endIndex - position) / size else { throw UnreadableState() }
    defer { position += count * size }
    return bytes[position..<position + count * size]
  }

  /// Reads the number of elements of a sequence.
  package func count() throws -> Int {
    Int(clamping: try take(4, of: 1).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
  }

  fileprivate func bool() throws -> Bool {
    switch try take(1, of: 1).first {
    case 0: false
    case 1: true
    default: throw UnreadableState()
    }
  }

  private func plain<T: PlainValue>(_ type: T.Type) throws -> T {
    T(try take(1, of: MemoryLayout<T>.size))
  }

  private func sharedState<State: SharedState>(_ type: State.Type) throws -> any SharedState {
    let index = try plain(Int.self)
    if shared.indices.contains(index) { return shared[index] }
    guard index == shared.count else { throw UnreadableState() }
    let state = try State(from: SnapshotDecoder(reader: self))
    shared.append(state)
    return state
  }

  fileprivate func note<T>(_ key: some CodingKey, _ type: T.Type) {
    layout.append(key.stringValue.utf8)
    layout.append(CollectionOfOne(UInt8(truncatingIfNeeded: MemoryLayout<T>.size)))
  }
}

private struct SnapshotDecoder: Decoder, SingleValueDecodingContainer {
  let reader: SnapshotReader
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(FieldDecoder(reader: reader))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try ElementDecoder(reader) }
  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { false }
  func decode<T: Decodable>(_ type: T.Type) throws -> T { try reader.read(type) }
}

private struct FieldDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let reader: SnapshotReader
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { [] }

  func contains(_ key: Key) -> Bool { true }
  func decodeNil(forKey key: Key) throws -> Bool { try !reader.bool() }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    reader.note(key, T.self)
    return try reader.read(type)
  }

  private func field<T: Decodable>(_ key: Key) throws -> T? {
    reader.note(key, T.self)
    return try reader.readIfPresent(T.self)
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    try field(key)
  }

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try field(key) }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try field(key) }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try field(key) }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try field(key) }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) -> KeyedDecodingContainer<NestedKey> {
    KeyedDecodingContainer(FieldDecoder<NestedKey>(reader: reader))
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try ElementDecoder(reader)
  }

  func superDecoder() -> any Decoder { SnapshotDecoder(reader: reader) }
  func superDecoder(forKey key: Key) -> any Decoder { superDecoder() }
}

private struct ElementDecoder: UnkeyedDecodingContainer {
  private let reader: SnapshotReader
  let count: Int?
  private(set) var currentIndex = 0
  var codingPath: [any CodingKey] { [] }
  var isAtEnd: Bool { currentIndex == count }

  init(_ reader: SnapshotReader) throws {
    self.reader = reader
    count = try reader.count()
  }

  private mutating func begin() throws {
    guard !isAtEnd else { throw UnreadableState() }
    currentIndex += 1
  }

  mutating func decodeNil() -> Bool { false }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try begin()
    return try reader.read(type)
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try begin()
    return KeyedDecodingContainer(FieldDecoder<NestedKey>(reader: reader))
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try begin()
    return try ElementDecoder(reader)
  }

  mutating func superDecoder() throws -> any Decoder {
    try begin()
    return SnapshotDecoder(reader: reader)
  }
}

/// The bytes do not have the requested layout.
struct UnreadableState: Error {}
