/// The choice of a codec for a column that depends on no other.
enum ColumnChoice {
  /// The smallest of what fits.
  ///
  /// - Parameters:
  ///   - bound: The greatest error allowed; nil for none at all.
  ///   - allowsSteps: Also tries the steps of a clock.
  ///   - period: Of an angle, in the values' unit; nil for other quantities.
  /// - Returns: The column, and what will be decoded from it.
  static func encode(
    _ values: [Double], bound: Double?, allowsSteps: Bool = false, period: Double? = nil
  ) -> (column: EncodedColumn, decoded: [Double]) {
    values.withUnsafeBufferPointer { buffer in
      if let constant = EncodedColumn.constant(buffer) { return (constant, values) }
      let maximumExceptions = values.count / 8
      for scale in scales(for: buffer, bound: bound) where scale.isCoarse {
        guard
          let scaled = ScaledIntegers(
            buffer, scale: scale, bound: bound, maximumExceptions: maximumExceptions)
        else { continue }
        let column = scaled.encoded(
          modulus: modulus(for: scaled.integers, period: period, scale: scale.inverse),
          allowsSteps: allowsSteps)
        // Values that repeat, as those of a frozen sensor, may be cheaper as bytes.
        if bound != nil, column.payload.count < 3 * values.count {
          return (column, scaled.decoded())
        }
        let shuffled = EncodedColumn.shuffled(buffer)
        return column.payload.count <= shuffled.payload.count
          ? (column, scaled.decoded()) : (shuffled, values)
      }
      var best: EncodedColumn?
      func offer(_ column: EncodedColumn?) {
        if let column, column.payload.count < best?.payload.count ?? .max { best = column }
      }
      if let split = SplitFloats(buffer, maximumExceptions: maximumExceptions) {
        let scale = SplitFloats.Layout.power(split.layout.shift)
        offer(
          split.encoded(modulus: modulus(for: split.integers, period: period, scale: scale)))
      }
      // Differences of times are multiples of what the clock they came from was rounded to.
      if allowsSteps {
        for scale in scales(for: buffer, bound: nil) where !scale.isCoarse {
          offer(
            ScaledIntegers(
              buffer, scale: scale, bound: nil, maximumExceptions: maximumExceptions)?
              .encoded(modulus: 0, allowsSteps: true))
        }
      }
      // Noise has no bytes in common: only what repeats, or fits nothing else, is worth a try.
      if let best, 8 * repeats(buffer) < values.count, best.payload.count < 7 * values.count {
        return (best, values)
      }
      offer(EncodedColumn.shuffled(buffer))
      return (best ?? EncodedColumn.raw(buffer), values)
    }
  }

  /// Rows that equal the one before.
  private static func repeats(_ values: UnsafeBufferPointer<Double>) -> Int {
    var count = 0
    for row in 1..<max(1, values.count) where values[row] == values[row - 1] { count += 1 }
    return count
  }

  /// The scales to try in turn: those under which the values are exact, if they are coarser than
  /// what the bound asks for, then the bound's.
  static func scales(
    for values: UnsafeBufferPointer<Double>, bound: Double?
  ) -> [ValueScale] {
    let exact = ValueScale.exactCandidates(for: values)
    guard let bound, let within = ValueScale.within(bound) else { return exact }
    return exact.filter { $0.inverse < within.inverse } + [within]
  }

  /// What integers of an angle are counted modulo: 0 unless it jumps by more than half a turn.
  static func modulus(for integers: [Int64], period: Double?, scale: Double) -> Int64 {
    guard let period, case let turn = period * scale, turn > 2, turn < 0x1p50 else { return 0 }
    let modulus = 2 * Int64((turn / 2).rounded(.up)) + 2
    var jumps = false
    var last = integers.first ?? 0
    for integer in integers {
      guard integer.magnitude < UInt64(modulus / 2) else { return 0 }
      if (integer - last).magnitude > UInt64(modulus / 2) { jumps = true }
      last = integer
    }
    return jumps ? modulus : 0
  }
}

extension ValueScale {
  /// Whether the scale is a bound's or one of decimals or ticks, rather than one of binary digits
  /// that any floating-point column has.
  var isCoarse: Bool { !(64...127).contains(tag) }
}
