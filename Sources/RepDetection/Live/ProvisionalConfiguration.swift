/// When a movement is told as a rep before anything has repeated (step 10).
///
/// All of it says what a rep is to somebody who sees one only: the wrist sets out from rest, turns one
/// way, and comes back the same way to where it began.
public struct ProvisionalConfiguration: Sendable {
  /// How far the wrist must turn, degrees.
  public var leastTurnDegrees = 15.0
  /// It is back within this share of the turn, and at rest below this share of the rep's peak speed.
  public var returnedShare: Float = 0.3
  public var restingShare: Float = 0.15
  /// For how long it rests, s; or until it turns out again by the second, in shares of the turn.
  public var restingSeconds = 0.12
  public var turnedAgainShare: Float = 0.06
  /// A rep begins where the wrist is slower than this share of its peak speed.
  public var departureShare: Float = 0.2
  /// How long it takes, s.
  public var seconds = 0.8...8.0
  /// Share of the turning that is about one axis, and how much longer the way may be than there and
  /// straight back.
  public var leastStraightness: Float = 0.85
  public var longestWay: Float = 1.4
  /// The next rep is out from this share of the first one's turn.
  public var outShare: Float = 0.6
  /// Another movement is alike if the cosine between the axes is at least the first, and the turn at
  /// most this many times as wide or as narrow.
  public var leastAxisCosine: Float = 0.7
  public var rangeRatio: Float = 2
  /// A found set is recognised from so many movements of one kind in a row, no sooner than they end,
  /// if their mean similarity is at least the second. 0: by the windows alone. With 2 the first rep is told
  /// two seconds sooner, for about a tenth more work.
  public var recognisedReps = 0
  public var recognisedSimilarity: Float = 0.85
  /// The probability that the first rep told, and each that is told after one, is a rep.
  public var firstConfidence = 0.7
  public var nextConfidence = 0.85

  public init() {}
}
