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
    guard signal.count > 1, hysteresis > 0, let base = signal.baseAddress else { return }
    let values = UnsafeRawPointer(base).assumingMemoryBound(to: Float.self) + lane
    var high = values[0]
    var low = high
    var highAt = 0
    var lowAt = 0
    // 0 while neither a rise nor a fall by the threshold has been seen.
    var direction = 0
    var i = 1
    while i < signal.count {
      defer { i &+= 1 }
      let x = values[i &* 8]
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
  /// k-th value. Lanes without width, or with an immeasurably small one, have none.
  static func spread(
    of signal: UnsafeBufferPointer<SIMD8<Float>>, every k: Int = 1, lanes: Int,
    histogram: inout [Int32]
  ) -> SIMD8<Float> {
    var result = SIMD8<Float>()
    guard let first = signal.first else { return result }
    let bins = 128
    if histogram.count < bins * 8 { histogram = Array(repeating: 0, count: bins * 8) }
    var low = first
    var negativeHigh = -first
    for x in signal {
      low = x.lesser(low)
      negativeHigh = (-x).lesser(negativeHigh)
    }
    let range = -negativeHigh - low
    var scale = SIMD8<Float>()
    for lane in 0..<8 where range[lane] > 1e-30 { scale[lane] = (Float(bins) - 0.5) / range[lane] }
    let tail = Float((signal.count + k - 1) / k) * 0.05
    histogram.withUnsafeMutableBufferPointer { histogram in
      guard let counts = histogram.baseAddress else { return }
      counts.update(repeating: 0, count: bins * 8)
      var i = 0
      while i < signal.count {
        let bin = Self.wholeParts((signal[i] - low) * scale) &* 8
        counts[Int(bin[0])] &+= 1
        counts[Int(bin[1]) &+ 1] &+= 1
        counts[Int(bin[2]) &+ 2] &+= 1
        counts[Int(bin[3]) &+ 3] &+= 1
        counts[Int(bin[4]) &+ 4] &+= 1
        counts[Int(bin[5]) &+ 5] &+= 1
        if lanes > 6 {
          counts[Int(bin[6]) &+ 6] &+= 1
          counts[Int(bin[7]) &+ 7] &+= 1
        }
        i &+= k
      }
      for lane in 0..<lanes {
        var below: Float = 0
        var bottom: Float = 0
        var top: Float = Float(bins)
        for bin in 0..<bins {
          let count = Float(counts[bin * 8 + lane])
          if below + count >= tail {
            bottom = Float(bin) + (count > 0 ? (tail - below) / count : 0)
            break
          }
          below += count
        }
        var above: Float = 0
        for bin in stride(from: bins - 1, through: 0, by: -1) {
          let count = Float(counts[bin * 8 + lane])
          if above + count >= tail {
            top = Float(bin + 1) - (count > 0 ? (tail - above) / count : 0)
            break
          }
          above += count
        }
        result[lane] = max(top - bottom, 0) * range[lane] / (Float(bins) - 0.5)
      }
    }
    return result
  }

  /// The whole parts of values of 0 to 127.5, cut to 0...127 whatever comes.
  @inline(__always)
  private static func wholeParts(_ x: SIMD8<Float>) -> SIMD8<UInt32> {
    // Adding 1.5 · 2²³ rounds to a whole number, which is then in the low bits; where that is
    // above x it is one too many.
    let rounded = x + 12_582_912
    let rest = x - (rounded - 12_582_912)
    let isAbove = unsafeBitCast(rest, to: SIMD8<UInt32>.self) &>> 31
    return (unsafeBitCast(rounded, to: SIMD8<UInt32>.self) &- isAbove) & 127
  }
}
