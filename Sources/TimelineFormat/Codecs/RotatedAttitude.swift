/// Roll, pitch and yaw, each as scaled integers or split floats, all predicted from the rotation rate.
///
/// ``AttitudePrediction`` computes the expected changes; this type applies them to the columns.
struct RotatedAttitude {
  typealias Lanes = AttitudePrediction.Lanes

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
      to rows: LaneRows, from prediction: AttitudePrediction
    ) -> (roll: Lanes, pitch: Lanes, yaw: Lanes) {
      guard !rows.areFirst else { return (.zero, .zero, .zero) }
      let before = rows.previous
      return prediction.change(
        step: rows.load(times) - before.load(times),
        rateSum: (
          rows.load(rateX) + before.load(rateX), rows.load(rateY) + before.load(rateY),
          rows.load(rateZ) + before.load(rateZ)
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
    var prediction = AttitudePrediction()
    let columns = LaneRows.columns(6, of: count) { columns in
      let (roll, pitch, yaw) = (columns[0], columns[1], columns[2])
      for rows in LaneRows.all(of: count) {
        let change = motion.change(to: rows, from: prediction)
        rows.store(change.roll, to: roll)
        rows.store(change.pitch, to: pitch)
        rows.store(change.yaw, to: yaw)
        prediction.append(
          roll: rows.load(series[0].values), pitch: rows.load(series[1].values)
        ).store(rows, to: columns, from: 3)
      }
    }
    let codes = zip(series, columns).map { series, changes in
      var codes = [UInt64](repeating: 0, count: count)
      for rows in LaneRows.all(of: count) where !rows.areFirst {
        let before = rows.previous
        let expected = AttitudePrediction.integers(
          before.load(series.values) + rows.load(changes), scale: series.scale,
          previous: before.load(series.integers))
        let residuals = Predictor.wrapped(
          rows.load(series.integers) &- expected, modulus: series.modulus)
        for lane in 0..<rows.active {
          codes[rows[lane]] = ResidualCoding.zigzag(residuals[lane])
        }
      }
      return codes
    }
    return (codes, GravityDirection(columns[3...]))
  }
}

extension RotatedAttitude {
  /// A column to be decoded.
  private struct Source {
    var scale: Double
    var column: IntegerColumn
    var residuals: [Int64] = []
    /// Nil for split floats.
    var valueScale: ValueScale?
    var layout = SplitFloats.Layout(width: .float64, shift: 0)
    var lowBits: BitReader
    var integers = SIMD4<Int64>.zero
    var last = Lanes.zero

    mutating func advance(
      to rows: LaneRows, change: Lanes, _ values: UnsafeMutablePointer<Double>
    ) -> Lanes {
      let predicted =
        rows.areFirst
        ? column.laneBases
        : AttitudePrediction.integers(last + change, scale: scale, previous: integers)
      integers = Predictor.wrapped(predicted &+ rows.load(residuals), modulus: column.modulus)
      if let valueScale {
        last = valueScale.values(of: integers)
      } else {
        last = layout.read(integers, lanes: rows.active, from: &lowBits)
      }
      rows.store(last, to: values)
      return last
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
      func source(_ index: Int) throws(TimelineError) -> Source {
        let part = parts[index]
        let head: (column: IntegerColumn, residuals: Range<Int>)
        var source: Source
        func lowBits(_ range: Range<Int>) -> BitReader {
          BitReader(UnsafeBufferPointer(rebasing: buffer[range]))
        }
        switch ColumnCodec(rawValue: part.codec) {
        case .scaledIntegers:
          let scaled = try ScaledIntegers.Head(
            bytes, payload: part.range, count: count, place: place)
          head = (scaled.column, scaled.residuals)
          source = Source(
            scale: scaled.scale.inverse, column: scaled.column, valueScale: scaled.scale,
            lowBits: lowBits(0..<0))
        case .splitFloats:
          let split = try SplitFloats.Head(bytes, payload: part.range, count: count, place: place)
          head = (split.column, split.residuals)
          source = Source(
            scale: SplitFloats.Layout.power(split.layout.shift), column: split.column,
            layout: split.layout, lowBits: lowBits(split.lowBits))
        default: throw .malformed(place: place, reason: "not an attitude predicted by rotation")
        }
        guard head.column.predictor == .rotation else {
          throw .malformed(place: place, reason: "only a part of the attitude is predicted")
        }
        source.residuals = try head.column.decodeResiduals(
          bytes, residuals: head.residuals, count: count, place: place)
        return source
      }
      var (roll, pitch, yaw) = (try source(0), try source(1), try source(2))
      var prediction = AttitudePrediction()
      var columns = LaneRows.columns(6, of: count) { columns in
        let (rolls, pitches, yaws) = (columns[0], columns[1], columns[2])
        for rows in LaneRows.all(of: count) {
          let change = motion.change(to: rows, from: prediction)
          prediction.append(
            roll: roll.advance(to: rows, change: change.roll, rolls),
            pitch: pitch.advance(to: rows, change: change.pitch, pitches)
          ).store(rows, to: columns, from: 3)
          _ = yaw.advance(to: rows, change: change.yaw, yaws)
        }
      }
      guard roll.lowBits.isAtEnd, pitch.lowBits.isAtEnd, yaw.lowBits.isAtEnd else {
        throw .malformed(place: place, reason: "low bits of another length")
      }
      roll.column.exceptions.apply(to: &columns[0])
      pitch.column.exceptions.apply(to: &columns[1])
      yaw.column.exceptions.apply(to: &columns[2])
      let isWhole = roll.column.exceptions.count + pitch.column.exceptions.count == 0
      return (Array(columns[..<3]), isWhole ? GravityDirection(columns[3...]) : nil)
    }
  }
}
