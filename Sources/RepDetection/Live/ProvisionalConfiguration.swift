import SignalProcessing

/// Rules for announcing a movement as a rep before anything has repeated.
///
/// They describe a single rep: the wrist sets out from rest, turns one way, and comes back the same way to
/// where it began.
package struct ProvisionalConfiguration: Sendable, Codable {
  /// Minimum turn of the wrist, in degrees.
  package var leastTurnDegrees = 15.0
  /// Distance from the start within which the wrist is back, as a fraction of the turn. Also the maximum
  /// sideways deviation of another rep.
  package var returnedFraction: Float = 0.3
  /// Speed below which the wrist is at rest before and after a rep, as a fraction of the rep's peak speed.
  /// Also the distance from the start beyond which it has set out again, as a fraction of the turn.
  package var restingFraction: Float = 0.2
  /// Duration of rest that ends a rep, in seconds, unless the wrist sets out again earlier.
  package var restingSeconds = 0.12
  /// Maximum length of the path, relative to straight out and back.
  package var longestPath: Float = 1.4
  /// Probability that the first announced rep is a rep. Later ones are half as uncertain.
  package var firstConfidence = 0.7

  /// `leastTurnDegrees` in the unit of turns: twice the sine of half the angle.
  var leastRange: Float { Float(2 * Math.sine(leastTurnDegrees / 2 * .pi / 180)) }
}
