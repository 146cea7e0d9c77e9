import Motion

/// Latency of the reps announced live in one set, and accuracy of the count shown.
///
/// The reference is the finalized set, so this evaluates the live output, not the count itself.
package struct LiveTiming: Sendable, Hashable {
  /// A count and the time from which it was shown, with the rep announced at that time.
  package struct Shown: Sendable, Hashable {
    /// Time in seconds on the samples' clock.
    package var time: Double
    package var count: Int
    /// The announced rep; nil if the count was corrected.
    package var rep: ClosedRange<Double>?
  }

  /// Longest accepted delay of an announcement, in seconds.
  package static let tolerance = 0.5
  /// Interval between checks of the count, in seconds.
  package static let checkInterval = 0.25

  /// Delay of each finalized rep, in order: the time from its end to the event that announced it, in seconds.
  /// Negative if the event preceded the end, but not the start, of the rep. Nil if no event announced it.
  package var delays: [Double?]
  /// Number of checks of the count, from the end of the first rep to ``tolerance`` after the end of the last.
  package var checks: Int
  /// Number of checks at which the count equaled the number of ended reps, with or without those of the last
  /// ``tolerance`` seconds.
  package var correctChecks: Int
  /// Number of corrections of the count.
  package var corrections: Int

  /// - Parameters:
  ///   - shown: The counts shown for the set, in chronological order.
  ///   - reps: The finalized reps, in order.
  ///
  /// A rep's event is the first `rep` event that overlaps it by more than half of the shorter of both, or
  /// else the event at which the count first reaches the rep's number. Events before the start of a rep do
  /// not announce it, since another movement caused the count.
  package init(shown: [Shown], reps: [CountedRep]) {
    delays = reps.indices.map { index in
      let rep = reps[index]
      let since = shown.filter { $0.time >= rep.start }
      let own = since.first { entry in
        guard let announced = entry.rep else { return false }
        let shared = min(announced.upperBound, rep.end) - max(announced.lowerBound, rep.start)
        let shorter = min(announced.upperBound - announced.lowerBound, rep.duration)
        return shared > shorter / 2
      }
      let event = own ?? since.first { $0.count > index }
      return event.map { $0.time - rep.end }
    }
    corrections = shown.count { $0.rep == nil }
    checks = 0
    correctChecks = 0
    guard let first = reps.first, let last = reps.last else { return }
    var next = shown.startIndex
    var count = 0
    checks = Int(((last.end + Self.tolerance - first.end) / Self.checkInterval).rounded(.down)) + 1
    for look in 0..<checks {
      let time = first.end + Double(look) * Self.checkInterval
      while next < shown.endIndex, shown[next].time <= time {
        count = shown[next].count
        next += 1
      }
      let most = reps.count { $0.end <= time }
      let least = reps.count { $0.end <= time - Self.tolerance }
      if (least...most).contains(count) { correctChecks += 1 }
    }
  }

  /// Number of reps announced at most ``tolerance`` before or after their end.
  package var repsInTime: Int { delays.count { $0.map { abs($0) <= Self.tolerance } ?? false } }
  /// Number of reps announced at most ``tolerance`` after their end, or earlier.
  package var repsNotLate: Int { delays.count { $0.map { $0 <= Self.tolerance } ?? false } }
}
