/// Elementary functions with identical bits on every platform.
///
/// The C libraries of Linux and Apple differ in the last bit of functions such as `sin` and `log`, which is
/// enough to change a recording. These functions follow FDLIBM (Sun Microsystems, 1993): the same polynomials
/// with IEEE operations only, and an error below one unit in the last place for arguments up to about 1e5.
/// Only `squareRoot`, which IEEE 754 defines exactly, is the platform's.
enum DeterministicMath {
  /// Returns sine and cosine of an angle in radians, of magnitude below about 1e5.
  @inline(__always)
  static func sineCosine(_ x: Double) -> (sine: Double, cosine: Double) {
    // Reduction by multiples of π/2 in two parts (Cody and Waite).
    let n = (x * 6.366_197_723_675_814e-1).rounded(.toNearestOrEven)
    let high = x - n * 1.570_796_326_734_125_6
    let low = n * 6.077_100_506_506_192e-11
    let r = high - low
    let s = kernelSine(r)
    let c = kernelCosine(r)
    // Magnitudes above 2^50 never occur, since all angles come from bounded motion.
    switch Int64(exactly: n).map({ $0 & 3 }) ?? 0 {
    case 0: return (s, c)
    case 1: return (c, -s)
    case 2: return (-s, -c)
    default: return (-c, s)
    }
  }

  @inline(__always) static func sine(_ x: Double) -> Double { sineCosine(x).sine }
  @inline(__always) static func cosine(_ x: Double) -> Double { sineCosine(x).cosine }

  @inline(__always)
  private static func kernelSine(_ x: Double) -> Double {
    let z = x * x
    let r =
      8.333_333_333_322_49e-3 + z
      * (-1.984_126_982_985_795e-4 + z
        * (2.755_731_370_707_006_8e-6 + z
          * (-2.505_076_025_340_686_3e-8 + z * 1.589_690_995_211_55e-10)))
    return x + z * x * (-1.666_666_666_666_663_2e-1 + z * r)
  }

  @inline(__always)
  private static func kernelCosine(_ x: Double) -> Double {
    let z = x * x
    let r =
      4.166_666_666_666_66e-2 + z
      * (-1.388_888_888_887_411e-3 + z
        * (2.480_158_728_947_673e-5 + z
          * (-2.755_731_435_139_066_3e-7 + z
            * (2.087_572_321_298_175e-9 - z * 1.135_964_755_778_819_5e-11))))
    return 1 - (0.5 * z - z * z * r)
  }

  /// Returns the arc tangent, in radians.
  static func arcTangent(_ x: Double) -> Double {
    let magnitude = x.magnitude
    // atan(x) = base + atan(t), with |t| ≤ 7/16.
    let base: Double
    let t: Double
    if magnitude < 0.4375 {
      base = 0
      t = magnitude
    } else if magnitude < 0.6875 {
      base = 4.636_476_090_008_061e-1
      t = (2 * magnitude - 1) / (2 + magnitude)
    } else if magnitude < 1.1875 {
      base = 7.853_981_633_974_483e-1
      t = (magnitude - 1) / (magnitude + 1)
    } else if magnitude < 2.4375 {
      base = 9.827_937_232_473_29e-1
      t = (magnitude - 1.5) / (1 + 1.5 * magnitude)
    } else {
      base = 1.570_796_326_794_896_6
      t = -1 / magnitude
    }
    let z = t * t
    let w = z * z
    let odd =
      z
      * (3.333_333_333_333_293e-1 + w
        * (1.428_571_427_250_346_6e-1 + w
          * (9.090_887_133_436_507e-2 + w
            * (6.661_073_137_387_531e-2 + w
              * (4.976_877_994_615_932e-2 + w * 1.628_582_011_536_578_2e-2)))))
    let even =
      w
      * (-1.999_999_999_987_648_3e-1 + w
        * (-1.111_111_040_546_235_6e-1 + w
          * (-7.691_876_205_044_83e-2 + w
            * (-5.833_570_133_790_573e-2 + w * -3.653_157_274_421_691_6e-2))))
    let value = base + (t - t * (odd + even))
    return x < 0 ? -value : value
  }

  /// Returns the angle of the point (x, y), −π to π.
  static func arcTangent(y: Double, x: Double) -> Double {
    if x > 0 { return arcTangent(y / x) }
    if x < 0 { return y >= 0 ? arcTangent(y / x) + Double.pi : arcTangent(y / x) - Double.pi }
    if y > 0 { return Double.pi / 2 }
    return y < 0 ? -Double.pi / 2 : 0
  }

  /// Returns the arc sine, in radians. Arguments are clamped to ±1.
  static func arcSine(_ x: Double) -> Double {
    if x >= 1 { return Double.pi / 2 }
    if x <= -1 { return -Double.pi / 2 }
    return arcTangent(x / ((1 - x) * (1 + x)).squareRoot())
  }

  /// Returns the natural logarithm of a positive normal number.
  static func logarithm(_ x: Double) -> Double {
    // x = 2^k · m with √½ ≤ m < √2; log(1 + f) from s = f / (2 + f).
    var k = Double(x.exponent)
    var m = x.significand
    if m > 1.414_213_562_373_095_1 {
      m *= 0.5
      k += 1
    }
    let f = m - 1
    let s = f / (2 + f)
    let z = s * s
    let w = z * z
    let even =
      w
      * (3.999_999_999_940_942e-1 + w
        * (2.222_219_843_214_978_4e-1 + w * 1.531_383_769_920_937_3e-1))
    let odd =
      z
      * (6.666_666_666_666_735e-1 + w
        * (2.857_142_874_366_239e-1 + w
          * (1.818_357_216_161_805e-1 + w * 1.479_819_860_511_658_6e-1)))
    let half = 0.5 * f * f
    return k * 6.931_471_803_691_238e-1
      - ((half - (s * (half + odd + even) + k * 1.908_214_929_270_587_7e-10)) - f)
  }

  /// Returns e to the power of a number up to 700; 0 below −700.
  static func exponential(_ x: Double) -> Double {
    if x < -700 { return 0 }
    let clamped = min(x, 700)
    let k = (clamped * 1.442_695_040_888_963_4).rounded(.toNearestOrEven)
    let high = clamped - k * 6.931_471_803_691_238e-1
    let low = k * 1.908_214_929_270_587_7e-10
    let r = high - low
    let z = r * r
    let c =
      r - z
      * (1.666_666_666_666_660_2e-1 + z
        * (-2.777_777_777_701_559e-3 + z
          * (6.613_756_321_437_934e-5 + z
            * (-1.653_390_220_546_525_2e-6 + z * 4.138_136_797_057_238_5e-8))))
    let y = 1 - ((low - r * c / (2 - c)) - high)
    return Double(sign: .plus, exponent: Int(k), significand: y)
  }
}
