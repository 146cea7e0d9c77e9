/// Cuts a stretch into reps that fit a template as well as possible, with rest between them: a
/// segmental Viterbi search (step 6; Ostendorf 1996 has the model, Lin and Kulić 2014 use it for
/// exercise).
///
/// At each step either nothing happens, for free, or a rep of one of about twenty lengths ends.
/// A rep earns `similarity·|similarity| − offset`, more if it is long and strong, less if its
/// length differs from the typical one. Instead of stretching every candidate to the template's
/// length, the template is stretched to each length once, which makes a fit one scalar product;
/// energies come from running sums.
struct TemplateFitter {
  let grid: PhaseGrid
  let resolution: ShapeResolution
  let configuration: DetectorConfiguration
  var rewardOffset: Float

  init(grid: PhaseGrid, resolution: ShapeResolution, configuration: DetectorConfiguration) {
    self.grid = grid
    self.resolution = resolution
    self.configuration = configuration
    rewardOffset = configuration.rewardOffset
  }

  /// Refines a first guess: template from its segments, search, template anew.
  ///
  /// Cost of a pass: steps × lengths × 15 × groups multiply-adds of four lanes.
  func refine(_ guess: [Segment], passes: Int) -> Segmentation? {
    var segments = guess
    for _ in 0..<passes {
      let shapes = RepShapes(of: segments, on: grid, phases: resolution.phases)
      guard shapes.count > 0 else { return nil }
      segments = search(
        template: shapes.template(), typicalLength: median(segments.map(\.length)),
        typicalEnergy: median(shapes.energies))
      if segments.isEmpty { return nil }
    }
    return measured(segments)
  }

  /// A segmentation with its similarities.
  func measured(_ segments: [Segment]) -> Segmentation {
    let shapes = RepShapes(of: segments, on: grid, phases: resolution.phases)
    var result = Segmentation(
      framesPerStep: grid.framesPerStep, segments: segments, similarities: shapes.similarities())
    result.shapes = shapes
    return result
  }

  /// How alike segments are to a template.
  func similarities(of segments: [Segment], with template: [SIMD4<Float>]) -> [Float] {
    let shapes = RepShapes(of: segments, on: grid, phases: resolution.phases)
    return shapes.similarities(with: template)
  }

  /// The best row of reps for a template.
  ///
  /// - Parameters:
  ///   - template: phases × groups, unit length.
  ///   - typicalLength: of a rep, in steps.
  ///   - typicalEnergy: mean square of a rep about its own mean.
  func search(
    template: [SIMD4<Float>], typicalLength: Double, typicalEnergy: Float
  ) -> [Segment] {
    let m = grid.stepCount
    let shortest = max(2, Int(configuration.shortestRepInPeriods * typicalLength))
    let longest = min(
      m - 1, max(shortest, Int((configuration.longestRepInPeriods * typicalLength).rounded(.up))))
    guard m > shortest, longest >= shortest, typicalEnergy > 0, typicalLength > 0 else { return [] }

    let used = min(configuration.searchGroups, grid.groups)
    let stretched = StretchedTemplates(
      template, groups: grid.groups, kept: used, lengths: shortest...longest)
    let lengthScale = (shortest...longest).map { Float(Double($0) / typicalLength) }
    let lengthCost = lengthScale.map { scale in
      let log = Math.log(scale)
      return configuration.durationPenalty * log * log
    }
    var value = [Float](repeating: 0, count: m)
    var choice = [Int32](repeating: 0, count: m)
    value.withUnsafeMutableBufferPointer { value in
      choice.withUnsafeMutableBufferPointer { choice in
        (used == 1 ? grid.leading : grid.values).withUnsafeBufferPointer { x in
          stretched.values.withUnsafeBufferPointer { templates in
            stretched.offsets.withUnsafeBufferPointer { offsets in
              lengthScale.withUnsafeBufferPointer { scale in
                lengthCost.withUnsafeBufferPointer { cost in
                  Self.fill(
                    value: value, choice: choice, x: x, templates: templates, offsets: offsets,
                    scale: scale, cost: cost, shortest: shortest, typicalEnergy: typicalEnergy,
                    offset: rewardOffset,
                    floor: configuration.energyFloor * typicalEnergy, grid: grid, used: used)
                }
              }
            }
          }
        }
      }
    }

    var segments: [Segment] = []
    var t = m - 1
    while t > 0 {
      let d = Int(choice[t])
      if d > 0 {
        segments.append(Segment(start: Double(t - d), end: Double(t)))
        t -= d
      } else {
        t -= 1
      }
    }
    segments.reverse()
    return segments
  }

