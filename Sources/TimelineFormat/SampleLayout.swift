import Motion

/// The header of a samples section: number of rows, columns, units, and the positions of the blocks. See
/// `docs/timeline-format.md`, "Samples".
struct SampleLayout {
  static let rowsPerBlockRange = 1...65536

  struct Column {
    /// Nil for a channel that is unknown to this version.
    var channel: MotionChannel?
    var id: UInt8
    var isEstimated: Bool
  }

  struct Block {
    /// Rows of the section's samples.
    var rows: Range<Int>
    /// Position in the timeline's bytes.
    var range: Range<Int>
    /// Nil if the section has only this block, which the section's checksum covers.
    var checksum: UInt32?
    /// Minimum and maximum time, in the time column's unit; nil if the section has only this block.
    var times: (Double, Double)?

    /// The rows, for errors.
    var name: String { "rows \(rows.lowerBound)..<\(rows.upperBound)" }
  }

  var sampleCount: Int
  var clock: MotionClock
  var units: MotionUnits
  var precision: TimelinePrecision
  var columns: [Column]
  var blocks: [Block]
}

extension SampleLayout {
  /// Reads the header of a samples section. Allocates nothing for samples.
  init(
    _ bytes: [UInt8], section: Range<Int>, limits: TimelineLimits
  ) throws(TimelineError) {
    var reader = ByteReader(bytes, range: section, place: "section samples")
    func malformed(_ reason: String) -> TimelineError {
      .malformed(place: "section samples", reason: reason)
    }
    sampleCount = try reader.varint()
    guard let clock = MotionClock(rawValue: try reader.uint8()) else {
      throw malformed("unknown clock")
    }
    self.clock = clock
    guard let timeUnit = TimeUnit(rawValue: try reader.uint8()) else {
      throw malformed("unknown unit of time")
    }
    let unitBits = try reader.uint8()
    guard unitBits & 0xE0 == 0 else { throw malformed("unknown units") }
    units = MotionUnits(bits: unitBits, time: timeUnit)
    switch try reader.uint8() {
    case 0: precision = .lossless
    case 1: precision = .bounded(.standard)
    case 2:
      precision = .bounded(
        ErrorBounds(
          time: try reader.double(), acceleration: try reader.double(),
          rotationRate: try reader.double(), attitude: try reader.double(),
          magneticField: try reader.double(), quaternion: try reader.double()))
    default: throw malformed("unknown precision")
    }
    let rowsPerBlock = try reader.varint()
    guard Self.rowsPerBlockRange.contains(rowsPerBlock) else {
      throw malformed("\(rowsPerBlock) rows a block")
    }
    let columnCount = Int(try reader.uint8())
    columns = []
    for _ in 0..<columnCount {
      let id = try reader.uint8()
      let flags = try reader.uint8()
      if let last = columns.last, last.id >= id { throw malformed("columns are not in order") }
      guard flags & 0xFE == 0 else { throw malformed("unknown flags of a column") }
      columns.append(
        Column(channel: MotionChannel(rawValue: id), id: id, isEstimated: flags & 1 != 0))
    }
    blocks = []
    guard sampleCount > 0 else {
      try reader.requireEnd()
      return
    }
    guard columns.first?.channel == .time else { throw malformed("no column of time") }
    let blockCount = (sampleCount - 1) / rowsPerBlock + 1
    guard blockCount > 1 else {
      blocks = [Block(rows: 0..<sampleCount, range: reader.position..<reader.end)]
      return
    }
    guard blockCount <= reader.remaining / Self.indexEntrySize else {
      throw .truncated(place: "section samples")
    }
    guard sampleCount <= limits.decodedBytes / 8 / columnCount else {
      throw .tooLarge(place: "section samples")
    }
    var offset = reader.position + blockCount * Self.indexEntrySize + 4
    for index in 0..<blockCount {
      let length = Int(try reader.uint32())
      let checksum = try reader.uint32()
      let times = (try reader.double(), try reader.double())
      let start = index * rowsPerBlock
      blocks.append(
        Block(
          rows: start..<min(sampleCount, start + rowsPerBlock), range: offset..<offset + length,
          checksum: checksum, times: times))
      offset += length
    }
    let headRange = section.lowerBound..<reader.position
    guard try reader.uint32() == CRC32C.checksum(bytes, in: headRange) else {
      throw .checksumMismatch(place: "index of the samples")
    }
    guard offset == section.upperBound else {
      if offset > section.upperBound { throw .truncated(place: "section samples") }
      throw malformed("\(section.upperBound - offset) bytes too many")
    }
  }

  static let indexEntrySize = 24
}
