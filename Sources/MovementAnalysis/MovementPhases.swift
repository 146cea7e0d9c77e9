/// The times at which the two phases of a rep begin and end, in seconds on the samples' clock.
struct MovementPhases {
  /// From the starting posture to the turnaround.
  var out: ClosedRange<Double>
  /// From the turnaround back to the starting posture.
  var back: ClosedRange<Double>
  /// Position at the begin, the turnaround, and the end of the rep, in the track's unit.
  var startPosition: Double
  var farPosition: Double
  var endPosition: Double
  /// Range of this rep along the movement, as a fraction of the set's typical range.
  var relativeTravel = 1.0
  /// Standard errors of the times; nil if no ``MovementModel`` could be fitted.
  var errors: MovementModel.PhaseErrors?
  /// Fractions of the phase's peak speed between which its deceleration is measured.
  private static let upperLevel = 0.15
  private static let lowerLevel = 0.06
  /// Ratio of the time from the lower level to rest and the time from the upper to the lower level. It is
  /// closer to the parabola of a minimum-jerk movement (1.72; Flash and Hogan 1985) than to the straight line
  /// of a sinusoid (0.67).
  private static let extrapolation = 1.45
  /// Fraction of the way after which slowing down is the arrival, not a sticking point.
  private static let arrivalProgress = 0.85
  /// Shortest rest, in seconds; shorter ones are turns.
  static let shortestPause = 0.12
}

extension MovementPhases {
  /// Returns nil if the rep has no clear way out and back.
  init?(_ track: MovementTrack, rep: Int, in motion: AlignedMotion) {
    let span = track.reps[rep]
    let x = track.position
    let margin = max(1, span.count / 2)
    let first = max(0, span.lowerBound - margin)
    let last = min(x.count - 1, span.upperBound + margin)
    guard span.count > 4, !motion.isGap[span].contains(true),
      let far = span.max(by: { x[$0] < x[$1] }), far > span.lowerBound, far < span.upperBound,
      let outPeak = (span.lowerBound...far).max(by: { track.speed[$0] < track.speed[$1] }),
      let backPeak = (far...span.upperBound).min(by: { track.speed[$0] < track.speed[$1] }),
      track.speed[outPeak] > 0, track.speed[backPeak] < 0
    else { return nil }
    farPosition = x[far]
    startPosition = x[span.lowerBound...far].min() ?? farPosition
    endPosition = x[far...span.upperBound].min() ?? farPosition
    guard farPosition > startPosition, farPosition > endPosition else { return nil }

    func stop(from peak: Int, towards limit: Int, _ target: Double, _ origin: Double) -> Double {
      Self.stop(
        track, from: peak, towards: limit, origin: origin, target: target, start: motion.start)
    }
    let begin = stop(from: outPeak, towards: first, startPosition, farPosition)
    var arrival = stop(from: outPeak, towards: backPeak, farPosition, startPosition)
    var departure = stop(from: backPeak, towards: outPeak, farPosition, endPosition)
    let end = stop(from: backPeak, towards: last, endPosition, farPosition)
    if departure - arrival < Self.shortestPause {
      arrival = (arrival + departure) / 2
      departure = arrival
    }
    guard begin < arrival, departure < end else { return nil }
    out = begin...arrival
    back = departure...end
  }

  /// Returns the time at which the movement comes to rest near `target`, searched from its peak speed
  /// forwards or backwards in time.
  private static func stop(
    _ track: MovementTrack, from peak: Int, towards limit: Int, origin: Double, target: Double,
    start: Double
  ) -> Double {
    let step = limit < peak ? -1 : 1
    let top = track.speed[peak]
    var upper: Double?
    var lower: Double?
    var index = peak
    while index != limit {
      let previous = index
      index += step
      let share = track.speed[index] / top
      let before = track.speed[previous] / top
      let progress = (track.position[index] - origin) / (target - origin)
      guard progress > arrivalProgress || upper != nil else { continue }
      func crossing(_ level: Double) -> Double {
        guard before > level, before > share else { return Double(index) }
        return Double(previous) + Double(step) * (before - level) / (before - share)
      }
      if upper == nil, share < upperLevel { upper = crossing(upperLevel) }
      if lower == nil, upper != nil, share < lowerLevel { lower = crossing(lowerLevel) }
      if share <= 0 {
        let turn = crossing(0)
        let stop = extrapolated(upper, lower, turn)
        return start + (step > 0 ? min(turn, stop) : max(turn, stop)) / AlignedMotion.rateHz
      }
      // The rest of the way cannot take longer than the deceleration predicts.
      if let lower, let upper,
        (Double(index) - lower) * Double(step) > (lower - upper).magnitude * extrapolation
      {
        return start + extrapolated(upper, lower, lower) / AlignedMotion.rateHz
      }
    }
    return start + (lower ?? upper ?? Double(limit)) / AlignedMotion.rateHz
  }

