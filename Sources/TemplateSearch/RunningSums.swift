/// Running sums over the steps of a grid, which give the energy of any part.
struct RunningSums {
  /// Number of zero entries before step 0, so that four begins can be tested at a time.
  static let margin = 4
  /// Length of a column of sums.
  let columnStride: Int
  /// Running sums of each component, one column after the other: the sum of component c over steps a..<b is
  /// `sums[c * columnStride + margin + b] - sums[c * columnStride + margin + a]`.
  private let sums: [Float]
  /// Running sums of the components' squared norm, with the same margin.
  private let squares: [Float]

  /// Sums the first group of components.
  init(_ grid: PhaseGrid) {
    let m = grid.stepCount
    let g = ComponentSpace.groups
    let margin = Self.margin
    let stride = m + 1 + margin
    var sums = [Float](repeating: 0, count: stride * 4)
    var squares = [Float](repeating: 0, count: stride)
    grid.values.withUnsafeBufferPointer { values in
      sums.withUnsafeMutableBufferPointer { sums in
        var running = SIMD4<Float>()
        for t in 0..<m {
          running += values[t &* g]
          let entry = margin &+ t &+ 1
          sums[entry] = running.x
          sums[entry &+ stride] = running.y
          sums[entry &+ 2 &* stride] = running.z
          sums[entry &+ 3 &* stride] = running.w
        }
      }
      var running = 0.0
      for t in 0..<m {
        let v = values[t &* g]
        running += Double((v * v).sum())
        squares[margin + t + 1] = Float(running)
      }
    }
    columnStride = stride
    self.sums = sums
    self.squares = squares
  }

  /// Addresses of the entries of step 0, valid within ``withPointers(_:)``.
  struct Pointers {
    let columnStride: Int
    let sums: UnsafePointer<Float>
    let squares: UnsafePointer<Float>
  }

  func withPointers(_ body: (Pointers) -> Void) {
    sums.withUnsafeBufferPointer { sums in
      squares.withUnsafeBufferPointer { squares in
        guard let sums = sums.baseAddress, let squares = squares.baseAddress else { return }
        body(
          Pointers(
            columnStride: columnStride, sums: sums + Self.margin, squares: squares + Self.margin))
      }
    }
  }
}
