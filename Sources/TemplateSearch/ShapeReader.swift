import SignalProcessing

/// Computes shapes from a grid: each segment sampled at evenly spaced phases by linear interpolation, minus
/// its mean, scaled to unit norm.
struct ShapeReader {
  /// The grid, steps × groups.
  let steps: UnsafePointer<SIMD4<Float>>
  /// Index of the last step.
  let last: Int
  /// Output: shapes × phases × groups.
  let values: UnsafeMutablePointer<SIMD4<Float>>
  /// Output: the mean square of each shape before normalization.
  let energies: UnsafeMutablePointer<Float>

  func read(_ segments: [Segment], phases: Int) {
    // The common cases use loops of constant length.
    switch phases {
    case 8: readAll(segments, phases: 8)
    case 16: readAll(segments, phases: 16)
    default: readAll(segments, phases: phases)
    }
  }

  @inline(__always)
  private func readAll(_ segments: [Segment], phases: Int) {
    for i in segments.indices {
      energies[i] = read(
        segments[i], phases: phases, into: values + i * phases * ComponentSpace.groups)
    }
  }

  /// Computes one shape.
  ///
  /// - Returns: The mean square before normalization.
  @inline(__always)
  private func read(
    _ segment: Segment, phases: Int, into y: UnsafeMutablePointer<SIMD4<Float>>
  ) -> Float {
    let g = ComponentSpace.groups
    let start = Float(segment.start)
    let stride = Float(segment.end - segment.start) / Float(phases - 1)
    var k = 0
    while k &+ 4 <= phases {
      sample(start, stride, from: k, count: 4, into: y)
      k &+= 4
    }
    if k < phases { sample(start, stride, from: k, count: phases &- k, into: y) }
    var square = SIMD4<Float>()
    for c in 0..<g {
      var sum = SIMD4<Float>()
      for k in 0..<phases { sum += y[k &* g &+ c] }
      let mean = sum / Float(phases)
      for k in 0..<phases {
        let v = y[k &* g &+ c] - mean
        y[k &* g &+ c] = v
        square += v * v
      }
    }
    let energy = square.sum()
    let scale = energy > 1e-12 ? 1 / energy.squareRoot() : 0
    for k in 0..<(phases &* g) { y[k] *= scale }
    return energy / Float(phases)
  }

  /// Samples up to four phases, starting at the k-th.
  @inline(__always)
  private func sample(
    _ start: Float, _ stride: Float, from k: Int, count: Int,
    into y: UnsafeMutablePointer<SIMD4<Float>>
  ) {
    let g = ComponentSpace.groups
    let wanted = (SIMD4(0, 1, 2, 3) + Float(k)) * stride + start
    // This order turns NaN into 0.
    let position = SIMD4(repeating: Float(last)).lesser(SIMD4().greater(wanted))
    // Adding 2²³ moves the rounded number into the low bits. Correct it by one if it was rounded up.
    let rounded = position + 8_388_608
    let whole = rounded - 8_388_608
    let isAbove = (position - whole).bits &>> 31
    let lower = (rounded.bits & 0x7F_FFFF) &- isAbove
    let one = SIMD4<UInt32>(repeating: Float(1).bitPattern)
    let fraction = position - (whole - SIMD4(bits: one & (0 &- isAbove)))
    for lane in 0..<count {
      let from = Int(lower[lane])
      let a = steps + from &* g
      let b = steps + min(from &+ 1, last) &* g
      let to = y + (k &+ lane) &* g
      for c in 0..<g { to[c] = a[c] + (b[c] - a[c]) * fraction[lane] }
    }
  }
}
