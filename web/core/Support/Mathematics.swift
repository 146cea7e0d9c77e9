// The C math functions that the modules use. Those of doubles are deterministic (`DeterministicMath` is
// compiled into this module); those of floats return glibc's bits.

public func sin(_ x: Double) -> Double { DeterministicMath.sine(x) }
public func cos(_ x: Double) -> Double { DeterministicMath.cosine(x) }
public func exp(_ x: Double) -> Double { DeterministicMath.exponential(x) }
public func asin(_ x: Double) -> Double {
  x.magnitude <= 1 ? DeterministicMath.arcSine(x) : .nan
}

/// Returns the tangent for arguments up to π/2, from the series of sine and cosine in double-double
/// precision. A filter's coefficients follow from it, and their last bit affects every result.
public func tan(_ x: Double) -> Double {
  let square = TwoDoubles(x) * TwoDoubles(x)
  var (sine, cosine) = (TwoDoubles(x), TwoDoubles(1))
  var (sineTerm, cosineTerm) = (sine, cosine)
  var n = 1.0
  while cosineTerm.high.magnitude > 0x1p-110, n < 60 {
    cosineTerm = (cosineTerm * square).divided(by: -n * (n + 1))
    sineTerm = (sineTerm * square).divided(by: -(n + 1) * (n + 2))
    cosine = cosine + cosineTerm
    sine = sine + sineTerm
    n += 2
  }
  let quotient = sine.high / cosine.high
  let rest = sine + cosine * TwoDoubles(-quotient)
  return quotient + rest.high / cosine.high
}

/// The unevaluated sum of two doubles (Dekker, 1971).
private struct TwoDoubles {
  var high: Double
  var low: Double

  init(_ value: Double) { (high, low) = (value, 0) }

  /// Computes the exact sum of two numbers as two doubles.
  init(_ a: Double, plus b: Double) {
    high = a + b
    let part = high - a
    low = (a - (high - part)) + (b - part)
  }

  static func + (a: Self, b: Self) -> Self {
    let sum = TwoDoubles(a.high, plus: b.high)
    return TwoDoubles(sum.high, plus: sum.low + a.low + b.low)
  }

  static func * (a: Self, b: Self) -> Self {
    func split(_ value: Double) -> (Double, Double) {
      let scaled = value * 134_217_729
      let high = scaled - (scaled - value)
      return (high, value - high)
    }
    let product = a.high * b.high
    let ((a1, a2), (b1, b2)) = (split(a.high), split(b.high))
    let error = a2 * b2 - (((product - a1 * b1) - a2 * b1) - a1 * b2)
    return TwoDoubles(product, plus: error + a.high * b.low + a.low * b.high)
  }

  /// Returns the quotient.
  ///
  /// - Parameter divisor: A number with few significant bits.
  func divided(by divisor: Double) -> Self {
    let quotient = high / divisor
    let rest = self + TwoDoubles(quotient) * TwoDoubles(-divisor)
    return TwoDoubles(quotient, plus: rest.high / divisor)
  }
}

public func atan2(_ y: Double, _ x: Double) -> Double {
  if x.isNaN || y.isNaN { return .nan }
  if y == 0, x < 0 || x.sign == .minus { return y.sign == .minus ? -Double.pi : Double.pi }
  return DeterministicMath.arcTangent(y: y, x: x)
}

public func log(_ x: Double) -> Double {
  if x > 0, x < .infinity {
    return x < .leastNormalMagnitude
      ? DeterministicMath.logarithm(x * 0x1p54) - 54 * 0.693_147_180_559_945_3
      : DeterministicMath.logarithm(x)
  }
  return x == 0 ? -.infinity : x > 0 ? x : .nan
}

