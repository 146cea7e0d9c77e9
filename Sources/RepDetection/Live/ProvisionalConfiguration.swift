import SignalProcessing

/// Rules for announcing a movement as a rep before anything has repeated.
///
/// They describe a rep as seen by somebody who sees only one: the wrist sets out from rest, turns one way,
/// and comes back the same way to where it began.
package struct ProvisionalConfiguration: Sendable, Codable {
  /// Minimum turn of the wrist, in degrees.
  package var leastTurnDegrees = 15.0
  /// The wrist is back if it is within this fraction of the turn; another rep may deviate sideways by no
  /// more.
  package var returnedFraction: Float = 0.3
  /// The wrist is at rest, before and after a rep, below this fraction of the rep's peak speed. It has set out
  /// again once it is farther from the start than this fraction of the turn.
  package var restingFraction: Float = 0.2
  /// Time of rest that ends a rep, in seconds, unless the wrist sets out again before.
  package var restingSeconds = 0.12
  /// Maximum length of the path, relative to straight out and back.
  package var longestPath: Float = 1.4
  /// Probability that the first announced rep is a rep. Later ones are half as doubtful.
  package var firstConfidence = 0.7

  /// `leastTurnDegrees` in the unit of turns: twice the sine of half the angle.
  var leastRange: Float { Float(2 * Math.sine(leastTurnDegrees / 2 * .pi / 180)) }
}
