/// Codec 7: values as integers with a scale, exactly or within a bound.
struct ScaledIntegers {
  var scale: ValueScale
  var integers: [Int64]
  /// The values that a decoder computes from the integers, before exceptions are applied.
  var values: [Double]
  var exceptions: Exceptions

  /// Quantizes values.
  ///
  /// - Parameters:
  ///   - bound: Maximum error; nil for lossless coding.
  ///   - maximumExceptions: The result is nil if there are more exceptions.
  init?(
    _ values: UnsafeBufferPointer<Double>, scale: ValueScale, bound: Double?,
    maximumExceptions: Int
  ) {
    self.scale = scale
    var exceptions = Exceptions()
    let inverse = scale.inverse
    var previous: Int64 = 0
    let bound = bound ?? -1
    var decodedValues: [Double] = []
    integers = [Int64](unsafeUninitializedCapacity: values.count) { integers, written in
      decodedValues = [Double](unsafeUninitializedCapacity: values.count) { decodedValues, count in
        for row in values.indices {
          let value = values[row]
          let scaled = value * inverse
          if abs(scaled) < ValueScale.maximumMagnitude {
            let integer = DeterministicTrigonometry.rounded(scaled)
            let decoded = scale.value(of: integer)
            if abs(decoded - value) <= bound || decoded.bitPattern == value.bitPattern {
              integers[row] = integer
              decodedValues[row] = decoded
              previous = integer
              continue
            }
          }
          exceptions.append(row: row, value: value)
          if exceptions.count > maximumExceptions { break }
          integers[row] = previous
          decodedValues[row] = scale.value(of: previous)
        }
        count = exceptions.count > maximumExceptions ? 0 : values.count
      }
      written = exceptions.count > maximumExceptions ? 0 : values.count
    }
    guard exceptions.count <= maximumExceptions else { return nil }
    self.values = decodedValues
    self.exceptions = exceptions
  }

  /// Returns the values that decoding will give.
  func decoded() -> [Double] {
    var values = values
    exceptions.apply(to: &values)
    return values
  }

  /// Encodes the column with a prediction from its earlier rows.
  func encoded(modulus: Int64, allowsSteps: Bool) -> EncodedColumn {
    let (column, codes) = IntegerColumn.predicting(
      integers, modulus: modulus, exceptions: exceptions, allowsSteps: allowsSteps)
    return encoded(column, codes)
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
  /// The header of a payload, before its residuals are read.
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
