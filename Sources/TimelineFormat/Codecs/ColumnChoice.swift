/// Chooses a codec for a column that is coded independently of others.
enum ColumnChoice {
  /// Encodes values with the codec that takes the fewest bytes.
  ///
  /// - Parameters:
  ///   - bound: Maximum error; nil for lossless coding.
  ///   - allowsSteps: True to try clock steps, too.
  ///   - period: Period of an angle in the values' unit; nil for other quantities.
  /// - Returns: The column, and the values that decoding it would give.
  static func encode(
    _ values: [Double], bound: Double?, allowsSteps: Bool = false, period: Double? = nil
  ) -> (column: EncodedColumn, decoded: [Double]) {
    if let constant = EncodedColumn.constant(values) { return (constant, values) }
    let maximumExceptions = values.count / 8
    for scale in scales(for: values, bound: bound) where scale.isCoarse {
      guard
        let scaled = ScaledIntegers(
          values, scale: scale, bound: bound, maximumExceptions: maximumExceptions)
      else { continue }
      let column = scaled.encoded(period: period, allowsSteps: allowsSteps)
      // Repeating values, such as those of a frozen sensor, may be smaller as shuffled bytes.
      if column.payload.count < (bound == nil ? 2 : 3) * values.count,
        bound != nil || 8 * repeats(values) < values.count
      {
        return (column, scaled.decoded())
      }
      let shuffled = EncodedColumn.shuffled(values)
      return column.payload.count <= shuffled.payload.count
        ? (column, scaled.decoded()) : (shuffled, values)
    }
    var best: EncodedColumn?
    func offer(_ column: EncodedColumn?) {
      if let column, column.payload.count < best?.payload.count ?? .max { best = column }
    }
    offer(SplitFloats(values, maximumExceptions: maximumExceptions)?.encoded(period: period))
    // Differences of times are multiples of the resolution of their clock.
    if allowsSteps {
      for scale in scales(for: values, bound: nil) where !scale.isCoarse {
        offer(
          ScaledIntegers(values, scale: scale, bound: nil, maximumExceptions: maximumExceptions)?
            .encoded(period: nil, allowsSteps: true))
      }
    }
    // Shuffled bytes do not compress noise: try them only if values repeat or nothing else fits.
    if let best, 8 * repeats(values) < values.count, best.payload.count < 7 * values.count {
      return (best, values)
    }
    offer(EncodedColumn.shuffled(values))
    return (best ?? EncodedColumn.raw(values), values)
  }

  /// Returns the number of rows that equal their predecessor.
  private static func repeats(_ values: [Double]) -> Int {
    var count = 0
    for row in 1..<max(1, values.count) where values[row] == values[row - 1] { count += 1 }
    return count
  }

  /// Returns the scales to try in order: exact ones that are coarser than the bound's, then the bound's.
  static func scales(for values: [Double], bound: Double?) -> [ValueScale] {
    let exact = ValueScale.exactCandidates(for: values)
    guard let bound, let within = ValueScale.within(bound) else { return exact }
    return exact.filter { $0.inverse < within.inverse } + [within]
  }
}

extension ValueScale {
  /// True for scales of bounds, decimals and ticks; false for binary ones, which fit any floating-point column.
  var isCoarse: Bool { !(64...127).contains(tag) }
}
