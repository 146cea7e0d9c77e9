import SignalProcessing

/// When a movement is told as a rep before anything has repeated.
///
/// All of it says what a rep is to somebody who sees one only: the wrist sets out from rest, turns one
/// way, and comes back the same way to where it began.
package struct ProvisionalConfiguration: Sendable, Codable {
  /// How far the wrist must turn, degrees.
  package var leastTurnDegrees = 15.0
  /// It is back within this share of the turn, and in another rep no further aside. It is at rest, before and
  /// after, below this share of the rep's peak speed.
  package var returnedShare: Float = 0.3
  package var restingShare: Float = 0.2
  /// For how long it rests, s; or until it turns out again by the second, in shares of the turn.
  package var restingSeconds = 0.12
  package var turnedAgainShare: Float = 0.06
  /// How much longer the way may be than there and straight back.
  package var longestWay: Float = 1.4
  /// The probability that the first rep told is one. Each that is told after it is half as doubtful.
  package var firstConfidence = 0.7

  /// `leastTurnDegrees` as turns are measured: twice the sine of half the angle.
  var leastRange: Float { Float(2 * Math.sine(leastTurnDegrees / 2 * .pi / 180)) }
}
