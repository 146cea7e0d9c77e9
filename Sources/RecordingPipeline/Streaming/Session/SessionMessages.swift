import ChunkDecoding
import Motion
import RecordingInput
import WorkoutHistory

/// The received messages of a session's sets, as bytes. A restored session replays them.
struct SessionMessages {
  /// Messages by set name, each as written by ``encoded(_:)``.
  private var messages: [String: [[UInt8]]] = [:]
  /// Size of ``messages``, in bytes.
  private(set) var byteCount = 0
  /// Messages received since the last ``takeAdded()``.
  private var added: [UInt8] = []
  /// Number of bytes taken so far, and the number of them whose sets are gone.
  private var takenBytes = 0
  private var goneBytes = 0

  mutating func append(_ entry: JournalEntry) {
    let bytes = Self.encoded(entry)
    messages[entry.setKey, default: []].append(bytes)
    byteCount += bytes.count
    added += bytes
  }

  /// Drops the messages of sets that are no longer in memory.
  mutating func keepOnly(_ isKept: (_ set: String) -> Bool) {
    for set in messages.keys where !isKept(set) {
      let size = messages.removeValue(forKey: set)?.reduce(0) { $0 + $1.count } ?? 0
      byteCount -= size
      goneBytes += size
    }
  }

  /// All messages; those of a set are in the order of receipt.
  var all: [UInt8] { messages.values.joined().reduce(into: []) { $0 += $1 } }

  /// Returns the messages since the last call. Once most of the earlier bytes belong to sets that are gone,
  /// returns all current messages instead, which replace the earlier ones.
  mutating func takeAdded() -> (bytes: [UInt8], replacesEarlier: Bool) {
    defer { added = [] }
    let replaces = takenBytes > 0 && (byteCount == 0 || goneBytes > max(byteCount, 1 << 16))
    if replaces { (added, takenBytes, goneBytes) = (all, 0, 0) }
    takenBytes += added.count
    return (added, replaces)
  }

  // MARK: - Bytes

  private static let phases: [WorkoutPhase?] = [nil, .execution, .rest]

  private static func encoded(_ entry: JournalEntry) -> [UInt8] {
    var bytes = ByteWriter()
    bytes.append(UInt32(clamping: entry.data.count))
    bytes.append(UInt32(clamping: entry.part))
    bytes.append(UInt8(phases.firstIndex(of: entry.phase) ?? 0))
    bytes.append(entry.controlUnixTime ?? .nan)
    bytes.append(UInt16(clamping: entry.setKey.utf8.count))
    bytes.append(entry.setKey.utf8)
    bytes.append(entry.data)
    return bytes.bytes
  }

  init() {}

  /// Decodes the bytes that ``all`` or several calls of ``takeAdded()`` returned.
  ///
  /// - Throws: ``SessionSnapshotError/damaged``.
  init(_ reader: inout ByteReader) throws(SessionSnapshotError) {
    while !reader.isAtEnd {
      let entry = try Self.entry(&reader)
      let bytes = Self.encoded(entry)
      messages[entry.setKey, default: []].append(bytes)
      byteCount += bytes.count
    }
    takenBytes = byteCount
  }

  private static func entry(_ reader: inout ByteReader) throws(SessionSnapshotError) -> JournalEntry
  {
    let size = Int(try reader.integer(UInt32.self))
    let part = Int(try reader.integer(UInt32.self))
    let phase = Int(try reader.integer(UInt8.self))
    let date = Double(bitPattern: try reader.integer(UInt64.self))
    let key = String(
      decoding: try reader.bytes(Int(try reader.integer(UInt16.self))), as: UTF8.self)
    let data = Array(try reader.bytes(size))
    guard phases.indices.contains(phase) else { throw .damaged }
    return JournalEntry(
      setKey: key, part: part, sessionId: nil, exerciseId: nil, phase: phases[phase],
      controlUnixTime: date.isNaN ? nil : date, data: data)
  }

  /// Decodes the messages of a set.
  ///
  /// - Throws: ``SessionSnapshotError/damaged``.
  func decoded(
    of set: String, options: DecodingOptions, _ body: (JournalEntry, DecodedInput.Journaled) -> Void
  ) throws(SessionSnapshotError) {
    for bytes in messages[set] ?? [] {
      var reader = ByteReader(bytes[...])
      let entry = try Self.entry(&reader)
      guard let message = DecodedInput.journaled(entry, options: options) else { throw .damaged }
      body(entry, message)
    }
  }
}

/// Appends numbers in little-endian byte order.
struct ByteWriter {
  private(set) var bytes: [UInt8] = []

  mutating func append(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
  }

  mutating func append(_ number: Double) { append(number.bitPattern) }

  mutating func append(_ sequence: some Sequence<UInt8>) { bytes += sequence }
}

/// Reads values that a ``ByteWriter`` wrote, never beyond the end.
struct ByteReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func bytes(_ count: Int) throws(SessionSnapshotError) -> ArraySlice<UInt8> {
    guard count <= rest.count else { throw .damaged }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  mutating func integer<Number: FixedWidthInteger>(
    _ type: Number.Type
  ) throws(SessionSnapshotError) -> Number {
    try bytes(MemoryLayout<Number>.size).reversed().reduce(0) { $0 << 8 | Number($1) }
  }
}
