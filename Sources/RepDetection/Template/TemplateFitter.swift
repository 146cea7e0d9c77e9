import SignalProcessing

/// Cuts a window into reps that fit a template as well as possible, with rest between them: a
/// segmental Viterbi search (Ostendorf 1996 has the model, Lin and Kulić 2014 use it for
/// exercise).
///
/// At each step either nothing happens, for free, or a rep of one of about twenty lengths ends.
/// A rep earns `similarity·|similarity| − offset`, more if it is long and strong, less if its
/// length differs from the typical one. Instead of stretching every candidate to the template's
/// length, the template is stretched to each length once, which makes a fit one scalar product;
/// energies come from running sums. Reps of four lengths that end at the same step are looked at
/// together, and not fitted where even a perfect fit could not win.
struct TemplateFitter {
  let grid: PhaseGrid
  let resolution: ShapeResolution
  private let configuration: DetectorConfiguration
  /// The steps that are searched.
  private let searched: Range<Int>
  private let sums: RunningSums
  private let coarse: CoarseGrid

  /// - Parameter frames: the part of the signal, in frames of the grid, that holds the reps; all where
  ///   not given.
  init(
    grid: PhaseGrid, resolution: ShapeResolution, configuration: DetectorConfiguration,
    within frames: Range<Int>? = nil
  ) {
    let q = grid.framesPerStep
    searched =
      frames.map { (($0.lowerBound + q - 1) / q)..<max($0.upperBound / q, $0.lowerBound / q + 1) }?
      .clamped(to: 0..<grid.stepCount) ?? 0..<grid.stepCount
    self.grid = grid
    self.resolution = resolution
    self.configuration = configuration
    sums = RunningSums(grid)
    coarse = CoarseGrid(grid)
  }

  /// Refines a first candidate: template from its segments, search.
  ///
  /// - Parameter steps: that are searched; all where not given.
  ///
  /// Cost: steps × lengths × 15 multiply-adds of four lanes.
  func refine(_ candidate: [Segment], within steps: Range<Int>? = nil) -> Segmentation? {
    let found = researched(candidate, within: steps)
    return found.isEmpty ? nil : measured(found)
  }

  /// The best run of reps for the template of a run of reps; empty where there is none.
  ///
  /// - Parameter steps: that are searched; all where not given.
  func researched(_ segments: [Segment], within steps: Range<Int>? = nil) -> [Segment] {
    guard !segments.isEmpty else { return [] }
    return search(usualRep(of: segments), within: steps)
  }

  /// What the reps of a run are like.
  ///
  /// - Parameter run: at least one segment.
  func usualRep(of run: [Segment]) -> UsualRep {
    UsualRep(
      of: run, RepShapes(of: run, on: grid, phases: resolution.phases),
      framesPerStep: grid.framesPerStep)
  }

  /// Shifts a run by parts of a rep and searches again: the runs of all phases, each once. Phases soon
  /// agree: what was found before is not searched again.
  ///
  /// - Parameters:
  ///   - steps: that are searched; all where not given.
  ///   - known: runs that need not be found again.
  func sweep(
    _ run: Segmentation, within steps: Range<Int>? = nil, besides known: [Segmentation] = []
  ) -> [Segmentation] {
    var answers: [(asked: [Segment], found: [Segment])] = []
    var runs: [Segmentation] = []
    func isFound(_ segments: [Segment]) -> Bool {
      func isIt(_ other: Segmentation) -> Bool {
        other.framesPerStep == run.framesPerStep
          && Self.agree(other.segments, segments)
      }
      return known.contains(where: isIt) || runs.contains(where: isIt)
    }
    for phase in 0..<configuration.sweepPhases {
      let shift = Double(phase) / Double(configuration.sweepPhases)
      var segments = run.segments.map {
        Segment(start: $0.start + shift * $0.length, end: $0.end + shift * $0.length)
      }
      for _ in 0..<configuration.sweepPasses where segments.count > 1 {
        if let answer = answers.first(where: { Self.agree($0.asked, segments) }) {
          segments = answer.found
        } else {
          let answer = researched(segments, within: steps)
          answers.append((segments, answer))
          segments = isFound(answer) ? [] : answer
        }
      }
      if segments.count > 1, !isFound(segments) { runs.append(measured(segments)) }
    }
    return runs
  }

