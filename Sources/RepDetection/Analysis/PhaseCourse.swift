/// How a movement from one end to the other spends its time: the share of its way that is done at
/// every share of its time.
///
/// A minimum-jerk quintic (Flash and Hogan, J. Neurosci. 5, 1985) in skewed time
/// `w = u + k·u·(1 − u)`, with a slower stretch in its middle (the sticking region of a hard rep), and
/// with an acceleration at ends where it does not come gently to rest but turns around, as a
/// harmonic oscillation does.
struct PhaseCourse {
  /// An earlier (above 0) or later peak of speed.
  var skew = 0.0
  /// Depth of the slower stretch in the middle.
  var sticking = 0.0
  /// Accelerations at both ends, as shares of a harmonic oscillation's of the same way and time;
  /// towards the other end.
  var beginTurn = 0.0
  var endTurn = 0.0

  /// Half the acceleration at the end of a harmonic half-oscillation over way 1 in time 1.
  static let harmonic = Double.pi * Double.pi / 4

  /// Before the begin and after the end of a turn the movement is followed for an instant as the
  /// parabola that it is there; elsewhere it rests.
  func progress(_ u: Double) -> Double {
    if u <= 0 { return beginTurn * Self.harmonic * min(u * u, 0.04) }
    if u >= 1 { return 1 - endTurn * Self.harmonic * min((u - 1) * (u - 1), 0.04) }
    let v = 1 - u
    let w = u + skew * u * v
    let uv = u * v
    let slowing = 64 * sticking * uv * uv * uv * Math.sine(2 * Double.pi * u)
    return w * w * w * (10 + w * (6 * w - 15)) + slowing
      + Self.harmonic * uv * uv * (beginTurn * v - endTurn * u)
  }
}
