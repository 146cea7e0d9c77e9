import SignalProcessing

/// The segmentation of a set under way, to learn its template: of the tempo that the score of sets that are over
/// finds most probable, at its stillest phase. What begins after its last rep counts for it, not against it
/// (``RunDescriber``).
struct LiveSegmentation {
  /// The chosen run.
  let reps: Segmentation
  /// The coordinates in which it was found.
  let space: ComponentSpace
  /// Its grid.
  let grid: PhaseGrid

  /// Nil where nothing repeats.
  init?(_ signal: TimedFrames, configuration: DetectorConfiguration) {
    guard signal.count > 8 else { return nil }
    var window = WindowSegmentations(signal, isUnderWay: true, configuration: configuration)
    window.enumerate(configuration: configuration)
    guard
      let counts = CountPosterior(
        window.segmentations, scorer: configuration.rule.scorer(configuration.weights))
    else { return nil }
    let chosen = counts.stillest(
      in: window, isUnderWay: true, configuration: configuration)
    reps = window.segmentation(chosen)
    space = window.space
    grid = window.grid(of: chosen)
  }
}
