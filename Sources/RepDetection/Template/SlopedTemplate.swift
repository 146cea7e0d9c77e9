/// A template with the slopes between its phases, to be stretched to many lengths.
struct SlopedTemplate {
  private let phases: Int
  private let kept: Int
  /// Groups × phases: the value of a phase, and by how much the next one is larger.
  private let pieces: [(value: SIMD4<Float>, rise: SIMD4<Float>)]

  /// - Parameters:
  ///   - template: phases × groups.
  ///   - kept: groups that are used, from the first.
  init(_ template: [SIMD4<Float>], groups g: Int, kept: Int) {
    let phases = template.count / max(g, 1)
    self.phases = phases
    self.kept = kept
    var pieces: [(value: SIMD4<Float>, rise: SIMD4<Float>)] = []
    pieces.reserveCapacity(kept * phases)
    for c in 0..<kept {
      for k in 0..<phases {
        let value = template[k * g + c]
        pieces.append((value, template[min(k + 1, phases - 1) * g + c] - value))
      }
    }
    self.pieces = pieces
  }

  /// Stretches the template to d + 1 points, without mean and of unit length, the last of them first.
  ///
  /// - Parameter d: at least 1.
  @inline(__always)
  func stretch(to d: Int, into points: UnsafeMutablePointer<SIMD4<Float>>) {
    pieces.withUnsafeBufferPointer { pieces in
      guard let pieces = pieces.baseAddress else { return }
      StretchTable.withPositions(phases: phases, length: d) { positions in
        var square: Float = 0
        for c in 0..<kept {
          let pieces = pieces + c &* phases
          var sum = SIMD4<Float>()
          var squares = SIMD4<Float>()
          var point = points + (d &* kept &+ c)
          for i in 0...d {
            let piece = pieces[Int(positions[i].phase)]
            let v = piece.value + piece.rise * positions[i].fraction
            point.pointee = v
            sum += v
            squares += v * v
            point -= kept
          }
          let mean = sum / Float(d &+ 1)
          // About the mean; a template has none to speak of, so that little is lost by rounding.
          square += max((squares - sum * mean).sum(), 0)
          for i in 0...d { points[i &* kept &+ c] -= mean }
        }
        let scale = square > 1e-12 ? 1 / square.squareRoot() : 0
        for i in 0..<((d &+ 1) &* kept) { points[i] *= scale }
      }
    }
  }
}
