/// The recursion of the segmental Viterbi search.
///
/// `value[t]`, what the best run of reps up to step t is worth, is the larger of `value[t − 1]` and
/// the best of `value[t − d] + reward` over the lengths d of a rep that ends at t.
///
/// Four lengths are looked at together, and passed over as soon as they cannot win: first if even
/// ρ = 1 would not be enough, at any strength and at the rep's own, then if even the largest ρ that a
/// ``CoarseGrid`` leaves possible would not be. Both bounds are compared as signed squares, which keeps
/// roots and divisions out of them.
struct SegmentSearch {
  /// Mean square of a typical rep about its own mean.
  let typicalEnergy: Float
  /// Similarity squared that a rep must exceed to be worth more than rest.
  let offset: Float
  /// Below this energy nothing is a rep.
  let floor: Float

  /// The best run of reps.
  ///
  /// - Parameters:
  ///   - steps: that it may take up; all of its reps begin and end in them.
  ///   - sums: of `grid`, as `coarse`.
  ///   - memory: what is worked in.
  func run(
    on grid: PhaseGrid, within steps: Range<Int>, sums: RunningSums, coarse: CoarseGrid,
    templates: StretchedTemplates, in memory: SearchMemory
  ) -> [Segment] {
    let searched = steps.clamped(to: 0..<grid.stepCount)
    guard !searched.isEmpty else { return [] }
    let m = grid.stepCount
    var segments: [Segment] = []
    grid.values.withUnsafeBufferPointer { steps in
      sums.withPointers { sums in
        coarse.withPointers { coarse in
          templates.withPointers { templates in
            memory.withPointers(steps: m) { memory in
              guard let steps = steps.baseAddress else { return }
              let columns = SearchColumns(
                search: self, memory: memory, steps: steps, sums: sums,
                coarse: coarse, templates: templates)
              columns.fill(
                searched, shortest: self.shortest(templates, searched.count))
              var t = searched.upperBound - 1
              while t > searched.lowerBound {
                let d = Int(memory.choices[t])
                if d > 0 { segments.append(Segment(start: Double(t - d), end: Double(t))) }
                t -= max(d, 1)
              }
            }
          }
        }
      }
    }
    segments.reverse()
    return segments
  }

  /// The shortest length, at most all steps.
  private func shortest(_ templates: StretchedTemplates.Pointers, _ steps: Int) -> Int {
    min(templates.quads.first?.lowest ?? steps, steps)
  }
}

/// The steps of the recursion.
private struct SearchColumns {
  let search: SegmentSearch
  let memory: SearchMemory.Pointers
  let steps: UnsafePointer<SIMD4<Float>>
  let sums: RunningSums.Pointers
  let coarse: CoarseGrid.Pointers
  let templates: StretchedTemplates.Pointers

  /// Fills in value and choice of all `searched` steps.
  @inline(never)
  func fill(_ searched: Range<Int>, shortest: Int) {
    let first = searched.lowerBound
    // No rep begins before the first step.
    for i in 1...RunningSums.margin { memory.values[first - i] = -.infinity }
    for t in first..<(first + shortest) {
      memory.values[t] = 0
      memory.choices[t] = 0
    }
    for t in (first + shortest)..<searched.upperBound { fillStep(t, first: first) }
  }

  /// Finds the best that can end at a step; the steps before it are filled in, and it is at least
  /// the shortest length.
  @inline(__always)
  private func fillStep(_ t: Int, first: Int) {
    let value = memory.values
    var best = value[t &- 1]
    var length = 0
    let perfect = (1 - search.offset) * (1 - search.offset)
    let inverseTypical = 1 / search.typicalEnergy
    let endSquare = SIMD4<Float>(repeating: sums.squares[t &+ 1])
    let coarseEnd = coarse.end(t)
    // The same for all lengths: of each component the sum up to here.
    let ends = memory.ends
    for component in 0..<4 {
      ends[component] = SIMD4(repeating: sums.sums[component &* sums.columnStride &+ t &+ 1])
    }
    for quad in templates.quads {
      let lowest = quad.lowest
      if lowest > t &- first { break }
      // The first lane's begin, the earliest: at most three before the first step.
      let begin = t &- lowest &- 3
      let before = Self.four(value + begin) - quad.cost
      // What a rep must earn to win, squared; never negative, as `value` does not fall.
      let needed = best - before
      let neededSquare = needed * needed
      // Could it with the most that strength can earn? Then the energy is worth computing.
      guard any(quad.limit * perfect .> neededSquare) else { continue }
      // Energy about the mean, from the running sums.
      var meanSquare = SIMD4<Float>()
      var column = sums.sums + begin
      for component in 0..<4 {
        let s = ends[component] - Self.four(column)
        meanSquare += s * s
        column += sums.columnStride
      }
      let square = endSquare - Self.four(sums.squares + begin) - meanSquare * quad.inversePoints
      let energy = square * quad.inversePoints
      let relative = energy * inverseTypical
      // Could a perfect fit win? A strength above that of 1.5 times the typical energy earns no more.
      let strengthSquare = (relative * quad.squaredScale).lesser(quad.limit)
      let mayWin = (strengthSquare * perfect .> neededSquare) .& (energy .>= search.floor)
      guard any(mayWin) else { continue }
      // Could the best fit that whole numbers leave possible?
      let most = mostProducts(quad.coarse, coarseEnd, t)
      let gain = most * most.magnitudes - square * search.offset
      let gainSquare = gain * gain.magnitudes
      let loss = needed * square
      guard any((strengthSquare * gainSquare .> loss * loss) .& mayWin) else { continue }

      let dot = templates.products(
        quad, end: steps + t &* ComponentSpace.groups, stride: ComponentSpace.groups, steps: t &+ 1)
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
    memory.choices[t] = Int32(truncatingIfNeeded: length)
  }

  /// What the scalar products of four lengths can be at most.
  @inline(__always)
  private func mostProducts(
    _ quad: CoarseTemplates.Quad, _ end: UnsafePointer<SIMD4<Int16>>, _ t: Int
  ) -> SIMD4<Float> {
    guard quad.count > 0 else { return SIMD4(repeating: .infinity) }
    let products = CoarseTemplates.products(templates.coarse, quad, end: end)
    return products * (coarse.largest * CoarseTemplates.unit) + quad.slack * coarse.largest
      + quad.leftOut * coarse.leftOut(t, sums: quad.sums)
  }

  @inline(__always)
  private static func four(_ p: UnsafePointer<Float>) -> SIMD4<Float> {
    UnsafeRawPointer(p).loadUnaligned(as: SIMD4<Float>.self)
  }
}
