import MotionFrames
import SignalProcessing
import TemplateSearch

/// The final segmentation of a window that contains one set.
struct FinalSegmentation {
  let signal: TimedFrames
  private(set) var best: Segmentation
  /// A segmentation with as many reps as ``best`` at another phase with stiller boundaries, which give the
  /// begins and ends of the reps; nil if the boundaries of ``best`` are the stillest.
  private(set) var rephased: Segmentation?
  /// The coordinates in which the reps were compared.
  let space: ComponentSpace
  let grid: PhaseGrid
  /// True if ``best`` contains the halves of cycles, because two sides alternate.
  private(set) var isAlternating = false
  /// Probability of the count of ``best``.
  let probability: Double
  /// In a diagnosis, the candidates of the best run that are neither its reps nor its partial reps, with their
  /// probabilities of being reps.
  private(set) var others: Segmentation?

  /// Chooses the most probable segmentation of a window; nil if nothing repeats.
  ///
  /// - Parameters:
  ///   - store: Frames of the window and beside it, for the trace; nil if there are none.
  ///   - isDeclared: Whether the caller declares that the window contains a set. Segmentations with the
  ///     period expected by the hints are then preferred; a detected movement may be a different one.
  init?(
    _ window: WindowSegmentations, of store: FrameStore? = nil, isDeclared: Bool = false,
    isDiagnosed: Bool = false
  ) {
    var window = window
    window.enumerate()
    #if !hasFeature(Embedded)
      SegmentationTrace.current?.note(window, of: store)
    #endif
    let configuration = window.configuration
    let hints = configuration.hints
    func posterior(
      where isWanted: (ScoredSegmentation) -> Bool = { _ in true }
    ) -> CountPosterior? {
      CountPosterior(
        window.segmentations.filter(isWanted), configuration: configuration,
        preference: { segmentation in
          guard isDeclared else { return 0 }
          let isExpected = hints.isExpected(window.period(of: segmentation))
          return (isExpected ? Math.log(Float(configuration.expectationOdds)) : 0)
            + (segmentation.count == hints.targetReps ? configuration.targetPreference : 0)
        })
    }
    guard var counts = posterior() else { return nil }
    let cycles = window.segmentation(counts.best)
    if AlternatingSides.areCycles(cycles, search: &window.search),
      let halves = posterior(where: {
        DetectorConfiguration.haveSameTempo(2 * window.period(of: $0), cycles.period)
      })
    {
      counts = halves
      isAlternating = true
    }
    best = window.segmentation(counts.best)
    best.probabilities = counts.repProbabilities(of: counts.best, among: window.runs)
    if isDiagnosed { others = window.others(of: counts.best, counts) }
    best.partials = window.partials(of: counts.best)
    grid = window.grid(of: counts.best)
    probability =
      counts.probability * window.probabilityWithoutMissedReps(of: counts.best, on: grid)
    signal = window.signal
    space = window.space
    rephased = Self.rephased(counts, window)
    if !isAlternating, AlternatingSides.alternate(best, on: grid, configuration: configuration) {
      isAlternating = hints.alternates != false || hints.isExpected(best.period)
      if !isAlternating {
        best = AlternatingSides.cycles(
          of: best, fitter: window.search.fitter(framesPerStep: best.framesPerStep))
        rephased = nil
      }
    }
  }

  /// Returns the segmentation with the same number of reps and the stillest boundaries; nil if it is the best
  /// one.
  private static func rephased(
    _ posterior: CountPosterior, _ window: WindowSegmentations
  ) -> Segmentation? {
    let best = posterior.best
    let chosen = posterior.stillest(in: window)
    guard chosen.run != best.run || chosen.first != best.first || chosen.last != best.last else {
      return nil
    }
    var window = window
    var result = window.segmentation(chosen)
    result.partials = window.partials(of: chosen)
    return result
  }
}
