import Motion

/// Rest-pause and drop sets: a finalized set stays open until no further bout of its movement can follow, and
/// ends with all bouts as one.
extension SetFinder {
  /// Announces a tracked set once its probability reaches the threshold: as a bout of the open set if it has
  /// that movement, else as a set of its own. Also announces it as a set of its own if a supposed bout turns
  /// out to have another movement.
  ///
  /// - Returns: false if there is nothing to announce yet: the set stays silent, or stays as it was.
  mutating func announce(
    _ set: inout ActiveSet, _ tracked: LiveTracker.TrackedTemplate,
    into events: inout [DetectionEvent]
  ) -> Bool {
    let now = buffer.times.last ?? set.end
    if let open,
      isPartial(
        tracked.reps, period: tracked.period, extent: tracked.typicalExtent, of: open.latest)
    {
      return false
    }
    let continues = open.map { isBout(tracked.reps, period: tracked.period, of: $0) } ?? false
    if continues, set.isContinuation { return true }
    // A set that was announced from its first rep continues without the probability test.
    guard isDeclared || earlyTracker != nil || isProbable(tracked) else {
      set.tracker = set.tracker ?? LiveTracker()
      return false
    }
    set.isAnnounced = true
    if continues {
      set.isContinuation = true
      set.tracker = LiveTracker()
      return true
    }
    if let open {
      if set.isContinuation, var tracker = set.tracker {
        if tracker.count > 0 { events.append(.repCorrected(time: now, count: open.count)) }
        tracker.phase.enter(.rest, at: now, into: &events)
      }
      set.isContinuation = false
      endOpenSet(into: &events)
    }
    if earlyTracker == nil {
      events.append(
        .setStarted(time: now, start: tracked.reps.first?.start ?? set.start, cause: .detected))
    }
    set.tracker = earlyTracker ?? LiveTracker()
    earlyTracker = nil
    return true
  }

  /// Emits the events for finalized runs, in order of time.
  ///
  /// - Parameter set: the tracked set they come from; nil if there is none.
  mutating func announce(
    _ runs: [RepRun], of set: ActiveSet?, into events: inout [DetectionEvent]
  ) {
    let now = buffer.times.last ?? 0
    var groups = grouped(withoutPartials(runs, at: now, into: &events))
    if let set, set.isAnnounced, var tracker = set.tracker {
      let isContinuation = set.isContinuation
      let isAccepted = isContinuation ? groups.first?.continuesOpenSet == true : !groups.isEmpty
      let bouts = isAccepted ? groups.removeFirst().bouts : []
      if isContinuation || isAccepted {
        let count = bouts.reduce(0) { $0 + $1.reps.count }
        let before = isContinuation ? open?.count ?? 0 : 0
        if count != tracker.count { events.append(.repCorrected(time: now, count: before + count)) }
        report(partialsOf: bouts, at: now, into: &events)
      }
      tracker.phase.enter(.rest, at: now, into: &events)
      if isContinuation {
        open?.append(bouts)
      } else if isAccepted {
        open = OpenSet(bouts)
      } else {
        events.append(.setCancelled(time: now))
      }
    }
    for group in groups {
      if group.continuesOpenSet {
        report(group.bouts, after: open?.count ?? 0, at: now, into: &events)
        open?.append(group.bouts)
      } else {
        endOpenSet(into: &events)
        start(group.bouts, at: now, into: &events)
      }
    }
    if configuration.longestRestWithinSetSeconds <= 0 { endOpenSet(into: &events) }
  }

  private mutating func start(
    _ bouts: [RepRun], at now: Double, into events: inout [DetectionEvent]
  ) {
    cancelEarlySet(at: now, into: &events)
    events.append(
      .setStarted(time: now, start: bouts.first?.reps.first?.start ?? now, cause: .detected))
    report(bouts, after: 0, at: now, into: &events)
    open = OpenSet(bouts)
  }

  /// Reports bouts that were not tracked live.
  private func report(
    _ bouts: [RepRun], after count: Int, at now: Double, into events: inout [DetectionEvent]
  ) {
    events.append(.phase(time: now, from: .rest, to: .execution))
    var count = count
    for bout in bouts {
      for rep in bout.counted(cause: .detected, configuration: configuration).reps {
        count += 1
        events.append(.rep(time: now, count: count, rep: rep))
      }
    }
    report(partialsOf: bouts, at: now, into: &events)
    events.append(.phase(time: now, from: .execution, to: .rest))
  }

  private func report(
    partialsOf bouts: [RepRun], at now: Double, into events: inout [DetectionEvent]
  ) {
    for partial in bouts.flatMap({ $0.partials }) {
      events.append(.partialRep(time: now, rep: partial.counted))
    }
  }

  /// Ends the open set and emits its final answer.
  mutating func endOpenSet(into events: inout [DetectionEvent]) {
    guard let ended = open else { return }
    let now = buffer.times.last ?? ended.end
    open = nil
    events.append(.setEnded(time: now, set: ended.counted(configuration)))
  }

  // MARK: - Grouping runs

