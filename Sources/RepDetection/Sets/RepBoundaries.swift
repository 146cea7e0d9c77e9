/// The exact begin and end of reps (step 8b): a rep begins when the wrist leaves its starting
/// posture and ends when it is back, its angular speed first below a tenth of that rep's peak.
enum RepBoundaries {
  static func reps(of reading: Segmentation, in stretch: TimedFrames) -> [SettledRun.Rep] {
    guard let last = stretch.times.indices.last else { return [] }
    let rate = FrontEnd.frameRateHz
    let speeds = stretch.frames.map { $0.squaredAngularSpeed.squareRoot() }
    var reps: [SettledRun.Rep] = []
    for (segment, similarity) in zip(reading.segments, reading.similarities) {
      let a = Math.integer((reading.seconds(segment.start) * rate).rounded(), clampedTo: 0...last)
      let b = Math.integer((reading.seconds(segment.end) * rate).rounded(), clampedTo: 0...last)
      guard b > a else { continue }
      let threshold = 0.1 * (speeds[a...b].max() ?? 0)
      // From the ends inwards over the pause, at most to the first and last movement.
      var start = a
      while start < b, speeds[start] < threshold { start += 1 }
      var end = b
      while end > start, speeds[end] < threshold { end -= 1 }
      let from = max(stretch.times[min(start, last)], reps.last?.end ?? -Double.infinity)
      let to = max(stretch.times[end], from)
      reps.append(SettledRun.Rep(start: from, end: to, similarity: similarity))
    }
    return reps
  }
}
