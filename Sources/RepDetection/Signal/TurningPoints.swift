/// Where a signal turns, ignoring turns smaller than a threshold: a zig-zag, or peaks with
/// hysteresis.
struct TurningPoints {
  var maxima: [Int] = []
  var minima: [Int] = []

  /// The turning points of the first lanes of `signal`. A turn counts once the signal has come back
  /// from it by `hysteresis`. The first and the last, which are turns only by where the signal was
  /// cut, are left out. A lane without hysteresis has none.
  static func ofLanes(
    _ lanes: Int, of signal: UnsafeBufferPointer<SIMD8<Float>>, hysteresis: SIMD8<Float>
  ) -> [TurningPoints] {
    (0..<min(lanes, 8)).map { TurningPoints(of: signal, lane: $0, hysteresis: hysteresis[$0]) }
  }

  /// Lane by lane: turns are rare, and a branch that is seldom taken is cheaper than masks.
  private init(of signal: UnsafeBufferPointer<SIMD8<Float>>, lane: Int, hysteresis: Float) {
    guard signal.count > 1, hysteresis > 0 else { return }
    var high = signal[0][lane]
    var low = high
    var highAt = 0
    var lowAt = 0
    // 0 while neither a rise nor a fall by the threshold has been seen.
    var direction = 0
    for i in 1..<signal.count {
      let x = signal[i][lane]
      if x > high {
        high = x
        highAt = i
      }
      if x < low {
        low = x
        lowAt = i
      }
      if direction >= 0, high - x >= hysteresis {
        if direction > 0 || highAt > 0 { maxima.append(highAt) }
        direction = -1
      } else if direction <= 0, x - low >= hysteresis {
        if direction < 0 || lowAt > 0 { minima.append(lowAt) }
        direction = 1
      } else {
        continue
      }
      low = x
      lowAt = i
      high = x
      highAt = i
    }
  }

  /// The width between the 5th and the 95th percentile of each lane, from a histogram of every
  /// k-th value.
  static func spread(
    of signal: UnsafeBufferPointer<SIMD8<Float>>, every k: Int = 1, lanes: Int,
    histogram: inout [Int32]
  ) -> SIMD8<Float> {
    var result = SIMD8<Float>()
    guard let first = signal.first else { return result }
    let bins = 128
    if histogram.count < bins * 8 { histogram = Array(repeating: 0, count: bins * 8) }
    var low = first
    var high = first
    for x in signal {
      low = x.selected(by: x .< low, else: low)
      high = x.selected(by: x .> high, else: high)
    }
    let range = high - low
    var scale = SIMD8<Float>(repeating: Float(bins) - 0.5) / range
    scale.replace(with: 0, where: range .<= 0)
    for i in 0..<(bins * 8) { histogram[i] = 0 }
    histogram.withUnsafeMutableBufferPointer { counts in
      for i in stride(from: 0, to: signal.count, by: k) {
        let bin = (signal[i] - low) * scale
        for lane in 0..<lanes {
          counts[Int(min(max(bin[lane], 0), Float(bins - 1))) * 8 + lane] += 1
        }
      }
    }
    let tail = Float((signal.count + k - 1) / k) * 0.05
    for lane in 0..<lanes {
      var below: Float = 0
      var bottom: Float = 0
      var top: Float = Float(bins)
      for bin in 0..<bins {
        let count = Float(histogram[bin * 8 + lane])
        if below + count >= tail {
          bottom = Float(bin) + (count > 0 ? (tail - below) / count : 0)
          break
        }
        below += count
      }
      var above: Float = 0
      for bin in stride(from: bins - 1, through: 0, by: -1) {
        let count = Float(histogram[bin * 8 + lane])
        if above + count >= tail {
          top = Float(bin + 1) - (count > 0 ? (tail - above) / count : 0)
          break
        }
        above += count
      }
      result[lane] = max(top - bottom, 0) * range[lane] / (Float(bins) - 0.5)
    }
    return result
  }
}
