/// The payload of the patterns section. `docs/timeline-format.md`, "Patterns".
enum PatternCoding {
  /// - Throws: ``TimelineError`` where columns are too many, of unlike length or of one name.
  static func encode(_ patterns: [TimelinePattern]) throws(TimelineError) -> [UInt8] {
    var writer = ByteWriter()
    writer.varint(patterns.count)
    for pattern in patterns {
      let rows = pattern.columns.first?.values.count ?? 0
      guard pattern.columns.allSatisfy({ $0.values.count == rows }) else {
        throw .malformed(place: "section patterns", reason: "columns of unlike length")
      }
      guard Set(pattern.columns.map(\.name)).count == pattern.columns.count else {
        throw .malformed(place: "section patterns", reason: "two columns of one name")
      }
      guard let columnCount = UInt8(exactly: pattern.columns.count) else {
        throw .tooLarge(place: "section patterns")
      }
      writer.text(pattern.kind)
      writer.varint(pattern.texts.count)
      for (name, value) in pattern.texts.inByteOrder {
        writer.text(name)
        writer.text(value)
      }
      writer.varint(pattern.figures.count)
      for (name, value) in pattern.figures.inByteOrder {
        writer.text(name)
        writer.double(value)
      }
      writer.uint8(columnCount)
      for column in pattern.columns { writer.text(column.name) }
      writer.varint(rows)
      for column in pattern.columns {
        for value in column.values { writer.uint32(value.bitPattern) }
      }
    }
    return writer.bytes
  }

  static func decode(
    _ reader: inout ByteReader
  ) throws(TimelineError) -> [TimelinePattern] {
    let count = try reader.varint()
    // The smallest pattern takes five bytes.
    guard count <= reader.remaining / 5 else { throw .truncated(place: reader.place) }
    var patterns: [TimelinePattern] = []
    for _ in 0..<count {
      var pattern = TimelinePattern(kind: try reader.text())
      let textCount = try reader.varint()
      guard textCount <= reader.remaining / 2 else { throw .truncated(place: reader.place) }
      pattern.texts = try reader.named(textCount) { reader throws(TimelineError) in
        try reader.text()
      }
      let figureCount = try reader.varint()
      guard figureCount <= reader.remaining / 9 else { throw .truncated(place: reader.place) }
      pattern.figures = try reader.named(figureCount) { reader throws(TimelineError) in
        try reader.double()
      }
      pattern.columns = try columns(&reader)
      patterns.append(pattern)
    }
    return patterns
  }

  private static func columns(
    _ reader: inout ByteReader
  ) throws(TimelineError) -> [TimelinePattern.Column] {
    let count = Int(try reader.uint8())
    var names: [String] = []
    for _ in 0..<count { names.append(try reader.text()) }
    guard Set(names).count == count else {
      throw .malformed(place: reader.place, reason: "two columns of one name")
    }
    let rows = try reader.varint()
    guard count > 0 || rows == 0 else {
      throw .malformed(place: reader.place, reason: "rows without columns")
    }
    guard rows <= reader.remaining / (4 * max(1, count)) else {
      throw .truncated(place: reader.place)
    }
    var columns: [TimelinePattern.Column] = []
    for name in names {
      var values: [Float] = []
      values.reserveCapacity(rows)
      for _ in 0..<rows { values.append(Float(bitPattern: try reader.uint32())) }
      columns.append(TimelinePattern.Column(name: name, values: values))
    }
    return columns
  }
}

extension Dictionary where Key == String {
  /// The pairs in ascending order of their names' UTF-8 bytes.
  var inByteOrder: [(key: String, value: Value)] {
    sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }
}
