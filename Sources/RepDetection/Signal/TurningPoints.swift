/// Where a signal turns, ignoring turns smaller than a threshold: a zig-zag, or peaks with
/// hysteresis.
struct TurningPoints {
  var maxima: [Int] = []
  var minima: [Int] = []

  /// The turning points of the first lanes of `signal`, as ``read(_:lane:hysteresis:)`` finds them.
  static func ofLanes(
    _ lanes: Int, of signal: UnsafeBufferPointer<SIMD8<Float>>, hysteresis: SIMD8<Float>
  ) -> [TurningPoints] {
    (0..<min(lanes, 8)).map { lane in
      var turns = TurningPoints()
      turns.read(signal, lane: lane, hysteresis: hysteresis[lane])
      return turns
    }
  }

  /// Takes the turning points of a lane of `signal`, in the memory of those before. A turn counts
  /// once the signal has come back from it by `hysteresis`. The first and the last, which are turns
  /// only by where the signal was cut, are left out. Without hysteresis there are none.
  ///
  /// Lane by lane: turns are rare, and a branch that is seldom taken is cheaper than masks.
  mutating func read(
    _ signal: UnsafeBufferPointer<SIMD8<Float>>, lane: Int, hysteresis: Float
  ) {
    maxima.removeAll(keepingCapacity: true)
    minima.removeAll(keepingCapacity: true)
    let count = signal.count
    guard count > 1, hysteresis > 0, let base = signal.baseAddress else { return }
    let values = UnsafeRawPointer(base).assumingMemoryBound(to: Float.self) + lane
    // Until it has risen or fallen by the threshold both extremes are of interest.
    var (high, highAt) = (values[0], 0)
    var (low, lowAt) = (high, 0)
    var isRising = false
    var i = 1
    while i < count {
      let x = values[i &* 8]
      if x > high { (high, highAt) = (x, i) }
      if x < low { (low, lowAt) = (x, i) }
      if high - x >= hysteresis {
        if highAt > 0 { maxima.append(highAt) }
        break
      }
      if x - low >= hysteresis {
        if lowAt > 0 { minima.append(lowAt) }
        isRising = true
        break
      }
      i &+= 1
    }
    guard i < count else { return }
    var (extreme, at) = (values[i &* 8], i)
    i &+= 1
    while i < count {
      let x = values[i &* 8]
      if isRising {
        if x > extreme {
          (extreme, at) = (x, i)
        } else if extreme - x >= hysteresis {
          maxima.append(at)
          (extreme, at) = (x, i)
          isRising = false
        }
      } else if x < extreme {
        (extreme, at) = (x, i)
      } else if x - extreme >= hysteresis {
        minima.append(at)
        (extreme, at) = (x, i)
        isRising = true
      }
      i &+= 1
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
