import Motion
import MotionFrames
import TemplateSearch

/// Announcing sets and their bouts. In rest-pause and drop sets a finalized set stays open until no further
/// bout of its movement can follow, and ends with all bouts as one.
extension SetFinder {
  /// Announces a tracked set once its probability reaches the threshold: as a bout of the open set if it has
  /// that movement, else as a set of its own. Also announces it as a set of its own if a supposed bout turns
  /// out to have another movement.
  ///
  /// - Returns: False if there is nothing to announce yet.
  mutating func announce(
    _ set: inout ActiveSet, _ tracked: LiveTracker.TrackedTemplate,
    into events: inout [DetectionEvent]
  ) -> Bool {
    if let open,
      isPartial(
        tracked.reps, period: tracked.period, extent: tracked.typicalExtent, of: open.latest)
    {
      return false
    }
    let continues = open.map { isBout(tracked.reps, period: tracked.period, of: $0) } ?? false
    if continues, set.isContinuation { return true }
    // A set that was announced from its first rep continues without the probability test.
    guard isDeclared || isEarly || isProbable(tracked) else {
      set.tracker = set.tracker ?? LiveTracker()
      return false
    }
    set.isAnnounced = true
    set.isContinuation = continues
    set.tracker = LiveTracker()
    if continues { return true }
    if open != nil {
      update(to: [], isOngoing: false, into: &events)
      endOpenSet(into: &events)
    }
    if announced == nil { startSet(at: tracked.reps.first?.start ?? set.start, into: &events) }
    return true
  }

  /// Announces finalized runs, in order of time.
  ///
  /// - Parameter set: The tracked set that they come from; nil if there is none.
  mutating func announce(
    _ runs: [RepRun], of set: ActiveSet?, into events: inout [DetectionEvent]
  ) {
    var groups = grouped(withoutPartials(runs, into: &events))
    if let set, set.isAnnounced {
      let continues = set.isContinuation || isDeclared
      let isAccepted = groups.first.map { $0.continuesOpenSet || !set.isContinuation } ?? false
      if isAccepted || continues {
        close(with: isAccepted ? groups.removeFirst().bouts : [], into: &events)
      } else {
        cancelSet(into: &events)
      }
    }
    for group in groups {
      if !group.continuesOpenSet, !isDeclared {
        if isEarly { cancelSet(into: &events) }
        endOpenSet(into: &events)
        startSet(at: group.bouts.first?.start ?? 0, into: &events)
      }
      close(with: group.bouts, into: &events)
    }
    if configuration.longestRestWithinSetSeconds <= 0 { endOpenSet(into: &events) }
  }

  mutating func startSet(at start: Double, into events: inout [DetectionEvent]) {
    announced = AnnouncedSet()
    events.append(.setStarted(time: newestTime, start: start, cause: .detected))
  }

  /// Adds finalized bouts to the announced set, and announces the reps so far.
  private mutating func close(with bouts: [RepRun], into events: inout [DetectionEvent]) {
    let counted = bouts.map { $0.counted(cause: .detected, configuration: configuration) }
    finalized = (finalized + counted.flatMap { $0.reps }).withoutOverlap
    if !isDeclared, !bouts.isEmpty { open = OpenSet((open?.bouts ?? []) + bouts) }
    update(to: [], isOngoing: false, into: &events)
    announced?.add(
      partials: counted.flatMap { $0.partialReps }, at: newestTime, into: &events)
    startBout()
  }

  /// Ends the open set and emits its final answer.
  mutating func endOpenSet(into events: inout [DetectionEvent]) {
    guard let ended = open else { return }
    events.append(.setEnded(time: newestTime, set: ended.counted(configuration)))
    forgetSet()
  }

  /// Cancels a detected set that was announced and turned out not to be one.
  mutating func cancelSet(into events: inout [DetectionEvent]) {
    announced?.enter(.rest, at: newestTime, into: &events)
    events.append(.setCancelled(time: newestTime))
    forgetSet()
  }

  private mutating func forgetSet() {
    announced = nil
    open = nil
    finalized = []
    firstReps = []
  }

  // MARK: - Grouping runs

  /// Returns the runs in order of time. Runs of partial reps are merged into their neighbor or into the open
  /// set.
  private mutating func withoutPartials(
    _ runs: [RepRun], into events: inout [DetectionEvent]
  ) -> [RepRun] {
    var result: [RepRun] = []
    for var run in runs {
      if let last = result.last, isPartial(run, of: last) {
        result[result.count - 1].add(partials: run.reps)
        continue
      }
      if result.isEmpty, let open, isPartial(run, of: open.latest) {
        announced?.add(partials: run.reps.map { $0.counted }, at: newestTime, into: &events)
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

  /// Returns true if reps continue or precede a longer run without a pause, with a smaller extent.
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
    /// True if the bouts continue the open set.
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
        set = OpenSet(known.bouts + [run])
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

  /// Returns true if reps continue a set after a rest.
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
    for match in template.matches(in: buffer.frames(rows)[...], configuration: configuration.search)
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
