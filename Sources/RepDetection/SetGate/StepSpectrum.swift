import SignalProcessing

/// The narrow peak of steps in the spectrum of the vertical acceleration.
///
/// The body of a walking person bounces at one frequency between 1.4 and 3.5 Hz. The reps of a set spread
/// their power over the harmonics of their tempo.
enum StepSpectrum {
  private static let windowFrames = 512
  private static let binHz = FrontEnd.frameRateHz / Double(2 * windowFrames)
  private static let stepsHz = 1.4...3.5
  private static let halfPeakHz = 0.15
  private static let motionHz = 0.2...9.0

  /// Returns the fraction of the power from 0.2 to 9 Hz that lies within 0.15 Hz of the highest frequency of
  /// steps, 0 to 1.
  ///
  /// 1. The run is divided into windows of 20 s that overlap by half; a shorter run is one window.
  /// 2. The mean of each window is subtracted, and a Hann window applied.
  /// 3. The power spectra are summed.
  static func peakFraction(_ frames: some RandomAccessCollection<MotionFrame>) -> Float {
    let vertical = frames.map { $0.verticalAcceleration }
    guard vertical.count > 2 else { return 0 }
    var power = [Float](repeating: 0, count: bin(motionHz.upperBound) + 1)
    var start = 0
    repeat {
      let end = min(start + windowFrames, vertical.count)
      add(vertical[max(0, end - windowFrames)..<end], to: &power)
      start += windowFrames / 2
    } while start + windowFrames / 2 < vertical.count
    let steps = bin(stepsHz.lowerBound)...bin(stepsHz.upperBound)
    guard let peak = steps.max(by: { power[$0] < power[$1] }) else { return 0 }
    let reach = bin(halfPeakHz)
    let near = power[(peak - reach)...(peak + reach)].reduce(0, +)
    let all = power[(bin(motionHz.lowerBound) + 1)...].reduce(0, +)
    return near / max(all, 1e-12)
  }

  private static func bin(_ hertz: Double) -> Int { Int(hertz / binHz) }

  private static func add(_ signal: ArraySlice<Float>, to power: inout [Float]) {
    let mean = signal.reduce(0, +) / Float(signal.count)
    let step = 2 * Double.pi / Double(signal.count - 1)
    let weighted = signal.enumerated().map { i, value in
      (value - mean) * Float(0.5 - 0.5 * Math.cosine(step * Double(i)))
    }
    // Eight frequencies at a time, each as a phasor that turns from frame to frame.
    for first in stride(from: 0, to: power.count, by: 8) {
      var turnReal = SIMD8<Float>()
      var turnImaginary = SIMD8<Float>()
      for lane in 0..<8 {
        let angle = 2 * Double.pi * binHz * Double(first + lane) / FrontEnd.frameRateHz
        turnReal[lane] = Float(Math.cosine(angle))
        turnImaginary[lane] = Float(Math.sine(angle))
      }
      var (real, imaginary) = (SIMD8<Float>(repeating: 1), SIMD8<Float>())
      var (sumReal, sumImaginary) = (SIMD8<Float>(), SIMD8<Float>())
      for value in weighted {
        sumReal += value * real
        sumImaginary += value * imaginary
        (real, imaginary) = (
          real * turnReal - imaginary * turnImaginary, real * turnImaginary + imaginary * turnReal
        )
      }
      let squares = sumReal * sumReal + sumImaginary * sumImaginary
      for lane in 0..<min(8, power.count - first) { power[first + lane] += squares[lane] }
    }
  }
}
