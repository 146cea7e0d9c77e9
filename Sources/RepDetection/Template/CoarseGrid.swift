/// A grid in numbers of 16 bits (step 6). The scalar product with a template in such numbers tells how
/// large the exact one can be at most, for a third of the work: eight products and four sums are one
/// instruction.
struct CoarseGrid {
  /// What the largest component of a grid is stored as.
  static let largestValue: Float = 4_096
  /// Numbers that a scalar product may have at most, so that it stays below 2³¹: the product of the
  /// norms, 32,767 (``CoarseTemplates``) and 4,096 · √240, is 2.08 · 10⁹.
  static let mostNumbers = 240
  /// Steps of zeros before step 0, so that templates may begin there.
  static let margin = 8

  /// (Margin + steps) × groups, four to a group.
  private let values: [SIMD4<Int16>]
  /// Groups of components per step.
  let groups: Int
  /// The largest magnitude of a component.
  let largest: Float

  /// - Parameter kept: groups of components that are used, from the first.
  init(_ grid: PhaseGrid, kept: Int) {
    let m = grid.stepCount
    let g = grid.groups
    let margin = Self.margin * kept
    groups = kept
    var most = SIMD4<Float>()
    grid.values.withUnsafeBufferPointer { steps in
      for t in 0..<m {
        for k in 0..<kept { most = most.greater(steps[t &* g &+ k].magnitudes) }
      }
    }
    let largest = most.max()
    let scale = largest > 1e-20 ? Self.largestValue / largest : 0
    values = [SIMD4<Int16>](unsafeUninitializedCapacity: margin + m * kept) { values, count in
      grid.values.withUnsafeBufferPointer { steps in
        for i in 0..<margin { values.initializeElement(at: i, to: SIMD4()) }
        for t in 0..<m {
          for k in 0..<kept {
            let whole = (steps[t &* g &+ k] * scale).nearestIntegers
            values.initializeElement(
              at: margin &+ t &* kept &+ k, to: SIMD4(truncatingIfNeeded: whole))
          }
        }
      }
      count = margin + m * kept
    }
    self.largest = largest
  }

  /// Runs `body` on the address of step 0.
  func withPointer(_ body: (UnsafePointer<SIMD4<Int16>>) -> Void) {
    values.withUnsafeBufferPointer { values in
      guard let values = values.baseAddress else { return }
      body(values + Self.margin * groups)
    }
  }
}
