/// Roll, pitch and yaw, each as scaled integers or split floats, all predicted from the rotation rate.
///
/// ``AttitudePrediction`` computes the expected changes; this type applies them to the columns.
struct RotatedAttitude {
  /// Inputs of the prediction besides the attitude, as the decoder will see them.
  struct Motion {
    /// In seconds.
    var times: [Double]
    /// In radians per second.
    var rateX: [Double]
    var rateY: [Double]
    var rateZ: [Double]

    @inline(__always)
    func change(
      to row: Int, from prediction: AttitudePrediction
    ) -> (roll: Double, pitch: Double, yaw: Double) {
      prediction.change(
        step: times[row] - times[row - 1],
        rateSum: (
          rateX[row] + rateX[row - 1], rateY[row] + rateY[row - 1], rateZ[row] + rateZ[row - 1]
        ))
    }
  }

  /// The integers of a column to be coded.
  struct Series {
    var integers: [Int64]
    /// The values that a decoder computes from them, before exceptions are applied.
    var values: [Double]
    /// Integer steps per unit.
    var scale: Double
    var modulus: Int64
  }

  /// Returns the codes of roll, pitch and yaw, and the direction of gravity before exceptions are applied.
  ///
  /// - Precondition: Three series of the same length as the motion.
  static func codes(
    of series: [Series], motion: Motion
  ) -> (codes: [[UInt64]], direction: GravityDirection) {
    let count = motion.times.count
    var direction = GravityDirection(count: count)
    guard series.count == 3 else { return ([], direction) }
    var changes = series.map { _ in [Double](repeating: 0, count: count) }
    var prediction = AttitudePrediction()
    for row in 0..<count {
      if row > 0 {
        let change = motion.change(to: row, from: prediction)
        changes[0][row] = change.roll
        changes[1][row] = change.pitch
        changes[2][row] = change.yaw
      }
      (direction.x[row], direction.y[row], direction.z[row]) = prediction.append(
        roll: series[0].values[row], pitch: series[1].values[row])
    }
    let codes = zip(series, changes).map { series, changes in
      [UInt64](unsafeUninitializedCapacity: count) { codes, written in
        if count > 0 { codes[0] = 0 }
        for row in 1..<max(1, count) {
          let expected = AttitudePrediction.integer(
            series.values[row - 1] + changes[row], scale: series.scale,
            previous: series.integers[row - 1])
          codes[row] = ResidualCoding.zigzag(
            Predictor.wrapped(series.integers[row] &- expected, modulus: series.modulus))
        }
        written = count
      }
    }
    return (codes, direction)
  }
}

extension RotatedAttitude {
  /// A column to be decoded.
  private struct Source {
    var scale: Double
    var column: IntegerColumn
    var codes: [UInt64]
    /// Nil for split floats.
    var valueScale: ValueScale?
    var layout = SplitFloats.Layout(width: .float64, shift: 0)
    var lowBits: BitReader
    var integer: Int64 = 0
    var value = 0.0

    @inline(__always)
    mutating func advance(row: Int, expected: Double) -> Double {
      let predicted =
        row == 0
        ? column.base
        : AttitudePrediction.integer(expected, scale: scale, previous: integer)
      integer = Predictor.wrapped(
        predicted &+ ResidualCoding.unzigzag(codes[row]), modulus: column.modulus)
      if let valueScale {
        value = valueScale.value(of: integer)
      } else {
        let count = layout.lowBitCount(of: integer)
        value = layout.value(of: integer, lowBits: lowBits.readLong(count), count: count)
      }
      return value
    }
  }

  /// Decodes roll, pitch and yaw, and the direction of gravity if no exceptions change it.
  ///
  /// - Parameters:
  ///   - parts: Codec and bytes of the three columns.
  ///   - motion: As many rows as the columns have.
  static func decode(
    _ bytes: [UInt8], parts: [SampleBlock.ColumnPart], motion: Motion, place: String
  ) throws(TimelineError) -> (columns: [[Double]], direction: GravityDirection?) {
    let count = motion.times.count
    return try bytes.withUnsafeBufferPointer {
      (buffer) throws(TimelineError) -> (columns: [[Double]], direction: GravityDirection?) in
      func reader(_ range: Range<Int>) -> BitReader {
        BitReader(UnsafeBufferPointer(rebasing: buffer[range]))
      }
      func source(_ index: Int) throws(TimelineError) -> Source {
        let source: Source
        let part = parts[index]
        var residuals: BitReader
        switch ColumnCodec(rawValue: part.codec) {
        case .scaledIntegers:
          let head = try ScaledIntegers.Head(
            bytes, payload: part.range, count: count, place: place)
          residuals = reader(head.residuals)
          source = Source(
            scale: head.scale.inverse, column: head.column, codes: [], valueScale: head.scale,
            lowBits: reader(head.residuals.upperBound..<head.residuals.upperBound))
        case .splitFloats:
          let head = try SplitFloats.Head(bytes, payload: part.range, count: count, place: place)
          residuals = reader(head.residuals)
          source = Source(
            scale: SplitFloats.Layout.power(head.layout.shift), column: head.column, codes: [],
            layout: head.layout, lowBits: reader(head.lowBits))
        default: throw .malformed(place: place, reason: "not an attitude predicted by rotation")
        }
        guard source.column.predictor == .rotation else {
          throw .malformed(place: place, reason: "only a part of the attitude is predicted")
        }
        guard let codes = ResidualCoding.decode(&residuals, count: count), residuals.isAtEnd else {
          throw .malformed(place: place, reason: "residuals of another length")
        }
        var result = source
        result.codes = codes
        return result
      }
      var (first, second, third) = (try source(0), try source(1), try source(2))
      var roll: [Double] = []
      var pitch: [Double] = []
      var yaw: [Double] = []
      roll.reserveCapacity(count)
      pitch.reserveCapacity(count)
      yaw.reserveCapacity(count)
      var prediction = AttitudePrediction()
      var direction = GravityDirection(count: count)
      for row in 0..<count {
        let change =
          row == 0 ? (roll: 0, pitch: 0, yaw: 0) : motion.change(to: row, from: prediction)
        let r = first.advance(row: row, expected: first.value + change.roll)
        let p = second.advance(row: row, expected: second.value + change.pitch)
        roll.append(r)
        pitch.append(p)
        yaw.append(third.advance(row: row, expected: third.value + change.yaw))
        (direction.x[row], direction.y[row], direction.z[row]) = prediction.append(
          roll: r, pitch: p)
      }
      guard first.lowBits.isAtEnd, second.lowBits.isAtEnd, third.lowBits.isAtEnd else {
        throw .malformed(place: place, reason: "low bits of another length")
      }
      first.column.exceptions.apply(to: &roll)
      second.column.exceptions.apply(to: &pitch)
      third.column.exceptions.apply(to: &yaw)
      let isWhole = first.column.exceptions.count + second.column.exceptions.count == 0
      return ([roll, pitch, yaw], isWhole ? direction : nil)
    }
  }
}
