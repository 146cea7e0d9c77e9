/// The recursion of the segmental Viterbi search (step 6).
///
/// `value[t]`, what the best row of reps up to step t is worth, is the larger of `value[t − 1]` and
/// the best of `value[t − d] + reward` over the lengths d of a rep that ends at t.
///
/// Four lengths are looked at together, and passed over as soon as they cannot win: first if even
/// ρ = 1 would not be enough, then if even the largest ρ that a ``CoarseGrid`` leaves possible would not
/// be. Both bounds are compared as signed squares, which keeps roots and divisions out of them.
struct SegmentSearch {
  /// Mean square of a typical rep about its own mean.
  let typicalEnergy: Float
  /// Similarity squared that a rep must exceed to be worth more than rest.
  let offset: Float
  /// Below this energy nothing is a rep.
  let floor: Float

  /// The best row of reps.
  ///
  /// - Parameters:
  ///   - sums: of `grid`, as `coarse`, for the groups of components that `templates` have.
  func run(
    on grid: PhaseGrid, sums: RunningSums, coarse: CoarseGrid, templates: StretchedTemplates
  ) -> [Segment] {
    let m = grid.stepCount
    let margin = RunningSums.margin
    let shortest = templates.lengths.shortest
    let components = templates.components
    var segments: [Segment] = []
    // Values behind a margin of −∞, so that four begins at a time may be looked at.
    withUnsafeTemporaryAllocation(of: Float.self, capacity: m + margin) { values in
      withUnsafeTemporaryAllocation(of: Int32.self, capacity: m) { choices in
        values.initialize(repeating: -.infinity)
        choices.initialize(repeating: 0)
        grid.values.withUnsafeBufferPointer { steps in
          sums.withPointers { sums in
            coarse.withPointer { coarseSteps in
              templates.withPointers { templates in
                guard
                  let value = values.baseAddress, let choice = choices.baseAddress,
                  let steps = steps.baseAddress
                else { return }
                let columns = SearchColumns(
                  search: self, value: value + margin, choice: choice, groups: grid.groups,
                  steps: steps, sums: sums, coarseSteps: coarseSteps, largest: coarse.largest,
                  templates: templates)
                columns.fill(m, shortest: shortest, components: components)
              }
            }
          }
        }
        var t = m - 1
        while t > 0 {
          let d = Int(choices[t])
          if d > 0 { segments.append(Segment(start: Double(t - d), end: Double(t))) }
          t -= max(d, 1)
        }
      }
    }
    segments.reverse()
    return segments
  }
}

/// The steps of the recursion.
private struct SearchColumns {
  let search: SegmentSearch
  /// Entry t is that of step t; four of −∞ lie before.
  let value: UnsafeMutablePointer<Float>
  let choice: UnsafeMutablePointer<Int32>
  let groups: Int
  let steps: UnsafePointer<SIMD4<Float>>
  let sums: RunningSums.Pointers
  let coarseSteps: UnsafePointer<SIMD4<Int16>>
  /// The grid's largest component.
  let largest: Float
  let templates: StretchedTemplates.Pointers

  /// Fills in value and choice of all `count` steps.
  @inline(never)
  func fill(_ count: Int, shortest: Int, components: Int) {
    for t in 0..<min(shortest, count) { value[t] = 0 }
    // The usual case has loops of known length.
    if components == 4 {
      for t in shortest..<max(count, shortest) { fillStep(t, components: 4) }
    } else {
      for t in shortest..<max(count, shortest) { fillStep(t, components: components) }
    }
  }

