import Motion

extension CountedSet {
  /// Returns the set corrected to a person's count, to learn the movement from; nil if the count cannot be
  /// explained.
  ///
  /// Twice the reps: each rep was two. Half the reps: each pair was one. One fewer: the less certain of the
  /// first and last rep was none. One more: a rep is missing at an edge, and the counted reps are right.
  public func explained(byCount count: Int) -> CountedSet? {
    var result = self
    // Larger counts explain nothing, and doubling must not overflow.
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
