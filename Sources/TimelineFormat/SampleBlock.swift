import Motion

/// A run of rows of the samples, coded column by column.
struct SampleBlock {
  var bytes: [UInt8]
  /// The smallest and the greatest time that is a number; infinities the wrong way round where
  /// there is none.
  var times: (Double, Double)

  init(samples: MotionBatch, rows: Range<Int>, precision: TimelinePrecision) {
    var encoder = BlockEncoder(samples: samples, rows: rows, precision: precision)
    let columns = encoder.encode()
    var head = ByteWriter()
    for channel in samples.channels {
      guard let column = columns[channel] else { continue }
      head.uint8(column.codec.rawValue)
      head.varint(column.payload.count)
    }
    for channel in samples.channels {
      if let column = columns[channel] { head.append(column.payload) }
    }
    bytes = head.bytes
    var times = (Double.infinity, -Double.infinity)
    samples.withColumn(.time) { values in
      for row in rows where !values[row].isNaN {
        times = (min(times.0, values[row]), max(times.1, values[row]))
      }
    }
    self.times = times
  }

  /// A column as it lies in a block.
  struct ColumnPart {
    var codec: UInt8
    var range: Range<Int>
  }

  /// Where the columns of a block lie, in the layout's order.
  static func parts(
    _ bytes: [UInt8], block: SampleLayout.Block, layout: SampleLayout
  ) throws(TimelineError) -> [ColumnPart] {
    var reader = ByteReader(bytes, range: block.range, place: "block of rows \(block.rows)")
    var heads: [(UInt8, Int)] = []
    for _ in layout.columns { heads.append((try reader.uint8(), try reader.varint())) }
    var parts: [ColumnPart] = []
    for (codec, length) in heads {
      parts.append(ColumnPart(codec: codec, range: try reader.skip(length)))
    }
    try reader.requireEnd()
    return parts
  }

  /// Decodes columns of a block.
  ///
  /// - Parameter columns: Which of the layout's columns are wanted.
  static func decode(
    _ bytes: [UInt8], block: SampleLayout.Block, layout: SampleLayout, columns: [Int]
  ) throws(TimelineError) -> [[Double]] {
    var decoder = try BlockDecoder(bytes, block: block, layout: layout)
    var decoded: [[Double]] = []
    for index in columns { decoded.append(try decoder.column(index)) }
    return decoded
  }
}