  /// Finds the best that can end at a step; the steps before it are filled in, and it is at least
  /// the shortest length.
  @inline(__always)
  private func fillStep(_ t: Int, components: Int) {
    var best = value[t &- 1]
    var length = 0
    let perfect = (1 - search.offset) * (1 - search.offset)
    let inverseTypical = 1 / search.typicalEnergy
    let endSquare = SIMD4<Float>(repeating: sums.squares[t &+ 1])
    for quad in templates.quads {
      let lowest = quad.lowest
      if lowest > t { break }
      // The first lane's begin, the earliest: at most three before step 0.
      let begin = t &- lowest &- 3
      // Energy about the mean, from the running sums.
      var meanSquare = SIMD4<Float>()
      var column = sums.sums
      for _ in 0..<components {
        let s = column[t &+ 1] - Self.four(column + begin)
        meanSquare += s * s
        column += sums.columnStride
      }
      let square = endSquare - Self.four(sums.squares + begin) - meanSquare * quad.inversePoints
      let energy = square * quad.inversePoints
      let relative = energy * inverseTypical
      let before = Self.four(value + begin) - quad.cost
      // What a rep must earn to win, squared; never negative, as `value` does not fall.
      let needed = best - before
      let neededSquare = needed * needed
      // Could a perfect fit win? A strength above that of 1.5 times the typical energy earns no more.
      let strengthSquare = relative * quad.squaredScale
      let limit = quad.squaredScale * 1.5
      let mayWin =
        (strengthSquare * perfect .> neededSquare) .& (limit * perfect .> neededSquare)
        .& (energy .>= search.floor)
      guard any(mayWin) else { continue }
      // Could the best fit that whole numbers leave possible?
      let most = mostDot(t, quad, components: components)
      let gain = most * most.magnitudes - square * search.offset
      let gainSquare = gain * gain.magnitudes
      let loss = needed * square
      let lossSquare = loss * loss
      let mayStillWin =
        (strengthSquare * gainSquare .> lossSquare) .& (limit * gainSquare .> lossSquare)
        .& mayWin
      guard any(mayStillWin) else { continue }

      let dot = dot(t, quad, components: components)
      let strength = relative.lesser(SIMD4(repeating: 1.5)).squareRoot() * quad.scale
      let fit = dot * dot.magnitudes / square - search.offset
      let total = (before + strength * fit).selected(
        by: mayWin, else: SIMD4(repeating: -.infinity))
      guard any(total .> best) else { continue }
      for lane in 0..<4 where total[lane] > best {
        best = total[lane]
        length = lowest &+ 3 &- lane
      }
    }
    value[t] = best
    choice[t] = Int32(truncatingIfNeeded: length)
  }

  /// The scalar products of the templates of a quad with the signal that ends at a step.
  @inline(__always)
  private func dot(_ t: Int, _ quad: StretchedTemplates.Quad, components: Int) -> SIMD4<Float> {
    var dot0 = SIMD4<Float>()
    var dot1 = SIMD4<Float>()
    var weights = templates.values + quad.points
    var step = steps + t &* groups
    var left = min(quad.lowest &+ 3, t) &+ 1
    while left > 0 {
      for group in 0..<(components / 4) {
        let v = step[group]
        dot0 += weights[0] * v.x
        dot1 += weights[1] * v.y
        dot0 += weights[2] * v.z
        dot1 += weights[3] * v.w
        weights += 4
      }
      step -= groups
      left &-= 1
    }
    return dot0 + dot1
  }

  /// What ``dot(_:_:components:)`` can be at most.
  @inline(__always)
  private func mostDot(
    _ t: Int, _ quad: StretchedTemplates.Quad, components: Int
  ) -> SIMD4<Float> {
    guard quad.coarse.count > 0 else { return SIMD4(repeating: .infinity) }
    let products = CoarseTemplates.products(
      templates.coarse, quad.coarse, end: coarseSteps + (t &+ 1) &* (components / 4))
    return products * (largest * CoarseTemplates.unit) + quad.coarse.slack * largest
  }

  @inline(__always)
  private static func four(_ p: UnsafePointer<Float>) -> SIMD4<Float> {
    UnsafeRawPointer(p).loadUnaligned(as: SIMD4<Float>.self)
  }
}
