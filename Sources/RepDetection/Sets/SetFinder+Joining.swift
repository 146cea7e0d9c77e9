import Motion

/// Rest-pause and drop sets: a set that is finalized stays open until no further bout of its movement
/// can follow, and ends with all bouts as one.
extension SetFinder {
  /// Announces a set that goes on: as a bout of the open set where it is of that movement, else as a
  /// set of its own. The same where what was taken for a bout turns out to be of another movement.
  mutating func announce(
    _ set: inout ActiveSet, _ tracked: LiveTracker.TrackedTemplate, _ emit: (DetectionEvent) -> Void
  ) {
    let now = buffer.times.last ?? set.end
    if let open {
      if isBout(tracked.reps, period: tracked.period, of: open) {
        guard !set.isContinuation else { return }
        set.isContinuation = true
        set.isSilent = false
        set.tracker = LiveTracker()
        return
      }
      // What the wrist does while it rests must not end the set.
      guard isClear(tracked.reps, period: tracked.period) else {
        if set.tracker == nil {
          set.tracker = LiveTracker()
          set.isSilent = true
        }
        return
      }
      if set.isContinuation, var tracker = set.tracker {
        if tracker.count > 0 { emit(.repCorrected(time: now, count: open.count)) }
        tracker.enter(.rest, time: now, emit)
      }
      set.isContinuation = false
      endOpenSet(emit)
    }
    set.isSilent = false
    set.tracker = LiveTracker()
    emit(
      .setStarted(time: now, start: tracked.reps.first?.start ?? set.start, cause: .detected))
  }

  /// What was finalized, and what was recognised meanwhile, in order of time.
  ///
  /// - Parameter set: that was followed; nil if it was not.
  mutating func announce(
    _ runs: [RepRun], recalled: [RepRun], of set: ActiveSet?,
    _ emit: (DetectionEvent) -> Void
  ) {
    let now = buffer.times.last ?? 0
    var groups = grouped(runs, recalled)
    if let set, !set.isSilent, var tracker = set.tracker {
      if set.isContinuation {
        let before = open?.count ?? 0
        var bouts: [RepRun] = []
        if groups.first?.goesOn == true { bouts = groups.removeFirst().bouts }
        open?.append(bouts)
        let count = open?.count ?? 0
        if count != before + tracker.count { emit(.repCorrected(time: now, count: count)) }
        report(partialsOf: bouts, at: now, emit)
        tracker.enter(.rest, time: now, emit)
      } else if let first = runs.first?.reps.first?.start,
        let own = groups.firstIndex(where: { $0.start <= first && first <= $0.end })
      {
        let bouts = groups[own].bouts
        let count = bouts.reduce(0) { $0 + $1.reps.count }
        if count != tracker.count { emit(.repCorrected(time: now, count: count)) }
        report(partialsOf: bouts, at: now, emit)
        tracker.enter(.rest, time: now, emit)
        open = OpenSet(bouts, earlier: groups[..<own].map(\.bouts))
        groups.removeFirst(own + 1)
      } else {
        tracker.enter(.rest, time: now, emit)
        emit(.setCancelled(time: now))
      }
    }
    for group in groups {
      if group.goesOn {
        report(group.bouts, after: open?.count ?? 0, at: now, emit)
        open?.append(group.bouts)
      } else {
        endOpenSet(emit)
        start(group.bouts, at: now, emit)
      }
    }
    if configuration.longestRestWithinSetSeconds <= 0 { endOpenSet(emit) }
  }

  private mutating func start(
    _ bouts: [RepRun], at now: Double, _ emit: (DetectionEvent) -> Void
  ) {
    emit(
      .setStarted(time: now, start: bouts.first?.reps.first?.start ?? now, cause: .detected))
    report(bouts, after: 0, at: now, emit)
    open = OpenSet(bouts)
  }

  /// Reports bouts that nobody followed.
  private func report(
    _ bouts: [RepRun], after count: Int, at now: Double, _ emit: (DetectionEvent) -> Void
  ) {
    emit(.phase(time: now, from: .rest, to: .execution))
    var count = count
    for bout in bouts {
      for rep in bout.counted(cause: .detected, configuration: configuration).reps {
        count += 1
        emit(.rep(time: now, count: count, rep: rep))
      }
    }
    report(partialsOf: bouts, at: now, emit)
    emit(.phase(time: now, from: .execution, to: .rest))
  }

  private func report(
    partialsOf bouts: [RepRun], at now: Double, _ emit: (DetectionEvent) -> Void
  ) {
    for partial in bouts.flatMap(\.partials) {
      emit(.partialRep(time: now, rep: partial.counted))
    }
  }

  /// The open set has ended.
  mutating func endOpenSet(_ emit: (DetectionEvent) -> Void) {
    guard let ended = open else { return }
    let now = buffer.times.last ?? ended.end
    open = nil
    emit(.setEnded(time: now, set: ended.counted(configuration)))
    for bouts in ended.earlier {
      start(bouts, at: now, emit)
      endOpenSet(emit)
    }
  }

  // MARK: - What belongs together

  /// Bouts that follow each other.
  private struct Group {
    var bouts: [RepRun]
    /// Whether they go on with the open set.
    var goesOn = false

    var start: Double { bouts.first?.reps.first?.start ?? 0 }
    var end: Double { bouts.last?.reps.last?.end ?? 0 }
  }

