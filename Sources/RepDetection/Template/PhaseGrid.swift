/// A stretch of signal averaged to about fourteen steps per rep, so that the cost of a rep does
/// not depend on its tempo (step 5).
struct PhaseGrid: Sendable {
  /// Frames per step.
  let framesPerStep: Int
  let stepCount: Int
  /// Components per step, in groups of four.
  let groups: Int
  /// Steps × groups.
  let values: [SIMD4<Float>]
  /// The first group alone: all that a search looks at.
  let leading: [SIMD4<Float>]
  /// Running sums of `values`, one more than steps: the sum over steps a..<b is
  /// `sums[b] - sums[a]`.
  let sums: [SIMD4<Float>]
  /// Running sums of the squared length.
  let squares: [Double]
  /// The same of the first group alone.
  let leadingSquares: [Double]

  /// - Parameter components: frames × groups.
  init(_ components: [SIMD4<Float>], groups g: Int, framesPerStep q: Int) {
    let m = components.count / g / q
    framesPerStep = q
    stepCount = m
    groups = g
    var values = [SIMD4<Float>](repeating: SIMD4(), count: m * g)
    var sums = [SIMD4<Float>](repeating: SIMD4(), count: (m + 1) * g)
    var squares = [Double](repeating: 0, count: m + 1)
    var leadingSquares = squares
    let scale = 1 / Float(q)
    components.withUnsafeBufferPointer { x in
      values.withUnsafeMutableBufferPointer { values in
        sums.withUnsafeMutableBufferPointer { sums in
          for t in 0..<m {
            var length: Float = 0
            for k in 0..<g {
              var sum = SIMD4<Float>()
              for j in 0..<q { sum += x[(t * q + j) * g + k] }
              let v = sum * scale
              values[t * g + k] = v
              sums[(t + 1) * g + k] = sums[t * g + k] + v
              length += (v * v).sum()
              if k == 0 { leadingSquares[t + 1] = leadingSquares[t] + Double(length) }
            }
            squares[t + 1] = squares[t] + Double(length)
          }
        }
      }
    }
    self.values = values
    self.sums = sums
    self.squares = squares
    self.leadingSquares = leadingSquares
    leading = g == 1 ? values : (0..<m).map { values[$0 * g] }
  }

  /// Frames per step for a typical rep of `period` frames.
  static func framesPerStep(forPeriod period: Double, stepsPerRep: Int) -> Int {
    max(1, Int((min(period, 1000) / Double(stepsPerRep)).rounded()))
  }

  /// The step at a frame.
  func step(ofFrame frame: Double) -> Double {
    (frame + 0.5) / Double(framesPerStep) - 0.5
  }
}
