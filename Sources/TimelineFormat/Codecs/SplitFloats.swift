/// Codec 4: floating-point values split into a coarse integer, which is predicted, and the lower bits of the
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
      let magnitude = integer.magnitude << UInt64(count) | lowBits
      let scaled = Double(magnitude) * Self.power(-(shift &+ count))
      return integer < 0 ? -scaled : scaled
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
    let scale = Layout.power(layout.shift)
    integers = [Int64](unsafeUninitializedCapacity: values.count) { integers, integerCount in
      lows = [UInt64](unsafeUninitializedCapacity: values.count) { lows, lowCount in
        var stand: Int64 = 0
        for row in values.indices {
          let value = values[row]
          let scaled = value * scale
          if abs(scaled) < ValueScale.maximumMagnitude {
            let integer = Int64(scaled)
            let count = layout.lowBitCount(of: integer)
            let low: UInt64
            if integer == 0 {
              low =
                layout.width == .float64 ? value.bitPattern : UInt64(Float(value).bitPattern)
            } else {
              low = UInt64(abs(scaled) * Layout.power(count)) & ((1 &<< UInt64(count)) &- 1)
            }
            let decoded = layout.value(of: integer, lowBits: low, count: count)
            if decoded.bitPattern == value.bitPattern {
              integers[row] = integer
              lows[row] = low
              stand = integer
              continue
            }
          }
          exceptions.append(row: row, value: value)
          if exceptions.count > maximumExceptions { break }
          integers[row] = stand
          lows[row] = 0
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
  func valuesBeforeExceptions() -> [Double] {
    integers.indices.map { row in
      layout.value(
        of: integers[row], lowBits: lowBits[row], count: layout.lowBitCount(of: integers[row]))
    }
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
    for value in values where value.isFinite { largest = max(largest, abs(value)) }
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
    var bits = BitWriter(capacity: integers.count * layout.width.bits / 8)
    for row in integers.indices {
      bits.write(lowBits[row], count: layout.lowBitCount(of: integers[row]))
    }
    writer.append(bits.finished())
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
    let integers = try head.column.decodeIntegers(
      bytes, residuals: head.residuals, count: count, place: place)
    let layout = head.layout
    let decoded = bytes[head.lowBits].withUnsafeBufferPointer { bytes -> [Double]? in
      var reader = BitReader(bytes)
      let values = [Double](unsafeUninitializedCapacity: count) { values, written in
        var bits = reader
        for row in 0..<count {
          let lowCount = layout.lowBitCount(of: integers[row])
          let low = bits.readLong(lowCount)
          values[row] = layout.value(of: integers[row], lowBits: low, count: lowCount)
        }
        reader = bits
        written = count
      }
      return reader.isAtEnd ? values : nil
    }
    guard var values = decoded else {
      throw .malformed(place: place, reason: "low bits of another length")
    }
    head.column.exceptions.apply(to: &values)
    return values
  }
}
