/// Codec 5: gravity computed from roll and pitch. Stores exceptions only.
enum DerivedGravity {
  /// - Parameters:
  ///   - direction: Gravity, computed from the decoded attitude.
  ///   - bound: Maximum error; nil for lossless coding, which rounds gravity to Float32.
  /// - Returns: The column, and the values that decoding it would give; nil if there are too many exceptions.
  static func encode(
    _ values: [Double], direction: [Double], bound: Double?, maximumExceptions: Int
  ) -> (column: EncodedColumn, decoded: [Double])? {
    var exceptions = Exceptions()
    var decoded = bound == nil ? rounded(direction) : direction
    for row in values.indices {
      if let bound {
        if abs(direction[row] - values[row]) <= bound { continue }
      } else if decoded[row].bitPattern == values[row].bitPattern {
        continue
      }
      exceptions.append(row: row, value: values[row])
      decoded[row] = values[row]
      guard exceptions.count <= maximumExceptions else { return nil }
    }
    var writer = ByteWriter()
    writer.uint8(bound == nil ? 1 : 0)
    exceptions.write(to: &writer)
    return (EncodedColumn(codec: .derivedGravity, payload: writer.bytes), decoded)
  }

  /// Rounds values to Float32.
  private static func rounded(_ values: [Double]) -> [Double] {
    [Double](unsafeUninitializedCapacity: values.count) { rounded, count in
      for row in values.indices { rounded[row] = Double(Float(values[row])) }
      count = values.count
    }
  }

  static func decode(
    _ bytes: [UInt8], payload: Range<Int>, direction: [Double], place: String
  ) throws(TimelineError) -> [Double] {
    var reader = ByteReader(bytes, range: payload, place: place)
    let rounding = try reader.uint8()
    guard rounding <= 1 else { throw .malformed(place: place, reason: "unknown rounding") }
    let exceptions = try Exceptions(&reader, count: direction.count)
    try reader.requireEnd()
    var values = rounding == 1 ? rounded(direction) : direction
    exceptions.apply(to: &values)
    return values
  }
}
