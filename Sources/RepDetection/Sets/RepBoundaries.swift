import MotionFrames
import SignalProcessing
import TemplateSearch

/// Computes the exact begin and end of reps. A rep begins when the wrist leaves its starting posture, and
/// ends when it is back and its angular speed first falls below a tenth of the rep's peak.
///
/// The search places boundaries to a step of its grid, somewhere in the pause between two reps, or slightly
/// to either side of it. From there:
///
/// 1. The boundary moves to the nearby instant with the least motion. If the rep would then take longer than
///    is typical in its set, the boundary moves back to the first rest after the typical duration.
/// 2. From that rest the movement is followed to its first maximum that exceeds the motion during pauses.
/// 3. On the rise to this maximum, the crossings of 50 % and 30 % of it are found, which are robust to noise,
///    and a line through them is extrapolated to a tenth of the rep's peak. For the minimum-jerk profile
///    (Flash and Hogan 1985) this is 8 ms early per second of movement. If the speed itself crosses a tenth
///    later than that, its crossing is used.
struct RepBoundaries {
  /// The frames before and after a rep at which the wrist is at rest.
  private struct Rest {
    var start: Int
    var end: Int
  }

  /// Maximum ratio of the last rep's duration to the typical duration in its set: fatigue slows it.
  private static let lastRepDuration = 1.1
  /// Minimum turn of a whole rep, as a fraction of the typical turn. Anything less is closer to half a rep.
  private static let leastTurn: Float = 0.75
  /// Maximum increase of the angle between the postures at a rep's begin and end, in radians.
  private static let mostPostureChange: Float = 0.35
  /// Fraction of a rep's peak speed below which the wrist may be at rest. More than a tenth, because speeds
  /// are smoothed.
  private static let restingFraction: Float = 0.15

  /// Smoothed angular speed per frame, in rad/s.
  private let speeds: [Float]
  private let window: TimedFrames

  /// Returns one rep for each segment of a segmentation, in order.
  ///
  /// - Parameter reach: Distance from each end within which the stillest instant is searched, in periods. 0
  ///   during a set, because the motion after its last rep is not known yet.
  static func reps(
    of segmentation: Segmentation, in window: TimedFrames, reach: Double = 0.15
  ) -> [RepRun.Rep] {
    guard window.count > 0, !segmentation.segments.isEmpty else { return [] }
    return RepBoundaries(window).reps(of: segmentation, reach: reach)
  }

  /// Returns reps as above. Cuts off a rep at a gap that is too long for it, and keeps the longer part.
  static func reps(
    of segmentation: Segmentation, in window: TimedFrames, configuration: DetectorConfiguration
  ) -> [RepRun.Rep] {
    var reps = reps(of: segmentation, in: window)
    // Use the duration of the reps alone; including the pauses would make the limit longer.
    let limit = configuration.longestGap(period: median(reps.map { $0.end - $0.start }))
    let gaps = SignalGaps(window, shortest: limit)
    guard !gaps.isEmpty, reps.count == segmentation.segments.count else { return reps }
    func time(_ step: Double) -> Double {
      window.times[
        Math.integer(
          segmentation.seconds(step) * FrontEnd.frameRateHz, clampedTo: 0...(window.count - 1))]
    }
    for (i, segment) in segmentation.segments.enumerated() {
      for gap in gaps.gaps where gap.start < reps[i].end && gap.end > reps[i].start {
        if gap.start <= reps[i].start, gap.end >= reps[i].end {
          // Interpolated frames have zero motion: take the rep's position from the segment.
          reps[i].start = min(reps[i].start, time(segment.start))
          reps[i].end = max(reps[i].end, time(segment.end))
        }
        if gap.start - reps[i].start >= reps[i].end - gap.end {
          reps[i].end = max(reps[i].start, gap.start)
        } else {
          reps[i].start = min(reps[i].end, gap.end)
        }
      }
    }
    return reps
  }

  private init(_ window: TimedFrames) {
    self.window = window
    speeds = Self.smoothed(window.frames.map { $0.squaredAngularSpeed.squareRoot() })
  }

