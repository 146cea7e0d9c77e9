/// What the score of a segmentation is made of: eight figures, in the lanes of one vector.
///
/// All but ``explained`` are of the segmentation alone; that one is relative to the best
/// segmentation of the window.
enum SegmentationFeatures {
  /// ln of how much of the window it explains and how well, against the best: similarity squared
  /// times duration, summed over the reps.
  static let explained = 0
  /// −ln(1.02 − mean similarity): how alike its reps are.
  static let likeness = 1
  /// ln of the number of reps: many that are as alike are stronger evidence than few.
  static let count = 2
  /// ln² of the median rep's duration over 2.5 s.
  static let tempo = 3
  /// How much less the first and the last rep turn and tilt the wrist than the others, as ln: partial reps.
  static let partial = 4
  /// Half a rep before the first and after the last, squared: a wrong phase, or a rep left out.
  static let halves = 5
  /// How far the first and the last rep miss the turnaround of the others, in ranges of the movement, and how far
  /// reps end from the posture that they begin in, in their own ranges: three times the mean square.
  static let postures = 6
  /// By how much −ln(1.02 − least similarity) falls below 1.3: a rep that is like no other.
  static let outlierRep = 7

  static let names = [
    "score", "qmean", "log_n", "log_t2", "partial", "half2", "postures", "qmin_lo",
  ]
}

/// A segmentation of a window: which candidates of a run are its reps, and what speaks for it.
struct ScoredSegmentation {
  /// Index of the ``CandidateRun``.
  var run: Int
  /// Its first and last candidate in the run.
  var first: Int
  var last: Int
  /// Reps.
  var count: Int
  /// As ``SegmentationFeatures`` says.
  var features: SIMD8<Float>
  /// The share of all probability.
  var probability: Float = 0
}
