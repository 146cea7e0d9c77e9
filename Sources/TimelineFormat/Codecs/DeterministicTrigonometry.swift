/// Sine and cosine computed in one stated way, so that every reader gets the same bits.
///
/// Only additions, subtractions and multiplications of IEEE 754 binary64, each rounded to nearest,
/// none contracted. The polynomials are those of fdlibm's `__kernel_sin` and `__kernel_cos` (Sun
/// Microsystems, 1993), accurate to about one unit in the last place.
/// `docs/timeline-format.md`, "Sine and cosine".
enum DeterministicTrigonometry {
  /// 1.5 · 2^52: adding and subtracting it rounds to the nearest integer, ties to even.
  static let roundingConstant = 6_755_399_441_055_744.0
  /// Arguments whose magnitude is not at most this are taken for 0.
  static let maximumArgument = 1_048_576.0

  /// The nearest integer, ties to even, of a number below 2^51 in magnitude.
  @inline(__always)
  static func rounded(_ value: Double) -> Double {
    (value + roundingConstant) - roundingConstant
  }

  private typealias Coefficients = (Double, Double, Double, Double, Double, Double)

  private static let sineCoefficients: Coefficients = (
    -1.666_666_666_666_663_243_48e-01, 8.333_333_333_322_489_461_24e-03,
    -1.984_126_982_985_794_931_34e-04, 2.755_731_370_707_006_767_89e-06,
    -2.505_076_025_340_686_341_95e-08, 1.589_690_995_211_550_102_21e-10
  )

  private static let cosineCoefficients: Coefficients = (
    4.166_666_666_666_660_190_37e-02, -1.388_888_888_887_410_957_49e-03,
    2.480_158_728_947_672_941_78e-05, -2.755_731_435_139_066_330_35e-07,
    2.087_572_321_298_174_827_90e-09, -1.135_964_755_778_819_482_65e-11
  )

  /// By Horner's rule, the last coefficient first.
  @inline(__always)
  private static func polynomial(_ c: Coefficients, _ z: SIMD2<Double>) -> SIMD2<Double> {
    var sum = z * c.5 + c.4
    sum = z * sum + c.3
    sum = z * sum + c.2
    sum = z * sum + c.1
    sum = z * sum + c.0
    return sum
  }

  /// Sine and cosine of two angles at once.
  @inline(__always)
  static func sineAndCosine(
    _ angles: SIMD2<Double>
  ) -> (sine: SIMD2<Double>, cosine: SIMD2<Double>) {
    let isSmall = angles .<= maximumArgument .& angles .>= -maximumArgument
    let x = SIMD2<Double>.zero.replacing(with: angles, where: isSmall)
    let scaled: SIMD2<Double> = x * 0.636_619_772_367_581_382
    let shifted: SIMD2<Double> = scaled + roundingConstant
    let turns = shifted - roundingConstant
    let quadrant = SIMD2<UInt64>(shifted.x.bitPattern, shifted.y.bitPattern) & 3
    let head: SIMD2<Double> = x - turns * 1.570_796_326_734_125_614_17
    let r: SIMD2<Double> = head - turns * 6.077_100_506_506_192_249_32e-11
    let z = r * r
    let sine = r + (r * z) * polynomial(sineCoefficients, z)
    let half = z * 0.5
    let w = 1 - half
    let cosine = w + (((1 - w) - half) + (z * z) * polynomial(cosineCoefficients, z))
    let isOdd = (quadrant & 1) .== 1
    let sineIsNegative = quadrant .>= 2
    let cosineIsNegative = ((quadrant &+ 1) & 2) .== 2
    let s = sine.replacing(with: cosine, where: isOdd)
    let c = cosine.replacing(with: sine, where: isOdd)
    return (
      s.replacing(with: -s, where: sineIsNegative), c.replacing(with: -c, where: cosineIsNegative)
    )
  }
}
