/// The exact begin and end of reps (step 8b): a rep begins when the wrist leaves its starting
/// posture and ends when it is back, its angular speed first below a tenth of that rep's peak.
///
/// The search gives boundaries to a step of its grid, somewhere in the pause between two reps, or
/// a little to either side of it. From there:
///
/// 1. The boundary moves to where the wrist moves least nearby.
/// 2. From that rest the movement is followed to its first maximum that stands out of the tremor
///    of the pauses.
/// 3. On its flank the crossings of a half and of 30 % of that maximum are found, which noise moves
///    little, and a line through them is drawn on to a tenth of the rep's peak. For the
///    minimum-jerk profile (Flash and Hogan 1985) this is 8 ms early per second of movement;
///    where the speed itself crosses a tenth later than that, it decides.
struct RepBoundaries {
  /// Angular speed per frame, smoothed, rad/s.
  private let speeds: [Float]
  private let stretch: TimedFrames
  private let energies: FrameEnergies

  /// One rep for each segment of a reading, in order.
  ///
  /// - Parameter reach: how far from each end the stillest instant is looked for, in periods. 0
  ///   while a set goes on: what comes after its last rep is not known yet. Then the energy, which
  ///   nobody asks for, is not measured.
  static func reps(
    of reading: Segmentation, in stretch: TimedFrames, reach: Double = 0.15
  ) -> [SettledRun.Rep] {
    guard stretch.count > 0 else { return [] }
    return RepBoundaries(stretch, measuresEnergy: reach > 0).reps(of: reading, reach: reach)
  }

  private init(_ stretch: TimedFrames, measuresEnergy: Bool) {
    self.stretch = stretch
    energies = FrameEnergies(measuresEnergy ? stretch.frames[...] : [])
    let raw = stretch.frames.map { $0.squaredAngularSpeed.squareRoot() }
    // Binomial weights over five frames: 3 dB down at 4 Hz, no delay.
    speeds = raw.indices.map { i in
      func at(_ j: Int) -> Float { raw[min(max(j, 0), raw.count - 1)] }
      return (at(i - 2) + 4 * at(i - 1) + 6 * at(i) + 4 * at(i + 1) + at(i + 2)) / 16
    }
  }

  private func reps(of reading: Segmentation, reach share: Double) -> [SettledRun.Rep] {
    let last = speeds.count - 1
    let rate = FrontEnd.frameRateHz
    let cuts = reading.segments.map { segment in
      (
        start: Math.integer(
          (reading.seconds(segment.start) * rate).rounded(), clampedTo: 0...last),
        end: Math.integer((reading.seconds(segment.end) * rate).rounded(), clampedTo: 0...last)
      )
    }
    let reach = Math.integer(share * reading.period * rate, clampedTo: 0...100)
    var rests: [(start: Int, end: Int)] = cuts
    for i in cuts.indices where cuts[i].end > cuts[i].start {
      // Not beyond the middle of this rep or of the one before.
      let middle = (cuts[i].start + cuts[i].end) / 2
      let lower = i > 0 ? (cuts[i - 1].start + cuts[i - 1].end) / 2 : 0
      let upper = i + 1 < cuts.count ? (cuts[i + 1].start + cuts[i + 1].end) / 2 : last
      rests[i].start = stillest(
        max(cuts[i].start - reach, lower)...max(min(cuts[i].start + reach, middle), lower))
      rests[i].end = stillest(
        min(max(cuts[i].end - reach, middle), upper)...min(cuts[i].end + reach, upper))
    }
    let tremor = median(rests.flatMap { [speeds[$0.start], speeds[$0.end]] })
    var reps: [SettledRun.Rep] = []
    for (i, cut) in rests.enumerated() {
      let rest = (start: cut.start, end: max(cut.end, cut.start))
      let peak = speeds[rest.start...rest.end].max() ?? 0
      let level = min(max(0.12 * peak, 2 * tremor), 0.3 * peak)
      let start = onset(from: rest.start, to: rest.end, step: 1, peak: peak, level: level)
      let end = onset(from: rest.end, to: rest.start, step: -1, peak: peak, level: level)
      let from = max(time(start), reps.last?.end ?? -Double.infinity)
      reps.append(
        SettledRun.Rep(
          start: from, end: max(time(end), from), similarity: reading.similarities[i],
          energy: energies.meanSquare(in: rest.start...rest.end)))
    }
    return reps
  }

  /// The frame in a span where the wrist moves least.
  private func stillest(_ span: ClosedRange<Int>) -> Int {
    span.min { speeds[$0] < speeds[$1] } ?? span.lowerBound
  }

  /// Where the movement that follows on a rest begins, in frames.
  ///
  /// - Parameters:
  ///   - step: 1 to look forward from the rest at `from`, −1 to look backward.
  ///   - peak: the rep's largest speed.
  ///   - level: what a maximum must exceed to be movement.
  private func onset(from: Int, to: Int, step: Int, peak: Float, level: Float) -> Double {
    var top = from
    while top != to, speeds[top] < level { top += step }
    while top != to, speeds[top + step] >= speeds[top] { top += step }
    let maximum = speeds[top]
    let tenth = 0.1 * peak
    guard maximum > tenth, top != from else { return Double(from) }
    let direct = crossing(of: tenth, from: top, to: from, step: -step)
    guard 0.3 * maximum > tenth else { return direct }
    let half = crossing(of: 0.5 * maximum, from: top, to: from, step: -step)
    let third = crossing(of: 0.3 * maximum, from: top, to: from, step: -step)
    let drawn = third + (third - half) * Double((0.3 * maximum - tenth) / (0.2 * maximum))
    // Later of the two, seen from the rest.
    return step > 0
      ? min(max(drawn, direct), Double(top)) : max(min(drawn, direct), Double(top))
  }

  /// Going from a maximum, where the speed first falls below a value; interpolated.
  private func crossing(of value: Float, from: Int, to: Int, step: Int) -> Double {
    var i = from
    while i != to {
      let next = i + step
      if speeds[next] < value {
        let fall = speeds[i] - speeds[next]
        let fraction = fall > 0 ? Double((speeds[i] - value) / fall) : 0
        return Double(i) + Double(step) * min(max(fraction, 0), 1)
      }
      i = next
    }
    return Double(to)
  }

  /// Seconds on the samples' clock.
  private func time(_ frame: Double) -> Double {
    let times = stretch.times
    let lower = Math.integer(frame, clampedTo: 0...(times.count - 1))
    let upper = min(lower + 1, times.count - 1)
    return times[lower] + (times[upper] - times[lower]) * (frame - Double(lower))
  }
}
