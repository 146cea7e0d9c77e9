/// Sine and cosine by a specified sequence of operations, so that every reader computes the same bits.
///
/// Uses only additions, subtractions and multiplications of IEEE 754 binary64, rounded to nearest and never
/// contracted. The polynomials of fdlibm's `__kernel_sin` and `__kernel_cos` (Sun Microsystems, 1993) are
/// accurate to about one unit in the last place. `docs/timeline-format.md`, "Sine and cosine".
enum DeterministicTrigonometry {
  /// 1.5 · 2^52: adding and subtracting it rounds to the nearest integer, ties to even.
  static let roundingConstant = 6_755_399_441_055_744.0
  /// Maximum magnitude of an argument. Others are replaced by 0.
  static let maximumArgument = 1_048_576.0

  /// Returns the nearest integer, ties to even, of a number below 2^51 in magnitude.
  @inline(__always)
  static func rounded(_ value: Double) -> Int64 {
    // The integer is in the low bits of the sum.
    Int64(bitPattern: (value + roundingConstant).bitPattern &- roundingConstant.bitPattern)
  }

  /// Returns the nearest integers, ties to even, of numbers below 2^51 in magnitude, as Int64 and as Double.
  @inline(__always)
  static func rounded(
    _ values: SIMD4<Double>
  ) -> (integers: SIMD4<Int64>, values: SIMD4<Double>) {
    let sums = values + roundingConstant
    let zero = Int64(bitPattern: roundingConstant.bitPattern)
    return (unsafeBitCast(sums, to: SIMD4<Int64>.self) &- zero, sums - roundingConstant)
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

  /// Evaluates a polynomial by Horner's rule.
  @inline(__always)
  private static func polynomial(_ c: Coefficients, _ z: SIMD4<Double>) -> SIMD4<Double> {
    var sum = z * c.5 + c.4
    sum = z * sum + c.3
    sum = z * sum + c.2
    sum = z * sum + c.1
    sum = z * sum + c.0
    return sum
  }

  /// Returns sine and cosine of four angles at once.
  @inline(__always)
  static func sineAndCosine(
    _ angles: SIMD4<Double>
  ) -> (sine: SIMD4<Double>, cosine: SIMD4<Double>) {
    let isSmall = angles .<= maximumArgument .& angles .>= -maximumArgument
    let x = SIMD4<Double>.zero.replacing(with: angles, where: isSmall)
    let scaled: SIMD4<Double> = x * 0.636_619_772_367_581_382
    let shifted: SIMD4<Double> = scaled + roundingConstant
    let turns = shifted - roundingConstant
    let quadrant = bits(shifted)
    let head: SIMD4<Double> = x - turns * 1.570_796_326_734_125_614_17
    let r: SIMD4<Double> = head - turns * 6.077_100_506_506_192_249_32e-11
    let z = r * r
    let sine = bits(r + (r * z) * polynomial(sineCoefficients, z))
    let half = z * 0.5
    let w = 1 - half
    let cosine = bits(w + (((1 - w) - half) + (z * z) * polynomial(cosineCoefficients, z)))
    // All ones where the quadrant is odd.
    let isOdd = 0 &- (quadrant & 1)
    let difference = (sine ^ cosine) & isOdd
    // The sine is negative in quadrants 2 and 3, the cosine in 1 and 2.
    let sineSign = (quadrant & 2) &<< 62
    let cosineSign = ((quadrant &+ 1) & 2) &<< 62
    return (
      unsafeBitCast(sine ^ difference ^ sineSign, to: SIMD4<Double>.self),
      unsafeBitCast(cosine ^ difference ^ cosineSign, to: SIMD4<Double>.self)
    )
  }

  @inline(__always)
  private static func bits(_ values: SIMD4<Double>) -> SIMD4<UInt64> {
    unsafeBitCast(values, to: SIMD4<UInt64>.self)
  }
}
