/// The eight features of a segmentation's score, in the lanes of one vector.
///
/// ``explained`` is relative to the best segmentation of the window; the others depend on the segmentation
/// alone.
enum SegmentationFeatures {
  /// ln of the sum over the reps of squared similarity times duration, relative to the best segmentation: how
  /// much of the window is explained, and how well.
  static let explained = 0
  /// −ln(1.02 − mean similarity): how similar the reps are.
  static let similarity = 1
  /// ln of the number of reps: many reps of equal similarity are stronger evidence than few.
  static let count = 2
  /// ln² of the median rep's duration over 2.5 s.
  static let tempo = 3
  /// Shortfall of the first and the last rep's turn and tilt relative to the others, as ln: partial reps.
  static let partial = 4
  /// Half reps before the first rep and after the last, as the sum of their squared similarities: a wrong
  /// phase, or a missing rep.
  static let halves = 5
  /// Posture errors: distance of the first and last rep from the turnaround of the others, in ranges of the
  /// movement, plus three times the mean square of the angle between begin and end of each rep, in its own
  /// range.
  static let postures = 6
  /// Amount by which −ln(1.02 − least similarity) falls below 1.3: a rep unlike all others.
  static let outlierRep = 7

  static let names = [
    "score", "qmean", "log_n", "log_t2", "partial", "half2", "postures", "qmin_lo",
  ]
}

/// A segmentation of a window: the range of a run's candidates that are its reps, and its features.
struct ScoredSegmentation {
  /// Index of the ``CandidateRun``.
  var run: Int
  /// Indices of its first and last candidate in the run.
  var first: Int
  var last: Int
  /// Number of reps.
  var count: Int
  /// The features, in the order of ``SegmentationFeatures``.
  var features: SIMD8<Float>
  /// Probability among all segmentations of the window.
  var probability: Float = 0
}