  /// Smooths with binomial weights over five frames: 3 dB down at 4 Hz, no delay.
  private static func smoothed(_ raw: [Float]) -> [Float] {
    raw.withUnsafeBufferPointer { raw in
      [Float](unsafeUninitializedCapacity: raw.count) { output, count in
        func mean(_ a: Float, _ b: Float, _ c: Float, _ d: Float, _ e: Float) -> Float {
          (a + 4 * b + 6 * c + 4 * d + e) / 16
        }
        func at(_ j: Int) -> Float { raw[min(max(j, 0), raw.count - 1)] }
        let inner = 2..<max(raw.count - 2, 2)
        for i in inner {
          output.initializeElement(
            at: i, to: mean(raw[i - 2], raw[i - 1], raw[i], raw[i + 1], raw[i + 2]))
        }
        for i in raw.indices where !inner.contains(i) {
          output.initializeElement(
            at: i, to: mean(at(i - 2), at(i - 1), at(i), at(i + 1), at(i + 2)))
        }
        count = raw.count
      }
    }
  }

  private func reps(of segmentation: Segmentation, reach share: Double) -> [RepRun.Rep] {
    let last = speeds.count - 1
    let rate = FrontEnd.frameRateHz
    func frame(_ step: Double) -> Int {
      Math.integer((segmentation.seconds(step) * rate).rounded(), clampedTo: 0...last)
    }
    let cuts = segmentation.segments.map { Rest(start: frame($0.start), end: frame($0.end)) }
    let reach = Math.integer(share * segmentation.period * rate, clampedTo: 0...100)
    var rests = cuts
    for i in cuts.indices where cuts[i].end > cuts[i].start {
      // Stay between the middles of the neighboring reps.
      let middle = (cuts[i].start + cuts[i].end) / 2
      let lower = i > 0 ? (cuts[i - 1].start + cuts[i - 1].end) / 2 : 0
      let upper = i + 1 < cuts.count ? (cuts[i + 1].start + cuts[i + 1].end) / 2 : last
      rests[i].start = stillest(
        max(cuts[i].start - reach, lower)...max(min(cuts[i].start + reach, middle), lower))
      rests[i].end = stillest(
        min(max(cuts[i].end - reach, middle), upper)...min(cuts[i].end + reach, upper))
    }
    let pauseSpeed = median(rests.flatMap { [speeds[$0.start], speeds[$0.end]] })
    for i in rests.indices { rests[i].end = max(rests[i].end, rests[i].start) }
    if reach > 0 { rests = shortened(rests, pauseSpeed: pauseSpeed) }
    var reps: [RepRun.Rep] = []
    for (i, rest) in rests.enumerated() {
      let movement = movement(in: withinSignal(rest), pauseSpeed: pauseSpeed)
      let from = max(time(movement.start), reps.last?.end ?? -Double.infinity)
      reps.append(
        RepRun.Rep(
          start: from, end: max(time(movement.end), from), similarity: segmentation.similarities[i],
          probability: segmentation.probabilities.isEmpty ? 0.5 : segmentation.probabilities[i]))
    }
    return reps
  }

  /// Removes frames that lie before or after all samples.
  private func withinSignal(_ rest: Rest) -> Rest {
    var rest = rest
    while rest.start < rest.end, window.isBeyondSignal[rest.start] { rest.start += 1 }
    while rest.end > rest.start, window.isBeyondSignal[rest.end] { rest.end -= 1 }
    return rest
  }

  /// Returns begin and end of the movement between two rests, in frames.
  ///
  /// Motion during pauses is slower than a rep, but a slow way back may be as slow. Slow motion is included
  /// if a quarter of the turning would be lost without it.
  private func movement(in rest: Rest, pauseSpeed: Float) -> (start: Double, end: Double) {
    let peak = speeds[rest.start...rest.end].max() ?? 0
    func movement(above level: Float) -> (start: Double, end: Double) {
      let level = min(level, 0.3 * peak)
      return (
        onset(from: rest.start, to: rest.end, step: 1, peak: peak, level: level),
        onset(from: rest.end, to: rest.start, step: -1, peak: peak, level: level)
      )
    }
    func turn(_ movement: (start: Double, end: Double)) -> Float {
      let from = Math.integer(movement.start, clampedTo: rest.start...rest.end)
      return self.turn(
        Rest(start: from, end: Math.integer(movement.end, clampedTo: from...rest.end)))
    }
    let fast = movement(above: max(0.2 * peak, 4 * pauseSpeed))
    let all = movement(above: max(0.12 * peak, 2 * pauseSpeed))
    return turn(fast) < Self.leastTurn * turn(all) ? all : fast
  }