  /// Returns the runs in order of time. Runs that consist of the partial reps of a neighbour, or of the open
  /// set, are merged into it.
  private mutating func withoutPartials(
    _ runs: [RepRun], at now: Double, into events: inout [DetectionEvent]
  ) -> [RepRun] {
    var result: [RepRun] = []
    for var run in runs {
      if let last = result.last, isPartial(run, of: last) {
        result[result.count - 1].add(partials: run.reps)
        continue
      }
      if result.isEmpty, let open, isPartial(run, of: open.latest) {
        for rep in run.reps { events.append(.partialRep(time: now, rep: rep.counted)) }
        self.open?.add(partials: run.reps)
        continue
      }
      if let last = result.last, isPartial(last, of: run) {
        run.add(partials: last.reps)
        result.removeLast()
      }
      result.append(run)
    }
    return result
  }

  private func isPartial(_ run: RepRun, of longer: RepRun) -> Bool {
    isPartial(run.reps, period: run.period, extent: run.extent, of: longer)
  }

  /// True if reps continue or precede a longer run without a pause, with a smaller extent.
  private func isPartial(
    _ reps: [RepRun.Rep], period: Double, extent: WristExtent, of longer: RepRun
  ) -> Bool {
    guard
      let first = reps.first, let last = reps.last, let template = longer.template,
      reps.count < longer.reps.count
    else { return false }
    let pause = max(first.start - longer.end, longer.start - last.end)
    return pause <= configuration.longestPause(period: longer.period)
      && longer.extent.shortfall(of: extent) > configuration.mostShortfall
      && template.isContinued(by: reps, period: period, in: buffer, configuration: configuration)
  }

  /// Successive bouts of one set.
  private struct Group {
    var bouts: [RepRun]
    /// Whether the bouts continue the open set.
    var continuesOpenSet = false
  }

  private func grouped(_ runs: [RepRun]) -> [Group] {
    guard configuration.longestRestWithinSetSeconds > 0 else {
      return runs.map { Group(bouts: [$0]) }
    }
    var groups: [Group] = []
    var set = open
    for run in runs {
      if let known = set, isBout(run.reps, period: run.period, of: known) {
        set?.append([run])
        if groups.isEmpty {
          groups.append(Group(bouts: [run], continuesOpenSet: true))
        } else {
          groups[groups.count - 1].bouts.append(run)
        }
      } else {
        set = OpenSet([run])
        groups.append(Group(bouts: [run]))
      }
    }
    return groups
  }

  /// True if reps continue a set after a rest.
  private func isBout(
    _ reps: [RepRun.Rep], period: Double, of set: OpenSet
  ) -> Bool {
    guard
      let first = reps.first, let last = reps.last, let template = set.template,
      first.start >= set.end,
      first.start - set.end <= configuration.longestRestWithinSetSeconds,
      last.end - set.start <= configuration.longestSetSeconds
    else { return false }
    return template.isContinued(by: reps, period: period, in: buffer, configuration: configuration)
  }

  // MARK: - Short bouts

  /// Ends the open set when no further bout of it can follow.
  mutating func endOpenSetIfOver(into events: inout [DetectionEvent]) {
    guard let open, let now = buffer.times.last, active?.isContinuation != true else { return }
    // A bout is only detected after its first rep.
    guard now - open.end > configuration.longestRestWithinSetSeconds + open.period else { return }
    if let last = repeats(of: open).last {
      // The repeats may continue, or will be finalized with the active set.
      guard active == nil, now - last.upperBound > configuration.longestPause(period: open.period)
      else { return }
      let bouts = shortBouts(before: now)
      announce(bouts, of: nil, into: &events)
      if let end = bouts.last?.end { previousEnd = max(previousEnd, end) }
      guard bouts.isEmpty else { return }
    }
    endOpenSet(into: &events)
  }

  /// Returns bouts of the open set, up to a time in seconds, that are too short to be found otherwise.
  func shortBouts(before time: Double) -> [RepRun] {
    guard let open, time > previousEnd else { return [] }
    let found = repeats(of: open, before: time).compactMap { span in
      runs(
        from: span.lowerBound - open.period, to: span.upperBound + open.period, period: open.period,
        within: previousEnd...time
      ).first { isAccepted($0) && $0.start < span.upperBound && $0.end > span.lowerBound }?
      .judged(by: gate)
    }
    return Self.withoutOverlaps(found)
  }

  /// Returns the spans, in seconds, of at least two movements after the open set that resemble its reps and
  /// begin soon enough to be a bout of it.
  private func repeats(of set: OpenSet, before end: Double = .infinity) -> [ClosedRange<Double>] {
    guard let template = set.template, let rows = buffer.rows(from: previousEnd, to: end) else {
      return []
    }
    let origin = buffer.times[rows.lowerBound]
    var spans: [(span: ClosedRange<Double>, count: Int)] = []
    for match in template.matches(in: buffer.frames(rows)[...], configuration: configuration)
    where match.similarity >= configuration.runSimilarity {
      let (start, end) = (origin + match.start, origin + match.end)
      if let last = spans.last,
        start - last.span.upperBound <= configuration.longestPause(period: set.period)
      {
        spans[spans.count - 1] = (last.span.lowerBound...end, last.count + 1)
      } else {
        spans.append((start...end, 1))
      }
    }
    return spans.filter {
      $0.count > 1 && $0.span.lowerBound - set.end <= configuration.longestRestWithinSetSeconds
    }.map { $0.span }
  }
}
