import SignalProcessing

/// Progress of a movement from one end to the other: the fraction of the way as a function of the fraction of
/// the time.
///
/// A minimum-jerk quintic (Flash and Hogan, J. Neurosci. 5, 1985) in skewed time `w = u + k·u·(1 − u)`, with
/// a slower part in the middle (the sticking region of a hard rep). At an end where the movement turns around
/// instead of stopping, it has an acceleration, as in a harmonic oscillation.
struct PhaseCourse {
  /// Skew of the time of peak speed: earlier if positive, later if negative.
  var skew = 0.0
  /// Depth of the slower part in the middle.
  var sticking = 0.0
  /// Accelerations at both ends towards the other end, as fractions of those of a harmonic oscillation with
  /// the same way and time.
  var beginTurn = 0.0
  var endTurn = 0.0

  /// Half the acceleration at the end of a harmonic half-oscillation over distance 1 in time 1.
  private static let harmonic = Double.pi * Double.pi / 4

  /// Progress, with its derivatives with respect to the fraction of time and to each parameter.
  struct Value {
    var progress: Double
    var slope: Double
    var bySkew = 0.0
    var bySticking = 0.0
    var byBeginTurn = 0.0
    var byEndTurn = 0.0
  }

  /// Returns the progress at a fraction of the time. Shortly before the begin and after the end of a turn it
  /// continues as a parabola; elsewhere outside it is constant.
  func value(_ u: Double) -> Value {
    if u <= 0 {
      let isNear = u * u < 0.04
      let parabola = Self.harmonic * (isNear ? u * u : 0.04)
      return Value(
        progress: beginTurn * parabola, slope: isNear ? 2 * Self.harmonic * beginTurn * u : 0,
        byBeginTurn: parabola)
    }
    if u >= 1 {
      let after = u - 1
      let isNear = after * after < 0.04
      let parabola = Self.harmonic * (isNear ? after * after : 0.04)
      return Value(
        progress: 1 - endTurn * parabola,
        slope: isNear ? -2 * Self.harmonic * endTurn * after : 0, byEndTurn: -parabola)
    }
    let v = 1 - u
    let uv = u * v
    let tilt = v - u
    let w = u + skew * uv
    let rise = 30 * w * w * (1 - w) * (1 - w)
    let turn = 2 * Double.pi * u
    let (sine, cosine) = (Math.sine(turn), Math.cosine(turn))
    let slowing = 64 * uv * uv * uv * sine
    let slowingSlope = 64 * uv * uv * (3 * tilt * sine + 2 * Double.pi * uv * cosine)
    let bend = Self.harmonic * uv * uv
    let lean = beginTurn * v - endTurn * u
    return Value(
      progress: w * w * w * (10 + w * (6 * w - 15)) + sticking * slowing + bend * lean,
      slope: rise * (1 + skew * tilt) + sticking * slowingSlope
        + Self.harmonic * (2 * uv * tilt * lean - uv * uv * (beginTurn + endTurn)),
      bySkew: rise * uv, bySticking: slowing, byBeginTurn: bend * v, byEndTurn: -bend * u)
  }
}
