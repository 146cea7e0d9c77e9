/// The coefficients of a second-order Butterworth low-pass.
///
/// Bilinear transform with pre-warped corner, as in `scipy.signal.butter(2, corner, fs: rate)`; run in
/// transposed direct form II, as in `scipy.signal.lfilter`.
package struct LowPassCoefficients: Sendable, Hashable, Codable {
  @usableFromInline package var b0: Double
  @usableFromInline package var b1: Double
  @usableFromInline package var a1: Double
  @usableFromInline package var a2: Double
  /// Equal to `b0` in a Butterworth low-pass.
  @inlinable package var b2: Double { b0 }

  /// - Parameters:
  ///   - cornerHz: The half-power frequency, in hertz; clamped to 0.49 of the rate.
  ///   - rateHz: The sampling rate, in hertz.
  package init(cornerHz: Double, rateHz: Double) {
    let k = Math.tan(Double.pi * min(cornerHz / rateHz, 0.49))
    let root2 = 2.0.squareRoot()
    let norm = 1 / (1 + root2 * k + k * k)
    b0 = k * k * norm
    b1 = 2 * b0
    a1 = 2 * (k * k - 1) * norm
    a2 = (1 - root2 * k + k * k) * norm
  }

  /// The state in which a constant input of 1 gives a constant output of 1 (`scipy.signal.lfilter_zi`).
  @inlinable package var steadyState: (z1: Double, z2: Double) { (1 - b0, b0 - a2) }
}

/// A low-pass over four channels at once, in double precision. It starts in the steady state of its first
/// input, which avoids an initial transient.
package struct LowPassFilter4: Sendable, Codable {
  @usableFromInline let coefficients: LowPassCoefficients
  @usableFromInline var z1 = SIMD4<Double>()
  @usableFromInline var z2 = SIMD4<Double>()
  @usableFromInline var isStarted = false

  package init(_ coefficients: LowPassCoefficients) {
    self.coefficients = coefficients
  }

  /// Returns the output for the next sample.
  @inlinable @inline(__always)
  package mutating func callAsFunction(_ x: SIMD4<Double>) -> SIMD4<Double> {
    if !isStarted {
      isStarted = true
      let steady = coefficients.steadyState
      z1 = x * steady.z1
      z2 = x * steady.z2
    }
    let y = x * coefficients.b0 + z1
    z1 = x * coefficients.b1 - y * coefficients.a1 + z2
    z2 = x * coefficients.b2 - y * coefficients.a2
    return y
  }
}

/// A low-pass over eight signals in parallel.
package enum LowPassBank {
  /// Filters `input` into `output`, which must be at least as long, from the steady state of the first value.
  /// Single precision suffices: the lowest corner is 0.35 Hz at 25 Hz, and only turning points are used.
  package static func run(
    _ coefficients: LowPassCoefficients, _ input: UnsafeBufferPointer<SIMD8<Float>>,
    into output: UnsafeMutableBufferPointer<SIMD8<Float>>
  ) {
    guard let first = input.first, output.count >= input.count else { return }
    let b0 = Float(coefficients.b0)
    let b1 = Float(coefficients.b1)
    let b2 = Float(coefficients.b2)
    let a1 = Float(coefficients.a1)
    let a2 = Float(coefficients.a2)
    let steady = coefficients.steadyState
    var z1 = first * Float(steady.z1)
    var z2 = first * Float(steady.z2)
    for i in 0..<input.count {
      let x = input[i]
      let y = x * b0 + z1
      z1 = x * b1 - y * a1 + z2
      z2 = x * b2 - y * a2
      output[i] = y
    }
  }
}
