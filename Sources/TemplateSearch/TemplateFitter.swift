import SignalProcessing

/// Divides a window into the reps that fit a template best, with rest between them: a segmental Viterbi
/// search (model: Ostendorf 1996; applied to exercise by Lin and Kulić 2014).
///
/// At each step either nothing happens, at no cost, or a rep of one of about twenty lengths ends. A rep
/// scores `similarity·|similarity| − offset`, more if it is long and strong, less if its length differs from
/// the typical one. Instead of resampling every candidate to the template's length, the template is stretched
/// to each length once, which makes a fit one dot product; energies come from running sums. Reps of four
/// lengths that end at the same step are tested together, and skipped if even a perfect fit could not win.
package struct TemplateFitter {
  package let grid: PhaseGrid
  package let resolution: ShapeResolution
  private let configuration: TemplateSearchConfiguration
  /// The steps that are searched.
  private let searched: Range<Int>
  private let sums: RunningSums
  private let coarse: CoarseGrid

  /// - Parameter frames: The part of the signal that contains the reps, in frames of the grid; nil for all.
  package init(
    grid: PhaseGrid, resolution: ShapeResolution, configuration: TemplateSearchConfiguration,
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

  /// Refines an initial candidate: learns a template from its segments, and searches with it. Costs steps ×
  /// lengths × 15 multiply-adds of four lanes.
  ///
  /// - Parameter steps: The steps to search; nil for all.
  package func refine(_ candidate: [Segment], within steps: Range<Int>? = nil) -> Segmentation? {
    let found = researched(candidate, within: steps)
    return found.isEmpty ? nil : measured(found)
  }

  /// Returns the best run of reps for the template of a run of reps; empty if there is none.
  ///
  /// - Parameter steps: The steps to search; nil for all.
  package func researched(_ segments: [Segment], within steps: Range<Int>? = nil) -> [Segment] {
    guard !segments.isEmpty else { return [] }
    return search(typicalRep(of: segments), within: steps)
  }

  /// Returns the typical rep of a run.
  ///
  /// - Parameter run: At least one segment.
  package func typicalRep(of run: [Segment]) -> TypicalRep {
    TypicalRep(
      of: run, RepShapes(of: run, on: grid, phases: resolution.phases),
      framesPerStep: grid.framesPerStep)
  }

  /// Shifts a run by fractions of a rep and searches again. Returns the distinct runs of all phases. Phases
  /// soon converge, so a run that was found before is not searched again.
  ///
  /// - Parameters:
  ///   - steps: The steps to search; nil for all.
  ///   - known: Runs that need not be found again.
  package func sweep(
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

  /// Returns true if the boundaries of two runs on one grid differ by at most a step.
  private static func agree(_ a: [Segment], _ b: [Segment]) -> Bool {
    a.count == b.count
      && zip(a, b).allSatisfy {
        ($0.start - $1.start).magnitude <= 1 && ($0.end - $1.end).magnitude <= 1
      }
  }

  /// Returns the steps of a run of reps, extended by a number of typical lengths on either side.
  package func steps(around run: [Segment], reach: Double) -> Range<Int> {
    let margin = reach * median(run) { $0.length }
    let start = Math.integer(
      ((run.first?.start ?? 0) - margin).rounded(.down), clampedTo: 0...grid.stepCount)
    let end = Math.integer(
      ((run.last?.end ?? 0) + margin).rounded(.up), clampedTo: start...grid.stepCount)
    return start..<min(end + 1, max(grid.stepCount, start))
  }

  /// Returns a segmentation of the segments with their similarities.
  package func measured(_ segments: [Segment]) -> Segmentation {
    let shapes = RepShapes(of: segments, on: grid, phases: resolution.phases)
    return Segmentation(
      framesPerStep: grid.framesPerStep, segments: segments, similarities: shapes.similarities())
  }

  /// Returns the best run of reps that resemble the typical one, whose grid has the same number of frames per
  /// step.
  ///
  /// - Parameter steps: The steps to search; nil for all.
  package func search(_ rep: TypicalRep, within steps: Range<Int>? = nil) -> [Segment] {
    let searched = steps?.clamped(to: searched) ?? searched
    guard let templates = stretched(rep, steps: searched.count) else { return [] }
    return search(
      searched, templates: templates, energy: rep.energy, offset: configuration.rewardOffset)
  }

  /// Returns segments with boundaries between the steps of the grid: each begin, then each end, is moved by a
  /// third of a step if that increases the similarity with a template. On whole steps, similarity depends on
  /// the position of the grid. Costs five shapes per segment.
  package func adjusted(_ segments: [Segment], like template: [SIMD4<Float>]) -> [Segment] {
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

  /// Returns a function that searches for any possible rep of a run's movement, at however low a similarity.
  /// Its arguments are the first and the last step that a rep may touch.
  package func permissiveSearch(_ rep: TypicalRep) -> (_ from: Int, _ to: Int) -> [Segment] {
    guard let templates = stretched(rep, steps: grid.stepCount) else { return { _, _ in [] } }
    return { from, to in
      let first = min(max(from, 0), grid.stepCount)
      let steps = first..<min(max(to + 1, first), grid.stepCount)
      guard steps.count > templates.lengths.shortest else { return [] }
      return search(steps, templates: templates, energy: rep.energy, offset: 0)
    }
  }

  /// Returns a template stretched to all lengths of a rep; nil if its length is implausible or it does not
  /// move.
  private func stretched(_ rep: TypicalRep, steps: Int) -> StretchedTemplates? {
    guard rep.length > 0, rep.length < 1e6, rep.energy > 0 else { return nil }
    let lengths = RepLengths(typical: rep.length, ratio: configuration.repLengthRatio)
    guard steps > lengths.shortest else { return nil }
    return StretchedTemplates(rep.template, lengths: lengths)
  }

  private func search(
    _ steps: Range<Int>, templates: StretchedTemplates, energy: Float, offset: Float
  ) -> [Segment] {
    SegmentSearch(
      typicalEnergy: energy, offset: offset, floor: configuration.energyFloor * energy
    ).run(on: grid, within: steps, sums: sums, coarse: coarse, templates: templates)
  }
}
