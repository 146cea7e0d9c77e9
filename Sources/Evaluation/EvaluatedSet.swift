import Motion

/// A labelled set beside what was counted for it.
package struct EvaluatedSet: Sendable {
  package var label: LabeledSet
  /// What was counted: several sets where the label covers a whole file.
  package var counted: [CountedSet]
  /// 0 where no set was found.
  package var countedReps: Int
  /// The confidence of the count; the product where the label covers several counted sets. Absent
  /// where no set was found.
  package var confidence: Double?
  /// Whether a set was found; true for whole files and given sets with at least one rep.
  package var wasFound: Bool
  /// Start that was found minus start that is labelled, in seconds; the same for the end.
  package var startError: Double?
  package var endError: Double?
  /// Against `rep_times`, where the labels have them.
  package var repTiming: RepTiming?

  package var error: Int { countedReps - label.reps }
  package var isExact: Bool { error == 0 }
  package var isWithinOne: Bool { abs(error) <= 1 }
  /// Whether the count is one that the raters thought possible.
  package var isInRange: Bool { label.repRange?.contains(countedReps) ?? isExact }
}

/// How found reps lie beside the true ones.
package struct RepTiming: Sendable {
  /// Found minus true, in seconds, for each pair.
  package var startErrors: [Double]
  package var endErrors: [Double]
  /// True reps without a found one.
  package var missed: Int
  /// Found reps without a true one.
  package var invented: Int
  /// For each found rep, in order, whether it is the pair of a true one.
  package var isTrue: [Bool]

  /// Pairs found and true reps one to one, those with the largest overlap first.
  ///
  /// A pair must overlap by more than half of the shorter of both.
  init(found: [CountedRep], truth: [ClosedRange<Double>]) {
    var candidates: [(overlap: Double, found: Int, truth: Int)] = []
    for (i, rep) in found.enumerated() {
      for (j, span) in truth.enumerated() {
        let overlap = min(rep.end, span.upperBound) - max(rep.start, span.lowerBound)
        let shorter = min(rep.duration, span.upperBound - span.lowerBound)
        if overlap > shorter / 2 { candidates.append((overlap, i, j)) }
      }
    }
    candidates.sort { ($0.overlap, $1.found) > ($1.overlap, $0.found) }
    var takenFound = Set<Int>()
    var takenTruth = Set<Int>()
    startErrors = []
    endErrors = []
    for candidate in candidates
    where !takenFound.contains(candidate.found) && !takenTruth.contains(candidate.truth) {
      takenFound.insert(candidate.found)
      takenTruth.insert(candidate.truth)
      startErrors.append(found[candidate.found].start - truth[candidate.truth].lowerBound)
      endErrors.append(found[candidate.found].end - truth[candidate.truth].upperBound)
    }
    missed = truth.count - takenTruth.count
    invented = found.count - takenFound.count
    isTrue = found.indices.map(takenFound.contains)
  }
}
