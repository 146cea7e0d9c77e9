#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// The C math functions that the package uses, independent of the platform's C library.
package enum Math {
  package static func tan(_ x: Double) -> Double { exactTangent(x) }
  package static func log(_ x: Float) -> Float { logf(x) }
  package static func log(_ x: Double) -> Double { exactLog(x) }
  package static func arccosine(_ x: Float) -> Float { acosf(x) }
  package static func exp(_ x: Double) -> Double { exactExp(x) }
  package static func sine(_ x: Double) -> Double { exactSine(x) }
  package static func cosine(_ x: Double) -> Double { exactCosine(x) }

  /// Returns the angle of the point (`x`, `y`) from the x axis, −π to π.
  package static func arcTangent(_ y: Double, _ x: Double) -> Double { exactArcTangent(y, x) }

  package static let degreesPerRadian = 180 / Double.pi

  /// Converts a floating-point value to an integer, clamped to `range`. NaN gives 0.
  package static func integer(_ value: Double, clampedTo range: ClosedRange<Int>) -> Int {
    guard value == value else { return 0 }
    if value <= Double(range.lowerBound) { return range.lowerBound }
    if value >= Double(range.upperBound) { return range.upperBound }
    return Int(value)
  }

  /// Returns the angle between two directions, 0 to π, regardless of their lengths.
  package static func angle(_ a: SIMD4<Float>, _ b: SIMD4<Float>) -> Float {
    let lengths = ((a * a).sum() * (b * b).sum()).squareRoot() + 1e-9
    return arccosine(min(max((a * b).sum() / lengths, -1), 1))
  }

  /// Returns the unnormalized Gaussian: 1 at 0, e^(−1/2) at 1.
  package static func bell(_ x: Float) -> Float { Float(exp(-0.5 * Double(x * x))) }

  /// Returns the probability with log-odds `x`, which is clamped to ±40.
  package static func logistic(_ x: Double) -> Double { 1 / (1 + exp(-min(max(x, -40), 40))) }
}

private func exactLog(_ x: Double) -> Double { log(x) }
private func exactExp(_ x: Double) -> Double { exp(x) }
private func exactSine(_ x: Double) -> Double { sin(x) }
private func exactCosine(_ x: Double) -> Double { cos(x) }
private func exactArcTangent(_ y: Double, _ x: Double) -> Double { atan2(y, x) }
private func exactTangent(_ x: Double) -> Double { tan(x) }
