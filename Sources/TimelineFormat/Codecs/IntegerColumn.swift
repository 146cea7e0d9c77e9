/// The head of a column of predicted integers, shared by codecs 7, 8 and 9.
/// `docs/timeline-format.md`, "Predicted integers".
struct IntegerColumn {
  var predictor: Predictor
  /// 0 for none; see ``Predictor/wrapped(_:modulus:)``.
  var modulus: Int64
  var base: Int64
  /// Steps to choose from. For the prediction by rotation, the bases of all lanes but the first.
  var steps: [Int64]
  var exceptions: Exceptions

  /// Binary logarithm of the maximum number of steps.
  static let maximumStepBits = 3
  static let maximumModulus: Int64 = 1 << 60

  func writeHead(to writer: inout ByteWriter) {
    writer.uint8(predictor.rawValue)
    writer.varint(Int(modulus))
    writer.zigzag(base)
    if predictor == .steps {
      writer.uint8(UInt8(Self.stepBits(steps.count)))
    }
    for step in steps { writer.zigzag(step) }
    exceptions.write(to: &writer)
  }

  /// Reads the head, which the residuals follow.
  ///
  /// - Parameter count: Number of rows in the block.
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
    var stepCount = predictor == .rotation ? LaneRows.laneCount - 1 : 0
    if predictor == .steps {
      let bits = Int(try reader.uint8())
      guard bits <= Self.maximumStepBits else {
        throw .malformed(place: reader.place, reason: "too many steps")
      }
      stepCount = 1 << bits
    }
    for _ in 0..<stepCount { steps.append(try reader.zigzag()) }
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

  /// The first integers of all lanes.
  var laneBases: SIMD4<Int64> { SIMD4(base, steps[0], steps[1], steps[2]) }

  private static func stepBits(_ count: Int) -> Int {
    count <= 1 ? 0 : Int.bitWidth - (count - 1).leadingZeroBitCount
  }

  /// Replaces codes by integers, or by signed residuals for the prediction by rotation.
  private func restore(_ values: UnsafeMutableBufferPointer<Int64>) {
    func residual(_ row: Int) -> Int64 {
      ResidualCoding.unzigzag(UInt64(bitPattern: values[row]))
    }
    var (a, slope, bend) = (base, 0 as Int64, 0 as Int64)
    switch predictor {
    case .rotation: for row in values.indices { values[row] = residual(row) }
    case .steps:
      let bits = UInt64(Self.stepBits(steps.count))
      let mask = (1 << bits) &- 1 as UInt64
      for row in values.indices {
        let code = UInt64(bitPattern: values[row])
        a = Predictor.wrapped(
          a &+ steps[Int(code & mask)] &+ ResidualCoding.unzigzag(code >> bits), modulus: modulus)
        values[row] = a
      }
    case .base where modulus == 0:
      for row in values.indices { values[row] = base &+ residual(row) }
    case .previous where modulus == 0:
      for row in values.indices {
        a &+= residual(row)
        values[row] = a
      }
    case .linear where modulus == 0:
      for row in values.indices {
        slope &+= residual(row)
        a &+= slope
        values[row] = a
      }
    case .quadratic where modulus == 0:
      for row in values.indices {
        bend &+= residual(row)
        slope &+= bend
        a &+= slope
        values[row] = a
      }
    default:
      var (b, c) = (base, base)
      for row in values.indices {
        let predicted = Predictor.predicted(Int(predictor.rawValue), base, a, b, c)
        (a, b, c) = (Predictor.wrapped(predicted &+ residual(row), modulus: modulus), a, b)
        values[row] = a
      }
    }
  }

  private func decode(
    _ bytes: [UInt8], residuals: Range<Int>, into values: UnsafeMutableBufferPointer<Int64>
  ) -> Bool {
    let isWhole = bytes.withUnsafeBufferPointer { bytes in
      var reader = BitReader(UnsafeBufferPointer(rebasing: bytes[residuals]))
      return values.withMemoryRebound(to: UInt64.self) {
        ResidualCoding.decode(&reader, into: $0)
      } && reader.isAtEnd
    }
    if isWhole { restore(values) }
    return isWhole
  }

  /// Decodes the values of a column that is predicted from its own earlier rows. Values replace integers in place.
  ///
  /// - Parameters:
  ///   - residuals: Position of the residuals.
  ///   - convert: Replaces the integers by the values, before exceptions are applied.
  func decodeValues(
    _ bytes: [UInt8], residuals: Range<Int>, count: Int, place: String,
    convert: (UnsafeMutableBufferPointer<Double>) -> Void
  ) throws(TimelineError) -> [Double] {
    guard predictor != .rotation else {
      throw .malformed(place: place, reason: "only a whole attitude is predicted by rotation")
    }
    var values = [Double](unsafeUninitializedCapacity: count) { buffer, written in
      let values = UnsafeMutableBufferPointer(rebasing: buffer[..<count])
      let isWhole = values.withMemoryRebound(to: Int64.self) {
        decode(bytes, residuals: residuals, into: $0)
      }
      guard isWhole else { return }
      convert(values)
      written = count
    }
    try require(values.count == count, place)
    exceptions.apply(to: &values)
    return values
  }

