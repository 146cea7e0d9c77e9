import MotionFrames
import SignalProcessing

/// The narrow peak of steps in the spectrum of the vertical acceleration.
///
/// The body of a walking person bounces at one frequency between 1.4 and 3.5 Hz. The reps of a set spread
/// their power over the harmonics of their tempo.
enum StepSpectrum {
  private static let windowFrames = 512
  /// Length of the transform: each window is padded with as many zeros.
  private static let length = 2 * windowFrames
  private static let binHz = FrontEnd.frameRateHz / Double(length)
  private static let stepsHz = 1.4...3.5
  private static let halfPeakHz = 0.15
  private static let motionHz = 0.2...9.0

  /// Returns the fraction of the power from 0.2 to 9 Hz that lies within 0.15 Hz of the highest peak in the
  /// range of step frequencies, 0 to 1.
  ///
  /// 1. The run is divided into windows of 20 s that overlap by half; a shorter run is one window.
  /// 2. The mean of each window is subtracted, and a Hann window applied.
  /// 3. The power spectra are summed.
  static func peakFraction(_ frames: some RandomAccessCollection<MotionFrame>) -> Float {
    let vertical = frames.map { $0.verticalAcceleration }
    guard vertical.count > 2 else { return 0 }
    var power = [Float](repeating: 0, count: bin(motionHz.upperBound) + 1)
    // Two windows share a transform: one is the real part of its input, the other the imaginary part.
    var pair = [SIMD2<Float>](repeating: .zero, count: length)
    var part = 0
    var start = 0
    repeat {
      let end = min(start + windowFrames, vertical.count)
      add(vertical[max(0, end - windowFrames)..<end], to: &pair, part: part)
      part = 1 - part
      start += windowFrames / 2
      let isLast = start + windowFrames / 2 >= vertical.count
      guard part == 0 || isLast else { continue }
      transform(&pair)
      for i in power.indices {
        let (one, other) = (pair[i], pair[(length - i) % length])
        power[i] += (one * one + other * other).sum() / 2
      }
      for i in pair.indices { pair[i] = .zero }
    } while start + windowFrames / 2 < vertical.count
    let steps = bin(stepsHz.lowerBound)...bin(stepsHz.upperBound)
    guard let peak = steps.max(by: { power[$0] < power[$1] }) else { return 0 }
    let reach = bin(halfPeakHz)
    let near = power[(peak - reach)...(peak + reach)].reduce(0, +)
    let all = power[(bin(motionHz.lowerBound) + 1)...].reduce(0, +)
    return near / max(all, 1e-12)
  }

  private static func bin(_ hertz: Double) -> Int { Int(hertz / binHz) }

  /// Adds a weighted window of signal to one part of a transform's input.
  private static func add(
    _ signal: ArraySlice<Float>, to pair: inout [SIMD2<Float>], part: Int
  ) {
    let mean = signal.reduce(0, +) / Float(signal.count)
    let step = 2 * Double.pi / Double(signal.count - 1)
    for (i, value) in signal.enumerated() {
      pair[i][part] = (value - mean) * Float(0.5 - 0.5 * Math.cosine(step * Double(i)))
    }
  }

  /// Replaces complex values with their discrete Fourier transform (Cooley and Tukey 1965, decimation in
  /// time). The count is a power of two.
  private static func transform(_ values: inout [SIMD2<Float>]) {
    values.withUnsafeMutableBufferPointer { values in
      let n = values.count
      var reversed = 0
      for i in 1..<n {
        var bit = n >> 1
        while reversed & bit != 0 {
          reversed ^= bit
          bit >>= 1
        }
        reversed |= bit
        if i < reversed { values.swapAt(i, reversed) }
      }
      var half = 1
      while half < n {
        let angle = -Double.pi / Double(half)
        let turn = SIMD2(Math.cosine(angle), Math.sine(angle))
        var factor = SIMD2(1.0, 0.0)
        for offset in 0..<half {
          let (real, imaginary) = (Float(factor.x), Float(factor.y))
          for low in stride(from: offset, to: n, by: 2 * half) {
            let value = values[low + half]
            let turned = SIMD2(
              value.x * real - value.y * imaginary, value.x * imaginary + value.y * real)
            values[low + half] = values[low] - turned
            values[low] += turned
          }
          factor = SIMD2(
            factor.x * turn.x - factor.y * turn.y, factor.x * turn.y + factor.y * turn.x)
        }
        half *= 2
      }
    }
  }
}
