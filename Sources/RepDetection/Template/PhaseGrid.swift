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

  /// - Parameter components: frames × groups.
  init(_ components: [SIMD4<Float>], groups g: Int, framesPerStep q: Int) {
    let m = components.count / g / q
    framesPerStep = q
    stepCount = m
    groups = g
    let scale = 1 / Float(q)
    values = [SIMD4<Float>](unsafeUninitializedCapacity: m * g) { values, count in
      components.withUnsafeBufferPointer { x in
        for t in 0..<m {
          for k in 0..<g {
            var sum = SIMD4<Float>()
            for j in 0..<q { sum += x[(t &* q &+ j) &* g &+ k] }
            values.initializeElement(at: t &* g &+ k, to: sum * scale)
          }
        }
      }
      count = m * g
    }
  }

  /// Frames per step for a typical rep of `period` frames.
  static func framesPerStep(forPeriod period: Double, stepsPerRep: Int) -> Int {
    max(1, Int((min(period, 1000) / Double(stepsPerRep)).rounded()))
  }

  /// The step at a frame.
  static func step(ofFrame frame: Double, framesPerStep q: Int) -> Double {
    (frame + 0.5) / Double(q) - 0.5
  }
}
