/// Codec 8: floating-point values split into a coarse integer, which is predicted, and the lower bits of the
/// significand, which are noise and stored raw.
///
/// A value x with |x| ≥ 2^−shift has the coarse integer c = trunc(x · 2^shift) and, with e = ⌊log2 |c|⌋,
/// max(0, significandBits − e) lower bits. Smaller values have c = 0 and are stored whole. Stores no bits
/// beyond the precision of Float32 or Double.
struct SplitFloats {
  enum Width: UInt8 {
    case float32 = 0
    case float64 = 1

    var significandBits: Int { self == .float32 ? 23 : 52 }
    /// Size of a value that is stored whole.
    var bits: Int { self == .float32 ? 32 : 64 }
  }

  static let shifts = -100...200

  var layout: Layout
  var integers: [Int64]
  var lowBits: [UInt64]
  var exceptions: Exceptions

  /// Conversion of integers and lower bits to values.
  struct Layout {
    /// Exponent of the largest coarse integers.
    static let maximumExponent = 50

    let width: Width
    let shift: Int
    /// Low bits of an integer whose exponent as a Double is 0, by the bits of that Double.
    private let maximumLowBitCount: Int
    /// Bits of a Double below those of a value.
    private let unusedBits: UInt64
    /// The shift, in the exponent of a Double.
    private let exponent: UInt64

    init(width: Width, shift: Int) {
      self.width = width
      self.shift = shift
      maximumLowBitCount = width.significandBits + 1023
      unusedBits = UInt64(52 - width.significandBits)
      exponent = UInt64(bitPattern: Int64(shift)) << 52
    }

    /// Returns the number of lower bits that belong to a coarse integer.
    @inline(__always)
    func lowBitCount(of integer: Int64) -> Int {
      integer == 0 ? width.bits : lowBitCount(of: Double(integer).bitPattern)
    }

    /// Returns the number of lower bits of a coarse integer other than 0, as the bits of a Double.
    @inline(__always)
    private func lowBitCount(of integer: UInt64) -> Int {
      max(0, maximumLowBitCount &- Int(integer &>> 52 & 0x7FF))
    }

    /// Returns the value of a coarse integer other than 0, as the bits of a Double: the low bits follow its significand.
    @inline(__always)
    private func value(of integer: UInt64, lowBits: UInt64) -> Double {
      Double(bitPattern: (integer | lowBits &<< unusedBits) &- exponent)
    }

    /// Returns the value of a coarse integer whose low bits are 0.
    func value(of integer: Int64) -> Double {
      integer == 0 ? 0 : value(of: Double(integer).bitPattern, lowBits: 0)
    }

    /// - Parameter isFar: True if more bits follow than a value can have.
    @inline(__always)
    func read(_ integer: Int64, from lowBits: inout BitReader, isFar: Bool = false) -> Double {
      guard integer != 0 else {
        defer { lowBits.skip(width.bits) }
        return whole(at: lowBits)
      }
      let bits = Double(integer).bitPattern
      let count = lowBitCount(of: bits)
      return value(of: bits, lowBits: isFar ? lowBits.readUnchecked(count) : lowBits.read(count))
    }

    /// Values of the first lanes, which have low bits; the others are 0.
    @inline(__always)
    func read(
      _ integers: SIMD4<Int64>, lanes: Int, from lowBits: inout BitReader
    ) -> SIMD4<Double> {
      var bits = lowBits
      defer { lowBits = bits }
      if lanes == 4, bits.hasMore(than: 4 &* 64) {
        let x = read(integers.x, from: &bits, isFar: true)
        let y = read(integers.y, from: &bits, isFar: true)
        let z = read(integers.z, from: &bits, isFar: true)
        return SIMD4(x, y, z, read(integers.w, from: &bits, isFar: true))
      }
      var values = SIMD4<Double>.zero
      for lane in 0..<lanes { values[lane] = read(integers[lane], from: &bits) }
      return values
    }

    /// A value that is stored whole. The reader is not advanced, so that it stays in registers.
    @inline(never)
    private func whole(at lowBits: BitReader) -> Double {
      var reader = lowBits
      let bits = reader.readLong(width.bits)
      return width == .float64
        ? Double(bitPattern: bits) : Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    }

    /// The inverse of ``value(of:lowBits:)``; nil where no integer and bits give the value.
    @inline(__always)
    func split(_ value: Double) -> (integer: Int64, lowBits: UInt64)? {
      let bits = value.bitPattern
      // The coarse integer's exponent.
      let exponent = Int(bits &>> 52 & 0x7FF) &- 1023 &+ shift
      guard exponent >= 0 else {
        guard width == .float32 else { return (0, bits) }
        let float = Float(value)
        return Double(float).bitPattern == bits ? (0, UInt64(float.bitPattern)) : nil
      }
      guard exponent <= Self.maximumExponent else { return nil }
      let significand = bits & (1 &<< 52 &- 1) | 1 &<< 52
      let count = max(0, width.significandBits &- exponent)
      let unused = 52 &- exponent &- count
      guard significand & (1 &<< UInt64(unused) &- 1) == 0 else { return nil }
      let magnitude = Int64(bitPattern: significand &>> UInt64(52 &- exponent))
      let low = significand &>> UInt64(unused) & (1 &<< UInt64(count) &- 1)
      return (value < 0 ? 0 &- magnitude : magnitude, low)
    }

    /// Returns a power of two within the range of normal numbers.
    @inline(__always)
    static func power(_ exponent: Int) -> Double {
      Double(bitPattern: UInt64(truncatingIfNeeded: exponent &+ 1023) << 52)
    }
  }

