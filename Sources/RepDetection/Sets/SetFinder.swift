import Motion

/// Finds sets in a running signal (step 9), counts along (step 10), and settles each set when it
/// is over.
///
/// Every two seconds the recent signal is searched for a row of similar movements. A row that goes
/// on is a set; when nothing of it was seen for a while it is settled.
struct SetFinder: Sendable {
  private let configuration: DetectorConfiguration
  private var buffer = FrameStore()
  private var framesUntilLook: Int
  private var active: ActiveSet?
  /// End of the previous set's last rep, s.
  private var previousEnd = -Double.infinity
  private var memory: MovementMemory
  /// Present while someone wants to know what is not counted.
  var log: RejectionLog?
  /// Until when the signal without a set was searched for remembered movements, s.
  private var recalledUntil = -Double.infinity

  private struct ActiveSet: Sendable {
    var start: Double
    var end: Double
    var period: Double
    /// The longest period that it was ever read with, s.
    var slowestPeriod: Double
    /// The rows that were seen of it; overlapping ones of about the same tempo are one.
    var rows: [MovementChain] = []
    /// Present once the set was announced.
    var tracker: LiveTracker?

    mutating func note(_ row: MovementChain) {
      let known = rows.firstIndex {
        $0.start <= row.end && row.start <= $0.end && row.period < 1.25 * $0.period
          && $0.period < 1.25 * row.period
      }
      if let known {
        rows[known].start = min(rows[known].start, row.start)
        rows[known].end = max(rows[known].end, row.end)
        rows[known].weight = max(rows[known].weight, row.weight)
        rows[known].count = max(rows[known].count, row.count)
      } else if rows.count < 16 {
        rows.append(row)
      }
    }
  }

  /// Bytes that are held for the set under way: its frames.
  var setByteCount: Int {
    guard let set = active, count(since: set.start) > 0 else { return 0 }
    return buffer.byteCount * count(since: set.start) / max(buffer.count, 1)
  }

  /// Bytes that are held, those for the set under way not counted.
  var stateByteCount: Int {
    buffer.byteCount - setByteCount + memory.byteCount + (active?.tracker?.byteCount ?? 0)
  }

  private func count(since time: Double) -> Int {
    buffer.rows(from: time, to: .infinity)?.count ?? 0
  }

  init(configuration: DetectorConfiguration) {
    self.configuration = configuration
    memory = MovementMemory(configuration: configuration)
    framesUntilLook = Self.hopFrames(configuration)
  }

  private static func hopFrames(_ configuration: DetectorConfiguration) -> Int {
    Math.integer(configuration.hopSeconds * FrontEnd.frameRateHz, clampedTo: 1...10_000)
  }

  mutating func append(_ frame: TimedFrame, _ emit: (DetectionEvent) -> Void) {
    if frame.startsAfterBreak, buffer.count > 0 {
      finish(emit)
      buffer = FrameStore()
      framesUntilLook = Self.hopFrames(configuration)
    }
    buffer.append(frame)
    active?.tracker?.advance(buffer, configuration: configuration, emit)
    learn(at: frame.time, emit)
    framesUntilLook -= 1
    guard framesUntilLook <= 0 else { return }
    framesUntilLook = Self.hopFrames(configuration)
    look(emit)
    forget()
  }

  /// The end of the signal.
  mutating func finish(_ emit: (DetectionEvent) -> Void) {
    if let set = active {
      active = nil
      settle(set, emit)
    }
    recall(isFinal: true, emit)
  }

  private mutating func look(_ emit: (DetectionEvent) -> Void) {
    guard let now = buffer.times.last else { return }
    if var set = active, let tracker = set.tracker,
      tracker.isKeepingUp(at: now, configuration: configuration)
    {
      // As long as its reps come, nothing else needs to be looked for.
      active = nil
      set.end = max(set.end, tracker.lastEnd)
      if now - set.start > configuration.longestSetSeconds {
        settle(set, emit)
      } else {
        follow(&set, emit)
        active = set
      }
      return
    }
    let chains = MovementChain.recent(
      in: buffer, after: previousEnd, configuration: configuration)
    if var set = active {
      active = nil
      let wait = max(configuration.endInPeriods * set.slowestPeriod, configuration.endSeconds)
      // The heaviest row tells the tempo; all rows tell how far the set goes.
      let joined = chains.filter { $0.start < set.end + wait }
      var isOther = false
      if let heaviest = joined.max(by: { $0.weight < $1.weight }) {
        set.period = heaviest.period
        isOther = set.tracker?.isOther(heaviest) == true
        set.slowestPeriod = max(set.slowestPeriod, heaviest.period)
        for chain in joined {
          set.start = min(set.start, max(chain.start, previousEnd))
          set.end = max(set.end, chain.end)
          set.note(chain)
        }
      }
      if now - set.end > wait || now - set.start > configuration.longestSetSeconds {
        settle(set, emit)
      } else {
        follow(&set, anew: isOther, emit)
        active = set
      }
    } else if let chain = chains.filter({
      now - $0.end <= max(2 * $0.period, 4) + configuration.hopSeconds
    }).max(by: { $0.weight < $1.weight }) {
      var set = ActiveSet(
        start: max(chain.start, previousEnd), end: chain.end, period: chain.period,
        slowestPeriod: chain.period)
      set.note(chain)
      follow(&set, emit)
      active = set
    } else {
      if log != nil {
        log?.note(
          MovementChain.rejected(in: buffer, after: previousEnd, configuration: configuration))
      }
      if now - recalledUntil >= configuration.recallSeconds { recall(isFinal: false, emit) }
    }
  }