/// Returns the arc cosine (FDLIBM, `e_acosf.c`).
public func acosf(_ x: Float) -> Float {
  let halfPi: (high: Float, low: Float) = (1.5707962513, 7.5497894159e-08)
  func ratio(_ z: Float) -> Float {
    let p =
      z
      * (1.6666667163e-01 + z
        * (-3.2556581497e-01 + z
          * (2.0121252537e-01 + z
            * (-4.0055535734e-02 + z * (7.9153501429e-04 + z * 3.4793309169e-05)))))
    let q =
      1 + z
      * (-2.4033949375e+00 + z
        * (2.0209457874e+00 + z * (-6.8828397989e-01 + z * 7.7038154006e-02)))
    return p / q
  }
  let magnitude = x.magnitude
  if magnitude == 1 { return x > 0 ? 0 : 3.1415925026 + 2 * halfPi.low }
  guard magnitude < 1 else { return .nan }
  if magnitude < 0.5 {
    if magnitude <= 0x1p-57 { return halfPi.high + halfPi.low }
    let r = ratio(x * x)
    return halfPi.high - (x - (halfPi.low - x * r))
  }
  if x < 0 {
    let z = (1 + x) * 0.5
    let s = z.squareRoot()
    let w = ratio(z) * s - halfPi.low
    return 3.1415925026 - 2 * (s + w)
  }
  let z = (1 - x) * 0.5
  let s = z.squareRoot()
  let high = Float(bitPattern: s.bitPattern & 0xFFFF_F000)
  let c = (z - high * high) / (s + high)
  let w = ratio(z) * s + c
  return 2 * (high + w)
}

/// Returns the natural logarithm (Arm Optimized Routines, `logf.c`).
public func logf(_ x: Float) -> Float {
  var bits = x.bitPattern
  if bits == 0x3F80_0000 { return 0 }
  if bits &- 0x0080_0000 >= 0x7F80_0000 - 0x0080_0000 {
    if x == 0 { return -.infinity }
    if bits == 0x7F80_0000 { return x }
    if x.isNaN || x < 0 { return .nan }
    bits = (x * 0x1p23).bitPattern &- 23 << 23
  }
  let offset = bits &- 0x3F33_0000
  let index = Int(offset >> 19 & 15)
  let exponent = Int32(bitPattern: offset) >> 23
  let z = Double(Float(bitPattern: bits &- (offset & 0xFF80_0000)))
  return withUnsafePointer(to: logarithms) { table in
    table.withMemoryRebound(to: Double.self, capacity: 32) { table in
      let r = z * table[2 * index] - 1
      let y0 = table[2 * index + 1] + Double(exponent) * 0x1.62e42fefa39efp-1
      let r2 = r * r
      var y = 0x1.5575b0be00b6ap-2 * r + -0x1.ffffef20a4123p-2
      y = -0x1.00ea348b88334p-2 * r2 + y
      y = y * r2 + (y0 + r)
      return Float(y)
    }
  }
}

private typealias FourDoubles = (Double, Double, Double, Double)

/// 1/c and ln c for sixteen values of c between 0.7 and 1.4.
private let logarithms:
  (
    FourDoubles, FourDoubles, FourDoubles, FourDoubles, FourDoubles, FourDoubles, FourDoubles,
    FourDoubles
  ) = (
    (0x1.661ec79f8f3bep+0, -0x1.57bf7808caadep-2, 0x1.571ed4aaf883dp+0, -0x1.2bef0a7c06ddbp-2),
    (0x1.49539f0f010bp+0, -0x1.01eae7f513a67p-2, 0x1.3c995b0b80385p+0, -0x1.b31d8a68224e9p-3),
    (0x1.30d190c8864a5p+0, -0x1.6574f0ac07758p-3, 0x1.25e227b0b8eap+0, -0x1.1aa2bc79c81p-3),
    (0x1.1bb4a4a1a343fp+0, -0x1.a4e76ce8c0e5ep-4, 0x1.12358f08ae5bap+0, -0x1.1973c5a611cccp-4),
    (0x1.0953f419900a7p+0, -0x1.252f438e10c1ep-5, 0x1p+0, 0x0p+0),
    (0x1.e608cfd9a47acp-1, 0x1.aa5aa5df25984p-5, 0x1.ca4b31f026aap-1, 0x1.c5e53aa362eb4p-4),
    (0x1.b2036576afce6p-1, 0x1.526e57720db08p-3, 0x1.9c2d163a1aa2dp-1, 0x1.bc2860d22477p-3),
    (0x1.886e6037841edp-1, 0x1.1058bc8a07ee1p-2, 0x1.767dcf5534862p-1, 0x1.4043057b6ee09p-2)
  )
