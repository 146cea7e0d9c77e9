import Motion

/// One set that was followed while its samples came in.
package struct FollowedSet: Sendable {
  package var recording: String
  package var cause: SetCause
  package var timing: LiveTiming
  /// Seconds from the first rep's begin until the set was announced; nil for declared sets.
  package var recognitionSeconds: Double?
}

/// The sets of one recording that were followed.
package struct FollowedRecording: Sendable {
  package var sets: [FollowedSet] = []
  /// Announced sets that were cancelled, or that lie on no labelled set.
  package var falseSets = 0
}

/// How soon reps are told, over many sets.
package struct LiveEvaluationReport: Sendable {
  /// The figures of sets with one cause.
  package struct Figures: Sendable {
    package var sets: Int
    package var reps: Int
    /// Seconds from a rep's end to its event, median over the sets' first and second reps; nil
    /// where there is none. A rep that was never told is later than any other.
    package var firstRepMedian: Double?
    package var secondRepMedian: Double?
    /// First reps told at most 0.7 s after their end, early ones included.
    package var promptFirstReps: Int
    /// Reps told within half a second of their end.
    package var repsInTime: Int
    /// Reps told at most half a second after their end, early ones included.
    package var repsNotLate: Int
    package var checks: Int
    package var correctChecks: Int
    package var corrections: Int
    /// Median seconds from the first rep's begin to the announcement; nil for declared sets.
    package var recognitionMedian: Double?

    init(_ sets: [FollowedSet]) {
      let counted = sets.filter { !$0.timing.delays.isEmpty }
      self.sets = sets.count
      reps = counted.reduce(0) { $0 + $1.timing.delays.count }
      func delays(ofRep index: Int) -> [Double] {
        counted.filter { $0.timing.delays.count > index }
          .map { $0.timing.delays[index] ?? .infinity }
      }
      firstRepMedian = Self.median(delays(ofRep: 0))
      secondRepMedian = Self.median(delays(ofRep: 1))
      promptFirstReps = delays(ofRep: 0).count { $0 <= 0.7 }
      repsInTime = counted.reduce(0) { $0 + $1.timing.repsInTime }
      repsNotLate = counted.reduce(0) { $0 + $1.timing.repsNotLate }
      checks = sets.reduce(0) { $0 + $1.timing.checks }
      correctChecks = sets.reduce(0) { $0 + $1.timing.correctChecks }
      corrections = sets.reduce(0) { $0 + $1.timing.corrections }
      recognitionMedian = Self.median(sets.compactMap(\.recognitionSeconds))
    }

    /// The lower of the two in the middle, so that it is one of the values.
    private static func median(_ values: [Double]) -> Double? {
      guard !values.isEmpty else { return nil }
      let value = values.sorted()[(values.count - 1) / 2]
      return value.isFinite ? value : nil
    }

    package var inTimeFraction: Double? { share(repsInTime, of: reps) }
    package var notLateFraction: Double? { share(repsNotLate, of: reps) }
    package var correctFraction: Double? { share(correctChecks, of: checks) }
    package var correctionsPerSet: Double? { share(corrections, of: sets) }

    private func share(_ part: Int, of whole: Int) -> Double? {
      whole > 0 ? Double(part) / Double(whole) : nil
    }
  }

  package var sets: [FollowedSet]
  /// Each labelled set declared, with two seconds on both sides; rows without a span the whole file.
  package var declared: Figures
  /// Whole recordings, in which sets are looked for.
  package var found: Figures
  package var falseSets: Int

  package init(_ recordings: [FollowedRecording]) {
    sets = recordings.flatMap(\.sets)
    declared = Figures(sets.filter { $0.cause == .declared })
    found = Figures(sets.filter { $0.cause == .detected })
    falseSets = recordings.reduce(0) { $0 + $1.falseSets }
  }
}
