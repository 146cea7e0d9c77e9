/// The files in a zip archive, as listed in its central directory. Their content is read on request.
///
/// Nothing is unpacked to disk. Nested archives, encryption and methods other than "stored" and "deflated"
/// are rejected with a message. Sizes, offsets and the directory may be in zip64 format (APPNOTE.TXT 4.3.14,
/// 4.3.15 and 4.5.3).
final class ZipArchive: Sendable {
  struct Entry: Sendable, Hashable {
    /// The path in the archive.
    var name: String
    fileprivate var method: UInt16
    fileprivate var isEncrypted: Bool
    fileprivate var checksum: UInt32
    fileprivate var compressedSize: Int
    fileprivate var size: Int
    fileprivate var headerOffset: Int
  }

  let path: String
  let entries: [Entry]
  private let indexOfName: [String: Int]
  private let byteCount: Int

  /// Maximum number of files in an archive.
  static let maximumEntries = 100_000
  private static let endSize = 22
  private static let largeEndSize = 56
  private static let locatorSize = 20
  /// Placeholders for numbers that are stored in zip64 fields.
  private static let absent32 = Int(clamping: UInt32.max)
  private static let absent16: UInt16 = 0xFFFF

  /// - Throws: ``FileReading/Failure`` if the file is not an archive or cannot be read.
  init(path: String) throws(FileReading.Failure) {
    self.path = path
    byteCount = try FileReading.size(ofFile: path)
    let directory = try Self.directory(of: path, byteCount: byteCount)
    entries = try Self.entries(in: directory, byteCount: byteCount)
    var indexOfName: [String: Int] = [:]
    for (index, entry) in entries.enumerated() where indexOfName[entry.name] == nil {
      indexOfName[entry.name] = index
    }
    self.indexOfName = indexOfName
  }

  func entry(named name: String) -> Entry? { indexOfName[name].map { entries[$0] } }

  /// Returns the content of a file in the archive.
  ///
  /// - Parameter limit: Maximum size; larger files are rejected.
  /// - Throws: ``FileReading/Failure``.
  func bytes(of entry: Entry, limit: Int) throws(FileReading.Failure) -> [UInt8] {
    let limit = Inflater.limit(ofCompressed: entry.compressedSize, limit)
    guard entry.size <= limit else {
      throw failure("unpacks to \(entry.size) bytes, more than \(limit); unpack it first")
    }
    let packed = try packed(entry, atMost: entry.compressedSize)
    guard packed.count == entry.compressedSize else { throw failure("its entry is cut off") }
    let content = try unpack(packed, entry, limit: max(1, entry.size), stopsAtLimit: false)
    guard content.count == entry.size, Inflater.crc32(content) == entry.checksum else {
      throw failure("its content does not fit its checksum")
    }
    return content
  }

  /// Returns the first bytes of a file in the archive, even if the rest is damaged.
  ///
  /// - Throws: ``FileReading/Failure``.
  func head(of entry: Entry, count: Int) throws(FileReading.Failure) -> [UInt8] {
    // Incompressible data grow only slightly; a deflate code takes at most two bytes per byte.
    let packed = try packed(entry, atMost: min(entry.compressedSize, 2 * count + 1024))
    return Array(try unpack(packed, entry, limit: count, stopsAtLimit: true).prefix(count))
  }

  /// Returns the first bytes of a file in compressed form.
  private func packed(_ entry: Entry, atMost count: Int) throws(FileReading.Failure) -> [UInt8] {
    guard !entry.isEncrypted else { throw failure("is encrypted") }
    let header = try Self.read(path, at: entry.headerOffset, count: 30)
    guard header.count == 30, Self.word(header, 0) == 0x0403_4B50 else {
      throw failure("its entry is damaged")
    }
    let start = entry.headerOffset + 30 + Int(Self.half(header, 26)) + Int(Self.half(header, 28))
    return try Self.read(path, at: start, count: count)
  }

  private func unpack(
    _ packed: [UInt8], _ entry: Entry, limit: Int, stopsAtLimit: Bool
  ) throws(FileReading.Failure) -> [UInt8] {
    switch entry.method {
    case 0: return packed
    case 8:
      let result = packed.withUnsafeBytes { bytes in
        Result { () throws(Inflater.Failure) in
          try Inflater.inflate(bytes, .raw, limit: limit, stopsAtLimit: stopsAtLimit)
        }
      }
      return try result.mapError { failure($0.description) }.get()
    default: throw failure("is packed by method \(entry.method), which is not read")
    }
  }

  private func failure(_ text: String) -> FileReading.Failure {
    FileReading.Failure(description: text)
  }

  // MARK: - The central directory

