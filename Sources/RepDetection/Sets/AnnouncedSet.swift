import Motion

/// The announced state of a set. Every answer about its reps, live or final, is announced here as the
/// difference from the previous answer.
package struct AnnouncedSet: Sendable, Codable {
  /// Number of announced reps.
  package private(set) var count = 0
  /// End of the last announced rep, in seconds.
  private var lastEnd = -Double.infinity
  private var partials: [CountedRep] = []
  private(set) var phase = WorkoutPhase.rest

  package init() {}

  /// Announces a new answer with the fewest events (``CountChange``).
  ///
  /// - Parameters:
  ///   - reps: All reps of the set so far, in order.
  ///   - isOngoing: Whether a rep may be under way. The announced count may then stay one ahead, because a
  ///     new segmentation may cut at another phase, at which the current rep has not ended. The next rep
  ///     makes up for it; a rest takes it back.
  package mutating func update(
    to reps: [CountedRep], isOngoing: Bool, at time: Double, into events: inout [DetectionEvent]
  ) {
    if isOngoing, reps.count + 1 == count { return }
    let change = CountChange(from: count, until: lastEnd, to: reps)
    if !change.news.isEmpty { enter(.execution, at: time, into: &events) }
    if let corrected = change.correction {
      events.append(.repCorrected(time: time, count: corrected))
      lastEnd = reps.prefix(corrected).last?.end ?? -.infinity
    }
    count = reps.count
    for (number, rep) in change.announcements(of: reps) {
      var rep = rep
      // Reps of one set may be cut at several phases; announced ones never overlap.
      rep.start = max(rep.start, lastEnd)
      rep.end = max(rep.end, rep.start)
      lastEnd = rep.end
      events.append(.rep(time: time, count: number, rep: rep))
    }
  }

  /// Announces partial reps that were not announced before.
  package mutating func add(
    partials new: [CountedRep], at time: Double, into events: inout [DetectionEvent]
  ) {
    for partial in new
    where !partials.contains(where: { $0.start < partial.end && partial.start < $0.end }) {
      partials.append(partial)
      events.append(.partialRep(time: time, rep: partial))
    }
  }

  mutating func enter(
    _ next: WorkoutPhase, at time: Double, into events: inout [DetectionEvent]
  ) {
    guard next != phase else { return }
    events.append(.phase(time: time, from: phase, to: next))
    phase = next
  }
}
