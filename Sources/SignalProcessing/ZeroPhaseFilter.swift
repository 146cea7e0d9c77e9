/// A low-pass run forwards and backwards, which causes no delay (`scipy.signal.filtfilt`). The corner applies
/// to both runs together.
package enum ZeroPhaseFilter {
  /// Running a second-order Butterworth filter twice lowers its −3 dB corner by this factor:
  /// (√2 − 1)^(1/4).
  private static let cornerOfTwoRuns = 0.8022

  package static func lowPass(
    _ signal: [SIMD4<Double>], cornerHz: Double, rateHz: Double
  ) -> [SIMD4<Double>] {
    let coefficients = LowPassCoefficients(cornerHz: cornerHz / cornerOfTwoRuns, rateHz: rateHz)
    var result = signal
    var forwards = LowPassFilter4(coefficients)
    for index in result.indices { result[index] = forwards(result[index]) }
    var backwards = LowPassFilter4(coefficients)
    for index in result.indices.reversed() { result[index] = backwards(result[index]) }
    return result
  }

  package static func lowPass(
    _ signal: [SIMD3<Double>], cornerHz: Double, rateHz: Double
  ) -> [SIMD3<Double>] {
    lowPass(signal.map { SIMD4($0, 0) }, cornerHz: cornerHz, rateHz: rateHz).map {
      SIMD3($0.x, $0.y, $0.z)
    }
  }

  package static func lowPass(_ signal: [Double], cornerHz: Double, rateHz: Double) -> [Double] {
    lowPass(signal.map { SIMD4($0, 0, 0, 0) }, cornerHz: cornerHz, rateHz: rateHz).map { $0.x }
  }
}