  private static func extrapolated(_ upper: Double?, _ lower: Double?, _ other: Double) -> Double {
    guard let upper, let lower else { return other }
    return lower + (lower - upper) * extrapolation
  }
}

extension MovementPhases {
  /// Returns the phases of all reps, with common turns merged and rests refined by ``PhaseFit``.
  static func all(_ track: MovementTrack, in motion: AlignedMotion) -> [MovementPhases?] {
    var phases = track.reps.indices.map { MovementPhases(track, rep: $0, in: motion) }
    mergeTurnarounds(&phases)
    let fitted = phases.indices.map { index -> MovementPhases? in
      guard var phase = phases[index] else { return nil }
      // Include the rest up to the neighboring phase, at most its nearest part.
      let longest = 0.6
      let before =
        index > 0 ? phases[index - 1].map { phase.out.lowerBound - $0.back.upperBound } : nil
      let after =
        index + 1 < phases.count
        ? phases[index + 1].map { $0.out.lowerBound - phase.back.upperBound } : nil
      let far = phase.back.lowerBound - phase.out.upperBound
      phase.out = refined(
        phase.out, track, motion, restBefore: min(before ?? longest, longest),
        restAfter: min(far, longest))
      phase.back = refined(
        phase.back, track, motion, restBefore: min(far, longest),
        restAfter: min(after ?? longest, longest))
      return phase
    }
    phases = fitted
    mergeTurnarounds(&phases)
    return modeled(phases, track: track, in: motion)
  }

  /// Returns the lengths of the way out and the way back, in the track's unit: the differences of mean
  /// positions within 60 ms of the ends if these are known, else of the extremes.
  func travel(_ track: MovementTrack, _ motion: AlignedMotion) -> (out: Double, back: Double) {
    guard errors != nil else { return (farPosition - startPosition, farPosition - endPosition) }
    func place(_ time: Double) -> Double {
      let rows = motion.index(at: time - 0.06)...motion.index(at: time + 0.06)
      return track.position[rows].reduce(0, +) / Double(rows.count)
    }
    return (
      max(place(out.upperBound) - place(out.lowerBound), 0),
      max(place(back.lowerBound) - place(back.upperBound), 0)
    )
  }

  private static func refined(
    _ span: ClosedRange<Double>, _ track: MovementTrack, _ motion: AlignedMotion,
    restBefore: Double, restAfter: Double
  ) -> ClosedRange<Double> {
    let low = motion.index(at: span.lowerBound - restBefore)
    let high = motion.index(at: span.upperBound + restAfter)
    guard low < high, !motion.isGap[low...high].contains(true) else { return span }
    let fit = PhaseFit(
      track.position, rows: low...high,
      begin: (span.lowerBound - motion.start) * AlignedMotion.rateHz,
      end: (span.upperBound - motion.start) * AlignedMotion.rateHz,
      turnsAtBegin: restBefore <= 0, turnsAtEnd: restAfter <= 0)
    let begin = motion.start + fit.begin / AlignedMotion.rateHz
    let end = motion.start + fit.end / AlignedMotion.rateHz
    return begin < end ? begin...end : span
  }

  /// Merges the turns of two phases that follow each other without a rest.
  ///
  /// Phases in the wrong order contradict each other, and both reps' phases become unknown. This happens if a
  /// clock jumps or counted reps overlap.
  static func mergeTurnarounds(_ phases: inout [MovementPhases?]) {
    for index in phases.indices {
      if let phase = phases[index] {
        if let turn = commonTurnaround(phase.out, phase.back) {
          phases[index]?.out = turn.before
          phases[index]?.back = turn.after
        } else {
          phases[index] = nil
        }
      }
      guard index > 0, let back = phases[index - 1]?.back, let out = phases[index]?.out
      else { continue }
      if let turn = commonTurnaround(back, out) {
        phases[index - 1]?.back = turn.before
        phases[index]?.out = turn.after
      } else {
        phases[index - 1] = nil
        phases[index] = nil
      }
    }
  }

  /// Returns both phases, joined if less than ``shortestPause`` lies between them; nil if the second ends
  /// before the first begins.
  private static func commonTurnaround(
    _ a: ClosedRange<Double>, _ b: ClosedRange<Double>
  ) -> (before: ClosedRange<Double>, after: ClosedRange<Double>)? {
    guard a.lowerBound <= b.upperBound else { return nil }
    guard b.lowerBound - a.upperBound < shortestPause else { return (a, b) }
    let turn = min(max((a.upperBound + b.lowerBound) / 2, a.lowerBound), b.upperBound)
    return (a.lowerBound...turn, turn...b.upperBound)
  }
}
