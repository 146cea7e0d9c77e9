import MotionFrames
import SignalProcessing
import TemplateSearch

/// All plausible segmentations of a window: runs of reps found from several candidates, at several phases and
/// at half the period, with and without the movements at their ends.
///
/// The initializer finds only ``firstRuns``, at about a quarter of the cost: enough to see whether the window
/// is wide enough. ``enumerate()`` does the rest.
struct WindowSegmentations {
  /// The window and the signal around it.
  let signal: TimedFrames
  /// The coordinates in which reps are compared.
  let space: ComponentSpace
  /// Refined runs of the first candidates, best first.
  let firstRuns: [Segmentation]
  private(set) var runs: [CandidateRun] = []
  private(set) var segmentations: [ScoredSegmentation] = []
  var search: CandidateSearch
  /// True if the set continues beyond the window.
  let isOngoing: Bool
  private let gaps: SignalGaps
  var configuration: DetectorConfiguration { search.configuration }

  /// - Parameters:
  ///   - signal: The window and the signal around it.
  ///   - core: The part of `signal` that contains the reps, in frames from the first; nil for all.
  ///   - isOngoing: Whether the set continues beyond the window.
  init(
    _ signal: TimedFrames, core: Range<Int>? = nil, isOngoing: Bool = false,
    configuration: DetectorConfiguration
  ) {
    gaps = SignalGaps(signal, shortest: configuration.frontEnd.silentSensorSeconds)
    search = CandidateSearch(
      signal.frames[...], core: core, resolution: configuration.search.segmentationResolution,
      configuration: configuration)
    space = search.space
    self.signal = signal
    self.isOngoing = isOngoing
    var refined: [Segmentation] = []
    for candidate in search.candidates(
      periods: configuration.periods, count: configuration.candidatesInSet)
    {
      let fitter = search.fitter(framesPerStep: candidate.framesPerStep)
      if let result = fitter.refine(candidate.segments) { refined.append(result) }
    }
    firstRuns = refined.sorted(byKey: { -Double($0.score) })
  }

  /// Finds the runs of all phases and periods, and computes the features of their segmentations. Call once.
  mutating func enumerate() {
    var found: [Segmentation] = []
    for hypothesis in hypotheses() {
      let fitter = search.fitter(framesPerStep: hypothesis.framesPerStep)
      found += fitter.sweep(
        hypothesis,
        within: fitter.steps(around: hypothesis.segments, reach: CandidateRun.reach),
        besides: found)
    }
    describe(found)
  }

  /// Returns the grid of a segmentation's run.
  mutating func grid(of segmentation: ScoredSegmentation) -> PhaseGrid {
    search.grid(framesPerStep: runs[segmentation.run].framesPerStep)
  }

  /// Returns the duration of the median rep, in seconds.
  func period(of segmentation: ScoredSegmentation) -> Double {
    let run = runs[segmentation.run]
    return median(run.members(of: segmentation)) { run.segments[$0].length }
      * Double(run.framesPerStep) / FrontEnd.frameRateHz
  }

  /// Returns the probability that no rep was missed in gaps of the signal. A gap of k periods between reps
  /// may contain 0 to k reps, all equally likely.
  func probabilityWithoutMissedReps(of segmentation: ScoredSegmentation, on grid: PhaseGrid)
    -> Double
  {
    let run = runs[segmentation.run]
    let reps = run.members(of: segmentation).map { grid.frames(of: run.segments[$0]) }
    guard !gaps.isEmpty, let first = reps.first, let last = reps.last else { return 1 }
    let period = period(of: segmentation)
    let margin = 0.5 * period * FrontEnd.frameRateHz
    let around = gaps.unknownSeconds(touching: first.start - margin, last.end + margin)
    let within = reps.reduce(0) { $0 + gaps.unknownSeconds(from: $1.start, to: $1.end) }
    return 1 / (1 + (around - within) / max(period, 0.1))
  }

  /// Returns the partial reps in and next to a segmentation, among its run's candidates: reps that a tired
  /// wearer did not finish.
  mutating func partials(of segmentation: ScoredSegmentation) -> [Segment] {
    let run = runs[segmentation.run]
    let partials = zip(run.segments, run.kinds).filter { $0.1 == .partial }.map { $0.0 }
    guard !partials.isEmpty else { return [] }
    let grid = grid(of: segmentation)
    let phases = configuration.search.segmentationResolution.phases
    let members = run.members(of: segmentation).map { run.segments[$0] }
    let shapes = RepShapes(of: members, on: grid, phases: phases)
    let similarities = RepShapes(of: partials, on: grid, phases: phases).similarities(
      with: shapes.template())
    let least = configuration.movementSimilarity * median(shapes.similarities())
    let longest = configuration.pauseInPeriods * median(members) { $0.length }
    return zip(partials, similarities).filter { partial, similarity in
      let gap = max(
        (members.first?.start ?? 0) - partial.end, partial.start - (members.last?.end ?? 0))
      return similarity >= least && gap <= longest
        && !isBeyondSignal((partial.start + partial.end) / 2, framesPerStep: run.framesPerStep)
    }.map { $0.0 }
  }

