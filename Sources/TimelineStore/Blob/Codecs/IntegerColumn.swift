/// A column as integers with a prediction: what the codecs of scaled integers, split floats and
/// lattices have in common. `docs/timeline-format.md`, "Predicted integers".
struct IntegerColumn {
  var predictor: Predictor
  /// 0 for none; see ``Predictor/wrapped(_:modulus:)``.
  var modulus: Int64
  var base: Int64
  var steps: [Int64]
  var exceptions: Exceptions

  /// Steps that a column may choose among: at most 2 to the power of this.
  static let maximumStepBits = 3
  static let maximumModulus: Int64 = 1 << 60

  func writeHead(to writer: inout ByteWriter) {
    writer.uint8(predictor.rawValue)
    writer.varint(Int(modulus))
    writer.zigzag(base)
    if predictor == .steps {
      writer.uint8(UInt8(Self.stepBits(steps.count)))
      for step in steps { writer.zigzag(step) }
    }
    exceptions.write(to: &writer)
  }

  /// Reads the head; the residuals follow.
  ///
  /// - Parameter count: The rows of the block.
  init(_ reader: inout ByteReader, count: Int) throws(TimelineError) {
    guard let predictor = Predictor(rawValue: try reader.uint8()) else {
      throw .malformed(place: reader.place, reason: "unknown predictor")
    }
    self.predictor = predictor
    modulus = Int64(try reader.varint())
    guard modulus <= Self.maximumModulus else {
      throw .malformed(place: reader.place, reason: "a modulus of \(modulus)")
    }
    base = try reader.zigzag()
    steps = []
    if predictor == .steps {
      let bits = Int(try reader.uint8())
      guard bits <= Self.maximumStepBits else {
        throw .malformed(place: reader.place, reason: "too many steps")
      }
      for _ in 0..<(1 << bits) { steps.append(try reader.zigzag()) }
    }
    exceptions = try Exceptions(&reader, count: count)
  }

  init(
    predictor: Predictor, modulus: Int64 = 0, base: Int64, steps: [Int64] = [],
    exceptions: Exceptions
  ) {
    self.predictor = predictor
    self.modulus = modulus
    self.base = base
    self.steps = steps
    self.exceptions = exceptions
  }

  private static func stepBits(_ count: Int) -> Int {
    count <= 1 ? 0 : Int.bitWidth - (count - 1).leadingZeroBitCount
  }

  /// The integers from the numbers that were written, for all predictors but that by rotation.
  func integers(from codes: [UInt64]) -> [Int64] {
    guard predictor != .steps else {
      let bits = UInt64(Self.stepBits(steps.count))
      let mask = (1 << bits) &- 1 as UInt64
      var value = base
      return codes.map { code in
        value = Predictor.wrapped(
          value &+ steps[Int(code & mask)] &+ ResidualCoding.unzigzag(code >> bits),
          modulus: modulus)
        return value
      }
    }
    var values = [Int64](unsafeUninitializedCapacity: codes.count) { values, written in
      for row in codes.indices { values[row] = ResidualCoding.unzigzag(codes[row]) }
      written = codes.count
    }
    Predictor.integrate(
      &values, order: Int(predictor.rawValue), base: base, modulus: modulus)
    return values
  }
}

extension IntegerColumn {
  /// The cheapest prediction of a series by those before, with the numbers to be written.
  ///
  /// - Parameter allowsSteps: Also looks for a few steps that recur, as those of a clock that ticks.
  static func predicting(
    _ values: [Int64], modulus: Int64 = 0, exceptions: Exceptions, allowsSteps: Bool
  ) -> (column: IntegerColumn, codes: [UInt64]) {
    let base = values.first ?? 0
    var best: (cost: Double, column: IntegerColumn, codes: [UInt64])?
    for order in 0...3 {
      let codes = Predictor.differences(of: values, order: order, base: base).map {
        ResidualCoding.zigzag(Predictor.wrapped($0, modulus: modulus))
      }
      let cost = estimatedBits(codes)
      if best.map({ cost < $0.cost }) ?? true, let predictor = Predictor(rawValue: UInt8(order)) {
        let column = IntegerColumn(
          predictor: predictor, modulus: modulus, base: base, exceptions: exceptions)
        best = (cost, column, codes)
      }
    }
    if allowsSteps, modulus == 0 {
      var differences = Predictor.differences(of: values, order: 1, base: base)
      for steps in ClockSteps.candidates(of: differences) {
        // The first row is one step from the base, too.
        if !differences.isEmpty { differences[0] = steps[0] }
        let column = IntegerColumn(
          predictor: .steps, base: base &- steps[0], steps: steps, exceptions: exceptions)
        guard let codes = ClockSteps.codes(of: differences, steps: steps) else { continue }
        let cost = estimatedBits(codes)
        if best.map({ cost < $0.cost }) ?? true { best = (cost, column, codes) }
      }
    }
    return best.map { ($0.column, $0.codes) }
      ?? (IntegerColumn(predictor: .base, base: base, exceptions: exceptions), [])
  }

  /// The bits that residuals take, roughly.
  private static func estimatedBits(_ codes: [UInt64]) -> Double {
    var bits = 0.0
    codes.withUnsafeBufferPointer { codes in
      var start = 0
      while start < codes.count {
        let end = min(codes.count, start + ResidualCoding.blockLength)
        var sum: UInt64 = 0
        for row in start..<end { sum = sum &+ min(codes[row], 1 << 56) }
        let length = Double(end - start)
        let mean = Double(sum) / length
        // log2 by the exponent and a line between powers of two: close enough to choose by.
        let shifted = mean + 1
        bits += length * (Double(shifted.exponent) + shifted.significand)
        start = end
      }
    }
    return bits
  }
}

extension ByteWriter {
  /// A signed integer as a ``varint`` of ten bytes at most.
  mutating func zigzag(_ value: Int64) {
    var rest = ResidualCoding.zigzag(value)
    while rest >= 0x80 {
      uint8(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    uint8(UInt8(rest))
  }
}

extension ByteReader {
  mutating func zigzag() throws(TimelineError) -> Int64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let byte = try uint8()
      value |= UInt64(byte & 0x7F) << shift
      if byte & 0x80 == 0 {
        guard byte != 0 || shift == 0, shift < 63 || byte <= 1 else {
          throw .malformed(place: place, reason: "an integer is not in its shortest form")
        }
        return ResidualCoding.unzigzag(value)
      }
      shift += 7
      guard shift <= 63 else {
        throw .malformed(place: place, reason: "an integer exceeds 64 bits")
      }
    }
  }
}
