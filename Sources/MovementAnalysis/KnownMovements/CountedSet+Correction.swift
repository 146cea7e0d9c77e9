import Motion

extension CountedSet {
  /// Returns the set adjusted to a person's corrected count, for learning the movement; nil if the count
  /// cannot be explained.
  ///
  /// - Twice the reps: every rep is split in two.
  /// - Half the reps: every pair is merged.
  /// - One fewer: the less certain of the first and last rep is removed.
  /// - One more: a rep is missing at an edge, and the set is returned unchanged.
  public func explained(byCount count: Int) -> CountedSet? {
    var result = self
    // Larger counts cannot be explained, and doubling must not overflow.
    guard (1...(2 * reps.count + 1)).contains(count) else { return nil }
    switch count {
    case reps.count, reps.count + 1: break
    case reps.count - 1:
      guard let first = reps.first, let last = reps.last else { return nil }
      if first.confidence < last.confidence {
        result.reps.removeFirst()
      } else {
        result.reps.removeLast()
      }
    case 2 * reps.count:
      result.reps = reps.flatMap { rep in
        let middle = (rep.start + rep.end) / 2
        return [
          CountedRep(start: rep.start, end: middle, confidence: rep.confidence),
          CountedRep(start: middle, end: rep.end, confidence: rep.confidence),
        ]
      }
    case _ where 2 * count == reps.count:
      result.reps = stride(from: 0, to: reps.count, by: 2).map { index in
        CountedRep(
          start: reps[index].start, end: reps[index + 1].end,
          confidence: min(reps[index].confidence, reps[index + 1].confidence))
      }
    default: return nil
    }
    guard let first = result.reps.first, let last = result.reps.last else { return nil }
    (result.start, result.end) = (first.start, last.end)
    return result
  }
}
