/// Codec 8: floating-point values split into coarse integers, which are predicted, and the low bits of the
/// significands, which are noise and stored unchanged.
///
/// A value x with |x| ≥ 2^−shift has the coarse integer c = trunc(x · 2^shift) and, with e = ⌊log2 |c|⌋,
/// max(0, significandBits − e) low bits. Smaller values have c = 0 and are stored whole. Precision: Float32
/// or Double.
/// Double.
struct SplitFloats: QuantizedColumn {
  enum Width: UInt8 {
    case float32 = 0
    case float64 = 1

    var significandBits: Int { self == .float32 ? 23 : 52 }
    /// Size of a value that is stored whole.
    var bits: Int { self == .float32 ? 32 : 64 }
  }

  let layout: Layout
  let integers: [Int64]
  private(set) var values: [Double]
  let exceptions: Exceptions

  var density: Double { layout.density }

  /// Conversion between values, and coarse integers with low bits.
  struct Layout {
    /// Exponent of the largest coarse integers.
    static let maximumExponent = 50
    static let shifts = -100...200

    let width: Width
    let shift: Int
    private let significandBits: Int
    /// Number of bits of a Double below those of a value.
    private let unusedBits: UInt64
    private let unusedMask: UInt64
    /// Largest exponent at which a coarse integer and low bits make up the whole value.
    private let maximumDirectExponent: UInt
    /// The shift, at the bit position of a Double's exponent.
    private let exponent: UInt64

    init(width: Width, shift: Int) {
      self.width = width
      self.shift = shift
      significandBits = width.significandBits
      unusedBits = UInt64(52 - width.significandBits)
      unusedMask = 1 << unusedBits - 1
      maximumDirectExponent = UInt(min(width.significandBits, Self.maximumExponent))
      exponent = UInt64(bitPattern: Int64(shift)) << 52
    }

    init(_ reader: inout ByteReader) throws(TimelineError) {
      guard let width = Width(rawValue: try reader.uint8()) else {
        throw .malformed(place: reader.place, reason: "unknown width")
      }
      let shift = try reader.zigzag()
      guard shift >= Self.shifts.lowerBound, shift <= Self.shifts.upperBound else {
        throw .malformed(place: reader.place, reason: "a shift of \(shift)")
      }
      self.init(width: width, shift: Int(shift))
    }

    /// Integer steps per unit of the values: 2^shift.
    var density: Double { Double(sign: .plus, exponent: shift, significand: 1) }

    /// Returns the number of low bits of a coarse integer other than 0, given as the bits of a Double.
    @inline(__always)
    private func lowBitCount(of integer: UInt64) -> Int {
      max(0, significandBits &+ 1023 &- Int(integer &>> 52 & 0x7FF))
    }

    /// Returns the value of a coarse integer other than 0, given as the bits of a Double, and its low bits.
    @inline(__always)
    private func value(of integer: UInt64, lowBits: UInt64) -> Double {
      Double(bitPattern: (integer | lowBits &<< unusedBits) &- exponent)
    }

    /// Returns the value of a coarse integer whose low bits are 0.
    func value(of integer: Int64) -> Double {
      integer == 0 ? 0 : value(of: Double(integer).bitPattern, lowBits: 0)
    }

    /// - Parameter isUnchecked: True if more bits follow than a value can have.
    @inline(__always)
    func read(_ integer: Int64, from lowBits: inout BitReader, isUnchecked: Bool = false) -> Double
    {
      guard integer != 0 else {
        defer { lowBits.skip(width.bits) }
        return whole(at: lowBits)
      }
      let bits = Double(integer).bitPattern
      let count = lowBitCount(of: bits)
      return value(
        of: bits, lowBits: isUnchecked ? lowBits.readUnchecked(count) : lowBits.read(count))
    }

    /// Replaces coarse integers by their values. Returns the reader, advanced past the low bits.
    func convert(
      _ values: UnsafeMutableBufferPointer<Double>, from lowBits: BitReader
    ) -> BitReader {
      var reader = lowBits
      var row = 0
      while case let end = min(values.count, row + reader.safeCount(width.bits)), row < end {
        while row < end {
          values[row] = read(values.integer(at: row), from: &reader, isUnchecked: true)
          row &+= 1
        }
      }
      while row < values.count {
        values[row] = read(values.integer(at: row), from: &reader)
        row &+= 1
      }
      return reader
    }

    /// Reads the values of the first lanes. The others are 0.
    @inline(__always)
    func read(
      _ integers: SIMD4<Int64>, lanes: Int, from lowBits: inout BitReader
    ) -> SIMD4<Double> {
      var bits = lowBits
      defer { lowBits = bits }
      if lanes == 4, bits.hasMore(than: 4 &* 64) {
        let x = read(integers.x, from: &bits, isUnchecked: true)
        let y = read(integers.y, from: &bits, isUnchecked: true)
        let z = read(integers.z, from: &bits, isUnchecked: true)
        return SIMD4(x, y, z, read(integers.w, from: &bits, isUnchecked: true))
      }
      var values = SIMD4<Double>.zero
      for lane in 0..<lanes { values[lane] = read(integers[lane], from: &bits) }
      return values
    }

    /// Returns a value that is stored whole. Does not advance the reader, so that it stays in registers.
    @inline(never)
    private func whole(at lowBits: BitReader) -> Double {
      var reader = lowBits
      let bits = reader.readLong(width.bits)
      return width == .float64
        ? Double(bitPattern: bits) : Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    }

