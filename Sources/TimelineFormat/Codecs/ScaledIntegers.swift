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
