import SignalProcessing

/// The exact begin and end of reps: a rep begins when the wrist leaves its starting
/// posture and ends when it is back, its angular speed first below a tenth of that rep's peak.
///
/// The search gives boundaries to a step of its grid, somewhere in the pause between two reps, or
/// a little to either side of it. From there:
///
/// 1. The boundary moves to where the wrist moves least nearby.
///    Where the rep would then take longer than is usual in its set, it moves back to where the
///    wrist first came to rest when the usual time had passed.
/// 2. From that rest the movement is followed to its first maximum that stands out of what is done in
///    the pauses.
/// 3. On its flank the crossings of a half and of 30 % of that maximum are found, which noise moves
///    little, and a line through them is drawn on to a tenth of the rep's peak. For the
///    minimum-jerk profile (Flash and Hogan 1985) this is 8 ms early per second of movement;
///    where the speed itself crosses a tenth later than that, it decides.
struct RepBoundaries {
  /// The frames of a rep at which the wrist is at rest, before and after it.
  private struct Rest {
    var start: Int
    var end: Int
  }

  /// How much longer the last rep may take than is usual in its set: fatigue slows it.
  private static let lastRepDuration = 1.1
  /// What turns by less than this share of what is usual is nearer to half a rep than to a whole one.
  private static let leastTurn: Float = 0.75
  /// How much farther than before a rep may end from the posture that it begins in, rad.
  private static let mostOpening: Float = 0.35
  /// Share of a rep's peak speed below which the wrist may be at rest. More than a tenth, because
  /// the speed was smoothed.
  private static let restingShare: Float = 0.15

  /// Angular speed per frame, smoothed, rad/s.
  private let speeds: [Float]
  private let window: TimedFrames

  /// One rep for each segment of a segmentation, in order.
  ///
  /// - Parameter reach: how far from each end the stillest instant is looked for, in periods. 0
  ///   while a set goes on: what comes after its last rep is not known yet.
  static func reps(
    of segmentation: Segmentation, in window: TimedFrames, reach: Double = 0.15
  ) -> [RepRun.Rep] {
    guard window.count > 0, !segmentation.segments.isEmpty else { return [] }
    return RepBoundaries(window).reps(of: segmentation, reach: reach)
  }

