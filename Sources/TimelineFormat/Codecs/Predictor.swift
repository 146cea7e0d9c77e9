/// The prediction of a column's integers from earlier ones.
///
/// The raw values are written into stored timelines. They are never reused or renumbered.
enum Predictor: UInt8 {
  /// The column's base.
  case base = 0
  /// The previous integer.
  case previous = 1
  /// A straight line through the previous two integers.
  case linear = 2
  /// A parabola through the previous three integers.
  case quadratic = 3
  /// The previous integer plus one of a few steps.
  case steps = 4
  /// The previous attitude, rotated by the rotation rate.
  case rotation = 5
}

extension Predictor {
  /// Returns the codes of a series predicted by order 0 to 3, modulo 2^64. The base stands for prior rows.
  static func codes(
    of values: [Int64], order: Int, base: Int64, modulus: Int64
  ) -> [UInt64] {
    return [UInt64](unsafeUninitializedCapacity: values.count) { codes, written in
      var (a, b, c) = (base, base, base)
      @inline(__always)
      func add(_ row: Int, _ predicted: Int64) {
        codes[row] = ResidualCoding.zigzag(
          wrapped(values[row] &- predicted, modulus: modulus))
        (a, b, c) = (values[row], a, b)
      }
      switch order {
      case 0: for row in values.indices { add(row, base) }
      case 1: for row in values.indices { add(row, a) }
      case 2: for row in values.indices { add(row, 2 &* a &- b) }
      default: for row in values.indices { add(row, 3 &* (a &- b) &+ c) }
      }
      written = values.count
    }
  }

  /// Returns the prediction by order 0 to 3 from the previous three integers, the last one first.
  @inline(__always)
  static func predicted(
    _ order: Int, _ base: Int64, _ a: Int64, _ b: Int64, _ c: Int64
  ) -> Int64 {
    switch order {
    case 0: base
    case 1: a
    case 2: 2 &* a &- b
    default: 3 &* (a &- b) &+ c
    }
  }

  /// Returns the representative of an integer from −⌊(modulus−1)/2⌋ to ⌊modulus/2⌋.
  @inline(__always)
  static func wrapped(_ value: Int64, modulus: Int64) -> Int64 {
    guard modulus != 0 else { return value }
    let half = modulus / 2
    if value <= half && value > half &- modulus { return value }
    var rest = value % modulus
    if rest > half { rest &-= modulus }
    if rest <= half &- modulus { rest &+= modulus }
    return rest
  }

  @inline(__always)
  static func wrapped(_ values: SIMD4<Int64>, modulus: Int64) -> SIMD4<Int64> {
    guard modulus != 0 else { return values }
    return SIMD4(
      wrapped(values.x, modulus: modulus), wrapped(values.y, modulus: modulus),
      wrapped(values.z, modulus: modulus), wrapped(values.w, modulus: modulus))
  }
}
