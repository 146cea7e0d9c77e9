/// A table of Doubles in a section: the number of rows, then runs of up to ``rowsPerRun`` rows by column.
///
/// `docs/timeline-format.md`, "Tables".
enum TableCoding {
  static let rowsPerRun = 65536

  /// Writes a table.
  ///
  /// - Parameter bounds: Maximum error of each column; nil for lossless coding. Empty if all are lossless.
  /// - Precondition: The columns have the same length.
  static func write(
    _ columns: [[Double]], bounds: [Double?] = [], to writer: inout ByteWriter
  ) {
    let rows = columns.first?.count ?? 0
    writer.varint(rows)
    var start = 0
    while start < rows {
      let end = min(rows, start + rowsPerRun)
      for (index, column) in columns.enumerated() {
        let coded = ColumnChoice.encode(
          Array(column[start..<end]), bound: index < bounds.count ? bounds[index] : nil
        ).column
        writer.uint8(coded.codec.rawValue)
        writer.varint(coded.payload.count)
        writer.append(coded.payload)
      }
      start = end
    }
  }

  static func read(
    columns count: Int, from reader: inout ByteReader, limits: TimelineLimits
  ) throws(TimelineError) -> [[Double]] {
    let rows = try reader.varint()
    let runs = rows / rowsPerRun + (rows % rowsPerRun == 0 ? 0 : 1)
    // A column of a run takes at least two bytes. Check this before allocating anything.
    guard runs <= reader.remaining / (2 * max(1, count)) else {
      throw .truncated(place: reader.place)
    }
    guard rows <= limits.decodedBytes / (8 * max(1, count)) else {
      throw .tooLarge(place: reader.place)
    }
    var columns = [[Double]](repeating: [], count: count)
    var start = 0
    while start < rows {
      let end = min(rows, start + rowsPerRun)
      for index in 0..<count {
        let codec = try reader.uint8()
        let payload = try reader.skip(try reader.varint())
        columns[index] += try EncodedColumn.decode(
          codec: codec, reader.bytes, payload: payload, count: end - start, place: reader.place)
      }
      start = end
    }
    return columns
  }
}
