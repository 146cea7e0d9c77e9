import Motion

extension SetFinder {
  /// The settled answer for a set that is over.
  mutating func settle(_ set: ActiveSet, _ emit: (DetectionEvent) -> Void) {
    let configuration = configuration
    let now = buffer.times.last ?? set.end
    var runs: [SettledRun] = []
    var others: [SettledRun] = []
    for run in settledRuns(set) {
      if run.period < configuration.hints.shortestPeriodSeconds {
        log?.note(
          run,
          .tooFast(periodSeconds: run.period, needed: configuration.hints.shortestPeriodSeconds))
        others.append(run)
        continue
      }
      if memory.hasLearned,
        run.meanSimilarity < Float(configuration.unknownSetSimilarity)
          || run.reps.count < configuration.unknownSetReps,
        !memory.recognises(run, in: buffer, configuration: configuration),
        !isBout(run, after: runs)
      {
        let isAlike = run.meanSimilarity >= Float(configuration.unknownSetSimilarity)
        log?.note(
          run,
          isAlike
            ? .tooFewReps(count: run.reps.count, needed: configuration.unknownSetReps)
            : .unlike(
              similarity: Double(run.meanSimilarity), needed: configuration.unknownSetSimilarity))
        continue
      }
      memory.learn(run, in: buffer, configuration: configuration)
      runs.append(run)
    }
    let recalled = recalledRuns(besides: runs, isFinal: false)
    recalledUntil = now
    announce(runs, recalled: recalled, of: set, emit)
    for run in runs + recalled + others {
      if let end = run.reps.last?.end { previousEnd = max(previousEnd, end) }
    }
  }

  func isWalking(_ run: SettledRun) -> Bool { isWalking(run.reps, period: run.period) }

  func isWalking(_ reps: [SettledRun.Rep], period: Double) -> Bool {
    guard
      let first = reps.first, let last = reps.last,
      let rows = buffer.rows(from: first.start, to: last.end)
    else { return false }
    return Gait.isWalking(
      buffer.frames(rows)[...], period: period, configuration: configuration)
  }

  /// The rows of reps of a set that is over. A stretch may hold more than one movement, of which
  /// one template reads one only: what of it was seen while it went on and was not read is read by
  /// itself.
  private mutating func settledRuns(_ set: ActiveSet) -> [SettledRun] {
    var runs = readRuns(
      from: set.start, to: set.end, period: set.period, within: previousEnd...Double.infinity)
    var unread = set.rows.sorted { $0.weight > $1.weight }
    for _ in 0..<configuration.furtherReadings {
      let spans = runs.compactMap { run in
        run.reps.first.flatMap { first in run.reps.last.map { first.start...$0.end } }
      }
      unread.removeAll { row in
        let covered = spans.reduce(0) {
          $0 + max(0, min($1.upperBound, row.end) - max($1.lowerBound, row.start))
        }
        return covered > 0.3 * (row.end - row.start)
      }
      guard !unread.isEmpty else { break }
      let row = unread.removeFirst()
      let middle = (row.start + row.end) / 2
      let from = spans.map(\.upperBound).filter { $0 <= middle }.max() ?? previousEnd
      let to = spans.map(\.lowerBound).filter { $0 >= middle }.min() ?? Double.infinity
      guard from < to else { continue }
      runs += readRuns(
        from: max(row.start, from), to: min(row.end, to), period: row.period, within: from...to)
    }
    if log != nil {
      if runs.isEmpty {
        log?.note(
          CandidateRejection(
            subject: .set, reason: .noReading, start: set.start, end: set.end,
            periodSeconds: set.period))
      }
      for run in runs {
        if let reason = run.rejection(configuration) {
          log?.note(run, reason)
        } else if isWalking(run) {
          log?.note(run, .walking(periodSeconds: run.period))
        }
      }
    }
    return runs.filter { $0.isSet(configuration) && !isWalking($0) }
      .sorted { ($0.reps.first?.start ?? 0) < ($1.reps.first?.start ?? 0) }
  }

  /// Reads a span anew. Where the reading shows that the look at the running signal was too narrow,
  /// for example because it took half a rep for a whole one, the stretch is widened.
  private func readRuns(
    from start: Double, to end: Double, period: Double, within limits: ClosedRange<Double>
  ) -> [SettledRun] {
    var from = start - configuration.marginInPeriods * period
    var to = end + configuration.marginInPeriods * period
    var runs: [SettledRun] = []
    for _ in 0..<configuration.settlingAttempts {
      guard
        let rows = buffer.rows(
          from: max(from, limits.lowerBound), to: min(to, limits.upperBound))
      else { return [] }
      let stretch = buffer[rows]
      let settlement = Settlement(stretch.frames[...], configuration: configuration)
      guard
        let reading = settlement.best, let first = reading.segments.first,
        let last = reading.segments.last
      else { return [] }
      runs = SettledRun.split(settlement, in: stretch, configuration: configuration)
      let origin = stretch.times.first ?? from
      let margin = configuration.marginInPeriods * reading.period
      let wantedFrom = max(
        origin + reading.seconds(first.start) - margin, limits.lowerBound,
        buffer.times.first ?? from)
      let wantedTo = min(
        origin + reading.seconds(last.end) + margin, limits.upperBound, buffer.times.last ?? to)
      let slack = 0.25 * reading.period
      guard
        wantedFrom < max(from, limits.lowerBound) - slack
          || wantedTo > min(to, limits.upperBound) + slack
      else { break }
      from = min(from, wantedFrom)
      to = max(to, wantedTo)
    }
    return runs
  }
}
