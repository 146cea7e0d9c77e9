import SignalProcessing

/// A grid of 16-bit integers, two steps to an integer. Its dot product with a template in the same form
/// bounds the exact one from above, at a sixth of the cost: eight products and four sums are one instruction.
///
/// Each pair of steps is replaced by its sum over √2, and the difference is omitted (the Haar transform,
/// which preserves dot products). Templates are smooth, so their differences are small. The dot product of
/// the omitted parts is at most the product of their norms.
struct CoarseGrid {
  /// Stored value of the largest sum.
  static let largestValue: Float = 4_096
  /// Maximum number of integers in a dot product that stays below 2³¹: the product of the norms, 32,767
  /// (``CoarseTemplates``) and 4,096 · √240, is 2.08 · 10⁹.
  static let mostNumbers = 240
  /// Number of zero sums before the first one, so that templates may begin there.
  private static let margin = 8
  /// Number of zero entries of `differences` before step 0.
  private static let differencesMargin = 8

  /// Sums of steps t − 1 and t: a margin and the sums of even t, then a margin and those of odd t.
  private let values: [SIMD4<Int16>]
  /// Cumulative squared norm of the omitted differences at each step t: of steps t − 1 and t, t − 3 and t −
  /// 2, and so on, over 2.
  private let differences: [Float]
  /// Number of vectors from the sums of even steps to those of odd ones.
  private let oddOffset: Int
  /// Largest magnitude of a sum.
  let largest: Float

  /// Computes the grid of the first group of components.
  init(_ grid: PhaseGrid) {
    let m = grid.stepCount
    let g = ComponentSpace.groups
    let half = Self.margin + m / 2 + 1
    oddOffset = half
    let root = Float(0.5).squareRoot()
    var most = SIMD4<Float>()
    let differencesMargin = Self.differencesMargin
    var differences = [Float](repeating: 0, count: differencesMargin + m)
    grid.values.withUnsafeBufferPointer { steps in
      for t in 0..<m {
        let v = steps[t &* g]
        let before = t > 0 ? steps[(t &- 1) &* g] : SIMD4()
        most = most.greater((v + before).magnitudes)
        let square = ((v - before) * (v - before)).sum()
        differences[differencesMargin + t] = differences[differencesMargin + t - 2] + 0.5 * square
      }
    }
    self.differences = differences
    let largest = most.max() * root
    let scale = largest > 1e-20 ? Self.largestValue * root / largest : 0
    values = [SIMD4<Int16>](unsafeUninitializedCapacity: 2 * half) { values, count in
      values.initialize(repeating: SIMD4())
      grid.values.withUnsafeBufferPointer { steps in
        for t in 0..<m {
          let v = steps[t &* g]
          let before = t > 0 ? steps[(t &- 1) &* g] : SIMD4()
          values[(t & 1) &* half &+ Self.margin &+ (t &>> 1)] = SIMD4(
            truncatingIfNeeded: ((v + before) * scale).nearestIntegers)
        }
      }
      count = 2 * half
    }
    self.largest = largest
  }

  /// Addresses, valid within ``withPointers(_:)``.
  struct Pointers {
    fileprivate let sums: UnsafePointer<SIMD4<Int16>>
    fileprivate let oddOffset: Int
    fileprivate let differences: UnsafePointer<Float>
    /// Largest magnitude of a sum.
    let largest: Float

    /// Returns the address just after the sum of steps t − 1 and t. The sum of t − 3 and t − 2 precedes it,
    /// and so on.
    @inline(__always)
    func end(_ t: Int) -> UnsafePointer<SIMD4<Int16>> {
      sums + ((t & 1) &* oddOffset &+ (t &>> 1) &+ 1)
    }

    /// Returns an upper bound for the norm of the part omitted by a number of sums up to step t.
    @inline(__always)
    func omittedNorm(_ t: Int, sums count: Int) -> Float {
      // Never negative, because the entries do not decrease.
      (differences[t] * 1.000_01 - differences[t &- 2 &* count]).squareRoot()
    }
  }

  func withPointers(_ body: (Pointers) -> Void) {
    values.withUnsafeBufferPointer { values in
      differences.withUnsafeBufferPointer { differences in
        guard let values = values.baseAddress, let differences = differences.baseAddress else {
          return
        }
        body(
          Pointers(
            sums: values + Self.margin, oddOffset: oddOffset,
            differences: differences + Self.differencesMargin, largest: largest))
      }
    }
  }
}
