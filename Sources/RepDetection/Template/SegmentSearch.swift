/// The recursion of the segmental Viterbi search (step 6).
///
/// `value[t]`, what the best row of reps up to step t is worth, is the larger of `value[t − 1]` and
/// the best of `value[t − d] + reward` over the lengths d of a rep that ends at t.
struct SegmentSearch {
  /// Mean square of a typical rep about its own mean.
  let typicalEnergy: Float
  /// Similarity squared that a rep must exceed to be worth more than rest.
  let offset: Float
  /// Below this energy nothing is a rep.
  let floor: Float

  /// For each step the length of the rep that ends there in the best row up to it, 0 for none.
  func run(
    on grid: PhaseGrid, lengths: RepLengths, templates: StretchedTemplates
  ) -> [Int32] {
    let m = grid.stepCount
    let margin = PhaseGrid.margin
    var choice = [Int32](repeating: 0, count: m)
    var value = [Float](repeating: -.infinity, count: m + margin)
    let squares = templates.components == 4 ? grid.leadingSquares : grid.squares
    value.withUnsafeMutableBufferPointer { value in
      choice.withUnsafeMutableBufferPointer { choice in
        squares.withUnsafeBufferPointer { squares in
          grid.sums.withUnsafeBufferPointer { sums in
            grid.values.withUnsafeBufferPointer { x in
              templates.values.withUnsafeBufferPointer { w in
                guard
                  let value = value.baseAddress, let squares = squares.baseAddress,
                  let sums = sums.baseAddress, let x = x.baseAddress, let w = w.baseAddress
                else { return }
                for t in 0..<min(lengths.shortest, m) { value[margin + t] = 0 }
                for t in lengths.shortest..<max(m, lengths.shortest) {
                  let column = column(
                    t, value: value, squares: squares, sums: sums, x: x, w: w, grid: grid,
                    lengths: lengths, templates: templates)
                  value[margin + t] = column.value
                  choice[t] = column.length
                }
              }
            }
          }
        }
      }
    }
    return choice
  }

  /// The best that can end at one step.
  struct Column {
    var value: Float
    var length: Int32
  }

  /// One step of the recursion. All pointers are to arrays of the shapes that `PhaseGrid` and
  /// `StretchedTemplates` describe; `t` is within the grid and at least the shortest length, and
  /// `value` is filled up to t − 1, behind a margin of −∞.
  @inline(__always)
  func column(
    _ t: Int, value: UnsafePointer<Float>, squares: UnsafePointer<Float>,
    sums: UnsafePointer<Float>, x: UnsafePointer<SIMD4<Float>>, w: UnsafePointer<SIMD4<Float>>,
    grid: PhaseGrid, lengths: RepLengths, templates: StretchedTemplates
  ) -> Column {
    let margin = PhaseGrid.margin
    let stride = grid.columnStride
    let components = templates.components
    let groups = grid.groups
    var best = Column(value: value[margin + t - 1], length: 0)
    let inverseTypical = 1 / typicalEnergy
    let endSquare = SIMD4<Float>(repeating: squares[margin + t + 1])
    for quad in 0..<lengths.quadCount {
      let lowest = lengths.shortest + 4 * quad
      if lowest > t { break }
      // Entry of the first lane's begin, the earliest: at most three before step 0.
      let begin = margin + t - lowest - 3
      let inversePoints = lengths.inversePoints[quad]
      // Energy about the mean, from the running sums.
      var meanSquare = SIMD4<Float>()
      for c in 0..<components {
        let column = sums + c * stride
        let s = column[margin + t + 1] - Self.four(column + begin)
        meanSquare += s * s
      }
      let square = endSquare - Self.four(squares + begin) - meanSquare * inversePoints
      let energy = square * inversePoints
      // What a perfect fit would earn: if that is not enough, spare the scalar product.
      let relative = energy * inverseTypical
      let strength =
        SIMD4(repeating: 1.5).selected(by: relative .> 1.5, else: relative).squareRoot()
        * lengths.scale[quad]
      let before = Self.four(value + begin) - lengths.cost[quad]
      let may = (before + strength * (1 - offset) .> best.value) .& (energy .>= floor)
      guard any(may) else { continue }
      var dot0 = SIMD4<Float>()
      var dot1 = SIMD4<Float>()
      var weights = w + templates.offsets[quad]
      for k in 0...min(lowest + 3, t) {
        let step = x + (t - k) * groups
        for group in 0..<(components / 4) {
          let v = step[group]
          dot0 += weights[0] * v.x
          dot1 += weights[1] * v.y
          dot0 += weights[2] * v.z
          dot1 += weights[3] * v.w
          weights += 4
        }
      }
      let dot = dot0 + dot1
      let fit = dot * dot.magnitudes / square - offset
      let total = (before + strength * fit).selected(
        by: may, else: SIMD4(repeating: -.infinity))
      guard any(total .> best.value) else { continue }
      for lane in 0..<4 where total[lane] > best.value {
        best = Column(value: total[lane], length: Int32(lowest + 3 - lane))
      }
    }
    return best
  }

  @inline(__always)
  private static func four(_ p: UnsafePointer<Float>) -> SIMD4<Float> {
    UnsafeRawPointer(p).loadUnaligned(as: SIMD4<Float>.self)
  }
}
