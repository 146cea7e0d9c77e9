import Motion
import SignalProcessing

/// A segmentation of a window with all figures that weights are fitted on.
package struct TracedSegmentation: Sendable {
  /// Index of the row of candidates.
  package var row: Int
  package var reps: Int
  /// Of the median rep, s.
  package var period: Double
  /// Begin of its first and end of its last rep, s on the samples' clock.
  package var start: Double
  package var end: Double
  /// By ``TracedWindow/columns``.
  package var values: [Float]
}

/// A window that a detector has read.
package struct TracedWindow: Sendable {
  /// Names of the figures of a segmentation: what the score is made of, then what tells sets from other
  /// movements (``SetGate/Figures``): `speed` as a logarithm, `posture` between begin and turnaround.
  package static let columns =
    SegmentationFeatures.names + [
      "swing", "speed", "irregular", "forearm", "bounce", "steps", "posture_x", "posture_y",
      "posture_z", "unmeasured",
    ]
  /// Begin and end of what was read, s on the samples' clock.
  package var start: Double
  package var end: Double
  package var segmentations: [TracedSegmentation]
}

/// Collects the windows that are read while ``collect(_:)`` runs.
package final class SegmentationTrace: @unchecked Sendable {
  /// Where windows are to be noted; nil if nobody wants them.
  @TaskLocal static var current: SegmentationTrace?

  // Only touched by the task that runs `collect`.
  private var windows: [TracedWindow] = []

  private init() {}

  /// The windows that `work` reads.
  package static func collect(_ work: () -> Void) -> [TracedWindow] {
    let trace = SegmentationTrace()
    $current.withValue(trace) { work() }
    return trace.windows
  }

  func note(_ window: WindowSegmentations, in stretch: TimedFrames) {
    guard let first = stretch.times.first, let last = stretch.times.last else { return }
    var window = window
    var all: [TracedSegmentation] = []
    for segmentation in window.segmentations {
      all.append(traced(segmentation, in: &window, stretch: stretch))
    }
    windows.append(TracedWindow(start: first, end: last, segmentations: all))
  }

  private func traced(
    _ scored: ScoredSegmentation, in window: inout WindowSegmentations, stretch: TimedFrames
  ) -> TracedSegmentation {
    let reading = window.segmentation(scored)
    let last = stretch.count - 1
    func time(_ step: Double) -> Double {
      stretch.times[
        Math.integer(
          (reading.seconds(step) * FrontEnd.frameRateHz).rounded(), clampedTo: 0...last)]
    }
    let figures = SetGate.Figures(
      reading.segments, framesPerStep: reading.framesPerStep, similarities: reading.similarities,
      in: stretch)
    return TracedSegmentation(
      row: scored.row, reps: scored.count, period: reading.period,
      start: time(reading.segments.first?.start ?? 0),
      end: time(reading.segments.last?.end ?? 0),
      values: (0..<SegmentationFeatures.names.count).map { scored.features[$0] } + [
        figures.swing, Math.log(figures.speed + 1e-3), figures.irregularity, figures.forearm,
        figures.bounce, figures.steps, figures.posture.x, figures.posture.y, figures.posture.z,
        figures.isTurningMeasured ? 0 : 1,
      ])
  }
}
