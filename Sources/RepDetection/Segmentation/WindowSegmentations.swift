import SignalProcessing

/// All segmentations of a window that are worth a look: rows of reps found from several guesses, at
/// several phases and at half and twice the period, with and without what lies at their ends and in
/// their gaps (steps 4 to 8).
///
/// Making one finds ``firstRows`` alone, for about a quarter of the cost: enough to see whether the window
/// is wide enough. ``enumerate(configuration:)`` does the rest.
struct WindowSegmentations {
  /// That is read: the window, and what lies around it.
  let stretch: TimedFrames
  /// In which the reps were compared.
  let space: ComponentSpace
  /// What was found from the first guesses, best first.
  let firstRows: [Segmentation]
  private(set) var rows: [CandidateRow] = []
  private(set) var segmentations: [ScoredSegmentation] = []
  var search: CandidateSearch
  private let periods: ClosedRange<Double>
  private let gaps: SignalGaps

  /// - Parameters:
  ///   - stretch: the window, and what lies around it.
  ///   - core: the part of `stretch`, in frames from the first, that holds the reps.
  ///   - periods: seconds that a typical rep may take.
  init(
    _ stretch: TimedFrames, core: Range<Int>, periods: ClosedRange<Double>,
    configuration: DetectorConfiguration
  ) {
    gaps = SignalGaps(stretch, shortest: configuration.longestGapInRepSeconds)
    search = CandidateSearch(
      stretch.frames[...], core: core, resolution: configuration.settlingResolution,
      configuration: configuration)
    space = search.space
    self.stretch = stretch
    self.periods = periods
    var refined: [Segmentation] = []
    for guess in search.candidates(
      periods: periods, count: configuration.candidatesWhenSettling)
    {
      let fitter = search.fitter(framesPerStep: guess.framesPerStep)
      if let result = fitter.refine(guess.segments, passes: configuration.refiningPasses) {
        refined.append(result)
      }
    }
    firstRows = refined.sorted { $0.score > $1.score }
  }

  /// Finds the rows of all phases and periods, and describes their segmentations. Once.
  mutating func enumerate(configuration: DetectorConfiguration) {
    var found: [Segmentation] = []
    for hypothesis in hypotheses(configuration) {
      sweep(hypothesis, into: &found, configuration: configuration)
    }
    describe(found, frames: stretch.frames[...], configuration: configuration)
  }

  /// The grid of the row of a segmentation.
  mutating func grid(of segmentation: ScoredSegmentation) -> PhaseGrid {
    search.grid(framesPerStep: rows[segmentation.row].framesPerStep)
  }

  /// Seconds, of the median rep.
  func period(of segmentation: ScoredSegmentation) -> Double {
    let row = rows[segmentation.row]
    return median(row.members(of: segmentation)) { row.segments[$0].length }
      * Double(row.framesPerStep) / FrontEnd.frameRateHz
  }

  /// The probability that nothing was missed where the signal has gaps: in a gap of k periods there may
  /// have been 0 to k reps, one as likely as the other.
  func gaplessness(of segmentation: ScoredSegmentation) -> Double {
    let row = rows[segmentation.row]
    guard
      !gaps.isEmpty, let first = row.members(of: segmentation).first,
      let last = row.members(of: segmentation).last
    else { return 1 }
    let period = period(of: segmentation)
    let margin = 0.5 * period * FrontEnd.frameRateHz
    let q = Double(row.framesPerStep)
    let seconds = gaps.unknownSeconds(
      from: row.segments[first].start * q - margin, to: row.segments[last].end * q + margin)
    return 1 / (1 + seconds / max(period, 0.1))
  }

  /// Movements next to a segmentation that are somewhat like its reps: what a tired wearer did not
  /// finish, or began before they were ready.
  mutating func partials(
    of segmentation: ScoredSegmentation, configuration: DetectorConfiguration
  ) -> [Segment] {
    let row = rows[segmentation.row]
    let beside =
      row.segments.indices.filter { $0 < segmentation.first || $0 > segmentation.last }
    guard !beside.isEmpty else { return [] }
    let fitter = search.fitter(framesPerStep: row.framesPerStep)
    let members = row.members(of: segmentation).map { row.segments[$0] }
    let shapes = RepShapes(
      of: members, on: fitter.grid, phases: configuration.settlingResolution.phases)
    let others = RepShapes(
      of: beside.map { row.segments[$0] }, on: fitter.grid,
      phases: configuration.settlingResolution.phases)
    let least = Float(configuration.partialSimilarity) * median(shapes.similarities())
    let energy = median(shapes.energies)
    let longest = configuration.pauseInPeriods * median(members) { $0.length }
    return zip(beside, others.similarities(with: shapes.template())).filter {
      let segment = row.segments[$0.0]
      let gap = max(
        (members.first?.start ?? 0) - segment.end, segment.start - (members.last?.end ?? 0))
      return $0.1 >= least && gap <= longest
        && others.energies[beside.firstIndex(of: $0.0) ?? 0] >= 0.1 * energy
    }.map { row.segments[$0.0] }
  }

  /// A segmentation as a row of reps, with how alike they are, and with what its neighbours look like.
  mutating func segmentation(_ scored: ScoredSegmentation) -> Segmentation {
    let row = rows[scored.row]
    return search.fitter(framesPerStep: row.framesPerStep).measured(
      row.members(of: scored).map { row.segments[$0] })
  }

  // MARK: - Rows

