/// Codec 7: values as integers with a scale, exactly or within a bound.
struct ScaledIntegers: QuantizedColumn {
  let scale: ValueScale
  let integers: [Int64]
  let values: [Double]
  let exceptions: Exceptions

  var density: Double { scale.inverse }

  /// Quantizes values.
  ///
  /// - Parameters:
  ///   - bound: Maximum error; nil for lossless coding.
  ///   - maximumExceptions: The result is nil if there are more exceptions.
  init?(_ values: [Double], scale: ValueScale, bound: Double?, maximumExceptions: Int) {
    let (inverse, bound) = (scale.inverse, bound ?? -1)
    let rows = QuantizedRows(values, maximumExceptions: maximumExceptions) { load in
      let values = load(values)
      let scaled = values * inverse
      let limit = ValueScale.maximumMagnitude
      let (integers, rounded) = DeterministicTrigonometry.rounded(scaled)
      let decoded = scale.values(of: rounded)
      let error = decoded - values
      let isClose =
        error .<= bound .& error .>= -bound
        .| unsafeBitCast(decoded, to: SIMD4<Int64>.self)
        .== unsafeBitCast(values, to: SIMD4<Int64>.self)
      return all(scaled .< limit .& scaled .> -limit .& isClose) ? (integers, decoded) : nil
    }
    guard let rows else { return nil }
    (self.scale, integers, self.values) = (scale, rows.integers, rows.values)
    exceptions = rows.exceptions
  }

  func encoded(_ column: IntegerColumn, _ codes: [UInt64]) -> EncodedColumn {
    var writer = ByteWriter()
    scale.write(to: &writer)
    column.writeHead(to: &writer)
    writer.append(ResidualCoding.encode(codes))
    return EncodedColumn(codec: .scaledIntegers, payload: writer.bytes)
  }
}

extension ScaledIntegers {
  /// The header of a payload, which residuals follow.
  struct Head {
    var scale: ValueScale
    var column: IntegerColumn
    var residuals: Range<Int>

    init(
      _ bytes: [UInt8], payload: Range<Int>, count: Int, place: String
    ) throws(TimelineError) {
      var reader = ByteReader(bytes, range: payload, place: place)
      scale = try ValueScale(&reader)
      column = try IntegerColumn(&reader, count: count)
      residuals = reader.position..<payload.upperBound
    }
  }

  static func decode(
    _ bytes: [UInt8], payload: Range<Int>, count: Int, place: String
  ) throws(TimelineError) -> [Double] {
    let head = try Head(bytes, payload: payload, count: count, place: place)
    let (number, isFactor) = (head.scale.number, head.scale.isFactor)
    return try head.column.decodeValues(
      bytes, residuals: head.residuals, count: count, place: place
    ) { values in
      if isFactor {
        for row in values.indices { values[row] = Double(values.integer(at: row)) * number }
      } else {
        for row in values.indices { values[row] = Double(values.integer(at: row)) / number }
      }
    }
  }
}
