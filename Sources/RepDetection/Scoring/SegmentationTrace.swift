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
  /// movements: mean and least similarity, the range of the movement (rad), ln of the mean turning rate (rad/s),
  /// the spread of ln duration, mean of gravity along the forearm (g), the vertical bounce (g), postures at
  /// begin and turnaround.
  package static let columns =
    SegmentationFeatures.names + [
      "raw_mean", "raw_min", "swing", "speed", "irregular", "forearm", "bounce", "home_x", "home_y",
      "home_z", "far_x", "far_y", "far_z", "energy", "unmeasured",
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
    func frame(_ seconds: Double) -> Int {
      Math.integer((seconds * FrontEnd.frameRateHz).rounded(), clampedTo: 0...last)
    }
    let begins = reading.segments.map { stretch.frames[frame(reading.seconds($0.start))].gravity }
    let middles = reading.segments.map {
      stretch.frames[frame(reading.seconds(($0.start + $0.end) / 2))].gravity
    }
    func usual(_ v: [SIMD4<Float>]) -> SIMD4<Float> {
      SIMD4(median(v.map(\.x)), median(v.map(\.y)), median(v.map(\.z)), 0)
    }
    let home = usual(begins)
    let far = usual(middles)
    let start = reading.seconds(reading.segments.first?.start ?? 0)
    let end = reading.seconds(reading.segments.last?.end ?? 0)
    let span = stretch.frames[frame(start)...frame(end)]
    let n = Float(span.count)
    let speed = span.reduce(0) { $0 + $1.squaredAngularSpeed.squareRoot() } / n
    let forearm = span.reduce(0) { $0 + $1.gravity.x / max($1.gravityLength, 1e-6) } / n
    let vertical = span.reduce(0) { $0 + $1.verticalAcceleration } / n
    let bounce =
      (span.reduce(0) {
        $0 + ($1.verticalAcceleration - vertical) * ($1.verticalAcceleration - vertical)
      } / n).squareRoot()
    let logs = reading.segments.map { Math.log(Float($0.length)) }
    let mean = logs.reduce(0, +) / Float(logs.count)
    let irregular =
      (logs.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Float(logs.count)).squareRoot()
    let product =
      (home * far).sum() / (((home * home).sum() * (far * far).sum()).squareRoot() + 1e-9)
    let figures = (0..<SegmentationFeatures.names.count).map { scored.features[$0] }
    return TracedSegmentation(
      row: scored.row, reps: scored.count, period: reading.period,
      start: stretch.times[frame(start)], end: stretch.times[frame(end)],
      values: figures + [
        reading.meanSimilarity, reading.similarities.min() ?? 0,
        Math.arccosine(min(max(product, -1), 1)), Math.log(speed + 1e-3), irregular, forearm,
        bounce,
        home.x, home.y, home.z, far.x, far.y, far.z,
        Math.log(max(median(reading.shapes?.energies ?? []), 1e-9)),
        stretch.shareOfMeasuredRotation > 0.5 ? 0 : 1,
      ])
  }
}