  /// The best rows, those of other periods that explain not much less, and the best one's halves and
  /// pairs.
  private mutating func hypotheses(_ configuration: DetectorConfiguration) -> [Segmentation] {
    guard let best = firstRows.first else { return [] }
    var result: [Segmentation] = []
    func isNew(_ row: Segmentation) -> Bool {
      row.segments.count > 1 && periods.contains(row.period)
        && !result.contains {
          (row.period / $0.period - 1).magnitude < configuration.distinctPeriods
        }
    }
    for row in firstRows
    where row.score >= configuration.sweptScore * best.score && isNew(row)
      && result.count < configuration.hypothesesSwept
    {
      result.append(row)
    }
    let stepsPerRep = configuration.settlingResolution.stepsPerRep
    let frames = best.period * FrontEnd.frameRateHz
    let halves = best.segments.flatMap { segment in
      let middle = (segment.start + segment.end) / 2
      return [Segment(start: segment.start, end: middle), Segment(start: middle, end: segment.end)]
    }
    if let row = refine(
      halves, of: best,
      framesPerStep: PhaseGrid.framesPerStep(forPeriod: frames / 2, stepsPerRep: stepsPerRep)),
      isNew(row)
    {
      result.append(row)
    }
    for parity in 0..<2 {
      let pairs = stride(from: parity, to: best.segments.count - 1, by: 2).map {
        Segment(start: best.segments[$0].start, end: best.segments[$0 + 1].end)
      }
      if pairs.count > 1,
        let row = refine(
          pairs, of: best,
          framesPerStep: PhaseGrid.framesPerStep(forPeriod: 2 * frames, stepsPerRep: stepsPerRep)),
        isNew(row)
      {
        result.append(row)
      }
    }
    return result
  }

  /// Searches on another grid from segments on that of `row`.
  private mutating func refine(
    _ segments: [Segment], of row: Segmentation, framesPerStep: Int
  ) -> Segmentation? {
    let scale = Double(row.framesPerStep) / Double(framesPerStep)
    let offset = (scale - 1) / 2
    func scaled(_ segment: Segment) -> Segment {
      Segment(start: segment.start * scale + offset, end: segment.end * scale + offset)
    }
    let fitter = search.fitter(framesPerStep: framesPerStep)
    return fitter.refine(
      segments.map(scaled), passes: 2,
      within: fitter.steps(around: row.segments.map(scaled), reach: CandidateRow.reach))
  }

  /// Shifts a row by parts of a rep and searches again. Phases soon agree: what was found before, to a step,
  /// is not searched again.
  private mutating func sweep(
    _ hypothesis: Segmentation, into found: inout [Segmentation],
    configuration: DetectorConfiguration
  ) {
    let fitter = search.fitter(framesPerStep: hypothesis.framesPerStep)
    let steps = fitter.steps(around: hypothesis.segments, reach: CandidateRow.reach)
    var known: [(asked: [Segment], found: [Segment])] = []
    func isFound(_ row: [Segment]) -> Bool {
      found.contains {
        $0.framesPerStep == hypothesis.framesPerStep && Self.agree($0.segments, row)
      }
    }
    for phase in 0..<configuration.sweepPhases {
      let shift = Double(phase) / Double(configuration.sweepPhases)
      var row = hypothesis.segments.map {
        Segment(start: $0.start + shift * $0.length, end: $0.end + shift * $0.length)
      }
      for _ in 0..<configuration.sweepPasses where row.count > 1 {
        if let answer = known.first(where: { Self.agree($0.asked, row) }) {
          row = answer.found
        } else {
          let answer = fitter.researched(row, within: steps)
          known.append((row, answer))
          row = isFound(answer) ? [] : answer
        }
      }
      if row.count > 1, !isFound(row) { found.append(fitter.measured(row)) }
    }
  }

  /// Whether two rows on one grid differ by a step at most.
  private static func agree(_ a: [Segment], _ b: [Segment]) -> Bool {
    a.count == b.count
      && zip(a, b).allSatisfy {
        ($0.start - $1.start).magnitude <= 1 && ($0.end - $1.end).magnitude <= 1
      }
  }

  // MARK: - Segmentations

  private mutating func describe(
    _ found: [Segmentation], frames: ArraySlice<MotionFrame>, configuration: DetectorConfiguration
  ) {
    let best = found.map(\.score).max() ?? 0
    let least = configuration.leastExplained
    var describer = RowDescriber(frames, resolution: configuration.settlingResolution)
    var all: [ScoredSegmentation] = []
    // What is added to a row, or left out, changes little of what it explains.
    for row in found where row.score >= 0.8 * least * best {
      let fitter = search.fitter(framesPerStep: row.framesPerStep)
      let limit = max(
        configuration.longestGapInRepSeconds, configuration.longestGapInReps * row.period)
      let isWhole = { [gaps] (segment: Segment) in
        let q = Double(row.framesPerStep)
        return gaps.isWhole(
          from: (segment.start + 0.5) * q - 0.5, to: (segment.end + 0.5) * q - 0.5, limit: limit)
      }
      let reps = gaps.isEmpty ? row.segments : row.segments.filter(isWhole)
      guard reps.count > 1 else { continue }
      let candidates = CandidateRow(reps, fitter: fitter, limit: 2, isWhole: isWhole)
      describer.describe(candidates, index: rows.count, on: fitter.grid, into: &all)
      rows.append(candidates)
    }
    let most = all.map { $0.features[SegmentationFeatures.explained] }.max() ?? 0
    guard most > 0 else { return }
    segmentations = all.compactMap { segmentation in
      var segmentation = segmentation
      let share = segmentation.features[SegmentationFeatures.explained] / most
      guard share >= least else { return nil }
      segmentation.features[SegmentationFeatures.explained] = Math.log(share)
      return segmentation
    }
  }
}
