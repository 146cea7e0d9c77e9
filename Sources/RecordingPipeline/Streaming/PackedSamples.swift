import Motion

/// A chunk's samples, packed without loss. Faster to code than a timeline's blob, but twice its size.
///
/// A column is stored in one of four forms: a single value; decimal fractions with at most nine decimals, as
/// integer differences with the byte width of the largest; single-precision numbers; or the doubles
/// themselves. In the decimal form, a few values that do not fit (a negative zero, a gap) are listed as
/// exceptions.
struct PackedSamples: Sendable {
  private enum Form: UInt8 {
    case constant, decimal, single, double
  }

  private struct Column: Sendable {
    var channel: MotionChannel
    var form: Form
    /// Number of decimals, in the decimal form.
    var digits: UInt8 = 0
    /// Bytes per difference.
    var width: UInt8 = 0
    var exceptions: UInt16 = 0
  }

  private let count: Int32
  private let units: MotionUnits
  private let clock: MotionClock
  private let estimated: Set<MotionChannel>
  private let columns: [Column]
  private let bytes: [UInt8]

  init(_ batch: MotionBatch) {
    count = Int32(clamping: batch.count)
    units = batch.units
    clock = batch.clock
    estimated = batch.estimated
    var writer = PackedBytes(reserving: 48 * batch.count)
    columns = batch.channels.map { channel in
      batch.withColumn(channel) { Self.pack($0, channel, into: &writer) }
    }
    bytes = writer.exactBytes
  }

  var byteCount: Int { bytes.count }

  // MARK: - Bytes of a journal

  /// Appends units, clock and the columns' forms, then the columns' bytes.
  func append(to output: inout [UInt8]) {
    output += [
      units.time.rawValue, units.userAcceleration.rawValue, units.totalAcceleration.rawValue,
      units.gravity.rawValue, units.rotationRate.rawValue, units.attitude.rawValue,
      clock.rawValue, UInt8(columns.count),
    ]
    withUnsafeBytes(of: count.littleEndian) { output += $0 }
    for column in columns {
      output += [
        column.channel.rawValue, column.form.rawValue, column.digits, column.width,
        estimated.contains(column.channel) ? 1 : 0,
        UInt8(truncatingIfNeeded: column.exceptions), UInt8(column.exceptions >> 8),
      ]
    }
    output += bytes
  }

  /// Maximum number of samples; no message has more.
  private static let samplesAtMost = 1 << 22

  /// Decodes the bytes that ``append(to:)`` wrote; returns nil if they are malformed.
  init?(_ input: ArraySlice<UInt8>) {
    let head = Array(input.prefix(12))
    guard head.count == 12, let time = TimeUnit(rawValue: head[0]),
      let user = AccelerationUnit(rawValue: head[1]),
      let total = AccelerationUnit(rawValue: head[2]),
      let gravity = AccelerationUnit(rawValue: head[3]),
      let rotation = AngleUnit(rawValue: head[4]), let attitude = AngleUnit(rawValue: head[5]),
      let clock = MotionClock(rawValue: head[6])
    else { return nil }
    let count = head[8..<12].reversed().reduce(0) { $0 << 8 | Int($1) }
    var rest = input.dropFirst(12)
    var columns: [Column] = []
    var estimated: Set<MotionChannel> = []
    var size = 8
    for _ in 0..<head[7] {
      let field = Array(rest.prefix(7))
      guard field.count == 7, let channel = MotionChannel(rawValue: field[0]),
        let form = Form(rawValue: field[1]), field[2] < 10, (0...8).contains(field[3]),
        !columns.contains(where: { $0.channel == channel })
      else { return nil }
      let exceptions = UInt16(field[5]) | UInt16(field[6]) << 8
      columns.append(
        Column(
          channel: channel, form: form, digits: field[2], width: field[3], exceptions: exceptions))
      if field[4] == 1 { estimated.insert(channel) }
      let columnSize =
        switch form {
        case .constant: 8
        case .single: 4 * count
        case .double: 8 * count
        case .decimal: 8 + Int(field[3]) * (count - 1) + 10 * Int(exceptions)
        }
      size += columnSize
      rest = rest.dropFirst(7)
    }
    guard (1...Self.samplesAtMost).contains(count), rest.count == size else { return nil }
    self.count = Int32(count)
    self.clock = clock
    self.columns = columns
    self.estimated = estimated
    units = MotionUnits(
      time: time, userAcceleration: user, totalAcceleration: total, gravity: gravity,
      rotationRate: rotation, attitude: attitude)
    bytes = Array(rest)
  }

  var batch: MotionBatch {
    var result: [MotionChannel: [Double]] = [:]
    bytes.withUnsafeBytes { bytes in
      var position = 0
      for column in columns {
        result[column.channel] = Self.unpack(column, count: Int(count), bytes, &position)
      }
    }
    var batch = MotionBatch(result, units: units, clock: clock)
    batch.estimated = estimated
    return batch
  }

  // MARK: - Packing

