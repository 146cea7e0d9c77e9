import Motion

/// Chooses a codec for every column of a block of samples, and encodes them.
///
/// Tries the codecs of a column's quantity before general ones. Dependent columns use decoded values.
struct BlockEncoder {
  let precision: TimelinePrecision
  let units: MotionUnits
  private let channels: [MotionChannel]
  private let count: Int
  private var values: [MotionChannel: [Double]] = [:]
  private var decoded: [MotionChannel: [Double]] = [:]
  private var columns: [MotionChannel: EncodedColumn] = [:]
  private var direction: GravityDirection?

  init(samples: MotionBatch, rows: Range<Int>, precision: TimelinePrecision) {
    self.precision = precision
    units = samples.units
    channels = samples.channels
    count = rows.count
    for channel in channels {
      let column = samples[channel]
      values[channel] = rows == column.indices ? column : Array(column[rows])
    }
  }

  /// Returns the block's bytes: codec and length of each column, then the columns.
  mutating func encode() -> [UInt8] {
    let special: Set<MotionQuantity> = [.attitude, .gravity, .userAcceleration]
    for (channel, values) in values where !special.contains(channel.quantity) {
      encodeAlone(channel, values)
    }
    encodeAttitude()
    if direction == nil, units.attitude == .radians, let roll = decoded[.roll],
      let pitch = decoded[.pitch]
    {
      direction = GravityDirection(roll: roll, pitch: pitch)
    }
    for (axis, channel) in MotionQuantity.gravity.channels.enumerated() {
      encodeGravity(channel, axis: axis)
    }
    for (axis, channel) in MotionQuantity.userAcceleration.channels.enumerated() {
      encodeAcceleration(channel, axis: axis)
    }
    let columns = channels.compactMap { self.columns[$0] }
    var writer = ByteWriter()
    for column in columns {
      writer.uint8(column.codec.rawValue)
      writer.varint(column.payload.count)
    }
    for column in columns { writer.append(column.payload) }
    return writer.bytes
  }

  /// Returns the maximum error of a channel, in its unit; nil for lossless coding.
  private func bound(of channel: MotionChannel) -> Double? {
    guard case .bounded(let bounds) = precision else { return nil }
    return bounds.bound(of: channel.quantity) * units.unitsPerStandardUnit(of: channel.quantity)
  }

  private mutating func set(_ channel: MotionChannel, _ column: EncodedColumn, _ values: [Double]) {
    columns[channel] = column
    decoded[channel] = values
  }

  private mutating func encodeAlone(_ channel: MotionChannel, _ values: [Double]) {
    let coded = ColumnChoice.encode(
      values, bound: bound(of: channel), allowsSteps: channel == .time,
      period: period(of: channel))
    set(channel, coded.column, coded.decoded)
  }

  /// Returns the length of a turn in an angle's unit; nil for other quantities.
  private func period(of channel: MotionChannel) -> Double? {
    guard channel.quantity == .attitude else { return nil }
    return units.attitude == .radians ? 2 * Double.pi : 360
  }

  // MARK: Attitude

  private mutating func encodeAttitude() {
    let channels = MotionQuantity.attitude.channels
    if encodeRotatedAttitude() { return }
    for channel in channels {
      if let values = values[channel] { encodeAlone(channel, values) }
    }
  }

  /// Encodes the attitude with a prediction by the rotation rate. Returns false if that is impossible or larger.
  private mutating func encodeRotatedAttitude() -> Bool {
    let channels = MotionQuantity.attitude.channels
    guard units.attitude == .radians, units.rotationRate == .radians, count > 2,
      let times = decoded[.time], let rateX = decoded[.rotationRateX],
      let rateY = decoded[.rotationRateY], let rateZ = decoded[.rotationRateZ],
      channels.allSatisfy({ values[$0] != nil })
    else { return false }
    let motion = RotatedAttitude.Motion(
      times: units.time == .seconds ? times : times.map { $0 / units.time.unitsPerSecond },
      rateX: rateX, rateY: rateY, rateZ: rateZ)
    let columns = channels.compactMap(quantized)
    guard columns.count == channels.count else { return false }
    let moduli = zip(channels, columns).map { $1.modulus(period: period(of: $0)) }
    let (codes, direction) = RotatedAttitude.codes(of: columns, moduli: moduli, motion: motion)
    let bits = codes.reduce(0) { $0 + IntegerColumn.estimatedBits($1) }
    let bitsAlone = zip(columns, moduli).reduce(0) {
      $0
        + IntegerColumn.bestOrder(
          of: $1.0.integers, modulus: $1.1, base: $1.0.integers.first ?? 0
        ).bits
    }
    guard bits < bitsAlone else { return false }
    for (index, column) in columns.enumerated() {
      let bases = motion.lanes.bases(of: column.integers)
      let predictions = IntegerColumn(
        predictor: .rotation, modulus: moduli[index], base: bases[0], steps: Array(bases[1...]),
        exceptions: column.exceptions)
      set(channels[index], column.encoded(predictions, codes[index]), column.decoded())
    }
    if columns[0].exceptions.count + columns[1].exceptions.count == 0 { self.direction = direction }
    return true
  }

  /// Returns an angle as integers, exactly or within its bound.
  private func quantized(_ channel: MotionChannel) -> (any QuantizedColumn)? {
    guard let values = values[channel] else { return nil }
    let bound = bound(of: channel)
    for scale in ColumnChoice.scales(for: values, bound: bound) where scale.isCoarse {
      let scaled = ScaledIntegers(
        values, scale: scale, bound: bound, maximumExceptions: count / 16)
      if let scaled { return scaled }
    }
    return SplitFloats(values, maximumExceptions: count / 16)
  }

  // MARK: Gravity and acceleration

  private mutating func encodeGravity(_ channel: MotionChannel, axis: Int) {
    guard let values = values[channel] else { return }
    if let direction, units.gravity == .g,
      let derived = DerivedGravity.encode(
        values, direction: direction[axis], bound: bound(of: channel),
        maximumExceptions: count / 16)
    {
      set(channel, derived.column, derived.decoded)
    } else {
      encodeAlone(channel, values)
    }
  }

  private mutating func encodeAcceleration(_ channel: MotionChannel, axis: Int) {
    guard let values = values[channel] else { return }
    if let direction, units.userAcceleration == .g, bound(of: channel) == nil,
      let lattice = AccelerationLattice.encode(
        values, direction: direction[axis], maximumExceptions: count / 16)
    {
      set(channel, lattice, values)
    } else {
      encodeAlone(channel, values)
    }
  }
}

extension ErrorBounds {
  /// Returns the bound of a quantity, in standard units.
  func bound(of quantity: MotionQuantity) -> Double {
    switch quantity {
    case .time: time
    case .userAcceleration, .totalAcceleration, .gravity: acceleration
    case .rotationRate: rotationRate
    case .attitude: attitude
    case .magneticField: magneticField
    case .quaternion: quaternion
    }
  }
}
