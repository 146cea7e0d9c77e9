/// Conversion of integers to values by a divisor or a factor.
///
/// `docs/timeline-format.md`, "Scales".
struct ValueScale: Hashable {
  /// Code of the scale in the format.
  let tag: UInt8
  /// Divisor or factor.
  let number: Double

  private static let divisor: UInt8 = 0
  private static let factor: UInt8 = 1
  private static let ticksFactor: UInt8 = 5
  private static let decimalTags: ClosedRange<UInt8> = 16...31
  private static let binaryTags: ClosedRange<UInt8> = 64...127

  var isFactor: Bool { tag == Self.factor || tag == Self.ticksFactor }

  /// Magnitude below which rounding a Double to an integer is exact.
  static let maximumMagnitude = 0x1p51

  static let ticks = ValueScale(tag: ticksFactor, number: 1 / 24e6)

  /// Returns the scale k / 10^digits, which is how decimal text is parsed.
  static func decimal(digits: Int) -> ValueScale {
    var power = 1.0
    for _ in 0..<digits { power *= 10 }
    return ValueScale(tag: decimalTags.lowerBound + UInt8(digits), number: power)
  }

  /// Returns the scale k / 2^bits.
  static func binary(bits: Int) -> ValueScale {
    ValueScale(
      tag: binaryTags.lowerBound + UInt8(bits),
      number: Double(sign: .plus, exponent: bits, significand: 1))
  }

  private static let named: [UInt8: Double] = [
    2: 5001, 3: 500_100, 4: 5.001, ticksFactor: 1 / 24e6, 6: 24e6,
  ]

  /// Returns the scale of a bound. Its step is slightly less than twice the bound, so that rounding stays within it.
  static func within(_ bound: Double) -> ValueScale? {
    guard bound > 0, bound.isFinite else { return nil }
    let exact = 0.5002 / bound
    guard exact.isNormal else { return nil }
    let standard: [Double: UInt8] = [1e-4: 2, 1e-6: 3, 0.1: 4]
    if let tag = standard[bound], let number = named[tag] {
      return ValueScale(tag: tag, number: number)
    }
    return ValueScale(tag: divisor, number: 0.5001 / bound)
  }

  init(tag: UInt8, number: Double) {
    self.tag = tag
    self.number = number
  }

  init(_ reader: inout ByteReader) throws(TimelineError) {
    let tag = try reader.uint8()
    switch tag {
    case Self.divisor, Self.factor:
      let number = try reader.double()
      guard number.isNormal, number > 0 else {
        throw .malformed(place: reader.place, reason: "a scale of \(number)")
      }
      self.init(tag: tag, number: number)
    case Self.decimalTags:
      self = Self.decimal(digits: Int(tag - Self.decimalTags.lowerBound))
    case Self.binaryTags:
      self = Self.binary(bits: Int(tag - Self.binaryTags.lowerBound))
    default:
      guard let number = Self.named[tag] else {
        throw .malformed(place: reader.place, reason: "unknown scale")
      }
      self.init(tag: tag, number: number)
    }
  }

  func write(to writer: inout ByteWriter) {
    writer.uint8(tag)
    if tag <= Self.factor { writer.double(number) }
  }

  @inline(__always)
  func value(of integer: Int64) -> Double {
    isFactor ? Double(integer) * number : Double(integer) / number
  }

  /// Returns the values of integers, given as Double.
  @inline(__always)
  func values(of integers: SIMD4<Double>) -> SIMD4<Double> {
    isFactor ? integers * number : integers / number
  }

  /// Replaces integers by their values.
  func convert(_ values: UnsafeMutableBufferPointer<Double>) {
    let number = number
    if isFactor {
      for row in values.indices { values[row] = Double(values.integer(at: row)) * number }
    } else {
      for row in values.indices { values[row] = Double(values.integer(at: row)) / number }
    }
  }

  /// Factor that converts a value to its integer.
  var inverse: Double { isFactor ? 1 / number : number }
}

extension ValueScale {
  /// Returns scales that represent a sample of the values exactly, coarsest first.
  static func exactCandidates(for values: [Double]) -> [ValueScale] {
    let stride = max(1, values.count / 24)
    let probes = Swift.stride(from: 0, to: values.count, by: stride).map { values[$0] }
      .filter { $0.isFinite && $0 != 0 }
    guard !probes.isEmpty else { return [decimal(digits: 0)] }
    var candidates: [ValueScale] = []
    let decimals = (0...9).lazy.map { decimal(digits: $0) }
    if let found = (decimals + [ticks]).first(where: { scale in
      probes.allSatisfy { scale.isExact($0) }
    }) {
      candidates.append(found)
    }
    let bits =
      probes.map { value in
        52 - Int(value.exponent) - min(52, value.significandBitPattern.trailingZeroBitCount)
      }.max() ?? 0
    if (0...50).contains(bits), case let scale = binary(bits: bits),
      probes.allSatisfy({ scale.isExact($0) })
    {
      candidates.append(scale)
    }
    return candidates
  }

  @inline(__always)
  func isExact(_ value: Double) -> Bool {
    let scaled = value * inverse
    guard abs(scaled) < Self.maximumMagnitude else { return false }
    let integer = DeterministicTrigonometry.rounded(scaled)
    return self.value(of: integer).bitPattern == value.bitPattern
  }
}