  /// Settles rows of reps of remembered movements that are too short or too uneven to be found.
  private mutating func recall(isFinal: Bool, _ emit: (DetectionEvent) -> Void) {
    guard let now = buffer.times.last, !memory.isEmpty else { return }
    let runs = recalledRuns(besides: [], isFinal: isFinal)
    recalledUntil = now
    announce(runs, tracker: nil, now: now, emit)
    if let end = runs.last?.reps.last?.end { previousEnd = max(previousEnd, end) }
  }

  private func recalledRuns(besides known: [SettledRun], isFinal: Bool) -> [SettledRun] {
    guard
      !memory.isEmpty, let now = buffer.times.last,
      let rows = buffer.rows(from: previousEnd, to: now)
    else { return [] }
    return memory.recalled(
      in: buffer, rows: rows, besides: known, configuration: configuration,
      isOver: { end, period in
        isFinal
          || now - end
            > max(
              configuration.pauseInPeriods * period, configuration.pauseSeconds)
      }
    ).filter { !isWalking($0) }.sorted { ($0.reps.first?.start ?? 0) < ($1.reps.first?.start ?? 0) }
  }

  /// Learns the template of the set under way anew, when it is time.
  private mutating func learn(at time: Double, _ emit: (DetectionEvent) -> Void) {
    // Asked for every frame: without taking the set out first.
    guard
      active?.tracker?.wantsNewTemplate(at: time, configuration: configuration) == true,
      var set = active, let tracker = set.tracker
    else { return }
    active = nil
    set.end = max(set.end, tracker.lastEnd)
    follow(&set, emit)
    if set.tracker?.wantsNewTemplate == true { set.tracker?.postponeLearning(at: time) }
    active = set
  }

  /// Announces a set, or looks again at one whose template was learned from few reps.
  ///
  /// - Parameter anew: whether it turned out to be of another movement than what it was recognised by.
  private func follow(
    _ set: inout ActiveSet, anew: Bool = false, _ emit: (DetectionEvent) -> Void
  ) {
    let isLost = set.tracker?.isLost == true
    if let tracker = set.tracker, !tracker.wantsNewTemplate, !anew, !isLost { return }
    // Two movements may be the end of it: what follows tells.
    guard set.rows.contains(where: { $0.count >= configuration.chainReps }) else { return }
    guard let now = buffer.times.last else { return }
    let from = max(set.start - configuration.marginInPeriods * set.period, previousEnd)
    guard
      let rows = buffer.rows(from: from, to: now),
      let lock = LiveTracker.Lock(
        buffer, rows: rows, expectedPeriod: isLost ? nil : set.period,
        known: set.tracker?.lock, isInDoubt: anew || isLost, configuration: configuration)
    else { return }
    if set.tracker == nil {
      emit(
        .setStarted(time: now, start: lock.reps.first?.start ?? set.start, cause: .detected))
      set.tracker = LiveTracker()
    }
    set.tracker?.adopt(
      lock, isLookedInto: anew || isLost, time: now, configuration: configuration, emit)
  }

  private func isWalking(_ run: SettledRun) -> Bool {
    guard
      let first = run.reps.first, let last = run.reps.last,
      let rows = buffer.rows(from: first.start, to: last.end)
    else { return false }
    return Gait.isWalking(
      buffer.frames(rows)[...], period: run.period, configuration: configuration)
  }

  /// Drops frames that neither a window nor the set under way can ask for.
  private mutating func forget() {
    guard let now = buffer.times.last else { return }
    var keepFrom =
      now
      - max(
        configuration.retainedSeconds,
        (configuration.windows.map(\.seconds).max() ?? 24) + configuration.hopSeconds)
    if let set = active {
      keepFrom = min(keepFrom, set.start - 2 * configuration.longestPeriodSeconds)
    }
    let excess = buffer.times.firstIndex { $0 >= keepFrom } ?? 0
    if excess > 100 { buffer.removeFirst(excess) }
  }

  /// The settled answer for a set that is over.
  private mutating func settle(_ set: ActiveSet, _ emit: (DetectionEvent) -> Void) {
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
        !memory.recognises(run, in: buffer, configuration: configuration)
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
    announce(runs, tracker: set.tracker, now: now, emit)
    if runs.isEmpty, var tracker = set.tracker {
      tracker.enter(.rest, time: now, emit)
      emit(.setCancelled(time: now))
    }
    let recalled = recalledRuns(besides: runs, isFinal: false)
    recalledUntil = now
    announce(recalled, tracker: nil, now: now, emit)
    for run in runs + recalled + others {
      if let end = run.reps.last?.end { previousEnd = max(previousEnd, end) }
    }
  }

  private mutating func announce(
    _ runs: [SettledRun], tracker: LiveTracker?, now: Double,
    _ emit: (DetectionEvent) -> Void
  ) {
    var tracker = tracker
    for run in runs {
      let counted = run.counted(cause: .detected, configuration: configuration)
      if let live = tracker {
        if live.count != counted.reps.count {
          emit(.repCorrected(time: now, count: counted.reps.count))
        }
      } else {
        emit(.setStarted(time: now, start: counted.start, cause: .detected))
        emit(.phase(time: now, from: .rest, to: .execution))
        for (index, rep) in counted.reps.enumerated() {
          emit(.rep(time: now, count: index + 1, rep: rep))
        }
      }
      for partial in counted.partialReps { emit(.partialRep(time: now, rep: partial)) }
      if tracker == nil {
        emit(.phase(time: now, from: .execution, to: .rest))
      } else {
        tracker?.enter(.rest, time: now, emit)
        tracker = nil
      }
      emit(.setEnded(time: now, set: counted))
    }
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
