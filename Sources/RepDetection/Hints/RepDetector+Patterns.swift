import Motion
import MotionFrames
import SignalProcessing
import TemplateSearch

extension RepDetector {
  /// Returns the mean rep of a set, with more weight on reps that resemble the mean; nil for fewer than two
  /// reps, or if the samples do not cover them. O(samples).
  ///
  /// Each rep includes the pause after it, up to the typical pause, which makes the pattern less sensitive to
  /// where reps begin. Pass the pattern in ``SetHints/patterns`` for the next set of the exercise.
  ///
  /// - Parameter samples: The samples that the set was counted in, in any units; a few seconds before and
  ///   after the set are enough.
  public static func pattern(
    of set: CountedSet, in samples: MotionBatch,
    configuration: DetectorConfiguration = DetectorConfiguration()
  ) -> MovementPattern? {
    guard set.reps.count >= 2 else { return nil }
    let scale = samples.units.unitsPerStandardUnit(of: .time)
    // Estimated gravity needs a moment to settle.
    let rows = samples.times.indices.filter {
      samples.times[$0] >= (set.start - 5) * scale && samples.times[$0] <= (set.end + 1) * scale
    }
    guard let first = rows.first, let last = rows.last else { return nil }
    var frontEnd = FrontEnd(configuration.frontEnd)
    var frames: [TimedFrame] = []
    frontEnd.append(samples, rows: first..<(last + 1), phase: nil, into: &frames)
    frontEnd.finish(into: &frames)
    let kept = FrameStore(frames)
    let window = kept[0..<kept.count]
    let pauses = zip(set.reps.dropFirst(), set.reps).map { $0.start - $1.end }
    let typicalPause = max(0, median(pauses))
    let spans = zip(set.reps, pauses + [typicalPause]).compactMap {
      rep, pause -> ClosedRange<Int>? in
      let end = rep.end + min(max(pause, 0), typicalPause)
      guard let rows = kept.rows(from: rep.start, to: end), rows.count > 3 else { return nil }
      return rows.lowerBound...(rows.upperBound - 1)
    }
    guard spans.count >= 2 else { return nil }
    let reps = spans.map { Self.phases(of: $0, in: window) }
    let space = ComponentSpace(
      ChannelStatistics(
        window.frames[
          (spans.map { $0.lowerBound }.min() ?? 0)...(spans.map { $0.upperBound }.max() ?? 0)]),
      configuration.search.amplitudes)
    let shapes = RepShapes(
      of: spans.map { Segment(start: Double($0.lowerBound), end: Double($0.upperBound)) },
      on: PhaseGrid(space.project(window.frames[...]), framesPerStep: 1),
      phases: MovementPattern.phaseCount)
    let fits = shapes.similarities(with: shapes.template()).map { max($0, 0) }
    let weights = fits.map { $0 * $0 }
    let total = weights.reduce(0, +)
    guard total > 0 else { return nil }
    func mean(_ phase: Int, _ group: (MotionFrame) -> SIMD4<Float>) -> SIMD3<Float> {
      let sum = reps.indices.reduce(SIMD4<Float>.zero) {
        $0 + group(reps[$1][phase]) * weights[$1]
      }
      return SIMD3(sum.x, sum.y, sum.z) / total
    }
    return MovementPattern(
      phases: (0..<MovementPattern.phaseCount).map {
        MovementPattern.Phase(
          gravity: mean($0) { $0.gravity }, rotation: mean($0) { $0.rotation },
          userAcceleration: mean($0) { $0.userAcceleration })
      },
      durationSeconds: median(set.reps.map { $0.duration }),
      similarity: Double(median(fits)), repCount: spans.count)
  }

  /// Returns a rep resampled to sixteen phases.
  private static func phases(of span: ClosedRange<Int>, in window: TimedFrames) -> [MotionFrame] {
    let frames = window.frames
    let step = Float(span.count - 1) / Float(MovementPattern.phaseCount - 1)
    return (0..<MovementPattern.phaseCount).map { k in
      let position = Float(span.lowerBound) + step * Float(k)
      let lower = min(max(Int(position), span.lowerBound), span.upperBound)
      let upper = min(lower + 1, span.upperBound)
      let part = position - Float(lower)
      let (a, b) = (frames[lower], frames[upper])
      return MotionFrame(
        gravity: a.gravity + (b.gravity - a.gravity) * part,
        rotation: a.rotation + (b.rotation - a.rotation) * part,
        userAcceleration: a.userAcceleration + (b.userAcceleration - a.userAcceleration) * part)
    }
  }
}
