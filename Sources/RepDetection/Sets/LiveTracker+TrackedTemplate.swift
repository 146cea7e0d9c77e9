import Motion
import MotionFrames
import SignalProcessing
import TemplateSearch

extension LiveTracker {
  /// The template tracked during a set, and the set's state when it was learned. Shared by copies of the tracker.
  final class TrackedTemplate: Sendable, Codable {
    let space: ComponentSpace
    let typicalRep: TypicalRep
    let reps: [RepRun.Rep]
    /// Median duration of a rep without the pause before it, in seconds.
    let typicalDuration: Double
    let typicalExtent: WristExtent
    /// Prior probability that a movement in this set is a rep.
    let typicalProbability: Double
    /// Gate features of the set so far.
    let figures: SetGate.Figures

    /// Period of the reps, in seconds.
    var period: Double { typicalRep.period }

    /// Segments rows of `buffer` as a set: at the tempo with the highest posterior under the score for
    /// finished sets, and at the phase with the stillest boundaries. Returns nil if nothing repeats.
    init?(_ buffer: FrameStore, rows: Range<Int>, configuration: DetectorConfiguration) {
      // Rest before the signal might be mistaken for a rep.
      let rows = buffer.withinSignal(rows)
      guard !rows.isEmpty else { return nil }
      // Motion after the last rep counts as the begin of another one (``RunDescriber``).
      var window = WindowSegmentations(
        buffer[rows], isOngoing: true, configuration: configuration)
      window.enumerate()
      guard
        let counts = CountPosterior(window.segmentations, configuration: configuration)
      else { return nil }
      let chosen = counts.stillest(in: window)
      var segmentation = window.segmentation(chosen)
      segmentation.probabilities = counts.repProbabilities(of: chosen, among: window.runs)
      typicalProbability = median(segmentation.probabilities)
      let grid = window.grid(of: chosen)
      reps = RepBoundaries.reps(of: segmentation, in: window.signal, reach: 0)
      var figures = SetGate.Figures(
        segmentation.segments, framesPerStep: segmentation.framesPerStep,
        similarities: segmentation.similarities, in: window.signal)
      // More of the set may follow its last rep.
      figures.surroundings.before =
        buffer.surroundings(of: figures.span, period: figures.signature.period).before
      self.figures = figures
      typicalDuration = median(reps.map { $0.end - $0.start })
      let course = WristCourse(window.signal.frames)
      typicalExtent = .typical(segmentation.segments) { course.extent(of: grid.frames(of: $0)) }
      // Put the pause between reps before each rep, not after it, so that a rep is complete when the wrist is
      // back and not when it leaves again.
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
        of: segments, on: grid, phases: configuration.search.segmentationResolution.phases)
      space = window.space
      typicalRep = TypicalRep(of: segments, shapes, framesPerStep: segmentation.framesPerStep)
    }
  }
}