  /// The same; a rep at a gap in the signal that is too long for it is cut off there: the longer part is kept.
  static func reps(
    of segmentation: Segmentation, in window: TimedFrames, configuration: DetectorConfiguration
  ) -> [RepRun.Rep] {
    var reps = reps(of: segmentation, in: window)
    // Of the reps alone: with the pauses between them the limit would be longer.
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
          // What was made up looks still: the segment tells where the rep is.
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

  /// Binomial weights over five frames: 3 dB down at 4 Hz, no delay.
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
      // Not beyond the middle of this rep or of the one before.
      let middle = (cuts[i].start + cuts[i].end) / 2
      let lower = i > 0 ? (cuts[i - 1].start + cuts[i - 1].end) / 2 : 0
      let upper = i + 1 < cuts.count ? (cuts[i + 1].start + cuts[i + 1].end) / 2 : last
      rests[i].start = stillest(
        max(cuts[i].start - reach, lower)...max(min(cuts[i].start + reach, middle), lower))
      rests[i].end = stillest(
        min(max(cuts[i].end - reach, middle), upper)...min(cuts[i].end + reach, upper))
    }
    let tremor = median(0..<(2 * rests.count)) {
      speeds[$0 % 2 == 0 ? rests[$0 / 2].start : rests[$0 / 2].end]
    }
    for i in rests.indices { rests[i].end = max(rests[i].end, rests[i].start) }
    if reach > 0 { rests = drawnIn(rests, tremor: tremor) }
    var reps: [RepRun.Rep] = []
    for (i, rest) in rests.enumerated() {
      let movement = movement(in: withinSignal(rest), tremor: tremor)
      let from = max(time(movement.start), reps.last?.end ?? -Double.infinity)
      reps.append(
        RepRun.Rep(
          start: from, end: max(time(movement.end), from), similarity: segmentation.similarities[i],
          probability: segmentation.probabilities.isEmpty ? 0.5 : segmentation.probabilities[i]))
    }
    return reps
  }

  /// The same without frames that lie before or after all samples.
  private func withinSignal(_ rest: Rest) -> Rest {
    var rest = rest
    while rest.start < rest.end, window.isBeyondSignal[rest.start] { rest.start += 1 }
    while rest.end > rest.start, window.isBeyondSignal[rest.end] { rest.end -= 1 }
    return rest
  }

  /// Begin and end of the movement between two rests, in frames.
  ///
  /// What is done in a pause is slower than a rep, but a slow way back may be as slow. Slow movement counts where a
  /// quarter of the turning would be lost without it.
  private func movement(in rest: Rest, tremor: Float) -> (start: Double, end: Double) {
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
    let fast = movement(above: max(0.2 * peak, 4 * tremor))
    let all = movement(above: max(0.12 * peak, 2 * tremor))
    return turn(fast) < Self.leastTurn * turn(all) ? all : fast
  }

  /// The rests, drawn in where a rep would take longer than the others of its set.
  ///
  /// Before the first and after the last rep the wrist may be stiller than it ever is between
  /// two, and in a long pause it may be adjusted: then the stillest instant lies beyond a movement
  /// that is no part of the rep. A rep that took its usual time is over where the wrist first comes
  /// to rest; seen backwards from its end, it began where the wrist last was at rest. A slow one may
  /// rest at its turnaround then: it has to turn as far as a whole rep, and to come back.
  private func drawnIn(_ rests: [Rest], tremor: Float) -> [Rest] {
    guard rests.count > 2 else { return rests }
    let movements = rests.map { movement(in: $0, tremor: tremor) }
    let durations = movements.map { $0.end - $0.start }
    let turns = rests.map(turn)
    return rests.indices.map { i in
      let rest = rests[i]
      func usual<T: BinaryFloatingPoint>(_ values: [T]) -> T {
        median(0..<(rests.count - 1)) { values[$0 < i ? $0 : $0 + 1] }
      }
      let duration = usual(durations)
      let leastTurn = Self.leastTurn * usual(turns)
      let longest = i == rests.indices.last ? Self.lastRepDuration * duration : duration
      let mostOpening = opening(rest) + Self.mostOpening
      func isWhole(_ rep: Rest) -> Bool { turn(rep) >= leastTurn && opening(rep) <= mostOpening }
      var drawn = rest
      let ends = Math.integer(movements[i].start + longest, clampedTo: rest.start...rest.end)
      if ends > rest.start {
        drawn.end = firstRest(from: ends, to: rest.end, peakSince: rest.start)
        if !isWhole(drawn) { drawn.end = rest.end }
      }
      let starts = Math.integer(movements[i].end - duration, clampedTo: rest.start...drawn.end)
      if starts < drawn.end {
        drawn.start = firstRest(from: starts, to: rest.start, peakSince: drawn.end)
        if !isWhole(drawn) { drawn.start = rest.start }
      }
      return drawn
    }
  }

  /// How far the wrist turns between two rests, in radians times the frame rate.
  private func turn(_ rest: Rest) -> Float { speeds[rest.start...rest.end].reduce(0, +) }

  /// The angle between the postures at the begin and at the end, rad.
  private func opening(_ rest: Rest) -> Float {
    Math.angle(window.frames[rest.start].gravity, window.frames[rest.end].gravity)
  }

  /// Going from one frame to another, the first where the wrist has come to rest: slower than 15 %
  /// of the rep's peak, and no slower at the next.
  private func firstRest(from: Int, to: Int, peakSince other: Int) -> Int {
    let step = from <= to ? 1 : -1
    let peak = speeds[min(from, other)...max(from, other)].max() ?? 0
    var i = from
    while i != to, speeds[i] >= Self.restingShare * peak { i += step }
    while i != to, speeds[i + step] <= speeds[i] { i += step }
    return i
  }

  /// The frame in a span where the wrist moves least. What was made up looks still.
  private func stillest(_ span: ClosedRange<Int>) -> Int {
    func speed(_ i: Int) -> Float { window.isMissing[i] ? .infinity : speeds[i] }
    return span.min { speed($0) < speed($1) } ?? span.lowerBound
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
    let times = window.times
    let lower = Math.integer(frame, clampedTo: 0...(times.count - 1))
    let upper = min(lower + 1, times.count - 1)
    return times[lower] + (times[upper] - times[lower]) * (frame - Double(lower))
  }
}