  /// The recursion: `value[t]` is what the best row of reps up to step t is worth, `choice[t]` the
  /// length of the rep that ends there, 0 for none.
  private static func fill(
    value: UnsafeMutableBufferPointer<Float>, choice: UnsafeMutableBufferPointer<Int32>,
    x: UnsafeBufferPointer<SIMD4<Float>>, templates: UnsafeBufferPointer<SIMD4<Float>>,
    offsets: UnsafeBufferPointer<Int>, scale: UnsafeBufferPointer<Float>,
    cost: UnsafeBufferPointer<Float>, shortest: Int, typicalEnergy: Float, offset: Float,
    floor: Float, grid: PhaseGrid, used: Int
  ) {
    let g = grid.groups
    grid.sums.withUnsafeBufferPointer { sums in
      (used == 1 ? grid.leadingSquares : grid.squares).withUnsafeBufferPointer { squares in
        for t in shortest..<grid.stepCount {
          var best = value[t - 1]
          var bestLength: Int32 = 0
          let available = min(scale.count, t - shortest + 1)
          for j in 0..<available {
            let d = shortest + j
            let begin = t - d
            let points = Float(d + 1)
            // Energy about the mean, from the running sums.
            var sumSquare = SIMD4<Float>()
            for c in 0..<used {
              let s = sums[(t + 1) * g + c] - sums[begin * g + c]
              sumSquare += s * s
            }
            let square = Float(squares[t + 1] - squares[begin]) - sumSquare.sum() / points
            let energy = square / points
            if !(energy >= floor) { continue }
            // What a perfect fit would earn: if that is not enough, spare the scalar product.
            let strength = min(energy / typicalEnergy, 1.5).squareRoot() * scale[j]
            let before = value[begin] - cost[j]
            if before + strength * (1 - offset) <= best { continue }
            let base = offsets[j]
            let n = (d + 1) * used
            let from = begin * used
            var dot0 = SIMD4<Float>()
            var dot1 = SIMD4<Float>()
            var k = 0
            while k + 1 < n {
              dot0 += x[from + k] * templates[base + k]
              dot1 += x[from + k + 1] * templates[base + k + 1]
              k += 2
            }
            if k < n { dot0 += x[from + k] * templates[base + k] }
            let dot = (dot0 + dot1).sum()
            let total = before + strength * (dot * dot.magnitude / square - offset)
            if total > best {
              best = total
              bestLength = Int32(d)
            }
          }
          value[t] = best
          choice[t] = bestLength
        }
      }
    }
  }
}

/// The leading components of a template stretched to several lengths, each without mean and of
/// unit length.
struct StretchedTemplates {
  private(set) var values: [SIMD4<Float>] = []
  /// Where each length begins in `values`.
  private(set) var offsets: [Int] = []

  /// - Parameters:
  ///   - template: phases × groups.
  ///   - kept: groups that are used, from the first.
  ///   - lengths: in steps; a template of length d has d + 1 points.
  init(_ template: [SIMD4<Float>], groups g: Int, kept: Int, lengths: ClosedRange<Int>) {
    let phases = template.count / max(g, 1)
    guard phases > 1, kept <= g else { return }
    values.reserveCapacity(lengths.reduce(0) { $0 + ($1 + 1) * kept })
    var sums = [SIMD4<Float>](repeating: SIMD4(), count: kept)
    for d in lengths {
      let base = values.count
      offsets.append(base)
      for c in 0..<kept { sums[c] = SIMD4() }
      for i in 0...d {
        let position = Float(i) / Float(d) * Float(phases - 1)
        let lower = min(Int(position), phases - 1)
        let upper = min(lower + 1, phases - 1)
        let fraction = position - Float(lower)
        for c in 0..<kept {
          let a = template[lower * g + c]
          let v = a + (template[upper * g + c] - a) * fraction
          values.append(v)
          sums[c] += v
        }
      }
      var square: Float = 0
      for c in 0..<kept {
        let mean = sums[c] / Float(d + 1)
        for i in 0...d {
          values[base + i * kept + c] -= mean
          let v = values[base + i * kept + c]
          square += (v * v).sum()
        }
      }
      let scale = square > 1e-12 ? 1 / square.squareRoot() : 0
      for i in base..<values.count { values[i] *= scale }
    }
  }
}
