import MotionFrames
import SignalProcessing

/// The recursion of the segmental Viterbi search.
///
/// `value[t]`, the best cumulative score up to step t, is the larger of `value[t − 1]` and the best of
/// `value[t − d] + reward` over the lengths d of a rep that ends at t.
///
/// Four lengths are tested together, and skipped as soon as they cannot win: first if even ρ = 1 would not be
/// enough, at maximum strength and at the rep's own; then if the upper bound for ρ from a ``CoarseGrid`` is
/// not. Both bounds are compared as signed squares, which avoids roots and divisions.
struct SegmentSearch: PlainValue {
  /// Mean square of a typical rep about its own mean.
  let typicalEnergy: Float
  /// Minimum squared similarity for a rep to score better than rest.
  let offset: Float
  /// Minimum energy of a rep.
  let floor: Float

  /// Returns the best run of reps.
  ///
  /// - Parameters:
  ///   - steps: The searched steps; all reps begin and end within them.
  ///   - sums: Running sums of `grid`; `coarse` is its coarse form.
  func run(
    on grid: PhaseGrid, within steps: Range<Int>, sums: RunningSums, coarse: CoarseGrid,
    templates: StretchedTemplates
  ) -> [Segment] {
    let searched = steps.clamped(to: 0..<grid.stepCount)
    guard !searched.isEmpty else { return [] }
    let (stepCount, margin) = (grid.stepCount, RunningSums.margin)
    var segments: [Segment] = []
    withUnsafeTemporaryAllocation(of: Float.self, capacity: margin + stepCount) { values in
      withUnsafeTemporaryAllocation(of: Int32.self, capacity: stepCount) { choices in
        grid.values.withUnsafeBufferPointer { signal in
          sums.withPointers { sums in
            coarse.withPointers { coarse in
              templates.withPointers { templates in
                guard let values = values.baseAddress, let choices = choices.baseAddress,
                  let signal = signal.baseAddress
                else { return }
                let columns = SearchColumns(
                  search: self, values: values + margin, choices: choices, steps: signal,
                  sums: sums, coarse: coarse, templates: templates)
                columns.fill(searched)
                var t = searched.upperBound - 1
                while t > searched.lowerBound {
                  let d = Int(choices[t])
                  if d > 0 { segments.append(Segment(start: Double(t - d), end: Double(t))) }
                  t -= max(d, 1)
                }
              }
            }
          }
        }
      }
    }
    segments.reverse()
    return segments
  }

  /// Tables of the recursion up to a step. Four begins are tested together, so all tables except `steps` have
  /// a margin before step 0.
  struct Tables {
    /// Best cumulative score up to each step.
    let values: UnsafePointer<Float>
    /// Running sums, one entry ahead, of the squared norm, and of each component `sumStride` apart.
    let squares: UnsafePointer<Float>
    let sums: UnsafePointer<Float>
    let sumStride: Int
    /// The signal, with `stride` vectors per step.
    let steps: UnsafePointer<SIMD4<Float>>
    let stride: Int
  }

