import Motion
import MotionFrames
import SignalProcessing
import TemplateSearch

extension SetFinder {
  /// Finalizes a set that is over, and emits the final answer.
  mutating func finalize(_ set: ActiveSet, into events: inout [DetectionEvent]) {
    let shortest = configuration.hints.shortestPeriodSeconds
    let all = finalRuns(set)
    for run in all where run.period < shortest {
      log?.note(run, .tooFast(periodSeconds: run.period, needed: shortest))
    }
    let runs = all.filter { $0.period >= shortest }
    let short = shortBouts(before: runs.first?.start ?? set.start)
    announce(short + runs, of: set, into: &events)
    for run in short + all { previousEnd = max(previousEnd, run.end) }
  }

  /// Returns true if a finalized run of reps is a set.
  @inline(never)
  func isAccepted(_ run: RepRun) -> Bool {
    run.rejection(by: gate, configuration) == nil && !isWalking(run.reps, run.figures)
  }

  /// Returns true if more than half of the movements are strides, each tested by itself. A walk may have been
  /// segmented together with the signal before and after it.
  func isWalking(_ reps: [RepRun.Rep], _ figures: SetGate.Figures) -> Bool {
    guard figures.stepPeak > configuration.leastStepPeak else { return false }
    let strides = reps.count { rep in
      guard let rows = buffer.rows(from: rep.start, to: rep.end) else { return false }
      return ForearmMotion(buffer.frames(rows)[...]).gait(period: figures.signature.period)
        >= configuration.leastGait
    }
    return 2 * strides > reps.count
  }

  /// Returns the runs of reps of a set that is over.
  private mutating func finalRuns(_ set: ActiveSet) -> [RepRun] {
    var runs = segmentedRuns(
      from: set.start, to: set.end, period: set.period, within: previousEnd...Double.infinity)
    segmentOtherChains(of: set, beside: &runs)
    if log != nil {
      for run in runs where isAccepted(run) {
        for rejection in run.rejections(in: buffer, configuration) { log?.note(rejection) }
      }
      if runs.isEmpty {
        log?.note(
          CandidateRejection(
            subject: .set, reason: .noSegmentation, start: set.start, end: set.end,
            periodSeconds: set.period))
      }
      for run in runs {
        if let reason = run.rejection(by: gate, configuration) {
          log?.note(run, reason)
        } else if isWalking(run.reps, run.figures) {
          log?.note(run, .walking(periodSeconds: run.period))
        }
      }
    }
    return Self.withoutOverlaps(runs.filter { isAccepted($0) }.map { $0.judged(by: gate) })
  }

  /// Adds runs that the first segmentation of a set's window did not find. A window may contain more than one
  /// movement, or one at several tempos, and a template finds only one of them. Therefore the two heaviest
  /// chains that were observed during the set and lie beside the kept reps are segmented by themselves.
  private mutating func segmentOtherChains(of set: ActiveSet, beside runs: inout [RepRun]) {
    var chainsLeft = 2
    for chain in set.chains.sorted(byKey: { -Double($0.weight) }) where chainsLeft > 0 {
      let rejected = runs.filter { !isAccepted($0) && chain.fraction(in: $0.start...$0.end) > 0.3 }
      func wasRejected(_ period: Double) -> Bool {
        rejected.contains { DetectorConfiguration.haveSameTempo($0.period, period) }
      }
      let kept = runs.filter { isAccepted($0) }
      // There is little other motion between reps, and a chain was often observed together with them. Before
      // and after a set people walk and drink.
      func isBetween(_ room: ClosedRange<Double>) -> Bool {
        room.lowerBound > previousEnd && room.upperBound < .infinity
      }
      guard !wasRejected(chain.period),
        let room = room(beside: kept).first(where: {
          chain.fraction(in: $0) > (isBetween($0) ? 0.3 : 0.7)
        })
      else { continue }
      chainsLeft -= 1
      let leastProbability =
        kept.isEmpty || isBetween(room)
        ? 0 : SetGate.probability(configuration.setProbability, timesOdds: 5)
      let others = segmentedRuns(
        from: max(chain.start, room.lowerBound), to: min(chain.end, room.upperBound),
        period: chain.period, within: room
      ).filter {
        guard !wasRejected($0.period) else { return false }
        let probability = $0.judged(by: gate).setProbability
        guard probability < leastProbability else { return true }
        log?.note($0, .unlikely(probability: probability, needed: leastProbability))
        return false
      }
      for other in others where isAccepted(other) {
        runs = runs.flatMap { isAccepted($0) ? $0.divided(by: other) : [$0] }
      }
      runs += others
    }
  }

  /// Returns the times between the reps of some runs, and before and after them, in seconds.
  private func room(beside runs: [RepRun]) -> [ClosedRange<Double>] {
    let reps = runs.flatMap { $0.reps }.sorted(byKey: { $0.start })
    let ends = [previousEnd] + reps.map { $0.end }
    let starts = reps.map { $0.start } + [Double.infinity]
    return zip(ends, starts).filter { $0 < $1 }.map { $0...$1 }
  }

