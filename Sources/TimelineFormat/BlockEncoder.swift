import Motion

/// Chooses a codec for every column of a block of samples.
///
/// Each column is tried with what its kind of data suggests, and falls back to what fits anything.
/// Columns that depend on others are coded against what those will be when decoded.
struct BlockEncoder {
  let precision: TimelinePrecision
  let units: MotionUnits
  private let count: Int
  private var values: [MotionChannel: [Double]] = [:]
  private var decoded: [MotionChannel: [Double]] = [:]
  private var columns: [MotionChannel: EncodedColumn] = [:]
  private var direction: GravityDirection?

  init(samples: MotionBatch, rows: Range<Int>, precision: TimelinePrecision) {
    self.precision = precision
    units = samples.units
    count = rows.count
    for channel in samples.channels {
      let column = samples[channel]
      values[channel] = rows == column.indices ? column : Array(column[rows])
    }
  }

  /// The columns of all channels.
  mutating func encode() -> [MotionChannel: EncodedColumn] {
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
    return columns
  }

  /// The greatest error allowed in a channel, in its unit; nil for none at all.
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

  /// The length of a turn in an angle's unit.
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

  /// Predicts the attitude by the rotation rate, where both are there and it pays. Whether it did.
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
    let quantized = channels.map { channel in
      Quantized(
        values[channel] ?? [], bound: bound(of: channel), period: period(of: channel),
        maximumExceptions: count / 16)
    }
    let series = quantized.compactMap { $0?.series }
    guard series.count == 3 else { return false }
    let (codes, direction) = RotatedAttitude.codes(of: series, motion: motion)
    let bits = codes.reduce(0) { $0 + IntegerColumn.estimatedBits($1) }
    let bitsAlone = series.reduce(0) {
      $0
        + IntegerColumn.bestOrder(
          of: $1.integers, modulus: $1.modulus, base: $1.integers.first ?? 0
        ).bits
    }
    guard bits < bitsAlone else { return false }
    for (index, quantized) in quantized.enumerated() {
      guard let (column, values) = quantized?.encoded(codes: codes[index]) else { return false }
      set(channels[index], column, values)
    }
    let exceptions = quantized.prefix(2).reduce(0) { $0 + ($1?.exceptions.count ?? 0) }
    if exceptions == 0 { self.direction = direction }
    return true
  }

  /// An angle as integers, exactly or within a bound.
  private struct Quantized {
    enum Form {
      case scaled(ScaledIntegers)
      case split(SplitFloats)
    }
    var form: Form
    var series: RotatedAttitude.Series

    var exceptions: Exceptions {
      switch form {
      case .scaled(let scaled): scaled.exceptions
      case .split(let split): split.exceptions
      }
    }

    init?(_ values: [Double], bound: Double?, period: Double?, maximumExceptions: Int) {
      let scaled = values.withUnsafeBufferPointer { values in
        ColumnChoice.scales(for: values, bound: bound).lazy.filter { $0.isCoarse }.compactMap {
          ScaledIntegers(values, scale: $0, bound: bound, maximumExceptions: maximumExceptions)
        }.first
      }
      if let scaled {
        form = .scaled(scaled)
        let scale = scaled.scale.inverse
        series = RotatedAttitude.Series(
          integers: scaled.integers, values: scaled.values, scale: scale,
          modulus: ColumnChoice.modulus(for: scaled.integers, period: period, scale: scale))
        return
      }
      guard let split = SplitFloats(values, maximumExceptions: maximumExceptions) else {
        return nil
      }
      form = .split(split)
      let scale = SplitFloats.Layout.power(split.layout.shift)
      series = RotatedAttitude.Series(
        integers: split.integers, values: split.values, scale: scale,
        modulus: ColumnChoice.modulus(for: split.integers, period: period, scale: scale))
    }

    /// The column, and what will be decoded.
    func encoded(codes: [UInt64]) -> (EncodedColumn, [Double]) {
      var decoded = series.values
      let bases = LaneRows(count: series.integers.count).bases(of: series.integers)
      var column = IntegerColumn(
        predictor: .rotation, modulus: series.modulus, base: bases[0],
        steps: Array(bases[1...]), exceptions: Exceptions())
      switch form {
      case .scaled(let scaled):
        column.exceptions = scaled.exceptions
        scaled.exceptions.apply(to: &decoded)
        return (scaled.encoded(column, codes), decoded)
      case .split(let split):
        column.exceptions = split.exceptions
        split.exceptions.apply(to: &decoded)
        return (split.encoded(column, codes), decoded)
      }
    }
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
  /// The bound of a quantity, in standard units.
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
