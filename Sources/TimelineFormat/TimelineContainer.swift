/// The container of a timeline: a header with a directory, followed by the bytes of the sections.
///
/// Independent of the sections' contents. See `docs/timeline-format.md`, "The container".
struct TimelineContainer {
  /// Like PNG's magic: a first byte that is not text, then line ends and DOS's end-of-file character, so that
  /// a transfer in text mode is detected.
  static let magic: [UInt8] = [0x89, 0x52, 0x54, 0x4C, 0x0D, 0x0A, 0x1A, 0x0A]
  static let majorVersion: UInt8 = 1
  static let minorVersion: UInt8 = 0

  static let headerSize = 16
  static let entrySize = 12

  struct Entry {
    var type: TimelineSectionType
    /// Bytes of the payload; may extend past the end of a truncated timeline.
    var range: Range<Int>
    var checksum: UInt32
  }

  let bytes: [UInt8]
  let entries: [Entry]

  /// Reads the header and the directory.
  ///
  /// - Parameter allowsMissingEnd: True to accept bytes that end within the sections, for recovery.
  init(
    _ bytes: [UInt8], limits: TimelineLimits = .standard, allowsMissingEnd: Bool = false
  ) throws(TimelineError) {
    let magic = Self.magic
    guard bytes.prefix(magic.count).elementsEqual(magic.prefix(bytes.count)), !bytes.isEmpty
    else { throw .notATimeline }
    var reader = ByteReader(bytes, place: "header")
    _ = try reader.skip(magic.count)
    let major = try reader.uint8()
    _ = try reader.uint8()
    let count = Int(try reader.uint16())
    let checksum = try reader.uint32()
    guard major == Self.majorVersion else {
      if major > Self.majorVersion { throw .newerFormat(major: Int(major)) }
      throw .malformed(place: "header", reason: "there is no version \(major)")
    }
    let directory = try reader.skip(count * Self.entrySize)
    let covered = Array(bytes[0..<12]) + bytes[directory]
    guard CRC32C.checksum(covered) == checksum else { throw .checksumMismatch(place: "header") }
    guard count <= limits.sections else { throw .tooLarge(place: "directory") }

    var entries: [Entry] = []
    var fields = ByteReader(bytes, range: directory, place: "directory")
    var offset = directory.upperBound
    var known: UInt64 = 0
    for _ in 0..<count {
      let type = TimelineSectionType(rawValue: try fields.uint16())
      let length = Int(try fields.little(6))
      let checksum = try fields.uint32()
      guard type.rawValue != 0 else {
        throw .malformed(place: "directory", reason: "a section of type 0")
      }
      if type.isKnown {
        guard known & 1 << type.rawValue == 0 else {
          throw .malformed(place: "directory", reason: "two sections \(type.name)")
        }
        known |= 1 << type.rawValue
      }
      entries.append(Entry(type: type, range: offset..<offset + length, checksum: checksum))
      offset += length
      guard offset < 1 << 60 else { throw .tooLarge(place: "sections") }
    }
    if offset > bytes.count && !allowsMissingEnd { throw .truncated(place: "sections") }
    guard offset >= bytes.count else {
      throw .malformed(place: "container", reason: "\(bytes.count - offset) bytes too many")
    }
    self.bytes = bytes
    self.entries = entries
  }

  /// Returns the container of bytes with a single-bit error in header or directory, by flipping each bit
  /// until the checksum matches; nil if none does. The sections' checksums detect a wrong repair.
  static func repairingHeader(
    of bytes: [UInt8], limits: TimelineLimits = .standard
  ) -> TimelineContainer? {
    var head = Array(bytes.prefix(headerSize + repairableSections * entrySize))
    for bit in 0..<8 * head.count {
      head[bit / 8] ^= 1 << UInt8(bit % 8)
      defer { head[bit / 8] ^= 1 << UInt8(bit % 8) }
      guard head.count >= headerSize, head.starts(with: magic) else { continue }
      let end = headerSize + (Int(head[10]) | Int(head[11]) << 8) * entrySize
      guard end <= head.count, bit < 8 * end else { continue }
      let stored = head[12..<16].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      guard CRC32C.checksum(Array(head[..<12]) + head[headerSize..<end]) == stored else {
        continue
      }
      var repaired = bytes
      repaired[bit / 8] ^= 1 << UInt8(bit % 8)
      return try? TimelineContainer(repaired, limits: limits, allowsMissingEnd: true)
    }
    return nil
  }

  /// Maximum number of sections in a directory to be repaired, since every bit of it is tried.
  private static let repairableSections = 32

  /// Returns the range of a section's payload after verifying its checksum.
  func verifiedRange(of entry: Entry) throws(TimelineError) -> Range<Int> {
    guard entry.range.upperBound <= bytes.count else {
      throw .truncated(place: "section \(entry.type.name)")
    }
    guard CRC32C.checksum(bytes, in: entry.range) == entry.checksum else {
      throw .checksumMismatch(place: "section \(entry.type.name)")
    }
    return entry.range
  }

  /// Returns a section after verifying its checksum.
  func section(_ entry: Entry) throws(TimelineError) -> TimelineSection {
    TimelineSection(type: entry.type, payload: Array(bytes[try verifiedRange(of: entry)]))
  }

  /// Returns the directory entry of a section type.
  func entry(_ type: TimelineSectionType) -> Entry? {
    entries.first { $0.type == type }
  }

  /// Serializes sections in the given order.
  ///
  /// - Parameter minorVersion: Version of the sections' timeline, which may be newer than this reader.
  static func serialize(
    _ sections: [TimelineSection], minorVersion: UInt8 = Self.minorVersion
  ) throws(TimelineError) -> [UInt8] {
    guard sections.count <= Int(UInt16.max) else { throw .tooLarge(place: "directory") }
    var head = ByteWriter()
    head.append(magic)
    head.uint8(majorVersion)
    head.uint8(minorVersion)
    head.uint16(UInt16(sections.count))
    var directory = ByteWriter()
    for section in sections {
      directory.uint16(section.type.rawValue)
      directory.little(UInt64(section.payload.count), count: 6)
      directory.uint32(CRC32C.checksum(section.payload))
    }
    let checksum = CRC32C.checksum(head.bytes + directory.bytes)
    head.uint32(checksum)
    head.append(directory.bytes)
    var result = head.bytes
    result.reserveCapacity(result.count + sections.reduce(0) { $0 + $1.payload.count })
    for section in sections { result.append(contentsOf: section.payload) }
    return result
  }
}
