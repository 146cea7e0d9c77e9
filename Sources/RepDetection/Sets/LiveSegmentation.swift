import SignalProcessing

/// The segmentation of a set under way, to learn its template: one run of reps, chosen among phases.
///
/// Nothing follows yet that would tell the turnaround of the movement from its starting posture by half a
/// rep left over. What has begun is counted instead, and weighed against how much the wrist moves at
/// the boundaries, and against the phase of reps that were announced already: who sees a rep end at the top
/// of the movement would not see why the next one ends at the bottom.
struct LiveSegmentation {
  /// The chosen run; nil where nothing repeats.
  private(set) var best: Segmentation?
  /// The coordinates in which it was found.
  let space: ComponentSpace
  /// Its grid.
  private(set) var grid: PhaseGrid?

  /// Segments a window from new candidates.
  ///
  /// - Parameters:
  ///   - periods: seconds that a typical rep may take.
  ///   - announcedEnd: end of the last rep that was announced, seconds from the first frame.
  init(
    _ frames: ArraySlice<MotionFrame>, periods: ClosedRange<Double>, announcedEnd: Double?,
    configuration: DetectorConfiguration
  ) {
    var search = CandidateSearch(
      frames, resolution: configuration.segmentationResolution, configuration: configuration)
    space = search.space
    let runs = search.candidates(periods: periods, count: configuration.candidatesInWindow)
      .compactMap {
        search.fitter(framesPerStep: $0.framesPerStep)
          .refine($0.segments, passes: configuration.refiningPasses)
      }
    guard let run = runs.max(by: { $0.score < $1.score }) else { return }
    choose(near: run, in: frames, announcedEnd, &search, configuration)
  }

  /// Segments a window whose reps are known but for their phase.
  init(
    _ frames: ArraySlice<MotionFrame>, near known: Segmentation, announcedEnd: Double?,
    configuration: DetectorConfiguration
  ) {
    var search = CandidateSearch(
      frames, resolution: configuration.segmentationResolution, configuration: configuration)
    space = search.space
    guard frames.count > 8 else { return }
    choose(near: known, in: frames, announcedEnd, &search, configuration)
  }

  private mutating func choose(
    near run: Segmentation, in frames: ArraySlice<MotionFrame>, _ announcedEnd: Double?,
    _ search: inout CandidateSearch, _ configuration: DetectorConfiguration
  ) {
    let runs = search.fitter(framesPerStep: run.framesPerStep).sweep(run, tolerance: 0)
    best = Self.chosen(among: runs, in: frames, announcedEnd, configuration)
    if let best { grid = search.grid(framesPerStep: best.framesPerStep) }
  }

  // MARK: - Choice

  /// Of the runs that fit about as well as the best, the one with most reps and the stillest boundaries.
  private static func chosen(
    among runs: [Segmentation], in frames: ArraySlice<MotionFrame>, _ announcedEnd: Double?,
    _ configuration: DetectorConfiguration
  ) -> Segmentation? {
    let seconds = Double(frames.count) / FrontEnd.frameRateHz
    let speeds = frames.map { $0.squaredAngularSpeed.squareRoot() }
    let trimmed = runs.map { $0.trimmingEdges(configuration: configuration) }
    guard
      let best = trimmed.max(by: { worth($0, seconds) < worth($1, seconds) }), best.score > 0
    else { return nil }
    let least = worth(best, seconds) * Float(configuration.liveScoreTolerance)
    return trimmed.filter {
      worth($0, seconds) >= least && $0.period >= 0.8 * best.period
        && $0.period <= 1.25 * best.period
    }.map { run in
      let agreement = announcedEnd.map { phaseAgreement(of: run, with: $0) } ?? 0
      let motion =
        run.boundaryMotion(speeds: speeds) - configuration.announcedPhaseWeight * agreement
      return (run: run, rank: rank(run, motion: motion, seconds, configuration))
    }.max { $0.rank < $1.rank }?.run
  }

  /// 1 where a rep of a run ends at a time, −1 where that is the middle of one.
  private static func phaseAgreement(of run: Segmentation, with time: Double) -> Float {
    let nearest = run.segments.lazy.map { (run.seconds($0.end) - time).magnitude }.min()
    return Float(1 - 4 * min((nearest ?? .infinity) / max(run.period, 0.1), 0.5))
  }

  /// What is behind the last rep of a run, in reps: at most one, which has not ended.
  private static func unfinished(_ run: Segmentation, _ seconds: Double) -> Double {
    let last = run.segments.last.map { run.seconds($0.end) } ?? 0
    return min(max((seconds - last) / max(run.period, 0.1), 0), 1)
  }

  /// The score, as if the rep that has not ended fitted like the others: runs of all phases are to be
  /// compared, and some of them end sooner.
  private static func worth(_ run: Segmentation, _ seconds: Double) -> Float {
    guard !run.segments.isEmpty else { return run.score }
    let reps =
      run.segments.reduce(0) { $0 + $1.length } * Double(run.framesPerStep)
      / FrontEnd.frameRateHz / max(run.period, 0.1)
    return run.score * Float(1 + unfinished(run, seconds) / max(reps, 0.1))
  }

  /// Reps, half a one less where the first differs from the others (it may be the way to the starting
  /// posture), against how much the wrist moves at the boundaries.
  private static func rank(
    _ run: Segmentation, motion: Float, _ seconds: Double, _ configuration: DetectorConfiguration
  ) -> Double {
    let first = run.similarities.first ?? 0
    let usual = median(run.similarities)
    let isDoubtful = first < Float(configuration.liveWholeFirstSimilarity) * usual
    return Double(run.segments.count) + unfinished(run, seconds) - (isDoubtful ? 0.5 : 0)
      - configuration.liveStillnessWeight * Double(motion)
  }
}
