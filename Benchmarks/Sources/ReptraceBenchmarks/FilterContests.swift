import Foundation

/// The detector's filters and turning points compared with SciPy's. Their source files are internal to the
/// library, so they are also compiled here (`Signal`).
enum FilterContests {
  static func all() throws -> [Contest] {
    let count = 200_000
    var random = SplitMix64(state: 21)
    let signals = (0..<count).map { row in
      SIMD8<Float>(
        (0..<8).map { lane in
          Float(sin(Double(row) * 0.01 * Double(lane + 1)))
            + Float.random(in: -0.2...0.2, using: &random)
        })
    }
    let python = PythonRival.started("filters.py")
    // Rows of eight values, as SciPy expects.
    let path = try python?.file(named: "signals.bin") {
      signals.withUnsafeBytes { Data($0) }
    }
    let rival = path.flatMap { path in python.map { (process: $0, path: path) } }
    return [lowPass(signals, rival), blocks(signals, rival), turningPoints(signals, rival)]
  }

  private static let cornerHz = 1.0
  private static let rateHz = 25.0

  private static func lowPass(
    _ signals: [SIMD8<Float>], _ rival: (process: PythonRival, path: String)?
  ) -> Contest {
    let coefficients = LowPassCoefficients(cornerHz: cornerHz, rateHz: rateHz)
    var output = [SIMD8<Float>](repeating: .zero, count: signals.count)
    var contestants = [
      Contest.Contestant(name: "RepTrace, eight signals, Float") {
        signals.withUnsafeBufferPointer { input in
          output.withUnsafeMutableBufferPointer {
            LowPassBank.run(coefficients, input, into: $0)
          }
        }
        return sumOfSquares(output)
      }
    ]
    if let rival {
      contestants.append(
        rival.process.contestant("scipy.signal.sosfilt, one call, Float", "whole", rival.path))
    }
    return Contest(
      title: "filters, low-pass of second order over eight signals",
      amount: Double(8 * signals.count) / 1e6, unit: "million values", contestants: contestants,
      tolerance: 1e-3)
  }

  private static func blocks(
    _ signals: [SIMD8<Float>], _ rival: (process: PythonRival, path: String)?
  ) -> Contest {
    let coefficients = LowPassCoefficients(cornerHz: cornerHz, rateHz: rateHz)
    var contestants = [
      Contest.Contestant(name: "RepTrace, sample by sample, Double") {
        var low = LowPassFilter4(coefficients)
        var high = LowPassFilter4(coefficients)
        var sum = 0.0
        for signal in signals {
          let a = low(SIMD4<Double>(signal.lowHalf))
          let b = high(SIMD4<Double>(signal.highHalf))
          sum += (a * a).sum() + (b * b).sum()
        }
        return sum
      }
    ]
    if let rival {
      contestants.append(
        rival.process.contestant(
          "scipy.signal.sosfilt, blocks of 256, Double", "blocks", rival.path))
    }
    return Contest(
      title: "filters, low-pass of second order, causal, with its state kept",
      amount: Double(8 * signals.count) / 1e6, unit: "million values", contestants: contestants,
      tolerance: 1e-3)
  }

  private static func turningPoints(
    _ signals: [SIMD8<Float>], _ rival: (process: PythonRival, path: String)?
  ) -> Contest {
    var contestants = [
      Contest.Contestant(name: "RepTrace, zig-zag with hysteresis") {
        signals.withUnsafeBufferPointer { input in
          TurningPoints.ofLanes(8, of: input, hysteresis: SIMD8<Float>(repeating: 0.6))
            .reduce(0) { $0 + Double($1.maxima.count + $1.minima.count) }
        }
      }
    ]
    if let rival {
      contestants.append(
        rival.process.contestant("scipy.signal.find_peaks, prominence", "peaks", rival.path))
    }
    return Contest(
      title: "filters, peaks and troughs of eight signals",
      amount: Double(8 * signals.count) / 1e6, unit: "million values", contestants: contestants,
      tolerance: 0.05)
  }

  private static func sumOfSquares(_ signals: [SIMD8<Float>]) -> Double {
    var sum = 0.0
    for signal in signals { sum += Double((signal * signal).sum()) }
    return sum
  }
}
