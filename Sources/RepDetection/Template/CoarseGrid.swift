import SignalProcessing

/// A grid in numbers of 16 bits, two steps to a number. The scalar product with a template in
/// such numbers tells how large the exact one can be at most, for a sixth of the work: eight products
/// and four sums are one instruction.
///
/// Of two steps the sum is taken, over √2, and the difference left out (Haar's transform, which keeps
/// scalar products): templates are smooth, so their differences are small, and the two parts that are
/// left out have no larger scalar product than the product of their lengths.
struct CoarseGrid {
  /// What the largest sum is stored as.
  static let largestValue: Float = 4_096
  /// Numbers that a scalar product may have at most, so that it stays below 2³¹: the product of the
  /// norms, 32,767 (``CoarseTemplates``) and 4,096 · √240, is 2.08 · 10⁹.
  static let mostNumbers = 240
  /// Sums of zeros before the first one, so that templates may begin there.
  private static let margin = 8
  /// Entries of `differences` before step 0, all of them 0.
  private static let differencesMargin = 8

  /// Sums of steps t − 1 and t: those of even t behind a margin, then those of odd t behind a margin.
  private let values: [SIMD4<Int16>]
  /// Of each step t, the squared length of the differences of steps t − 1 and t, t − 3 and t − 2, and so
  /// on, over 2.
  private let differences: [Float]
  /// Vectors from the sums of even steps to those of odd ones.
  private let oddOffset: Int
  /// The largest magnitude of a sum.
  let largest: Float

  /// Of the first group of components.
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
    /// The largest magnitude of a sum.
    let largest: Float

    /// Behind the sum of the steps t − 1 and t; that of t − 3 and t − 2 lies before it, and so on.
    @inline(__always)
    func end(_ t: Int) -> UnsafePointer<SIMD4<Int16>> {
      sums + ((t & 1) &* oddOffset &+ (t &>> 1) &+ 1)
    }

    /// The length of what so many sums up to a step leave out, or a little more.
    @inline(__always)
    func leftOut(_ t: Int, sums count: Int) -> Float {
      // Never negative, as they do not fall.
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
