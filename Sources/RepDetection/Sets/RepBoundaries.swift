/// The exact begin and end of reps (step 8b): a rep begins when the wrist leaves its starting
/// posture and ends when it is back, its angular speed first below a tenth of that rep's peak.
enum RepBoundaries {
  /// One rep for each segment of a reading.
  ///
  /// A segment's ends are good to a step of the grid and lie anywhere in a pause. Near each end the
  /// stillest instant is looked for; from there the rep's own limit is inwards, where the wrist
  /// moves.
  static func reps(of reading: Segmentation, in stretch: TimedFrames) -> [SettledRun.Rep] {
    guard let last = stretch.times.indices.last else { return [] }
    let rate = FrontEnd.frameRateHz
    let speeds = stretch.frames.map { $0.squaredAngularSpeed.squareRoot() }
    var reps: [SettledRun.Rep] = []
    for (segment, similarity) in zip(reading.segments, reading.similarities) {
      let a = Math.integer((reading.seconds(segment.start) * rate).rounded(), clampedTo: 0...last)
      let b = max(
        a, Math.integer((reading.seconds(segment.end) * rate).rounded(), clampedTo: 0...last))
      let threshold = 0.1 * (speeds[a...b].max() ?? 0)
      let reach = Math.integer(0.2 * Double(b - a), clampedTo: 0...last)
      var start = stillest(speeds, near: a, reach: reach)
      while start < b, speeds[start] < threshold { start += 1 }
      var end = max(start, stillest(speeds, near: b, reach: reach))
      while end > start, speeds[end] < threshold { end -= 1 }
      let from = max(stretch.times[min(start, last)], reps.last?.end ?? -Double.infinity)
      let to = max(stretch.times[end], from)
      reps.append(SettledRun.Rep(start: from, end: to, similarity: similarity))
    }
    return reps
  }

  /// The instant of least speed; of equals the nearest.
  private static func stillest(_ speeds: [Float], near index: Int, reach: Int) -> Int {
    var best = index
    for offset in 0...reach {
      for i in [index - offset, index + offset] where speeds.indices.contains(i) {
        if speeds[i] < speeds[best] { best = i }
      }
    }
    return best
  }
}
