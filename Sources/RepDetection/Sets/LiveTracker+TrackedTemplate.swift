import Motion
import SignalProcessing

extension LiveTracker {
  /// The template that is tracked while a set goes on, and what else is known of the set at that instant.
  struct TrackedTemplate: Sendable, Codable {
    let space: ComponentSpace
    let usual: UsualRep
    let reps: [RepRun.Rep]
    /// Of a rep without the pause before it, s.
    let usualDuration: Double
    let usualExtent: WristExtent
    /// How probable it usually is of a movement of the set that it is a rep.
    let usualProbability: Double
    /// What tells the set so far from other movements.
    let figures: SetGate.Figures

    /// Seconds.
    var period: Double { usual.period }

    /// Segments the rows of `buffer` as a set: of the tempo that the score of sets that are over finds most
    /// probable, at its stillest phase. Nil where nothing repeats.
    init?(_ buffer: FrameStore, rows: Range<Int>, configuration: DetectorConfiguration) {
      // Rest before the signal might be taken for a rep.
      let rows = buffer.withinSignal(rows)
      guard !rows.isEmpty else { return nil }
      // What begins after its last rep counts for a set under way, not against it (``RunDescriber``).
      var window = WindowSegmentations(
        buffer[rows], isUnderWay: true, configuration: configuration)
      window.enumerate()
      guard
        let counts = CountPosterior(window.segmentations, configuration: configuration)
      else { return nil }
      let chosen = counts.stillest(in: window)
      var segmentation = window.segmentation(chosen)
      segmentation.probabilities = counts.repProbabilities(of: chosen, among: window.runs)
      usualProbability = median(segmentation.probabilities)
      let grid = window.grid(of: chosen)
      reps = RepBoundaries.reps(of: segmentation, in: window.signal, reach: 0)
      figures = SetGate.Figures(
        segmentation.segments, framesPerStep: segmentation.framesPerStep,
        similarities: segmentation.similarities, in: window.signal)
      usualDuration = median(reps.map { $0.end - $0.start })
      let course = WristCourse(window.signal.frames)
      usualExtent = .usual(segmentation.segments) { course.extent(of: grid.frames(of: $0)) }
      // A pause between reps is put before each, not after it, so that a rep is complete when the
      // wrist is back and not when it leaves again.
      let origin = buffer.times[rows.lowerBound]
      let pauses = zip(segmentation.segments, reps).map {
        origin + segmentation.seconds($0.0.end) - $0.1.end
      }
      let stepsPerSecond = FrontEnd.frameRateHz / Double(segmentation.framesPerStep)
      let shift = reps.count == segmentation.segments.count ? max(0, median(pauses)) : 0
      let segments = segmentation.segments.map {
        Segment(start: $0.start - shift * stepsPerSecond, end: $0.end - shift * stepsPerSecond)
      }
      let shapes = RepShapes(
        of: segments, on: grid, phases: configuration.segmentationResolution.phases)
      space = window.space
      usual = UsualRep(of: segments, shapes, framesPerStep: segmentation.framesPerStep)
    }
  }
}
