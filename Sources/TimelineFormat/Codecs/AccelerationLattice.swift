/// Codec 9: user acceleration as an accelerometer's reading, in steps of 1/65536 g, less the gravity γ that the
/// attitude implies: Float32(k / 65536 − γ), with γ not rounded.
enum AccelerationLattice {
  static let stepsPerG = 65536.0

  /// - Parameter direction: γ, computed from the decoded attitude.
  /// - Returns: Nil if there are too many exceptions.
  static func encode(
    _ values: [Double], direction: [Double], maximumExceptions: Int
  ) -> EncodedColumn? {
    let rows = QuantizedRows(values, maximumExceptions: maximumExceptions) { load in
      let (values, gravity) = (load(values), load(direction))
      let scaled = (values + gravity) * stepsPerG
      let (integers, rounded) = DeterministicTrigonometry.rounded(scaled)
      let expected = SIMD4<Double>(SIMD4<Float>(rounded / stepsPerG - gravity))
      let isExact =
        unsafeBitCast(expected, to: SIMD4<Int64>.self)
        .== unsafeBitCast(values, to: SIMD4<Int64>.self)
      guard all(scaled .< 0x1p40 .& scaled .> -0x1p40 .& isExact) else { return nil }
      return (
        integers &- DeterministicTrigonometry.rounded(gravity * stepsPerG).integers, expected
      )
    }
    guard let rows else { return nil }
    let (column, codes) = IntegerColumn.predicting(
      rows.integers, exceptions: rows.exceptions, allowsSteps: false)
    var writer = ByteWriter()
    column.writeHead(to: &writer)
    writer.append(ResidualCoding.encode(codes))
    return EncodedColumn(codec: .accelerationLattice, payload: writer.bytes)
  }

  static func decode(
    _ bytes: [UInt8], payload: Range<Int>, direction: [Double], place: String
  ) throws(TimelineError) -> [Double] {
    var reader = ByteReader(bytes, range: payload, place: place)
    let column = try IntegerColumn(&reader, count: direction.count)
    return try column.decodeValues(
      bytes, residuals: reader.position..<payload.upperBound, count: direction.count, place: place
    ) { values in
      for row in values.indices {
        let gravity = direction[row]
        values[row] = value(
          values.integer(at: row) &+ gravitySteps(gravity), gravity: gravity)
      }
    }
  }

  @inline(__always)
  private static func value(_ integer: Int64, gravity: Double) -> Double {
    Double(Float(Double(integer) / stepsPerG - gravity))
  }

  @inline(__always)
  private static func gravitySteps(_ gravity: Double) -> Int64 {
    DeterministicTrigonometry.rounded(gravity * stepsPerG)
  }
}
