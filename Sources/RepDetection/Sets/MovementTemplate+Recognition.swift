import Motion
import MotionFrames
import SignalProcessing
import TemplateSearch

extension MovementTemplate {
  /// Returns true if reps in `buffer` continue a set of this movement: at least half of them resemble it.
  func isContinued(
    by reps: [RepRun.Rep], period repPeriod: Double, in buffer: FrameStore,
    configuration: DetectorConfiguration
  ) -> Bool {
    let alike = matches(with: reps, in: buffer, configuration: configuration).count {
      $0.similarity >= configuration.runSimilarity
    }
    return 2 * Double(alike) >= Double(reps.count) * min(1, repPeriod / period)
  }

  private func matches(
    with reps: [RepRun.Rep], in buffer: FrameStore, configuration: DetectorConfiguration
  ) -> [Match] {
    guard
      let first = reps.first, let last = reps.last,
      let rows = buffer.rows(from: first.start - period, to: last.end + period)
    else { return [] }
    let origin = buffer.times[rows.lowerBound]
    return matches(in: buffer.frames(rows)[...], configuration: configuration.search).filter {
      origin + $0.start < last.end - 0.2 && origin + $0.end > first.start + 0.2
    }
  }
}
