import SignalProcessing

/// The final segmentation of a window that holds one set.
struct FinalSegmentation {
  /// The chosen segmentation; nil where nothing repeats.
  private(set) var best: Segmentation?
  /// Says when the reps of ``best`` begin and end, if another phase of as many reps has stiller boundaries.
  private(set) var rephased: Segmentation?
  /// The coordinates in which it was found.
  private(set) var space: ComponentSpace?
  /// The grid of the chosen segmentation.
  private(set) var grid: PhaseGrid?
  /// Whether ``best`` holds the halves of cycles in which two sides took turns, and whether the caller
  /// declares that they do.
  private(set) var isAlternating = false
  private(set) var isDeclaredAlternating = false

  /// How probable the count of ``best`` is.
  private(set) var probability = 0.0

  /// Takes the most probable segmentation of a window.
  ///
  /// - Parameter isDeclared: whether the caller declares that it holds a set. Then segmentations of the period that
  ///   the hints expect are preferred; a found movement may be another.
  init(
    _ window: WindowSegmentations, isDeclared: Bool = false, configuration: DetectorConfiguration
  ) {
    var window = window
    window.enumerate(configuration: configuration)
    SegmentationTrace.current?.note(window, in: window.signal, configuration: configuration)
    let hints = configuration.hints
    func posterior(
      where isWanted: (ScoredSegmentation) -> Bool = { _ in true }
    ) -> CountPosterior? {
      CountPosterior(
        window.segmentations.filter(isWanted),
        scorer: configuration.rule.scorer(configuration.weights),
        preference: { segmentation in
          guard isDeclared else { return 0 }
          let isUsual = hints.isUsual(window.period(of: segmentation))
          return (isUsual ? configuration.usualPeriodPreference : 0)
            + (segmentation.count == hints.targetReps ? configuration.targetPreference : 0)
        })
    }
    guard var counts = posterior() else { return }
    let cycles = window.segmentation(counts.best)
    if AlternatingSides.areCycles(cycles, search: &window.search, configuration: configuration),
      let halves = posterior(where: {
        CountPosterior.isOfTempo(2 * window.period(of: $0), cycles.period)
      })
    {
      counts = halves
      isAlternating = true
    }
    var chosen = window.segmentation(counts.best)
    chosen.probabilities = counts.repProbabilities(among: window.runs)
    chosen.partials = window.partials(of: counts.best, configuration: configuration)
    best = chosen
    probability = counts.probability * window.gaplessness(of: counts.best)
    space = window.space
    grid = window.grid(of: counts.best)
    isDeclaredAlternating = hints.alternates == true
    rephased = Self.rephased(counts, window, configuration)
    if !isAlternating, AlternatingSides.takeTurns(chosen, configuration: configuration) {
      isAlternating = hints.alternates != false || hints.isUsual(chosen.period)
      if !isAlternating {
        let fitter = window.search.fitter(framesPerStep: chosen.framesPerStep)
        best = fitter.measured(AlternatingSides.cycles(of: chosen))
        rephased = nil
      }
    }
  }

  /// The segmentation with as many reps whose boundaries lie where the wrist moves least; nil if that is the best
  /// one.
  private static func rephased(
    _ posterior: CountPosterior, _ window: WindowSegmentations,
    _ configuration: DetectorConfiguration
  ) -> Segmentation? {
    let best = posterior.best
    let chosen = posterior.stillest(in: window, configuration: configuration)
    guard chosen.run != best.run || chosen.first != best.first || chosen.last != best.last else {
      return nil
    }
    var window = window
    var result = window.segmentation(chosen)
    result.partials = window.partials(of: chosen, configuration: configuration)
    return result
  }
}
