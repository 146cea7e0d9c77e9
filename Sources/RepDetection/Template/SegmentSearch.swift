/// The recursion of the segmental Viterbi search (step 6).
///
/// `value[t]`, what the best row of reps up to step t is worth, is the larger of `value[t − 1]` and
/// the best of `value[t − d] + reward` over the lengths d of a rep that ends at t.
///
/// Four lengths are looked at together, and passed over as soon as they cannot win: first if even
/// ρ = 1 would not be enough, then if even the largest ρ that ``BlockSums`` leave possible would not
/// be. Both bounds are compared as signed squares, which keeps roots and divisions out of them.
/// About one quad in twelve is fitted at full resolution.
struct SegmentSearch {
  /// Mean square of a typical rep about its own mean.
  let typicalEnergy: Float
  /// Similarity squared that a rep must exceed to be worth more than rest.
  let offset: Float
  /// Below this energy nothing is a rep.
  let floor: Float

  /// For each step the length of the rep that ends there in the best row up to it, 0 for none.
  func run(on grid: PhaseGrid, templates: StretchedTemplates) -> [Int32] {
    let m = grid.stepCount
    let shortest = templates.lengths.shortest
    var choice = [Int32](repeating: 0, count: m)
    // Behind a margin of −∞, so that four begins at a time may be looked at.
    var value = [Float](repeating: -.infinity, count: m + PhaseGrid.margin)
    let blocks = BlockSums(grid, kept: templates.components / 4)
    value.withUnsafeMutableBufferPointer { value in
      choice.withUnsafeMutableBufferPointer { choice in
        grid.withPointers(leading: templates.components == 4) { grid in
          blocks.withPointers { blocks in
            templates.withPointers { quads, weights in
              guard let values = value.baseAddress else { return }
              let column = SearchColumn(
                search: self, value: values + PhaseGrid.margin, grid: grid, blocks: blocks,
                weights: weights, components: templates.components)
              for t in 0..<min(shortest, m) { values[PhaseGrid.margin + t] = 0 }
              for t in shortest..<max(m, shortest) {
                let best = column.best(t, quads)
                values[PhaseGrid.margin + t] = best.value
                choice[t] = best.length
              }
            }
          }
        }
      }
    }
    return choice
  }
}

/// One step of the recursion.
private struct SearchColumn {
  let search: SegmentSearch
  /// Entry t is that of step t; four of −∞ lie before.
  let value: UnsafePointer<Float>
  let grid: PhaseGrid.Pointers
  let blocks: BlockSums.Pointers
  let weights: UnsafePointer<SIMD4<Float>>
  let components: Int

  /// The best that can end at a step.
  struct Best {
    var value: Float
    var length: Int32
  }

  /// `t` is within the grid and at least the shortest length, and `value` is filled up to t − 1.
  @inline(__always)
  func best(_ t: Int, _ quads: UnsafeBufferPointer<StretchedTemplates.Quad>) -> Best {
    var best = Best(value: value[t - 1], length: 0)
    let offset = search.offset
    let inverseTypical = 1 / search.typicalEnergy
    let endSquare = SIMD4<Float>(repeating: grid.squares[t + 1])
    for quad in quads {
      let lowest = quad.lowest
      if lowest > t { break }
      // The first lane's begin, the earliest: at most three before step 0.
      let begin = t &- lowest &- 3
      // Energy about the mean, from the running sums.
      var meanSquare = SIMD4<Float>()
      var sums = grid.sums
      for _ in 0..<components {
        let s = sums[t &+ 1] - Self.four(sums + begin)
        meanSquare += s * s
        sums += grid.columnStride
      }
      let square = endSquare - Self.four(grid.squares + begin) - meanSquare * quad.inversePoints
      let energy = square * quad.inversePoints
      let relative = energy * inverseTypical
      let limited = SIMD4(repeating: 1.5).selected(by: relative .> 1.5, else: relative)
      let before = Self.four(value + begin) - quad.cost
      let needed = best.value - before
      // Could a perfect fit win?
      let reach = limited * quad.squaredScale
      let mayWin =
        (reach * ((1 - offset) * (1 - offset)) .> needed * needed.magnitudes)
        .& (energy .>= search.floor)
      guard any(mayWin) else { continue }
      // Could the best fit that the sums of blocks leave possible?
      let likeliest = coarseDot(t, quad)
      let gain = likeliest * likeliest.magnitudes - square * offset
      let loss = needed * square
      let mayStillWin = (reach * gain * gain.magnitudes .> loss * loss.magnitudes) .& mayWin
      guard any(mayStillWin) else { continue }

      let dot = dot(t, quad)
      let strength = limited.squareRoot() * quad.scale
      let fit = dot * dot.magnitudes / square - offset
      let total = (before + strength * fit).selected(
        by: mayWin, else: SIMD4(repeating: -.infinity))
      guard any(total .> best.value) else { continue }
      for lane in 0..<4 where total[lane] > best.value {
        best = Best(value: total[lane], length: Int32(truncatingIfNeeded: lowest &+ 3 &- lane))
      }
    }
    return best
  }

  /// The scalar products of the templates of a quad with the signal that ends at a step.
  @inline(__always)
  private func dot(_ t: Int, _ quad: StretchedTemplates.Quad) -> SIMD4<Float> {
    var dot0 = SIMD4<Float>()
    var dot1 = SIMD4<Float>()
    var weights = weights + quad.points
    var step = grid.values + t &* grid.groups
    for _ in 0...min(quad.lowest &+ 3, t) {
      Self.add(components, of: step, times: weights, to: &dot0, &dot1)
      weights += components
      step -= grid.groups
    }
    return dot0 + dot1
  }

  /// What ``dot(_:_:)`` can be at most: the part that blocks tell, and for the part within blocks
  /// the product of both norms (Cauchy and Schwarz).
  @inline(__always)
  private func coarseDot(_ t: Int, _ quad: StretchedTemplates.Quad) -> SIMD4<Float> {
    var dot0 = SIMD4<Float>()
    var dot1 = SIMD4<Float>()
    var weights = weights + quad.blocks
    var block = blocks.sums + t &* (components / 4)
    let count = min(quad.blockCount, t / BlockSums.size &+ 1)
    for _ in 0..<count {
      Self.add(components, of: block, times: weights, to: &dot0, &dot1)
      weights += components
      block -= BlockSums.size &* (components / 4)
    }
    let residual = blocks.residuals[t] - blocks.residuals[t &- BlockSums.size &* count]
    // The running sums are rounded.
    let rounding = blocks.residuals[t] * 1e-6
    let norm = (max(residual, 0) + rounding).squareRoot() * 1.001
    return dot0 + dot1 + quad.residualNorms * norm
  }

  @inline(__always)
  private static func add(
    _ components: Int, of values: UnsafePointer<SIMD4<Float>>,
    times weights: UnsafePointer<SIMD4<Float>>, to dot0: inout SIMD4<Float>,
    _ dot1: inout SIMD4<Float>
  ) {
    for group in 0..<(components / 4) {
      let v = values[group]
      let w = weights + 4 &* group
      dot0 += w[0] * v.x
      dot1 += w[1] * v.y
      dot0 += w[2] * v.z
      dot1 += w[3] * v.w
    }
  }

  @inline(__always)
  private static func four(_ p: UnsafePointer<Float>) -> SIMD4<Float> {
    UnsafeRawPointer(p).loadUnaligned(as: SIMD4<Float>.self)
  }
}
