/// Chooses a codec for a column that is coded independently of others.
enum ColumnChoice {
  /// Encodes values with the codec that takes the fewest bytes.
  ///
  /// - Parameters:
  ///   - bound: Maximum error; nil for lossless coding.
  ///   - allowsSteps: True to try clock steps, too.
  ///   - period: Period of an angle in the values' unit; nil for other quantities.
  /// - Returns: The column, and the values that decoding it will give.
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
        // Repeating values, such as those of a frozen sensor, may be smaller as shuffled bytes.
        if column.payload.count < 3 * values.count,
          bound != nil || 8 * repeats(buffer) < values.count
        {
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
      if let split = SplitFloats(values, maximumExceptions: maximumExceptions) {
        let scale = SplitFloats.Layout.power(split.layout.shift)
        offer(
          split.encoded(modulus: modulus(for: split.integers, period: period, scale: scale)))
      }
      // Differences of times are multiples of the resolution of their clock.
      if allowsSteps {
        for scale in scales(for: buffer, bound: nil) where !scale.isCoarse {
          offer(
            ScaledIntegers(
              buffer, scale: scale, bound: nil, maximumExceptions: maximumExceptions)?
              .encoded(modulus: 0, allowsSteps: true))
        }
      }
      // Shuffled bytes do not compress noise: try them only if values repeat or nothing else fits.
      if let best, 8 * repeats(buffer) < values.count, best.payload.count < 7 * values.count {
        return (best, values)
      }
      offer(EncodedColumn.shuffled(buffer))
      return (best ?? EncodedColumn.raw(buffer), values)
    }
  }

  /// Returns the number of rows that equal their predecessor.
  private static func repeats(_ values: UnsafeBufferPointer<Double>) -> Int {
    var count = 0
    for row in 1..<max(1, values.count) where values[row] == values[row - 1] { count += 1 }
    return count
  }

  /// Returns the scales to try in order: those that are exact and coarser than the bound's, then the bound's.
  static func scales(
    for values: UnsafeBufferPointer<Double>, bound: Double?
  ) -> [ValueScale] {
    let exact = ValueScale.exactCandidates(for: values)
    guard let bound, let within = ValueScale.within(bound) else { return exact }
    return exact.filter { $0.inverse < within.inverse } + [within]
  }

  /// Returns the modulus for the integers of an angle: 0 unless it jumps by more than half a turn.
  static func modulus(for integers: [Int64], period: Double?, scale: Double) -> Int64 {
    guard let period, case let turn = period * scale, turn > 2, turn < 0x1p50 else { return 0 }
    let half = Int64((turn / 2).rounded(.up)) + 1
    let modulus = 2 * half
    var greatestStep: UInt64 = 0
    var last = integers.first ?? 0
    for integer in integers {
      guard integer > -half, integer < half else { return 0 }
      greatestStep = max(greatestStep, (integer &- last).magnitude)
      last = integer
    }
    return greatestStep > half ? modulus : 0
  }
}

extension ValueScale {
  /// True for scales of bounds, decimals and ticks; false for binary ones, which fit any floating-point column.
  var isCoarse: Bool { !(64...127).contains(tag) }
}