  init?(_ values: UnsafeBufferPointer<Double>, maximumExceptions: Int) {
    guard let layout = Self.layout(for: values) else { return nil }
    self.layout = layout
    var exceptions = Exceptions()
    var lows: [UInt64] = []
    integers = [Int64](unsafeUninitializedCapacity: values.count) { integers, integerCount in
      lows = [UInt64](unsafeUninitializedCapacity: values.count) { lows, lowCount in
        var last: Int64 = 0
        for row in values.indices {
          if let (integer, low) = layout.split(values[row]) {
            integers[row] = integer
            lows[row] = low
            last = integer
          } else {
            exceptions.append(row: row, value: values[row])
            if exceptions.count > maximumExceptions { break }
            integers[row] = last
            lows[row] = 0
          }
        }
        lowCount = exceptions.count > maximumExceptions ? 0 : values.count
      }
      integerCount = lows.count
    }
    guard exceptions.count <= maximumExceptions else { return nil }
    lowBits = lows
    self.exceptions = exceptions
  }

  /// The values that a decoder computes from integers and lower bits, before exceptions are applied.
  ///
  /// - Parameter values: Those that were split.
  func valuesBeforeExceptions(_ values: [Double]) -> [Double] {
    var values = values
    for row in exceptions.rows {
      values[row] = layout.value(of: integers[row])
    }
    return values
  }

  /// Chooses the width that fits, and a shift for which differences become integers of about ten bits.
  private static func layout(for values: UnsafeBufferPointer<Double>) -> Layout? {
    let stride = max(1, values.count / 64)
    var steps: [Double] = []
    var probes = 0
    var floats = 0
    var largest = 0.0
    for row in Swift.stride(from: 0, to: values.count, by: stride) {
      let value = values[row]
      guard value.isFinite else { continue }
      probes += 1
      if Double(Float(value)).bitPattern == value.bitPattern { floats += 1 }
      if row > 0, case let step = abs(value - values[row - 1]), step > 0, step.isFinite {
        steps.append(step)
      }
    }
    for value in values where value.isFinite && abs(value) > largest { largest = abs(value) }
    guard probes > 0, largest > 0 else { return nil }
    steps.sort()
    let step = steps.isEmpty ? largest : steps[steps.count / 2]
    let shift = min(10 - Int(step.exponent), 49 - Int(largest.exponent))
    guard shifts.contains(shift) else { return nil }
    return Layout(width: floats == probes ? .float32 : .float64, shift: shift)
  }

  func encoded(modulus: Int64) -> EncodedColumn {
    let (column, codes) = IntegerColumn.predicting(
      integers, modulus: modulus, exceptions: exceptions, allowsSteps: false)
    return encoded(column, codes)
  }

  func encoded(_ column: IntegerColumn, _ codes: [UInt64]) -> EncodedColumn {
    var writer = ByteWriter()
    writer.uint8(layout.width.rawValue)
    writer.zigzag(Int64(layout.shift))
    column.writeHead(to: &writer)
    let residuals = ResidualCoding.encode(codes)
    writer.varint(residuals.count)
    writer.append(residuals)
    let bits = BitWriter.bytes(capacity: integers.count * 8) { bits in
      integers.withUnsafeBufferPointer { integers in
        lowBits.withUnsafeBufferPointer { lowBits in
          if column.predictor == .rotation {
            let lanes = LaneRows(count: integers.count)
            for step in 0..<lanes.length {
              for row in lanes.rows(of: step) {
                bits.write(lowBits[row], count: layout.lowBitCount(of: integers[row]))
              }
            }
          } else {
            for row in integers.indices {
              bits.write(lowBits[row], count: layout.lowBitCount(of: integers[row]))
            }
          }
        }
      }
    }
    writer.append(bits)
    return EncodedColumn(codec: .splitFloats, payload: writer.bytes)
  }
}

extension SplitFloats {
  /// The header of a payload, before its residuals and lower bits are read.
  struct Head {
    var layout: Layout
    var column: IntegerColumn
    var residuals: Range<Int>
    var lowBits: Range<Int>

    init(
      _ bytes: [UInt8], payload: Range<Int>, count: Int, place: String
    ) throws(TimelineError) {
      var reader = ByteReader(bytes, range: payload, place: place)
      guard let width = Width(rawValue: try reader.uint8()) else {
        throw .malformed(place: place, reason: "unknown width")
      }
      let shift = try reader.zigzag()
      guard shift >= SplitFloats.shifts.lowerBound, shift <= SplitFloats.shifts.upperBound else {
        throw .malformed(place: place, reason: "a shift of \(shift)")
      }
      layout = Layout(width: width, shift: Int(shift))
      column = try IntegerColumn(&reader, count: count)
      residuals = try reader.skip(try reader.varint())
      lowBits = reader.position..<payload.upperBound
    }
  }

  static func decode(
    _ bytes: [UInt8], payload: Range<Int>, count: Int, place: String
  ) throws(TimelineError) -> [Double] {
    let head = try Head(bytes, payload: payload, count: count, place: place)
    let layout = head.layout
    return try bytes.withUnsafeBufferPointer { buffer throws(TimelineError) in
      var bits = BitReader(UnsafeBufferPointer(rebasing: buffer[head.lowBits]))
      let values = try head.column.decodeValues(
        bytes, residuals: head.residuals, count: count, place: place
      ) { values in
        var reader = bits
        var row = 0
        while case let end = min(values.count, row + reader.safeCount(layout.width.bits)), row < end
        {
          while row < end {
            values[row] = layout.read(values.integer(at: row), from: &reader, isFar: true)
            row &+= 1
          }
        }
        while row < values.count {
          values[row] = layout.read(values.integer(at: row), from: &reader)
          row &+= 1
        }
        bits = reader
      }
      guard bits.isAtEnd else {
        throw .malformed(place: place, reason: "low bits of another length")
      }
      return values
    }
  }
}
