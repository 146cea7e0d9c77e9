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
    var result = Array(repeating: TurningPoints(), count: lanes)
    guard signal.count > 1, lanes <= 8 else { return result }
    var high = signal[0]
    var low = high
    var highAt = SIMD8<Int32>()
    var lowAt = highAt
    let isTurning = hysteresis .> 0
    // Neither a rise nor a fall by the threshold has been seen: both may come.
    var mayPeak = isTurning
    var mayDip = isTurning
    for i in 1..<signal.count {
      let x = signal[i]
      let isHigher = x .> high
      let isLower = x .< low
      let at = SIMD8<Int32>(repeating: Int32(truncatingIfNeeded: i))
      high = x.selected(by: isHigher, else: high)
      low = x.selected(by: isLower, else: low)
      highAt = at.selected(by: isHigher, else: highAt)
      lowAt = at.selected(by: isLower, else: lowAt)
      let peaks = mayPeak .& (high - x .>= hysteresis)
      let dips = mayDip .& (x - low .>= hysteresis)
      guard any(peaks .| dips) else { continue }
      for lane in 0..<lanes {
        if peaks[lane] {
          if !mayDip[lane] || highAt[lane] > 0 { result[lane].maxima.append(Int(highAt[lane])) }
          mayPeak[lane] = false
          mayDip[lane] = true
        } else if dips[lane] {
          if !mayPeak[lane] || lowAt[lane] > 0 { result[lane].minima.append(Int(lowAt[lane])) }
          mayPeak[lane] = true
          mayDip[lane] = false
        } else {
          continue
        }
        high[lane] = x[lane]
        low[lane] = x[lane]
        highAt[lane] = Int32(truncatingIfNeeded: i)
        lowAt[lane] = Int32(truncatingIfNeeded: i)
      }
    }
    return result
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