  /// Decodes the signed residuals of a column that is predicted by rotation.
  func decodeResiduals(
    _ bytes: [UInt8], residuals: Range<Int>, count: Int, place: String
  ) throws(TimelineError) -> [Int64] {
    let values = [Int64](unsafeUninitializedCapacity: count) { buffer, written in
      let values = UnsafeMutableBufferPointer(rebasing: buffer[..<count])
      written = decode(bytes, residuals: residuals, into: values) ? count : 0
    }
    try require(values.count == count, place)
    return values
  }

  private func require(_ isWhole: Bool, _ place: String) throws(TimelineError) {
    guard isWhole else { throw .malformed(place: place, reason: "residuals of another length") }
  }
}

extension IntegerColumn {
  /// Returns the cheapest prediction from earlier rows, and the codes of the residuals.
  ///
  /// - Parameter allowsSteps: True to try clock steps, too.
  static func predicting(
    _ values: [Int64], modulus: Int64 = 0, exceptions: Exceptions, allowsSteps: Bool
  ) -> (column: IntegerColumn, codes: [UInt64]) {
    let base = values.first ?? 0
    let order = bestOrder(of: values, modulus: modulus, base: base).order
    var best = IntegerColumn(
      predictor: Predictor(rawValue: UInt8(order)) ?? .previous, modulus: modulus, base: base,
      exceptions: exceptions)
    var codes = Predictor.codes(of: values, order: order, base: base, modulus: modulus)
    if allowsSteps, modulus == 0 {
      var differences = values.indices.map { $0 == 0 ? 0 : values[$0] &- values[$0 - 1] }
      // The base is one step before the first row.
      if let steps = ClockSteps.best(for: differences), !differences.isEmpty {
        differences[0] = steps[0]
        let table = UInt64(steps.count > 1 ? 32 * steps.count : 0)
        if let other = ClockSteps.codes(of: differences[...], steps: steps),
          estimatedBits(other) + table < estimatedBits(codes)
        {
          best = IntegerColumn(
            predictor: .steps, base: base &- steps[0], steps: steps, exceptions: exceptions)
          codes = other
        }
      }
    }
    return (best, codes)
  }

  /// Returns the prediction order with the fewest residual bits and their number, from every sixth block.
  static func bestOrder(
    of values: [Int64], modulus: Int64, base: Int64
  ) -> (order: Int, bits: UInt64) {
    let length = ResidualCoding.blockLength
    var bits: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    // Start at the fourth row, which has three predecessors. In shorter series, the base stands for them.
    let isShort = values.count < 4
    let values = isShort ? [base, base, base] + values : values
    values.withUnsafeBufferPointer { values in
      withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 4 * length) { codes in
        var start = isShort ? values.count - 1 : 3
        while start < values.count, start >= 3 {
          let count = min(length, values.count - start)
          if count < length { codes.initialize(repeating: 0) }
          @inline(__always)
          func encode(_ code: (Int64) -> UInt64) {
            for index in 0..<count {
              let row = start &+ index
              let (value, a, b) = (values[row], values[row &- 1], values[row &- 2])
              let slope = value &- a
              let bend = slope &- (a &- b)
              codes[index] = code(value &- base)
              codes[length &+ index] = code(slope)
              codes[2 &* length &+ index] = code(bend)
              codes[3 &* length &+ index] = code(bend &- (a &- b &- (b &- values[row &- 3])))
            }
          }
          if modulus == 0 {
            encode(ResidualCoding.zigzag)
          } else {
            encode { ResidualCoding.zigzag(Predictor.wrapped($0, modulus: modulus)) }
          }
          func cost(_ order: Int) -> UInt64 {
            let block = codes[order * length..<(order + 1) * length]
            return ResidualCoding.bestParameter(UnsafeBufferPointer(rebasing: block), count: count)
              .bits
          }
          bits.0 += cost(0)
          bits.1 += cost(1)
          bits.2 += cost(2)
          bits.3 += cost(3)
          start += 6 * length
        }
      }
    }
    let all = [bits.1, bits.2, bits.3, bits.0]
    let best = all.indices.min { all[$0] < all[$1] } ?? 0
    return ((best + 1) % 4, all[best] * 6)
  }

  /// Returns the number of bits that residuals take, estimated from every `interval`-th block.
  static func estimatedBits(_ codes: [UInt64], every interval: Int = 3) -> UInt64 {
    var bits: UInt64 = 0
    ResidualCoding.forEachBlock(of: codes, every: interval) { block, count in
      bits &+= ResidualCoding.bestParameter(block, count: count).bits
    }
    return bits &* UInt64(interval)
  }
}

extension UnsafeMutableBufferPointer<Double> {
  /// Returns the integer to be converted by ``IntegerColumn/decodeValues(_:residuals:count:place:convert:)``.
  @inline(__always)
  func integer(at row: Int) -> Int64 { Int64(bitPattern: self[row].bitPattern) }
}
