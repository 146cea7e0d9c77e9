/// Codec 9: user acceleration that is what an accelerometer read, in steps of 1/65536 g, less the
/// gravity that follows from the attitude: Float32(k / 65536 − γ), γ before it is rounded.
enum AccelerationLattice {
  static let stepsPerG = 65536.0

  /// - Parameter direction: γ by the attitude as it will be decoded.
  /// - Returns: Nil where too many values are not of this kind.
  static func encode(
    _ values: [Double], direction: [Double], maximumExceptions: Int
  ) -> EncodedColumn? {
    var exceptions = Exceptions()
    let integers = [Int64](unsafeUninitializedCapacity: values.count) { integers, written in
      var last: Int64 = 0
      var row = 0
      while row < values.count {
        if row &+ 4 <= values.count,
          let four = Self.integers(of: lanes(values, row), gravity: lanes(direction, row))
        {
          for lane in 0..<4 { integers[row &+ lane] = four[lane] }
          last = four.w
          row &+= 4
          continue
        }
        let (value, gravity) = (Lanes(repeating: values[row]), Lanes(repeating: direction[row]))
        if let integer = Self.integers(of: value, gravity: gravity)?.x {
          last = integer
        } else {
          exceptions.append(row: row, value: values[row])
          guard exceptions.count <= maximumExceptions else { return }
        }
        integers[row] = last
        row &+= 1
      }
      written = values.count
    }
    guard exceptions.count <= maximumExceptions else { return nil }
    let (column, codes) = IntegerColumn.predicting(
      integers, exceptions: exceptions, allowsSteps: false)
    var writer = ByteWriter()
    column.writeHead(to: &writer)
    writer.append(ResidualCoding.encode(codes))
    return EncodedColumn(codec: .accelerationLattice, payload: writer.bytes)
  }

  private typealias Lanes = SIMD4<Double>

  @inline(__always)
  private static func lanes(_ column: [Double], _ row: Int) -> Lanes {
    Lanes(column[row], column[row &+ 1], column[row &+ 2], column[row &+ 3])
  }

  /// Returns the integers of four values; nil if one has none.
  @inline(__always)
  private static func integers(of values: Lanes, gravity: Lanes) -> SIMD4<Int64>? {
    let offset = DeterministicTrigonometry.roundingConstant
    let scaled: Lanes = (values + gravity) * stepsPerG
    let rounded: Lanes = scaled + offset
    let expected = Lanes(SIMD4<Float>((rounded - offset) / stepsPerG - gravity))
    let isSmall = scaled .< 0x1p40 .& scaled .> -0x1p40
    let isExact =
      unsafeBitCast(expected, to: SIMD4<Int64>.self)
      .== unsafeBitCast(values, to: SIMD4<Int64>.self)
    guard all(isSmall .& isExact) else { return nil }
    // The low bits of both sums are integers.
    return unsafeBitCast(rounded, to: SIMD4<Int64>.self)
      &- unsafeBitCast(gravity * stepsPerG + offset, to: SIMD4<Int64>.self)
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
