/// Roll, pitch and yaw, each as scaled integers or split floats, all predicted from the rotation rate.
///
/// ``AttitudePrediction`` computes the expected changes; this type applies them to the columns.
struct RotatedAttitude {
  typealias Lanes = AttitudePrediction.Lanes

  /// Inputs of the prediction besides the attitude, as decoded.
  struct Motion {
    let lanes: LaneRows
    private let times, rateX, rateY, rateZ: [Lanes]

    /// - Parameters:
    ///   - times: In seconds.
    ///   - rateX: In radians per second, like the other rates. All columns have the same length.
    init(times: [Double], rateX: [Double], rateY: [Double], rateZ: [Double]) {
      lanes = LaneRows(count: times.count)
      self.times = lanes.gather(times)
      self.rateX = lanes.gather(rateX)
      self.rateY = lanes.gather(rateY)
      self.rateZ = lanes.gather(rateZ)
    }

    @inline(__always)
    subscript(step: Int) -> AttitudePrediction.Motion {
      AttitudePrediction.Motion(
        time: times[step], rateX: rateX[step], rateY: rateY[step], rateZ: rateZ[step])
    }
  }

  /// The steps of a column to be encoded.
  private struct Target {
    let integers: [SIMD4<Int64>]
    let values: [Lanes]
    let density: Double
    let modulus: Int64

    init(_ column: any QuantizedColumn, modulus: Int64, _ lanes: LaneRows) {
      integers = lanes.gather(column.integers)
      values = lanes.gather(column.values)
      density = column.density
      self.modulus = modulus
    }

    @inline(__always)
    func codes(_ step: Int, change: Lanes) -> SIMD4<UInt64> {
      guard step > 0 else { return .zero }
      let predicted = AttitudePrediction.integers(
        values[step - 1] + change, scale: density, previous: integers[step - 1])
      return ResidualCoding.zigzag(
        Predictor.wrapped(integers[step] &- predicted, modulus: modulus))
    }
  }

  /// Returns the codes of roll, pitch and yaw, and the direction of gravity before exceptions are applied.
  ///
  /// - Precondition: Three columns of the same length as the motion, and their moduli.
  static func codes(
    of columns: [any QuantizedColumn], moduli: [Int64], motion: Motion
  ) -> (codes: [[UInt64]], direction: GravityDirection) {
    let lanes = motion.lanes
    func target(_ index: Int) -> Target { Target(columns[index], modulus: moduli[index], lanes) }
    let (roll, pitch, yaw) = (target(0), target(1), target(2))
    var prediction = AttitudePrediction()
    var codes: [[UInt64]] = []
    let axes = lanes.columns(3) { axes in
      codes = lanes.columns(3) { codes in
        var last = motion[0]
        for step in 0..<lanes.length {
          let next = motion[step]
          let change = prediction.change(from: last, to: next)
          last = next
          lanes.store(roll.codes(step, change: change.roll), step, to: codes[0])
          lanes.store(pitch.codes(step, change: change.pitch), step, to: codes[1])
          lanes.store(yaw.codes(step, change: change.yaw), step, to: codes[2])
          prediction.append(roll: roll.values[step], pitch: pitch.values[step])
            .store(lanes, step, to: axes)
        }
      }
    }
    return (codes, GravityDirection(axes))
  }
}

extension RotatedAttitude {
  /// A column to be decoded.
  private struct Source {
    let column: IntegerColumn
    let residuals: [SIMD4<Int64>]
    let valueScale: ValueScale?
    let layout: SplitFloats.Layout?
    let density: Double
    var lowBits: BitReader
    private var integers: SIMD4<Int64>
    private var values = Lanes.zero

    init(
      _ bytes: [UInt8], _ buffer: UnsafeBufferPointer<UInt8>, _ part: BlockDecoder.ColumnPart,
      lanes: LaneRows, place: String
    ) throws(TimelineError) {
      guard let codec = ColumnCodec(rawValue: part.codec), codec.isQuantized else {
        throw .malformed(place: place, reason: "not an attitude predicted by rotation")
      }
      let head = try QuantizedHead(
        bytes, codec: codec, payload: part.range, count: lanes.count, place: place)
      column = head.column
      guard column.predictor == .rotation else {
        throw .malformed(place: place, reason: "only a part of the attitude is predicted")
      }
      (valueScale, layout, density) = (head.scale, head.layout, head.density)
      lowBits = BitReader(UnsafeBufferPointer(rebasing: buffer[head.lowBits]))
      residuals = lanes.gather(
        try column.decodeResiduals(
          bytes, residuals: head.residuals, count: lanes.count, place: place))
      integers = column.laneBases
    }

    /// Returns the values of the next step.
    @inline(__always)
    mutating func advance(_ lanes: LaneRows, _ step: Int, change: Lanes) -> Lanes {
      // Bases replace the prediction in the first step.
      if step > 0 {
        integers = AttitudePrediction.integers(values + change, scale: density, previous: integers)
      }
      integers = Predictor.wrapped(integers &+ residuals[step], modulus: column.modulus)
      if let valueScale {
        values = valueScale.values(of: Lanes(integers))
      } else if let layout {
        values = layout.read(integers, lanes: lanes.active(step), from: &lowBits)
      }
      return values
    }
  }

  /// Decodes roll, pitch and yaw, and the direction of gravity if no exceptions change it.
  ///
  /// - Parameters:
  ///   - parts: Codec and bytes of the three columns.
  ///   - motion: Has as many rows as the columns.
  static func decode(
    _ bytes: [UInt8], parts: [BlockDecoder.ColumnPart], motion: Motion, place: String
  ) throws(TimelineError) -> (columns: [[Double]], direction: GravityDirection?) {
    let lanes = motion.lanes
    return try bytes.withUnsafeBufferPointer {
      (buffer) throws(TimelineError) -> (columns: [[Double]], direction: GravityDirection?) in
      func source(_ index: Int) throws(TimelineError) -> Source {
        try Source(bytes, buffer, parts[index], lanes: lanes, place: place)
      }
      var (roll, pitch, yaw) = (try source(0), try source(1), try source(2))
      var prediction = AttitudePrediction()
      var columns = lanes.columns(6) { columns in
        var last = motion[0]
        for step in 0..<lanes.length {
          let next = motion[step]
          let change = prediction.change(from: last, to: next)
          last = next
          let rolls = roll.advance(lanes, step, change: change.roll)
          let pitches = pitch.advance(lanes, step, change: change.pitch)
          let yaws = yaw.advance(lanes, step, change: change.yaw)
          lanes.store(rolls, step, to: columns[0])
          lanes.store(pitches, step, to: columns[1])
          lanes.store(yaws, step, to: columns[2])
          prediction.append(roll: rolls, pitch: pitches)
            .store(lanes, step, to: columns, from: 3)
        }
      }
      guard roll.lowBits.isAtEnd, pitch.lowBits.isAtEnd, yaw.lowBits.isAtEnd else {
        throw .malformed(place: place, reason: "low bits of another length")
      }
      roll.column.exceptions.apply(to: &columns[0])
      pitch.column.exceptions.apply(to: &columns[1])
      yaw.column.exceptions.apply(to: &columns[2])
      let isWhole = roll.column.exceptions.count + pitch.column.exceptions.count == 0
      return (Array(columns[..<3]), isWhole ? GravityDirection(Array(columns[3...])) : nil)
    }
  }
}
