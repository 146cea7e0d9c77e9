import Motion

/// One movement that all reps of a set repeat, each in its own time.
///
/// Every channel (rotation rate along axes of the device's frame, velocity along axes of the outer
/// one) is the change of a polynomial of the progress along the movement, the same for all reps and
/// both directions; progress is a ``PhaseCourse`` of time for each way out and each way back. What
/// belongs to the set and what belongs to each rep is found together by least squares, so that tremor
/// at the slow ends of one rep does not decide, and neither do places at which the wrist's main angle
/// stands still while the arm goes on.
struct MovementModel {
  /// For every channel the coefficients of the powers of progress, less constant.
  var path: [SIMD4<Double>]
  /// How much the movement turns around, rather than stops, at both ends: see ``PhaseCourse``.
  var homeTurn: Double
  var farTurn: Double
  var reps: [Rep]
  /// Whether the two ways of a rep meet at the turnaround without a stop.
  let turnsAtFarEnd: Bool

  /// What each rep has of its own.
  struct Rep {
    static let parameters = 9
    static let skews = 4
    static let stickings = 6
    static let rangeIndex = 8

    /// Begin, arrival, departure and end in seconds on the samples' clock; skew out and back;
    /// sticking out and back; range as a share of the usual. The other lanes are 0.
    var values: SIMD16<Double>
    /// Whether it comes out of a rest, and ends in one, whatever the other reps do at home.
    var restsBefore = false
    var restsAfter = false

    var begin: Double { values[0] }
    var arrival: Double { values[1] }
    var departure: Double { values[2] }
    var end: Double { values[3] }
    var range: Double { values[Self.rangeIndex] }
  }

  /// What a turn, or a rest, is like where nothing else is known.
  static func usualTurn(_ turns: Bool) -> Double { turns ? 0.85 : 0 }

  /// Progress along the movement at an instant, with its derivatives.
  struct Progress {
    var value: Double
    /// By the rep's own parameters, the last lanes by home turn and far turn.
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
    // The slower way feels the turn's acceleration most.
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
