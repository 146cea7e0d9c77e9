/// A window averaged to about fourteen steps per rep, which makes the cost of a rep independent of its tempo.
package struct PhaseGrid: Sendable {
  /// Frames per step.
  package let framesPerStep: Int
  package let stepCount: Int
  /// The components, steps × groups (``ComponentSpace``).
  package let values: [SIMD4<Float>]

  /// - Parameter components: Components of the frames, frames × groups.
  package init(_ components: [SIMD4<Float>], framesPerStep q: Int) {
    let m = components.count / ComponentSpace.groups / q
    framesPerStep = q
    stepCount = m
    values = [SIMD4<Float>](unsafeUninitializedCapacity: m * ComponentSpace.groups) {
      values, count in
      components.withUnsafeBufferPointer { x in
        guard let x = x.baseAddress, let y = values.baseAddress else { return }
        Self.average(x, q, into: y, steps: m)
      }
      count = m * ComponentSpace.groups
    }
  }

  /// Computes the means of groups of `q` frames.
  private static func average(
    _ components: UnsafePointer<SIMD4<Float>>, _ q: Int,
    into y: UnsafeMutablePointer<SIMD4<Float>>, steps: Int
  ) {
    let g = ComponentSpace.groups
    let scale = 1 / Float(q)
    var x = components
    for t in 0..<steps {
      for k in 0..<g {
        var sum = SIMD4<Float>()
        for j in 0..<q { sum += x[j &* g &+ k] }
        (y + (t &* g &+ k)).initialize(to: sum * scale)
      }
      x += q &* g
    }
  }

  /// Returns the number of frames per step for a typical rep of `period` frames.
  package static func framesPerStep(forPeriod period: Double, stepsPerRep: Int) -> Int {
    max(1, Int((min(period, 1000) / Double(stepsPerRep)).rounded()))
  }

  /// Converts a step to a frame.
  package static func frame(ofStep step: Double, framesPerStep q: Int) -> Double {
    (step + 0.5) * Double(q) - 0.5
  }

  /// Converts a segment from steps to frames.
  package func frames(of segment: Segment) -> Segment {
    Segment(
      start: Self.frame(ofStep: segment.start, framesPerStep: framesPerStep),
      end: Self.frame(ofStep: segment.end, framesPerStep: framesPerStep))
  }

  /// Converts a frame to a step.
  package static func step(ofFrame frame: Double, framesPerStep q: Int) -> Double {
    (frame + 0.5) / Double(q) - 0.5
  }
}