  private func grouped(_ runs: [RepRun], _ recalled: [RepRun]) -> [Group] {
    guard configuration.longestRestWithinSetSeconds > 0 else {
      return (runs + recalled).map { Group(bouts: [$0]) }
    }
    var groups: [Group] = []
    var set = open
    let all = (runs + recalled).sorted {
      ($0.reps.first?.start ?? 0) < ($1.reps.first?.start ?? 0)
    }
    for run in all {
      if let known = set, isBout(run, of: known) {
        set?.append([run])
        if groups.isEmpty {
          groups.append(Group(bouts: [run], goesOn: true))
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

  private func isBout(_ run: RepRun, of set: OpenSet) -> Bool {
    // Bouts get shorter, or stay as long: a set does not begin with its shortest.
    2 * run.reps.count <= 3 * (set.bouts.map(\.reps.count).max() ?? 0)
      && isBout(run.reps, period: run.period, of: set)
  }

  /// Whether a finalized run goes on with what was finalized before it: with `runs`, else the open set.
  func isBout(_ run: RepRun, after runs: [RepRun]) -> Bool {
    guard
      configuration.longestRestWithinSetSeconds > 0,
      let set = runs.last.map({ OpenSet([$0]) }) ?? open
    else { return false }
    return isBout(run, of: set)
  }

  /// Whether reps go on with a set after a rest. While they go on their tempo is not sure yet.
  private func isBout(
    _ reps: [RepRun.Rep], period: Double, of set: OpenSet
  ) -> Bool {
    guard
      let first = reps.first, let last = reps.last, let template = set.template,
      first.start - set.end >= configuration.shortestRestWithinSetSeconds,
      first.start - set.end <= configuration.longestRestWithinSetSeconds,
      last.end - set.start <= configuration.longestSetSeconds
    else { return false }
    return template.goesOn(in: reps, period: period, in: buffer, configuration: configuration)
  }

  /// Whether a run of reps that goes on is sure to be a set.
  private func isClear(_ reps: [RepRun.Rep], period: Double) -> Bool {
    let similarity = reps.reduce(0) { $0 + $1.similarity } / Float(max(reps.count, 1))
    guard
      reps.count >= configuration.unknownSetReps,
      similarity >= Float(configuration.unknownSetSimilarity)
    else { return false }
    return !isWalking(reps, period: period)
  }

  /// Whether a bout of the open set has begun that is not finalized yet.
  ///
  /// - Parameter isFollowed: whether something goes on that will be finalized. Else only a bout of two
  ///   may be, which is recognised when it is over.
  func isBoutUnderWay(of set: OpenSet, isFollowed: Bool) -> Bool {
    guard
      let now = buffer.times.last, let template = set.template,
      let rows = buffer.rows(from: previousEnd, to: now)
    else { return false }
    let reach =
      isFollowed
      ? Double.infinity
      : max(configuration.pauseInPeriods * template.period, configuration.pauseSeconds)
        + configuration.hopSeconds
    return memory.runs(
      of: template, in: buffer[rows], besides: [], configuration: configuration
    ).contains { run in
      guard let first = run.first, let last = run.last else { return false }
      let origin = buffer.times[rows.lowerBound]
      return origin + first.start - set.end <= configuration.longestRestWithinSetSeconds
        && now - origin - last.end <= reach
    }
  }

  // MARK: - Movements that are remembered

  /// Finalizes runs of reps of remembered movements that are too short or too uneven to be found.
  mutating func recall(isFinal: Bool, _ emit: (DetectionEvent) -> Void) {
    guard let now = buffer.times.last else { return }
    let runs = recalledRuns(besides: [], isFinal: isFinal)
    recalledUntil = now
    announce([], recalled: runs, of: nil, emit)
    if let end = runs.last?.reps.last?.end { previousEnd = max(previousEnd, end) }
  }

  func recalledRuns(besides known: [RepRun], isFinal: Bool) -> [RepRun] {
    guard
      !memory.isEmpty || open != nil, let now = buffer.times.last,
      let rows = buffer.rows(from: previousEnd, to: now)
    else { return [] }
    let recalled = memory.recalled(
      in: buffer, rows: rows, of: open?.template, besides: known,
      configuration: configuration,
      isOver: { end, period in
        isFinal
          || now - end
            > max(
              configuration.pauseInPeriods * period, configuration.pauseSeconds)
      }
    ).sorted { $0.start < $1.start }
    let others = (known + recalled).sorted { $0.start < $1.start }
    return recalled.compactMap { run in
      let own = segmentedAnew(run, among: others) ?? run
      guard own.rejection(by: gate, configuration) == nil, !isWalking(own) else { return nil }
      return own.judged(by: gate)
    }
  }

  /// A run of reps of a remembered movement, read by itself; nil where nothing is found there.
  private func segmentedAnew(_ run: RepRun, among others: [RepRun]) -> RepRun? {
    let margin = configuration.runMarginInPeriods * run.period
    let before = others.last { $0.end <= run.start }.map { ($0.end + run.start) / 2 }
    let after = others.first { $0.start >= run.end }.map { ($0.start + run.end) / 2 }
    let lowest = max(before ?? previousEnd, previousEnd)
    let highest = after ?? Double.infinity
    guard lowest < highest else { return nil }
    return runs(
      from: max(run.start - margin, lowest), to: min(run.end + margin, highest),
      period: run.period, within: lowest...highest
    ).max { $0.overlap(run) < $1.overlap(run) }.flatMap { $0.overlap(run) > 0 ? $0 : nil }
  }
}