    /// Returns the coarse integer of a value; nil if the value needs more than it and the low bits.
    @inline(__always)
    func integer(of value: Double) -> Int64? {
      let bits = value.bitPattern
      let exponent = Int(bits &>> 52 & 0x7FF) &- 1023 &+ shift
      guard UInt(bitPattern: exponent) <= maximumDirectExponent, bits & unusedMask == 0 else {
        return integer(of: value, exponent: exponent)
      }
      return Self.integer(bits, exponent)
    }

    /// Returns the integer part of a Double, given by its bits, with its exponent replaced by one of 0 to 52.
    @inline(__always)
    private static func integer(_ bits: UInt64, _ exponent: Int) -> Int64 {
      let magnitude = Int64(
        bitPattern: (bits & (1 &<< 52 &- 1) | 1 &<< 52)
          &>> UInt64(truncatingIfNeeded: 52 &- exponent))
      let sign = Int64(bitPattern: bits) &>> 63
      return (magnitude ^ sign) &- sign
    }

    @inline(never)
    private func integer(of value: Double, exponent: Int) -> Int64? {
      guard exponent >= 0 else {
        return width == .float64 || Double(Float(value)).bitPattern == value.bitPattern ? 0 : nil
      }
      let unused = exponent > significandBits ? 52 - exponent : Int(unusedBits)
      guard exponent <= Self.maximumExponent, value.bitPattern & (1 << unused - 1) == 0 else {
        return nil
      }
      return Self.integer(value.bitPattern, exponent)
    }

    /// Writes the low bits of a value that ``integer(of:)`` expresses.
    @inline(__always)
    func writeLowBits(of value: Double, to writer: inout BitWriter) {
      let bits = value.bitPattern
      let count = significandBits &+ 1023 &- shift &- Int(bits &>> 52 & 0x7FF)
      if count > significandBits {
        writer.write(whole(value), count: width.bits)
      } else if count > 0 {
        writer.writeShort(bits &>> unusedBits & (1 &<< UInt64(count) &- 1), count: count)
      }
    }

    @inline(never)
    private func whole(_ value: Double) -> UInt64 {
      width == .float64 ? value.bitPattern : UInt64(Float(value).bitPattern)
    }
  }

  init?(_ values: [Double], maximumExceptions: Int) {
    guard let layout = Self.layout(for: values) else { return nil }
    var exceptions = Exceptions()
    integers = values.withUnsafeBufferPointer { values in
      [Int64](unsafeUninitializedCapacity: values.count) { integers, written in
        var last: Int64 = 0
        for row in values.indices {
          if let integer = layout.integer(of: values[row]) {
            last = integer
          } else {
            exceptions.append(row: row, value: values[row])
            guard exceptions.count <= maximumExceptions else { return }
          }
          integers[row] = last
        }
        written = values.count
      }
    }
    guard exceptions.count <= maximumExceptions else { return nil }
    self.layout = layout
    self.values = values
    for row in exceptions.rows { self.values[row] = layout.value(of: integers[row]) }
    self.exceptions = exceptions
  }

  /// Chooses a width, and a shift that makes differences integers of about ten bits.
  private static func layout(for values: [Double]) -> Layout? {
    let stride = max(1, values.count / 64)
    // Number of steps between values by their biased exponent.
    var exponents = [UInt8](repeating: 0, count: 2048)
    var smallest = exponents.count
    var steps = 0
    var probes = 0
    var floats = 0
    for row in Swift.stride(from: 0, to: values.count, by: stride) {
      let value = values[row]
      guard value.isFinite else { continue }
      probes += 1
      if Double(Float(value)).bitPattern == value.bitPattern { floats += 1 }
      if row > 0, case let step = abs(value - values[row - 1]), step > 0, step.isFinite {
        exponents[Int(step.exponentBitPattern)] += 1
        smallest = min(smallest, Int(step.exponentBitPattern))
        steps += 1
      }
    }
    // Without signs, bits are in the order of magnitudes.
    let infinity = Double.infinity.bitPattern << 1
    var largest = values.reduce(0) { max($0, $1.bitPattern &<< 1) }
    if largest >= infinity {
      largest = values.reduce(0) { $1.isFinite ? max($0, $1.bitPattern &<< 1) : $0 }
    }
    guard probes > 0, largest > 0 else { return nil }
    let largestExponent = Int(largest >> 53)
    var medianExponent = steps == 0 ? largestExponent : smallest
    var rank = steps / 2
    while steps > 0, rank >= exponents[medianExponent] {
      rank -= Int(exponents[medianExponent])
      medianExponent += 1
    }
    let shift = 1023 + min(10 - medianExponent, 49 - largestExponent)
    guard Layout.shifts.contains(shift) else { return nil }
    return Layout(width: floats == probes ? .float32 : .float64, shift: shift)
  }

  func encoded(_ column: IntegerColumn, _ codes: [UInt64]) -> EncodedColumn {
    var writer = ByteWriter()
    writer.uint8(layout.width.rawValue)
    writer.zigzag(Int64(layout.shift))
    column.writeHead(to: &writer)
    let residuals = ResidualCoding.encode(codes)
    writer.varint(residuals.count)
    writer.append(residuals)
    let bits = BitWriter.bytes(capacity: values.count * 8) { bits in
      values.withUnsafeBufferPointer { values in
        var bits = bits
        if column.predictor == .rotation {
          let length = LaneRows(count: values.count).length
          for step in 0..<length {
            var row = step
            while row < values.count {
              layout.writeLowBits(of: values[row], to: &bits)
              row &+= length
            }
          }
        } else {
          for value in values { layout.writeLowBits(of: value, to: &bits) }
        }
        return bits
      }
    }
    writer.append(bits)
    return EncodedColumn(codec: .splitFloats, payload: writer.bytes)
  }
}
