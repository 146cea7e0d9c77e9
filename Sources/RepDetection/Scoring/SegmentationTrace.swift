import Motion
import SignalProcessing

/// A segmentation of a window with all figures that weights are fitted on.
package struct TracedSegmentation: Sendable {
  /// Index of the run of candidates.
  package var run: Int
  package var reps: Int
  /// Of the median rep of the longest run without a long pause, s.
  package var period: Double
  /// Begin of its first and end of its last rep, s on the samples' clock.
  package var start: Double
  package var end: Double
  /// By ``TracedWindow/columns``.
  package var values: [Float]
}

/// A window that a detector has segmented.
package struct TracedWindow: Sendable {
  /// Names of the figures of a segmentation: what the score is made of, then what tells sets from other
  /// movements (``SetGate/Figures``), of the longest run without a long pause, which is judged by itself:
  /// `speed` as a logarithm, `posture` between begin and turnaround.
  package static let columns =
    SegmentationFeatures.names + [
      "swing", "speed", "irregular", "steadiness", "bounce", "steps", "posture_x", "posture_y",
      "posture_z", "unmeasured", "evenness", "run_reps",
    ]
  /// Begin and end of what was segmented, s on the samples' clock.
  package var start: Double
  package var end: Double
  package var segmentations: [TracedSegmentation]
}

/// Collects the windows that are segmented while ``collect(_:)`` runs.
package final class SegmentationTrace: @unchecked Sendable {
  /// Where windows are to be noted; nil if nobody wants them.
  @TaskLocal static var current: SegmentationTrace?

  // Only touched by the task that runs `collect`.
  private var windows: [TracedWindow] = []

  private init() {}

  /// The windows that `work` segments.
  package static func collect(_ work: () -> Void) -> [TracedWindow] {
    let trace = SegmentationTrace()
    $current.withValue(trace) { work() }
    return trace.windows
  }

  func note(_ window: WindowSegmentations) {
    guard let first = window.signal.times.first, let last = window.signal.times.last else { return }
    var window = window
    var all: [TracedSegmentation] = []
    for segmentation in window.segmentations { all.append(traced(segmentation, in: &window)) }
    windows.append(TracedWindow(start: first, end: last, segmentations: all))
  }

  private func traced(
    _ scored: ScoredSegmentation, in window: inout WindowSegmentations
  ) -> TracedSegmentation {
    let signal = window.signal
    let segmentation = window.segmentation(scored)
    let last = signal.count - 1
    func time(_ step: Double) -> Double {
      signal.times[
        Math.integer(
          (segmentation.seconds(step) * FrontEnd.frameRateHz).rounded(), clampedTo: 0...last)]
    }
    let runs = segmentation.runs(configuration: window.configuration)
    let run = runs.max { $0.count < $1.count } ?? 0..<0
    let figures = SetGate.Figures(
      Array(segmentation.segments[run]), framesPerStep: segmentation.framesPerStep,
      similarities: Array(segmentation.similarities[run]), in: signal)
    return TracedSegmentation(
      run: scored.run, reps: scored.count, period: Double(figures.manner.period),
      start: time(segmentation.segments.first?.start ?? 0),
      end: time(segmentation.segments.last?.end ?? 0),
      values: (0..<SegmentationFeatures.names.count).map { scored.features[$0] } + [
        figures.swing, Math.log(figures.manner.speed + 1e-3), figures.irregularity,
        figures.motion.steadiness, figures.motion.bounceG, figures.steps, figures.manner.posture.x,
        figures.manner.posture.y,
        figures.manner.posture.z,
        figures.isTurningMeasured ? 0 : 1, figures.motion.evenness, Float(run.count),
      ])
  }
}
