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

    var width: Width
    var shift: Int

    /// Returns the number of lower bits that belong to a coarse integer.
    @inline(__always)
    func lowBitCount(of integer: Int64) -> Int {
      guard integer != 0 else { return width.bits }
      let exponent = 63 &- integer.magnitude.leadingZeroBitCount
      return max(0, width.significandBits &- exponent)
    }

    @inline(__always)
    func value(of integer: Int64, lowBits: UInt64, count: Int) -> Double {
      guard integer != 0 else {
        return width == .float64
          ? Double(bitPattern: lowBits)
          : Double(Float(bitPattern: UInt32(truncatingIfNeeded: lowBits)))
      }
      let magnitude = Int64(bitPattern: integer.magnitude &<< UInt64(count) | lowBits)
      let signed = integer < 0 ? 0 &- magnitude : magnitude
      return Double(signed) * Self.power(0 &- shift &- count)
    }

    @inline(__always)
    func read(_ integer: Int64, from lowBits: inout BitReader) -> Double {
      guard integer != 0 else {
        defer { lowBits.skip(width.bits) }
        return whole(at: lowBits)
      }
      let count = lowBitCount(of: integer)
      return value(of: integer, lowBits: lowBits.read(count), count: count)
    }

    /// Values of the first lanes, which have low bits; the others are 0.
    @inline(__always)
    func read(
      _ integers: SIMD4<Int64>, lanes: Int, from lowBits: inout BitReader
    ) -> SIMD4<Double> {
      var bits = lowBits
      defer { lowBits = bits }
      let x = read(integers.x, from: &bits)
      let y = lanes > 1 ? read(integers.y, from: &bits) : 0
      let z = lanes > 2 ? read(integers.z, from: &bits) : 0
      return SIMD4(x, y, z, lanes > 3 ? read(integers.w, from: &bits) : 0)
    }

    /// A value that is stored whole. The reader is not advanced, so that it stays in registers.
    @inline(never)
    private func whole(at lowBits: BitReader) -> Double {
      var bits = lowBits
      return value(of: 0, lowBits: bits.readLong(width.bits), count: 0)
    }

    /// The inverse of ``value(of:lowBits:count:)``; nil where no integer and bits give the value.
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
      values[row] = layout.value(
        of: integers[row], lowBits: 0, count: layout.lowBitCount(of: integers[row]))
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
            for rows in LaneRows.all(of: integers.count) {
              for lane in 0..<rows.active {
                let row = rows[lane]
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
        for row in values.indices {
          values[row] = layout.read(values.integer(at: row), from: &reader)
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
