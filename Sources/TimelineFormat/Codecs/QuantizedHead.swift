/// The head of an encoded column of scaled integers (codec 7) or split floats (codec 8).
struct QuantizedHead {
  /// Nil for split floats.
  let scale: ValueScale?
  /// Nil for scaled integers.
  let layout: SplitFloats.Layout?
  let column: IntegerColumn
  let residuals: Range<Int>
  /// Empty for scaled integers.
  let lowBits: Range<Int>

  /// Integer steps per unit of the values.
  var density: Double { scale?.inverse ?? layout?.density ?? 1 }

  /// - Parameter count: Number of rows in the block.
  init(
    _ bytes: [UInt8], codec: ColumnCodec, payload: Range<Int>, count: Int, place: String
  ) throws(TimelineError) {
    var reader = ByteReader(bytes, range: payload, place: place)
    guard codec == .splitFloats else {
      (scale, layout) = (try ValueScale(&reader), nil)
      column = try IntegerColumn(&reader, count: count)
      residuals = reader.position..<payload.upperBound
      lowBits = 0..<0
      return
    }
    (scale, layout) = (nil, try SplitFloats.Layout(&reader))
    column = try IntegerColumn(&reader, count: count)
    residuals = try reader.skip(try reader.varint())
    lowBits = reader.position..<payload.upperBound
  }

  /// Decodes a column that is predicted from its own earlier rows.
  func decode(_ bytes: [UInt8], count: Int, place: String) throws(TimelineError) -> [Double] {
    try bytes.withUnsafeBufferPointer { buffer throws(TimelineError) in
      var bits = BitReader(UnsafeBufferPointer(rebasing: buffer[lowBits]))
      let values = try column.decodeValues(
        bytes, residuals: residuals, count: count, place: place
      ) { values in
        if let layout {
          bits = layout.convert(values, from: bits)
        } else if let scale {
          scale.convert(values)
        }
      }
      guard bits.isAtEnd else {
        throw .malformed(place: place, reason: "low bits of another length")
      }
      return values
    }
  }
}