  private static func directory(
    of path: String, byteCount: Int
  ) throws(FileReading.Failure) -> [UInt8] {
    let tailSize = min(byteCount, endSize + 65_535)
    let tail = try read(path, at: byteCount - tailSize, count: tailSize)
    guard tail.count >= endSize else { throw FileReading.Failure(description: "no zip archive") }
    guard
      let end = (0...(tail.count - endSize)).reversed().first(where: {
        word(tail, $0) == 0x0605_4B50
          && $0 + endSize + Int(half(tail, $0 + 20)) == tail.count
      })
    else {
      throw FileReading.Failure(
        description: "a damaged zip archive: its directory is missing, it may be cut off")
    }
    var (size, offset) = (Int(clamping: word(tail, end + 12)), Int(clamping: word(tail, end + 16)))
    var endOffset = byteCount - tailSize + end
    if offset == absent32 || size == absent32 || half(tail, end + 10) == absent16 {
      (size, offset, endOffset) = try largeDirectory(of: path, endOffset: endOffset)
    }
    guard size <= endOffset, offset <= endOffset - size else {
      throw FileReading.Failure(description: "a damaged zip archive: its directory is cut off")
    }
    return try read(path, at: offset, count: size)
  }

  /// Locates the directory by the zip64 end record, whose locator precedes the usual one.
  private static func largeDirectory(
    of path: String, endOffset: Int
  ) throws(FileReading.Failure) -> (size: Int, offset: Int, endOffset: Int) {
    let locator = try read(path, at: endOffset - locatorSize, count: locatorSize)
    if locator.count == locatorSize, word(locator, 0) == 0x0706_4B50 {
      let recordOffset = long(locator, 8)
      let record =
        recordOffset < endOffset
        ? try read(path, at: recordOffset, count: largeEndSize) : []
      if record.count == largeEndSize, word(record, 0) == 0x0606_4B50 {
        return (long(record, 40), long(record, 48), recordOffset)
      }
    }
    throw FileReading.Failure(description: "a damaged zip64 archive: its directory is missing")
  }

  private static func entries(
    in directory: [UInt8], byteCount: Int
  ) throws(FileReading.Failure) -> [Entry] {
    var entries: [Entry] = []
    var offset = 0
    var packed = 0
    while offset + 46 <= directory.count, word(directory, offset) == 0x0201_4B50 {
      let nameSize = Int(half(directory, offset + 28))
      let extra = offset + 46 + nameSize
      let extraEnd = extra + Int(half(directory, offset + 30))
      let next = extraEnd + Int(half(directory, offset + 32))
      guard next <= directory.count else { break }
      let name = String(decoding: directory[(offset + 46)..<extra], as: UTF8.self)
      var entry = Entry(
        name: name, method: half(directory, offset + 10),
        isEncrypted: half(directory, offset + 8) & 1 != 0,
        checksum: word(directory, offset + 16),
        compressedSize: Int(clamping: word(directory, offset + 20)),
        size: Int(clamping: word(directory, offset + 24)),
        headerOffset: Int(clamping: word(directory, offset + 42)))
      takeLargeFields(directory[extra..<extraEnd], into: &entry)
      // Overlapping entries would let a small archive unpack to unlimited size.
      guard entries.count < maximumEntries, entry.compressedSize <= byteCount - packed,
        entry.headerOffset <= byteCount
      else {
        throw FileReading.Failure(description: "a zip archive with impossibly many or large files")
      }
      packed += entry.compressedSize
      entries.append(entry)
      offset = next
    }
    guard offset == directory.count else {
      throw FileReading.Failure(description: "a damaged zip archive: its directory is damaged")
    }
    return entries
  }

  /// Reads sizes and offset from the zip64 extra field, which contains those missing from the entry, in this
  /// order.
  private static func takeLargeFields(_ extra: ArraySlice<UInt8>, into entry: inout Entry) {
    let bytes = Array(extra)
    var offset = 0
    while offset + 4 <= bytes.count {
      var field = offset + 4
      let end = field + Int(half(bytes, offset + 2))
      guard end <= bytes.count else { return }
      if half(bytes, offset) == 1 {
        func takeIfAbsent(_ value: inout Int) {
          guard value == absent32, field + 8 <= end else { return }
          value = long(bytes, field)
          field += 8
        }
        takeIfAbsent(&entry.size)
        takeIfAbsent(&entry.compressedSize)
        takeIfAbsent(&entry.headerOffset)
        return
      }
      offset = end
    }
  }

  private static func read(
    _ path: String, at offset: Int, count: Int
  ) throws(FileReading.Failure) -> [UInt8] {
    guard offset >= 0, count > 0 else { return [] }
    return try FileReading.bytes(ofFile: path, at: offset, count: count)
  }

  private static func half(_ bytes: [UInt8], _ offset: Int) -> UInt16 {
    UInt16(bytes[offset]) | UInt16(bytes[offset + 1]) << 8
  }

  private static func word(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
    UInt32(half(bytes, offset)) | UInt32(half(bytes, offset + 2)) << 16
  }

  /// Reads a 64-bit number. Numbers beyond any file size are clamped to the largest integer.
  private static func long(_ bytes: [UInt8], _ offset: Int) -> Int {
    Int(clamping: UInt64(word(bytes, offset)) | UInt64(word(bytes, offset + 4)) << 32)
  }
}