  /// Returns the runs in order of time. Of two that overlap, the one with more reps is kept.
  static func withoutOverlaps(_ runs: [RepRun]) -> [RepRun] {
    var result: [RepRun] = []
    for run in runs.sorted(byKey: { $0.start }) {
      if let last = result.last, last.end > run.start {
        if last.reps.count < run.reps.count { result[result.count - 1] = run }
      } else {
        result.append(run)
      }
    }
    return result
  }

  /// Segments a span. Widens the window if the first runs show that the live search used too narrow a span,
  /// for example because it mistook half a rep for a whole one.
  private func segmentedRuns(
    from start: Double, to end: Double, period: Double, within limits: ClosedRange<Double>
  ) -> [RepRun] {
    var from = start - period
    var to = end + period
    var window = window(from: from, to: to, period: period, within: limits)
    guard
      let seen = window, let origin = seen.signal.times.first, let run = seen.firstRuns.first,
      let first = run.segments.first, let last = run.segments.last
    else { return [] }
    let wantedFrom = max(
      origin + run.seconds(first.start) - run.period, limits.lowerBound, buffer.times.first ?? from)
    let wantedTo = min(
      origin + run.seconds(last.end) + run.period, limits.upperBound, buffer.times.last ?? to)
    let slack = 0.25 * run.period
    if wantedFrom < max(from, limits.lowerBound) - slack
      || wantedTo > min(to, limits.upperBound) + slack
    {
      from = min(from, wantedFrom)
      to = max(to, wantedTo)
      window = self.window(from: from, to: to, period: period, within: limits)
    }
    guard let window else { return [] }
    return runs(in: window)
  }

  /// Returns the runs of reps in a span, compared with the signal around it.
  func runs(
    from: Double, to: Double, period: Double, within limits: ClosedRange<Double>
  ) -> [RepRun] {
    window(from: from, to: to, period: period, within: limits).map { runs(in: $0) } ?? []
  }

  private func runs(in window: WindowSegmentations) -> [RepRun] {
    guard let segmentation = FinalSegmentation(window, of: buffer, isDiagnosed: log != nil) else {
      return []
    }
    var runs = RepRun.split(segmentation, configuration: configuration)
    for i in runs.indices {
      runs[i].figures.surroundings = buffer.surroundings(
        of: runs[i].figures.span, period: runs[i].figures.signature.period)
      runs[i].figures = continuing(runs[i].figures)
    }
    // Runs of one segmentation are bouts of one movement: each is judged by the signal beside all of them.
    for i in runs.indices.dropFirst() where isShortRest(from: runs[i - 1], to: runs[i]) {
      runs[i].figures.surroundings.before = runs[i - 1].figures.surroundings.before
    }
    for i in runs.indices.dropLast().reversed() where isShortRest(from: runs[i], to: runs[i + 1]) {
      runs[i].figures.surroundings.after = runs[i + 1].figures.surroundings.after
    }
    let accepted = runs.filter { isAccepted($0) }
    for i in runs.indices {
      for other in accepted
      where other.start > runs[i].start && isShortRest(from: runs[i], to: other)
        || other.start < runs[i].start && isShortRest(from: other, to: runs[i])
      {
        runs[i].figures.boutSimilarity = max(
          runs[i].figures.boutSimilarity,
          runs[i].figures.signature.similarity(to: other.figures.signature))
      }
    }
    return runs
  }

  /// Returns a run's features as those of another bout of the open set, if it may be one.
  func continuing(_ run: SetGate.Figures) -> SetGate.Figures {
    guard let open, open.mayContinue(with: run, configuration) else { return run }
    var run = run
    run.surroundings.before = open.signalBefore
    run.boutSimilarity =
      open.bouts.map { run.signature.similarity(to: $0.figures.signature) }.max() ?? 0
    return run
  }

  /// Returns true if two runs may be bouts of one set by the time between them.
  private func isShortRest(from run: RepRun, to next: RepRun) -> Bool {
    next.start - run.end <= configuration.longestRestWithinSetSeconds
  }

  /// Returns the first runs in a span and the signal around it; nil if there is no signal.
  private func window(
    from: Double, to: Double, period: Double, within limits: ClosedRange<Double>
  ) -> WindowSegmentations? {
    let context = CandidateRun.reach * period
    guard
      let rows = buffer.rows(
        from: max(from - context, limits.lowerBound), to: min(to + context, limits.upperBound)),
      let core = buffer.rows(
        from: max(from, limits.lowerBound), to: min(to, limits.upperBound))
    else { return nil }
    return WindowSegmentations(
      buffer[rows],
      core: (core.lowerBound - rows.lowerBound)..<(core.upperBound - rows.lowerBound),
      configuration: configuration)
  }
}