  /// Returns the best cumulative score up to a step, and the length of the rep that ends there, or 0.
  ///
  /// - Parameters:
  ///   - t: The step. The tables are complete up to it, the values up to the step before.
  ///   - longest: Maximum length of a rep, in steps.
  ///   - otherwise: Best score without a rep that ends at the step.
  ///   - mostProducts: Returns upper bounds for the dot products of four lengths; nil if computing the
  ///     products is as fast.
  @inline(__always)
  func best(
    endingAt t: Int, longest: Int, otherwise: Float, in tables: Tables,
    templates: StretchedTemplates.Pointers,
    mostProducts: (StretchedTemplates.Quad) -> SIMD4<Float>?
  ) -> (value: Float, length: Int) {
    var best = otherwise
    var length = 0
    let perfect = (1 - offset) * (1 - offset)
    let inverseTypical = 1 / typicalEnergy
    let squareEnd = SIMD4<Float>(repeating: tables.squares[t &+ 1])
    // Shared by all lengths: the sum of each component up to this step.
    let ends = tables.sums + (t &+ 1)
    let stride = tables.sumStride
    let end0 = SIMD4<Float>(repeating: ends[0])
    let end1 = SIMD4<Float>(repeating: ends[stride])
    let end2 = SIMD4<Float>(repeating: ends[2 &* stride])
    let end3 = SIMD4<Float>(repeating: ends[3 &* stride])
    for quad in templates.quads {
      let lowest = quad.lowest
      if lowest > longest { break }
      // Begin of the first lane, the earliest: at most three steps before the first.
      let begin = t &- lowest &- 3
      let before = Self.four(tables.values + begin) - quad.cost
      // Squared reward that a rep needs to win. The difference is never negative, because the values do not
      // decrease.
      let needed = best - before
      let neededSquare = needed * needed
      // Skip the energy if even the maximum strength is not enough.
      guard any(quad.limit * perfect .> neededSquare) else { continue }
      // Energy about the mean, from the running sums.
      let begins = tables.sums + begin
      let sum0 = end0 - Self.four(begins)
      let sum1 = end1 - Self.four(begins + stride)
      let sum2 = end2 - Self.four(begins + 2 &* stride)
      let sum3 = end3 - Self.four(begins + 3 &* stride)
      let meanSquare = sum0 * sum0 + sum1 * sum1 + sum2 * sum2 + sum3 * sum3
      let square = squareEnd - Self.four(tables.squares + begin) - meanSquare * quad.inversePoints
      let energy = square * quad.inversePoints
      let relative = energy * inverseTypical
      // Skip the lengths if even a perfect fit is not enough. Strength is capped at 1.5 times the typical
      // energy.
      let strengthSquare = (relative * quad.squaredScale).lesser(quad.limit)
      let mayWin = (strengthSquare * perfect .> neededSquare) .& (energy .>= floor)
      guard any(mayWin) else { continue }
      if let most = mostProducts(quad) {
        // Test the upper bound for the fit.
        let gain = most * most.magnitudes - square * offset
        let gainSquare = gain * gain.magnitudes
        let loss = needed * square
        guard any((strengthSquare * gainSquare .> loss * loss) .& mayWin) else { continue }
      }
      let dot = templates.products(
        quad, end: tables.steps + t &* tables.stride, stride: tables.stride, steps: t &+ 1)
      let strength = relative.lesser(SIMD4(repeating: 1.5)).squareRoot() * quad.scale
      let fit = dot * dot.magnitudes / square - offset
      let total = (before + strength * fit).selected(
        by: mayWin, else: SIMD4(repeating: -.infinity))
      guard any(total .> best) else { continue }
      for lane in 0..<4 where total[lane] > best {
        best = total[lane]
        length = lowest &+ 3 &- lane
      }
    }
    return (best, length)
  }

  @inline(__always)
  private static func four(_ p: UnsafePointer<Float>) -> SIMD4<Float> {
    UnsafeRawPointer(p).loadUnaligned(as: SIMD4<Float>.self)
  }
}

/// The columns of the recursion on a grid.
private struct SearchColumns {
  let search: SegmentSearch
  /// Best cumulative score up to each step, after a margin that allows testing four begins at a time.
  let values: UnsafeMutablePointer<Float>
  /// Length of the rep that ends at each step; 0 for none.
  let choices: UnsafeMutablePointer<Int32>
  let steps: UnsafePointer<SIMD4<Float>>
  let sums: RunningSums.Pointers
  let coarse: CoarseGrid.Pointers
  let templates: StretchedTemplates.Pointers

  /// Computes value and choice of all searched steps.
  @inline(never)
  func fill(_ searched: Range<Int>) {
    let first = searched.lowerBound
    let shortest = min(templates.quads.first?.lowest ?? searched.count, searched.count)
    // No rep begins before the first step.
    for i in 1...RunningSums.margin { values[first - i] = -.infinity }
    for t in first..<(first + shortest) {
      values[t] = 0
      choices[t] = 0
    }
    let tables = SegmentSearch.Tables(
      values: values, squares: sums.squares, sums: sums.sums,
      sumStride: sums.columnStride, steps: steps, stride: ComponentSpace.groups)
    for t in (first + shortest)..<searched.upperBound {
      let end = coarse.end(t)
      let best = search.best(
        endingAt: t, longest: t &- first, otherwise: values[t &- 1], in: tables,
        templates: templates
      ) { mostProducts($0.coarse, end, t) }
      values[t] = best.value
      choices[t] = Int32(truncatingIfNeeded: best.length)
    }
  }

  /// Returns upper bounds for the dot products of four lengths.
  @inline(__always)
  private func mostProducts(
    _ quad: CoarseTemplates.Quad, _ end: UnsafePointer<SIMD4<Int16>>, _ t: Int
  ) -> SIMD4<Float>? {
    guard quad.count > 0 else { return nil }
    let products = CoarseTemplates.products(templates.coarse, quad, end: end)
    return products * (coarse.largest * CoarseTemplates.unit) + quad.slack * coarse.largest
      + quad.omittedNorm * coarse.omittedNorm(t, sums: quad.sums)
  }
}
