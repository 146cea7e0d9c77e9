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
  let configuration: DetectorConfiguration

  /// Refines a first guess: template from its segments, search, template anew.
  ///
  /// Cost of a pass: steps × lengths × 15 × groups multiply-adds of four lanes.
  func refine(_ guess: [Segment], passes: Int) -> Segmentation? {
    var segments = guess
    for _ in 0..<passes {
      let shapes = RepShapes(of: segments, on: grid)
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
    let shapes = RepShapes(of: segments, on: grid)
    return Segmentation(
      framesPerStep: grid.framesPerStep, segments: segments, similarities: shapes.similarities())
  }

  func search(
    template: [SIMD4<Float>], typicalLength: Double, typicalEnergy: Float
  ) -> [Segment] {
    let g = grid.groups
    let m = grid.stepCount
    let shortest = max(2, Int(configuration.shortestRepInPeriods * typicalLength))
    let longest = min(
      m - 1, max(shortest, Int((configuration.longestRepInPeriods * typicalLength).rounded(.up))))
    guard m > shortest, longest >= shortest, typicalEnergy > 0, typicalLength > 0 else { return [] }
    let lengths = longest - shortest + 1

    let stretched = StretchedTemplates(
      template, groups: g, lengths: shortest...longest)
    let lengthScale = (shortest...longest).map { Float(Double($0) / typicalLength) }
    let lengthCost = lengthScale.map { scale in
      let log = Math.log(scale)
      return configuration.durationPenalty * log * log
    }
    let offset = configuration.rewardOffset
    let floor = configuration.energyFloor * typicalEnergy

    var value = [Float](repeating: 0, count: m)
    var choice = [Int32](repeating: 0, count: m)
    value.withUnsafeMutableBufferPointer { value in
      choice.withUnsafeMutableBufferPointer { choice in
        grid.values.withUnsafeBufferPointer { x in
          grid.sums.withUnsafeBufferPointer { sums in
            grid.squares.withUnsafeBufferPointer { squares in
              stretched.values.withUnsafeBufferPointer { templates in
                for t in shortest..<m {
                  var best = value[t - 1]
                  var bestLength: Int32 = 0
                  let available = min(lengths, t - shortest + 1)
                  for j in 0..<available {
                    let d = shortest + j
                    let points = Float(d + 1)
                    // Energy about the mean, from the running sums.
                    var meanSquare: Float = 0
                    for c in 0..<g {
                      let s = sums[(t + 1) * g + c] - sums[(t - d) * g + c]
                      meanSquare += (s * s).sum()
                    }
                    let square = Float(squares[t + 1] - squares[t - d]) - meanSquare / points
                    let energy = square / points
                    if !(energy >= floor) { continue }
                    let begin = (t - d) * g
                    let base = stretched.offsets[j]
                    var dot0 = SIMD4<Float>()
                    var dot1 = SIMD4<Float>()
                    let n = (d + 1) * g
                    var k = 0
                    while k + 1 < n {
                      dot0 += x[begin + k] * templates[base + k]
                      dot1 += x[begin + k + 1] * templates[base + k + 1]
                      k += 2
                    }
                    if k < n { dot0 += x[begin + k] * templates[base + k] }
                    let fit = (dot0 + dot1).sum() / square.squareRoot()
                    let strength = min(energy / typicalEnergy, 1.5).squareRoot()
                    let reward =
                      strength * (fit * fit.magnitude - offset) * lengthScale[j] - lengthCost[j]
                    let total = value[t - d] + reward
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
}

/// A template stretched to several lengths, each without mean and of unit length.
struct StretchedTemplates {
  private(set) var values: [SIMD4<Float>] = []
  /// Where each length begins in `values`.
  private(set) var offsets: [Int] = []

  init(_ template: [SIMD4<Float>], groups g: Int, lengths: ClosedRange<Int>) {
    let phases = template.count / max(g, 1)
    for d in lengths {
      let base = values.count
      offsets.append(base)
      var sums = [SIMD4<Float>](repeating: SIMD4(), count: g)
      for i in 0...d {
        let position = Float(i) / Float(d) * Float(phases - 1)
        let lower = min(Int(position), phases - 1)
        let upper = min(lower + 1, phases - 1)
        let fraction = position - Float(lower)
        for c in 0..<g {
          let a = template[lower * g + c]
          let v = a + (template[upper * g + c] - a) * fraction
          values.append(v)
          sums[c] += v
        }
      }
      var square: Float = 0
      for i in 0...d {
        for c in 0..<g {
          values[base + i * g + c] -= sums[c] / Float(d + 1)
          let v = values[base + i * g + c]
          square += (v * v).sum()
        }
      }
      let scale = square > 1e-12 ? 1 / square.squareRoot() : 0
      for k in base..<values.count { values[k] *= scale }
    }
  }
}