  private static let powers: [Double] = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9]

  private static func pack(
    _ values: UnsafeBufferPointer<Double>, _ channel: MotionChannel, into bytes: inout PackedBytes
  ) -> Column {
    guard let first = values.first else { return Column(channel: channel, form: .double) }
    if values.allSatisfy({ $0.bitPattern == first.bitPattern }) {
      bytes.append(first.bitPattern, width: 8)
      return Column(channel: channel, form: .constant)
    }
    if let column = packDecimals(values, channel, into: &bytes) { return column }
    if values.allSatisfy({ Double(Float($0)).bitPattern == $0.bitPattern }) {
      for value in values { bytes.append(UInt64(Float(value).bitPattern), width: 4) }
      return Column(channel: channel, form: .single)
    }
    for value in values { bytes.append(value.bitPattern, width: 8) }
    return Column(channel: channel, form: .double)
  }

  private static func packDecimals(
    _ values: UnsafeBufferPointer<Double>, _ channel: MotionChannel, into bytes: inout PackedBytes
  ) -> Column? {
    guard values.count <= 0xFFFF else { return nil }
    var digits = 0
    for value in values.prefix(8) {
      while digits < powers.count, integer(value, digits) == nil { digits += 1 }
    }
    let allowed = values.count / 16
    while digits < powers.count {
      if let column = packDecimals(values, channel, digits, allowed: allowed, into: &bytes) {
        return column
      }
      digits += 1
    }
    return nil
  }

  private static func packDecimals(
    _ values: UnsafeBufferPointer<Double>, _ channel: MotionChannel, _ digits: Int, allowed: Int,
    into bytes: inout PackedBytes
  ) -> Column? {
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: values.count) { differences in
      var exceptions: [Int] = []
      var previous: Int64 = 0
      var union: UInt64 = 0
      for row in 0..<values.count {
        guard let integer = integer(values[row], digits) else {
          exceptions.append(row)
          guard exceptions.count <= allowed else { return nil }
          differences[row] = 0
          continue
        }
        let difference = integer &- previous
        previous = integer
        let code = UInt64(bitPattern: difference << 1 ^ difference >> 63)
        differences[row] = code
        // The first value is stored as a whole, so its width does not matter.
        if row > 0 { union |= code }
      }
      let width = max(1, (71 - union.leadingZeroBitCount) / 8)
      guard width < 8 else { return nil }
      bytes.append(differences[0], width: 8)
      for row in 1..<values.count { bytes.append(differences[row], width: width) }
      for row in exceptions {
        bytes.append(UInt64(row), width: 2)
        bytes.append(values[row].bitPattern, width: 8)
      }
      return Column(
        channel: channel, form: .decimal, digits: UInt8(digits), width: UInt8(width),
        exceptions: UInt16(exceptions.count))
    }
  }

  /// Returns `value` × 10^`digits` if that is an integer and dividing it gives the value back exactly;
  /// otherwise nil.
  @inline(__always)
  private static func integer(_ value: Double, _ digits: Int) -> Int64? {
    let scaled = (value * powers[digits]).rounded()
    // Larger integers are not exact. Also rejects NaN.
    guard scaled.magnitude < 0x1p53 else { return nil }
    guard (scaled / powers[digits]).bitPattern == value.bitPattern,
      scaled != 0 || value.sign == .plus
    else { return nil }
    return Int64(scaled)
  }

  // MARK: - Unpacking

  private static func unpack(
    _ column: Column, count: Int, _ bytes: UnsafeRawBufferPointer, _ position: inout Int
  ) -> [Double] {
    func next(_ width: Int) -> UInt64 {
      defer { position += width }
      return PackedBytes.value(in: bytes, at: position, width: width)
    }
    switch column.form {
    case .constant: return Array(repeating: Double(bitPattern: next(8)), count: count)
    case .double: return (0..<count).map { _ in Double(bitPattern: next(8)) }
    case .single:
      return (0..<count).map { _ in
        Double(Float(bitPattern: UInt32(truncatingIfNeeded: next(4))))
      }
    case .decimal:
      let power = powers[Int(column.digits)]
      let width = Int(column.width)
      var integer: Int64 = 0
      var values = (0..<count).map { row in
        let code = next(row == 0 ? 8 : width)
        integer &+= Int64(bitPattern: code >> 1) ^ -Int64(bitPattern: code & 1)
        return Double(integer) / power
      }
      for _ in 0..<column.exceptions {
        let row = Int(next(2))
        let value = Double(bitPattern: next(8))
        if row < count { values[row] = value }
      }
      return values
    }
  }
}

/// Consecutive integers of one to eight bytes, in little-endian order.
private struct PackedBytes {
  private var storage: [UInt8]
  private var count = 0

  init(reserving capacity: Int) { storage = Array(repeating: 0, count: capacity + 8) }

  /// The bytes, without spare capacity.
  var exactBytes: [UInt8] { Array(storage[..<(count + 8)]) }

  @inline(__always)
  mutating func append(_ value: UInt64, width: Int) {
    // Always writes a whole word; the next value overwrites the excess.
    if count + width + 8 > storage.count {
      storage.append(contentsOf: repeatElement(0, count: storage.count + 64))
    }
    storage.withUnsafeMutableBytes {
      $0.storeBytes(of: value.littleEndian, toByteOffset: count, as: UInt64.self)
    }
    count += width
  }

  /// Reads a whole word: eight bytes of padding follow the last integer.
  @inline(__always)
  static func value(in bytes: UnsafeRawBufferPointer, at position: Int, width: Int) -> UInt64 {
    let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
    return width == 8 ? word : word & (1 << UInt64(8 * width) - 1)
  }
}
