/// A column of integers with a density: scaled integers or split floats.
protocol QuantizedColumn {
  var integers: [Int64] { get }
  /// The values that a decoder computes from the integers, before exceptions are applied.
  var values: [Double] { get }
  var exceptions: Exceptions { get }
  /// Integer steps per unit of the values.
  var density: Double { get }

  /// Encodes the column with the given predictions.
  func encoded(_ column: IntegerColumn, _ codes: [UInt64]) -> EncodedColumn
}

extension QuantizedColumn {
  /// Encodes the column with a prediction from its earlier rows.
  ///
  /// - Parameters:
  ///   - period: Period of an angle in the values' unit; nil for other quantities.
  ///   - allowsSteps: True to try clock steps, too.
  func encoded(period: Double?, allowsSteps: Bool = false) -> EncodedColumn {
    let (column, codes) = IntegerColumn.predicting(
      integers, modulus: modulus(period: period), exceptions: exceptions, allowsSteps: allowsSteps)
    return encoded(column, codes)
  }

  /// Returns the values that decoding would give.
  func decoded() -> [Double] {
    var values = values
    exceptions.apply(to: &values)
    return values
  }

  /// Returns the modulus for the integers of an angle: 0 unless it jumps by more than half a turn.
  func modulus(period: Double?) -> Int64 {
    guard let period, case let turn = period * density, turn > 2, turn < 0x1p50 else { return 0 }
    let half = Int64((turn / 2).rounded(.up)) + 1
    var greatestStep: UInt64 = 0
    var last = integers.first ?? 0
    for integer in integers {
      guard integer > -half, integer < half else { return 0 }
      greatestStep = max(greatestStep, (integer &- last).magnitude)
      last = integer
    }
    return greatestStep > half ? 2 * half : 0
  }
}

/// The rows of a column as integers.
struct QuantizedRows {
  typealias Lanes = SIMD4<Double>

  private(set) var integers: [Int64] = []
  /// The values that a decoder computes from the integers, before exceptions are applied.
  private(set) var values: [Double] = []
  private(set) var exceptions = Exceptions()

  /// Quantizes a column, four rows at a time if all of them have integers.
  ///
  /// - Parameters:
  ///   - maximumExceptions: The result is nil if there are more exceptions.
  ///   - quantize: Returns the integers of four rows and their decoded values; nil if a row has none. Its parameter
  ///     loads the rows of a column.
  @inline(__always)
  init?(
    _ column: [Double], maximumExceptions: Int,
    _ quantize: (_ load: ([Double]) -> Lanes) -> (integers: SIMD4<Int64>, values: Lanes)?
  ) {
    var exceptions = Exceptions()
    integers = [Int64](unsafeUninitializedCapacity: column.count) { integers, integerCount in
      values = [Double](unsafeUninitializedCapacity: column.count) { values, valueCount in
        var last = (integer: 0 as Int64, value: 0.0)
        var row = 0
        while row < column.count {
          if row &+ 4 <= column.count,
            let four = quantize({
              Lanes($0[row], $0[row &+ 1], $0[row &+ 2], $0[row &+ 3])
            })
          {
            for lane in 0..<4 {
              integers[row &+ lane] = four.integers[lane]
              values[row &+ lane] = four.values[lane]
            }
            last = (four.integers.w, four.values.w)
            row &+= 4
            continue
          }
          if let one = quantize({ Lanes(repeating: $0[row]) }) {
            last = (one.integers.x, one.values.x)
          } else {
            exceptions.append(row: row, value: column[row])
            guard exceptions.count <= maximumExceptions else { return }
          }
          integers[row] = last.integer
          values[row] = last.value
          row &+= 1
        }
        valueCount = row
      }
      integerCount = values.count
    }
    guard exceptions.count <= maximumExceptions else { return nil }
    self.exceptions = exceptions
  }
}
