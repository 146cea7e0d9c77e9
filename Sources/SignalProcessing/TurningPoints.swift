/// The turning points of a signal that exceed a threshold: peak detection with hysteresis.
package struct TurningPoints {
  package var maxima: [Int] = []
  package var minima: [Int] = []

  package init() {}

  /// Returns the turning points of the first `lanes` lanes of `signal`, as
  /// ``read(_:extremes:lane:hysteresis:)`` finds them.
  package static func ofLanes(
    _ lanes: Int, of signal: UnsafeBufferPointer<SIMD8<Float>>, hysteresis: SIMD8<Float>
  ) -> [TurningPoints] {
    var extremes = BlockExtremes()
    extremes.read(signal)
    return (0..<min(lanes, 8)).map { lane in
      var turns = TurningPoints()
      turns.read(signal, extremes: extremes, lane: lane, hysteresis: hysteresis[lane])
      return turns
    }
  }

  /// Replaces the contents with the turning points of a lane of `signal`, reusing storage. A turn counts once
  /// the signal has come back from it by `hysteresis`. An extreme at the first sample and an unconfirmed one
  /// at the end are artifacts of the cut and are omitted. If `hysteresis` is 0, nothing is found.
  ///
  /// Lanes are scanned one by one, because turns are rare and a seldom-taken branch is cheaper than masks.
  /// Blocks without a sufficient rise or fall are skipped.
  ///
  /// - Parameter extremes: The block extremes of `signal`.
  package mutating func read(
    _ signal: UnsafeBufferPointer<SIMD8<Float>>, extremes: BlockExtremes, lane: Int,
    hysteresis: Float
  ) {
    maxima.removeAll(keepingCapacity: true)
    minima.removeAll(keepingCapacity: true)
    guard signal.count > 1, hysteresis > 0, let values = signal.baseAddress else { return }
    extremes.blocks.withUnsafeBufferPointer { blocks in
      guard let blocks = blocks.baseAddress else { return }
      let scan = LaneScan(
        values: UnsafeRawPointer(values).assumingMemoryBound(to: Float.self) + lane,
        blocks: UnsafeRawPointer(blocks).assumingMemoryBound(to: Float.self) + lane,
        count: signal.count, hysteresis: hysteresis)
      scan.run(&self)
    }
  }

  /// Returns the distance between the 5th and 95th percentiles of each lane, from a histogram of every k-th
  /// value. It is 0 for constant lanes and for lanes whose range is too small to measure.
  package static func spread(
    of signal: UnsafeBufferPointer<SIMD8<Float>>, extremes: BlockExtremes, every k: Int = 1,
    lanes: Int, histogram: inout [Int32]
  ) -> SIMD8<Float> {
    var result = SIMD8<Float>()
    guard let (low, high) = extremes.whole else { return result }
    let bins = 128
    if histogram.count < bins * 8 { histogram = Array(repeating: 0, count: bins * 8) }
    let range = high - low
    var scale = SIMD8<Float>()
    for lane in 0..<8 where range[lane] > 1e-30 { scale[lane] = (Float(bins) - 0.5) / range[lane] }
    let tail = Float((signal.count + k - 1) / k) * 0.05
    let least = Int32(tail.rounded(.up))
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
        var counted: Int32 = 0
        var bottom: Float = 0
        var top: Float = Float(bins)
        for bin in 0..<bins {
          let count = counts[bin &* 8 &+ lane]
          counted &+= count
          if counted >= least {
            let below = Float(counted &- count)
            bottom = Float(bin) + (count > 0 ? (tail - below) / Float(count) : 0)
            break
          }
        }
        counted = 0
        var bin = bins
        while bin > 0 {
          bin &-= 1
          let count = counts[bin &* 8 &+ lane]
          counted &+= count
          if counted >= least {
            let above = Float(counted &- count)
            top = Float(bin &+ 1) - (count > 0 ? (tail - above) / Float(count) : 0)
            break
          }
        }
        result[lane] = max(top - bottom, 0) * range[lane] / (Float(bins) - 0.5)
      }
    }
    return result
  }

  /// Returns the values rounded down to whole numbers and clamped to 0...127.
  @inline(__always)
  private static func wholeParts(_ x: SIMD8<Float>) -> SIMD8<UInt32> {
    // Adding 1.5 · 2²³ moves the rounded number into the low bits. Correct it by one if it was rounded up.
    let rounded = x + 12_582_912
    let rest = x - (rounded - 12_582_912)
    let isAbove = unsafeBitCast(rest, to: SIMD8<UInt32>.self) &>> 31
    return (unsafeBitCast(rounded, to: SIMD8<UInt32>.self) &- isAbove) & 127
  }
}
