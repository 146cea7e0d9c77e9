import Motion

/// A movement that all reps of a set share, each with its own timing.
///
/// Each channel (rotation rate about an axis of the device's frame, or velocity along an axis of the outer
/// frame) is the derivative of a polynomial in the progress along the movement. All reps and both directions
/// share the polynomial. Progress is a ``PhaseCourse`` of time, one for each way out and each way back. Least
/// squares fit the parameters of the set and of all reps together. This makes the result robust against
/// tremor at the slow ends of a rep, and against places where the main angle is constant while the arm still
/// moves.
struct MovementModel {
  /// Coefficients of the powers of progress for each channel, without a constant term.
  var path: [SIMD4<Double>]
  /// Degree to which the movement turns around at both ends, rather than stops; see ``PhaseCourse``.
  var homeTurn: Double
  var farTurn: Double
  var reps: [Rep]
  /// True if the way out and the way back meet at the turnaround without a pause.
  let turnsAtFarEnd: Bool

  /// Parameters of one rep.
  struct Rep {
    static let parameters = 9
    static let skews = 4
    static let stickings = 6
    static let rangeIndex = 8

    /// Begin, arrival, departure and end, in seconds on the samples' clock; skew out and back; sticking out
    /// and back; range as a fraction of the usual range. The other lanes are 0.
    var values: SIMD16<Double>
    /// True if the rep begins after, or ends in, a rest, regardless of the other reps.
    var restsBefore = false
    var restsAfter = false

    var begin: Double { values[0] }
    var arrival: Double { values[1] }
    var departure: Double { values[2] }
    var end: Double { values[3] }
    var range: Double { values[Self.rangeIndex] }
  }

  /// Returns the default turn parameter for a turn or a stop.
  static func typicalTurn(_ turns: Bool) -> Double { turns ? 0.85 : 0 }

  /// Progress along the movement at an instant, with its derivatives.
  struct Progress {
    var value: Double
    /// Derivatives with respect to the rep's own parameters, then home turn and far turn.
    var slopes: SIMD16<Double>

    static let homeTurnLane = Rep.parameters
    static let farTurnLane = Rep.parameters + 1
  }

  func progress(_ rep: Rep, at time: Double) -> Progress {
    let p = rep.values
    let out = p[1] - p[0]
    let back = p[3] - p[2]
    let isOut = time < (p[1] + p[2]) / 2
    let (own, other) = isOut ? (out, back) : (back, out)
    // Both ways share the acceleration at the turn. Relative to its own duration, the slower way has more of
    // it.
    let ratio = own < other ? own / other : 1
    let scale = ratio * ratio
    let rests = isOut ? rep.restsBefore : rep.restsAfter
    let home = rests ? 0 : homeTurn
    let course = PhaseCourse(
      skew: p[Rep.skews + (isOut ? 0 : 1)], sticking: p[Rep.stickings + (isOut ? 0 : 1)],
      beginTurn: (isOut ? home : farTurn) * scale, endTurn: (isOut ? farTurn : home) * scale)
    let u = (time - (isOut ? p[0] : p[2])) / own
    let value = course.value(u)
    let range = p[Rep.rangeIndex]
    let sign = isOut ? range : -range
    var slopes = SIMD16<Double>()
    let (first, last) = isOut ? (0, 1) : (2, 3)
    slopes[first] = sign * value.slope * (u - 1) / own
    slopes[last] = -sign * value.slope * u / own
    if own < other {
      let byTurns =
        sign
        * ((isOut ? home : farTurn) * value.byBeginTurn + (isOut ? farTurn : home) * value.byEndTurn)
      let byOwn = byTurns * 2 * ratio / other
      slopes[last] += byOwn
      slopes[first] -= byOwn
      slopes[isOut ? 3 : 1] -= byOwn * ratio
      slopes[isOut ? 2 : 0] += byOwn * ratio
    }
    slopes[Rep.skews + (isOut ? 0 : 1)] = sign * value.bySkew
    slopes[Rep.stickings + (isOut ? 0 : 1)] = sign * value.bySticking
    let done = isOut ? value.progress : 1 - value.progress
    slopes[Rep.rangeIndex] = done
    let byHome = isOut ? value.byBeginTurn : value.byEndTurn
    let byFar = isOut ? value.byEndTurn : value.byBeginTurn
    slopes[Progress.homeTurnLane] = rests ? 0 : sign * scale * byHome
    slopes[Progress.farTurnLane] = sign * scale * byFar
    if turnsAtFarEnd {
      slopes[1] += slopes[2]
      slopes[2] = 0
    }
    return Progress(value: done * range, slopes: slopes)
  }
}
