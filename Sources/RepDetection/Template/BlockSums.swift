/// A grid in blocks of four steps (step 6): their sums, and how much moves within them. A scalar
/// product over blocks is a quarter of the work, and with the norms of what is within blocks it
/// says how large the whole one can be at most.
struct BlockSums {
  /// Steps per block.
  static let size = 4
  /// Steps × groups: entry t is the sum of the steps t − 3 to t, those before step 0 being 0.
  private let sums: [SIMD4<Float>]
  /// Running sums over every fourth step of the squared distance of a block's steps from their
  /// mean: those of the n blocks that end with step t sum to `residuals[4 + t] -
  /// residuals[4 + t − 4 n]`.
  private let residuals: [Float]

  /// - Parameter kept: groups of components that are used, from the first.
  init(_ grid: PhaseGrid, kept: Int) {
    let m = grid.stepCount
    let g = grid.groups
    var residuals = [Float](repeating: 0, count: m + Self.size)
    sums = [SIMD4<Float>](unsafeUninitializedCapacity: m * kept) { sums, count in
      grid.values.withUnsafeBufferPointer { values in
        residuals.withUnsafeMutableBufferPointer { residuals in
          for t in 0..<m {
            var square = SIMD4<Float>()
            for k in 0..<kept {
              var sum = SIMD4<Float>()
              for s in max(0, t - Self.size + 1)...t {
                let v = values[s * g + k]
                sum += v
                square += v * v
              }
              square -= sum * sum * (1 / Float(Self.size))
              sums.initializeElement(at: t * kept + k, to: sum)
            }
            residuals[t + Self.size] = residuals[t] + max(square.sum(), 0)
          }
        }
      }
      count = m * kept
    }
    self.residuals = residuals
  }

  /// Addresses, valid within ``withPointers(_:)``.
  struct Pointers {
    let sums: UnsafePointer<SIMD4<Float>>
    /// At step 0.
    let residuals: UnsafePointer<Float>
  }

  /// Runs `body` unless the grid is empty.
  func withPointers(_ body: (Pointers) -> Void) {
    sums.withUnsafeBufferPointer { sums in
      residuals.withUnsafeBufferPointer { residuals in
        guard let sums = sums.baseAddress, let residuals = residuals.baseAddress else { return }
        body(Pointers(sums: sums, residuals: residuals + Self.size))
      }
    }
  }
}