  /// Whether the boundaries of two runs on one grid differ by a step at most.
  private static func agree(_ a: [Segment], _ b: [Segment]) -> Bool {
    a.count == b.count
      && zip(a, b).allSatisfy {
        ($0.start - $1.start).magnitude <= 1 && ($0.end - $1.end).magnitude <= 1
      }
  }

  /// The steps that a run of reps takes up and so many typical lengths around it.
  func steps(around run: [Segment], reach: Double) -> Range<Int> {
    let margin = reach * median(run) { $0.length }
    let start = Math.integer(
      ((run.first?.start ?? 0) - margin).rounded(.down), clampedTo: 0...grid.stepCount)
    let end = Math.integer(
      ((run.last?.end ?? 0) + margin).rounded(.up), clampedTo: start...grid.stepCount)
    return start..<min(end + 1, max(grid.stepCount, start))
  }

  /// A segmentation with its similarities.
  func measured(_ segments: [Segment]) -> Segmentation {
    let shapes = RepShapes(of: segments, on: grid, phases: resolution.phases)
    return Segmentation(
      framesPerStep: grid.framesPerStep, segments: segments, similarities: shapes.similarities())
  }

  /// The best run of reps that are like the usual one, on a grid of as many frames per step.
  ///
  /// - Parameter steps: that are searched; all where not given.
  func search(_ usual: UsualRep, within steps: Range<Int>? = nil) -> [Segment] {
    let searched = steps?.clamped(to: searched) ?? searched
    guard let templates = stretched(usual, steps: searched.count) else { return [] }
    return search(
      searched, templates: templates, energy: usual.energy, offset: configuration.rewardOffset)
  }

  /// Segments that begin and end between the steps of the grid: each begin, then each end, is moved by a third of a
  /// step where the segment is then more like a template. On the steps alone similarity depends on how the
  /// grid happens to lie.
  ///
  /// Cost: five shapes a segment.
  func settled(_ segments: [Segment], like template: [SIMD4<Float>]) -> [Segment] {
    let shift = 1.0 / 3
    let last = Double(grid.stepCount - 1)
    var shapes = RepShapes(of: segments, on: grid, phases: resolution.phases)
    var result = segments
    var fits = shapes.similarities(with: template)
    func keepBetter(_ tried: [Segment]) {
      shapes.measure(tried, on: grid)
      for (i, fit) in shapes.similarities(with: template).enumerated() where fit > fits[i / 2] {
        fits[i / 2] = fit
        result[i / 2] = tried[i]
      }
    }
    keepBetter(
      result.flatMap { segment in
        [-shift, shift].map { Segment(start: max(segment.start + $0, 0), end: segment.end) }
      })
    keepBetter(
      result.flatMap { segment in
        [-shift, shift].map { Segment(start: segment.start, end: min(segment.end + $0, last)) }
      })
    for i in result.indices.dropFirst() where result[i].start < result[i - 1].end {
      let middle = (result[i].start + result[i - 1].end) / 2
      result[i].start = middle
      result[i - 1].end = middle
    }
    return result
  }

  /// A search for whatever may be a rep of a run's movement, however little alike: takes the first
  /// step and the last that a rep may touch.
  func besideSearch(_ usual: UsualRep) -> (_ from: Int, _ to: Int) -> [Segment] {
    guard let templates = stretched(usual, steps: grid.stepCount) else { return { _, _ in [] } }
    return { from, to in
      let first = min(max(from, 0), grid.stepCount)
      let steps = first..<min(max(to + 1, first), grid.stepCount)
      guard steps.count > templates.lengths.shortest else { return [] }
      return search(steps, templates: templates, energy: usual.energy, offset: 0)
    }
  }

  /// A template in all lengths that a rep may have; nil where it has no sensible length, or does not move.
  private func stretched(_ usual: UsualRep, steps: Int) -> StretchedTemplates? {
    guard usual.length > 0, usual.length < 1e6, usual.energy > 0 else { return nil }
    let lengths = RepLengths(typical: usual.length, ratio: configuration.repLengthRatio)
    guard steps > lengths.shortest else { return nil }
    return StretchedTemplates(usual.template, lengths: lengths)
  }

  private func search(
    _ steps: Range<Int>, templates: StretchedTemplates, energy: Float, offset: Float
  ) -> [Segment] {
    SegmentSearch(
      typicalEnergy: energy, offset: offset, floor: configuration.energyFloor * energy
    ).run(on: grid, within: steps, sums: sums, coarse: coarse, templates: templates)
  }
}