  /// Moves rests inwards for reps that would take longer than the others of their set.
  ///
  /// Before the first and after the last rep the wrist may be stiller than it ever is between two, and in a
  /// long pause it may be adjusted. The stillest instant then lies beyond a movement that is not part of the
  /// rep. After its typical duration a rep is over when the wrist first comes to rest; seen backwards from
  /// its end, it began when the wrist was last at rest. A slow rep may rest at its turnaround at that time,
  /// so the shortened rep must still turn as far as a whole one, and come back.
  private func shortened(_ rests: [Rest], pauseSpeed: Float) -> [Rest] {
    guard rests.count > 2 else { return rests }
    let movements = rests.map { movement(in: $0, pauseSpeed: pauseSpeed) }
    let durations = movements.map { $0.end - $0.start }
    let turns = rests.map(turn)
    return rests.indices.map { i in
      let rest = rests[i]
      let others = rests.indices.filter { $0 != i }
      let duration = median(others) { durations[$0] }
      let leastTurn = Self.leastTurn * median(others) { turns[$0] }
      let longest = i == rests.indices.last ? Self.lastRepDuration * duration : duration
      let mostPostureChange = postureChange(rest) + Self.mostPostureChange
      func isWhole(_ rep: Rest) -> Bool {
        turn(rep) >= leastTurn && postureChange(rep) <= mostPostureChange
      }
      var result = rest
      let ends = Math.integer(movements[i].start + longest, clampedTo: rest.start...rest.end)
      if ends > rest.start {
        result.end = firstRest(from: ends, to: rest.end, peakSince: rest.start)
        if !isWhole(result) { result.end = rest.end }
      }
      let starts = Math.integer(movements[i].end - duration, clampedTo: rest.start...result.end)
      if starts < result.end {
        result.start = firstRest(from: starts, to: rest.start, peakSince: result.end)
        if !isWhole(result) { result.start = rest.start }
      }
      return result
    }
  }

  /// Returns the wrist's turn between two rests, in radians times the frame rate.
  private func turn(_ rest: Rest) -> Float { speeds[rest.start...rest.end].reduce(0, +) }

  /// Returns the angle between the postures at begin and end, in radians.
  private func postureChange(_ rest: Rest) -> Float {
    Math.angle(window.frames[rest.start].gravity, window.frames[rest.end].gravity)
  }

  /// Returns the first frame on the way from one frame to another where the wrist has come to rest: slower
  /// than 15 % of the rep's peak, and no slower in the next frame.
  private func firstRest(from: Int, to: Int, peakSince other: Int) -> Int {
    let step = from <= to ? 1 : -1
    let peak = speeds[min(from, other)...max(from, other)].max() ?? 0
    var i = from
    while i != to, speeds[i] >= Self.restingFraction * peak { i += step }
    while i != to, speeds[i + step] <= speeds[i] { i += step }
    return i
  }

  /// Returns the frame in a span with the least motion. Interpolated frames have zero motion and are skipped.
  private func stillest(_ span: ClosedRange<Int>) -> Int {
    func speed(_ i: Int) -> Float { window.isMissing[i] ? .infinity : speeds[i] }
    return span.min { speed($0) < speed($1) } ?? span.lowerBound
  }

  /// Returns the onset of the movement after a rest, in frames.
  ///
  /// - Parameters:
  ///   - step: 1 to search forwards from the rest at `from`, −1 to search backwards.
  ///   - peak: The rep's largest speed.
  ///   - level: Minimum speed of a maximum that counts as movement.
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
    let extrapolated = third + (third - half) * Double((0.3 * maximum - tenth) / (0.2 * maximum))
    // The later of the two, seen from the rest.
    return step > 0
      ? min(max(extrapolated, direct), Double(top)) : max(min(extrapolated, direct), Double(top))
  }

  /// Returns the interpolated frame at which the speed first falls below a value, going from a maximum.
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

  /// Returns the time of a frame, in seconds on the samples' clock.
  private func time(_ frame: Double) -> Double {
    let times = window.times
    let lower = Math.integer(frame, clampedTo: 0...(times.count - 1))
    let upper = min(lower + 1, times.count - 1)
    return times[lower] + (times[upper] - times[lower]) * (frame - Double(lower))
  }
}
