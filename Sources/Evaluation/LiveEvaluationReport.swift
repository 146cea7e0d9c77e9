import Motion

/// One set that was counted live.
package struct FollowedSet: Sendable {
  package var recording: String
  package var cause: SetCause
  package var timing: LiveTiming
  /// Time from the start of the first rep to the set's announcement, in seconds; nil for declared sets.
  package var recognitionSeconds: Double?
}

/// The sets of one recording that were counted live.
package struct FollowedRecording: Sendable {
  package var sets: [FollowedSet] = []
  /// Number of announced sets that were canceled or match no label.
  package var falseSets = 0
}

/// Latency of live reps over many sets.
package struct LiveEvaluationReport: Sendable {
  /// The figures of sets with one cause.
  package struct Figures: Sendable {
    package var sets: Int
    package var reps: Int
    /// Median time from a rep's end to its event over the sets' first (second) reps, in seconds; nil without
    /// reps. An unannounced rep counts as infinitely late.
    package var firstRepMedian: Double?
    package var secondRepMedian: Double?
    /// Number of first reps announced at most 0.7 s after their end, including early ones.
    package var promptFirstReps: Int
    /// Number of reps announced within half a second of their end.
    package var repsInTime: Int
    /// Number of reps announced at most half a second after their end, including early ones.
    package var repsNotLate: Int
    package var checks: Int
    package var correctChecks: Int
    package var corrections: Int
    /// Median time from the start of the first rep to the announcement, in seconds; nil for declared sets.
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

    /// Returns the lower median, so that it is one of the values; nil if it is infinite.
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
  /// Results for labeled sets counted as declared: two seconds more on both sides, or the whole file.
  package var declared: Figures
  /// Results for whole recordings in which sets are detected.
  package var found: Figures
  package var falseSets: Int

  package init(_ recordings: [FollowedRecording]) {
    sets = recordings.flatMap(\.sets)
    declared = Figures(sets.filter { $0.cause == .declared })
    found = Figures(sets.filter { $0.cause == .detected })
    falseSets = recordings.reduce(0) { $0 + $1.falseSets }
  }
}