  /// Returns the candidates of a segmentation's run that are neither reps nor partial reps, with their
  /// probabilities of being reps. Omits those beyond all samples.
  func others(of segmentation: ScoredSegmentation, _ posterior: CountPosterior) -> Segmentation {
    let run = runs[segmentation.run]
    let members = run.members(of: segmentation)
    let others = run.segments.indices.filter {
      run.kinds[$0] != .partial && !members.contains($0)
        && !isBeyondSignal(
          (run.segments[$0].start + run.segments[$0].end) / 2, framesPerStep: run.framesPerStep)
    }
    var result = Segmentation(
      framesPerStep: run.framesPerStep, segments: others.map { run.segments[$0] })
    result.probabilities = posterior.probabilities(
      of: others, in: segmentation.run, among: runs)
    return result
  }

  /// Returns true if a time, in steps, lies before or after all samples.
  private func isBeyondSignal(_ step: Double, framesPerStep: Int) -> Bool {
    let frame = Math.integer(
      PhaseGrid.frame(ofStep: step, framesPerStep: framesPerStep),
      clampedTo: 0...(signal.count - 1))
    return signal.isBeyondSignal[frame]
  }

  /// Returns a segmentation as a run of reps, without similarities.
  func plainSegmentation(_ scored: ScoredSegmentation) -> Segmentation {
    let run = runs[scored.run]
    return Segmentation(
      framesPerStep: run.framesPerStep,
      segments: run.members(of: scored).map { run.segments[$0] })
  }

  /// Returns a segmentation as a run of reps, with their similarities.
  mutating func segmentation(_ scored: ScoredSegmentation) -> Segmentation {
    let run = runs[scored.run]
    return search.fitter(framesPerStep: run.framesPerStep).measured(
      run.members(of: scored).map { run.segments[$0] })
  }

  // MARK: - Runs

  /// Returns the best runs, of distinct tempos, and for a finished set the halves of the best one.
  private mutating func hypotheses() -> [Segmentation] {
    guard let best = firstRuns.first else { return [] }
    let configuration = configuration
    var result: [Segmentation] = []
    func isNew(_ run: Segmentation) -> Bool {
      run.segments.count > 1 && configuration.periods.contains(run.period)
        && !result.contains { DetectorConfiguration.haveSameTempo($0.period, run.period) }
    }
    for run in firstRuns where result.count < configuration.hypothesesSwept && isNew(run) {
      result.append(run)
    }
    if isOngoing { return result }
    let framesPerStep = PhaseGrid.framesPerStep(
      forPeriod: best.period * FrontEnd.frameRateHz / 2,
      stepsPerRep: configuration.search.segmentationResolution.stepsPerRep)
    func onItsGrid(_ segments: [Segment]) -> [Segment] {
      segments.map { $0.onGrid(framesPerStep: framesPerStep, from: best.framesPerStep) }
    }
    let fitter = search.fitter(framesPerStep: framesPerStep)
    if let run = fitter.refine(
      onItsGrid(best.segments.flatMap { $0.halves }),
      within: fitter.steps(around: onItsGrid(best.segments), reach: CandidateRun.reach)),
      isNew(run)
    {
      result.append(run)
    }
    return result
  }

  // MARK: - Segmentations

  private mutating func describe(_ found: [Segmentation]) {
    let configuration = configuration
    var describer = RunDescriber(
      signal.frames[...], isOngoing: isOngoing, configuration: configuration)
    var all: [ScoredSegmentation] = []
    for run in found {
      let fitter = search.fitter(framesPerStep: run.framesPerStep)
      let profile = MotionProfile(
        of: run.segments.map(fitter.grid.frames), turned: describer.course.turned)
      let isKnown = { [gaps] (segment: Segment) in
        let rep = fitter.grid.frames(of: segment)
        let unmeasured = gaps.unmeasuredFractions(of: rep, profile: profile)
        return unmeasured.beyond * rep.length
          <= configuration.longestCutSeconds * FrontEnd.frameRateHz
          && 1 - unmeasured.beyond - unmeasured.inGaps >= configuration.leastMeasuredFraction
      }
      let reps = run.segments.filter(isKnown)
      guard reps.count > 1 else { continue }
      var candidates = CandidateRun(
        reps, fitter: fitter, isAdjusted: !isOngoing, isKnown: isKnown)
      describer.describe(&candidates, index: runs.count, on: fitter.grid, into: &all)
      runs.append(candidates)
    }
    let most = all.map { $0.features[SegmentationFeatures.explained] }.max() ?? 0
    guard most > 0 else { return }
    segmentations = all.map { segmentation in
      var segmentation = segmentation
      let share = segmentation.features[SegmentationFeatures.explained] / most
      segmentation.features[SegmentationFeatures.explained] = Math.log(max(share, 1e-6))
      return segmentation
    }
  }
}
