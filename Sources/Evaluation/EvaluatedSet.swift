import Motion

/// A labeled set with its count.
package struct EvaluatedSet: Sendable {
  package var label: LabeledSet
  /// The counted sets; several only if the label covers a whole file.
  package var counted: [CountedSet]
  /// Number of counted reps; 0 if no set was detected.
  package var countedReps: Int
  /// Confidence of the count; the product over all sets that the label covers. Nil if no set was detected.
  package var confidence: Double?
  /// True if a set was detected; for whole files and given sets, if it has at least one rep.
  package var wasFound: Bool
  /// Detected minus labeled start, and detected minus labeled end, in seconds.
  package var startError: Double?
  package var endError: Double?
  /// Timing against `rep_times`, if the labels have them.
  package var repTiming: RepTiming?

  package var error: Int { countedReps - label.reps }
  package var isExact: Bool { error == 0 }
  package var isWithinOne: Bool { abs(error) <= 1 }
  /// True if the raters considered the count possible.
  package var isInRange: Bool { label.repRange?.contains(countedReps) ?? isExact }
}

/// Timing of detected reps against true ones.
package struct RepTiming: Sendable {
  /// Detected minus true start of each pair, in seconds.
  package var startErrors: [Double]
  package var endErrors: [Double]
  /// Number of true reps without a detected one.
  package var missed: Int
  /// Number of detected reps without a true one.
  package var invented: Int
  /// Whether each detected rep matches a true one, in order.
  package var isTrue: [Bool]

  /// Matches detected and true reps one to one, largest overlap first.
  ///
  /// Pairs must overlap by more than half of the shorter rep.
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
    var matchedFound = Set<Int>()
    var matchedTruth = Set<Int>()
    startErrors = []
    endErrors = []
    for candidate in candidates
    where !matchedFound.contains(candidate.found) && !matchedTruth.contains(candidate.truth) {
      matchedFound.insert(candidate.found)
      matchedTruth.insert(candidate.truth)
      startErrors.append(found[candidate.found].start - truth[candidate.truth].lowerBound)
      endErrors.append(found[candidate.found].end - truth[candidate.truth].upperBound)
    }
    missed = truth.count - matchedTruth.count
    invented = found.count - matchedFound.count
    isTrue = found.indices.map(matchedFound.contains)
  }
}
