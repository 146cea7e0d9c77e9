/// Rows of a column whose values a codec cannot express; stored bit for bit.
struct Exceptions {
  private(set) var rows: [Int] = []
  private(set) var values: [Double] = []

  var count: Int { rows.count }

  /// Appends a row.
  ///
  /// - Precondition: Rows are appended in ascending order.
  mutating func append(row: Int, value: Double) {
    rows.append(row)
    values.append(value)
  }

  func write(to writer: inout ByteWriter) {
    writer.varint(rows.count)
    var next = 0
    for row in rows {
      writer.varint(row - next)
      next = row + 1
    }
    for value in values { writer.double(value) }
  }

  init() {}

  /// - Parameter count: Number of rows in the block.
  init(_ reader: inout ByteReader, count: Int) throws(TimelineError) {
    let exceptions = try reader.varint()
    guard exceptions <= count, exceptions <= reader.remaining / 9 else {
      throw .malformed(place: reader.place, reason: "\(exceptions) exceptions in \(count) rows")
    }
    var next = 0
    for _ in 0..<exceptions {
      let gap = try reader.varint()
      guard gap < count - next else {
        throw .malformed(place: reader.place, reason: "an exception behind the last row")
      }
      rows.append(next + gap)
      next += gap + 1
    }
    for _ in 0..<exceptions { values.append(try reader.double()) }
  }

  /// Replaces the values of the rows.
  func apply(to column: inout [Double]) {
    for (row, value) in zip(rows, values) { column[row] = value }
  }
}
