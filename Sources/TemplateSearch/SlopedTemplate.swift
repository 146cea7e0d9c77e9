/// The leading components of a template with the slopes between phases, for stretching to many lengths.
struct SlopedTemplate {
  /// The value at each phase, and the increase to the next one.
  private let pieces: [(value: SIMD4<Float>, rise: SIMD4<Float>)]

  /// - Parameter template: Phases × groups, of which the first group is used.
  init(_ template: [SIMD4<Float>]) {
    let g = ComponentSpace.groups
    let phases = template.count / g
    pieces = (0..<phases).map { k in
      let value = template[k * g]
      return (value, template[min(k + 1, phases - 1) * g] - value)
    }
  }

  /// Stretches the template to d + 1 points, minus its mean and scaled to unit norm, in reverse order.
  ///
  /// - Parameter d: Length in steps; at least 1.
  @inline(__always)
  func stretch(to d: Int, into points: UnsafeMutablePointer<SIMD4<Float>>) {
    pieces.withUnsafeBufferPointer { pieces in
      StretchTable.withPositions(phases: pieces.count, length: d) { positions in
        guard let pieces = pieces.baseAddress else { return }
        var sum = SIMD4<Float>()
        var squares = SIMD4<Float>()
        var point = points + d
        for i in 0...d {
          let piece = pieces[Int(positions[i].phase)]
          let v = piece.value + piece.rise * positions[i].fraction
          point.pointee = v
          sum += v
          squares += v * v
          point -= 1
        }
        let mean = sum / Float(d &+ 1)
        // One pass suffices for the variance: the template's mean is nearly zero, so rounding loses little.
        let square = max((squares - sum * mean).sum(), 0)
        let scale = square > 1e-12 ? 1 / square.squareRoot() : 0
        for i in 0...d { points[i] = (points[i] - mean) * scale }
      }
    }
  }
}
