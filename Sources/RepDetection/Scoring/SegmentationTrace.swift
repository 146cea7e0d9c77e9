import Motion
import MotionFrames
import SignalProcessing

/// A segmentation of a window with all features to which weights are fitted.
package struct TracedSegmentation: Sendable {
  /// Index of the run of candidates.
  package var run: Int
  package var reps: Int
  /// Period of the median rep, in the longest run without a long pause, in seconds.
  package var period: Double
  /// Begin of the first rep and end of the last, in seconds on the samples' clock.
  package var start: Double
  package var end: Double
  /// The features, in the order of ``TracedWindow/columns``.
  package var values: [Float]
}

/// A window that a detector has segmented.
package struct TracedWindow: Sendable {
  /// Names of a segmentation's features: first those of the score, then those of the gate
  /// (``SetGate/Figures``) for the longest run without a long pause, which is judged by itself. `speed` is a
  /// logarithm. Features beside the run are −1 if nothing was recorded there.
  package static let columns =
    SegmentationFeatures.names + [
      "swing", "speed", "irregular", "steadiness", "bounce", "steps", "unmeasured", "evenness",
      "run_reps", "step_peak", "pause_max", "posture_beside", "move_beside",
    ]
  /// Begin and end of the segmented signal, in seconds on the samples' clock.
  package var start: Double
  package var end: Double
  package var segmentations: [TracedSegmentation]
}

/// Collects the windows that are segmented while ``collect(_:)`` runs.
package final class SegmentationTrace: @unchecked Sendable {
  /// The active trace; nil if none.
  @TaskLocal static var current: SegmentationTrace?

  // Accessed only by the task that runs `collect`.
  private var windows: [TracedWindow] = []

  private init() {}

  /// Returns the windows that `work` segments.
  package static func collect(_ work: () -> Void) -> [TracedWindow] {
    let trace = SegmentationTrace()
    $current.withValue(trace) { work() }
    return trace.windows
  }

  func note(_ window: WindowSegmentations, of store: FrameStore?) {
    guard let first = window.signal.times.first, let last = window.signal.times.last else { return }
    var window = window
    var all: [TracedSegmentation] = []
    for segmentation in window.segmentations {
      all.append(traced(segmentation, in: &window, of: store))
    }
    windows.append(TracedWindow(start: first, end: last, segmentations: all))
  }

  private func traced(
    _ scored: ScoredSegmentation, in window: inout WindowSegmentations, of store: FrameStore?
  ) -> TracedSegmentation {
    let signal = window.signal
    let segmentation = window.segmentation(scored)
    let last = signal.count - 1
    func time(_ step: Double) -> Double {
      signal.times[
        Math.integer(
          (segmentation.seconds(step) * FrontEnd.frameRateHz).rounded(), clampedTo: 0...last)]
    }
    let runs = segmentation.runs(
      longestPause: window.configuration.longestPause(period: segmentation.period))
    let run = runs.max { $0.count < $1.count } ?? 0..<0
    var figures = SetGate.Figures(
      Array(segmentation.segments[run]), framesPerStep: segmentation.framesPerStep,
      similarities: Array(segmentation.similarities[run]), in: signal)
    if let store {
      figures.surroundings = store.surroundings(of: figures.span, period: figures.signature.period)
    }
    return TracedSegmentation(
      run: scored.run, reps: scored.count, period: Double(figures.signature.period),
      start: time(segmentation.segments.first?.start ?? 0),
      end: time(segmentation.segments.last?.end ?? 0),
      values: (0..<SegmentationFeatures.names.count).map { scored.features[$0] } + [
        figures.swing, Math.log(figures.signature.speed + 1e-3), figures.irregularity,
        figures.motion.steadiness, figures.motion.bounceG, figures.steps,
        figures.isTurningMeasured ? 0 : 1, figures.motion.evenness, Float(run.count),
        figures.stepPeak, figures.longestPause, figures.postureBeside ?? -1,
        figures.moveBeside ?? -1,
      ])
  }
}
