/// How the integers of a column are predicted from those before.
///
/// The raw values are written into stored timelines. They are never reused or renumbered.
enum Predictor: UInt8 {
  /// The column's base.
  case base = 0
  /// The integer before.
  case previous = 1
  /// A straight line through the two before.
  case linear = 2
  /// A parabola through the three before.
  case quadratic = 3
  /// The integer before and one of a few steps.
  case steps = 4
  /// The attitude before, turned by the rotation rate.
  case rotation = 5
}

extension Predictor {
  /// The differences of a series to its predictions of order 0 to 3; all before the first row are
  /// the base, and all arithmetic is modulo 2^64.
  static func differences(of values: [Int64], order: Int, base: Int64) -> [Int64] {
    var (a, b, c) = (base, base, base)
    return [Int64](unsafeUninitializedCapacity: values.count) { result, written in
      switch order {
      case 0: for row in values.indices { result[row] = values[row] &- base }
      case 1:
        for row in values.indices {
          result[row] = values[row] &- a
          a = values[row]
        }
      case 2:
        for row in values.indices {
          result[row] = values[row] &- (2 &* a &- b)
          (a, b) = (values[row], a)
        }
      default:
        for row in values.indices {
          result[row] = values[row] &- (3 &* (a &- b) &+ c)
          (a, b, c) = (values[row], a, b)
        }
      }
      written = values.count
    }
  }

  /// The numbers to be written for a series predicted by order 0 to 3.
  static func codes(
    of values: [Int64], order: Int, base: Int64, modulus: Int64
  ) -> [UInt64] {
    let differences = differences(of: values, order: order, base: base)
    return [UInt64](unsafeUninitializedCapacity: values.count) { codes, written in
      for row in differences.indices {
        codes[row] = ResidualCoding.zigzag(Predictor.wrapped(differences[row], modulus: modulus))
      }
      written = values.count
    }
  }

  /// The inverse of ``differences(of:order:base:)``, in place.
  ///
  /// - Parameter modulus: Of integers that are taken from −modulus/2 to modulus/2; 0 for none.
  static func integrate(_ values: inout [Int64], order: Int, base: Int64, modulus: Int64) {
    var (a, b, c) = (base, base, base)
    let count = values.count
    values.withUnsafeMutableBufferPointer { values in
      for row in 0..<count {
        let predicted: Int64
        switch order {
        case 0: predicted = base
        case 1: predicted = a
        case 2: predicted = 2 &* a &- b
        default: predicted = 3 &* (a &- b) &+ c
        }
        let value = wrapped(predicted &+ values[row], modulus: modulus)
        values[row] = value
        (a, b, c) = (value, a, b)
      }
    }
  }

  /// The representative of an integer from −⌊(modulus−1)/2⌋ to ⌊modulus/2⌋.
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
}
