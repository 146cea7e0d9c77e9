import Motion

/// Finds sets in a running signal (step 9), counts along (step 10), and settles each set when it
/// is over.
///
/// Every two seconds the recent signal is searched for a row of similar movements. A row that goes
/// on is a set; when nothing of it was seen for a while it is settled.
struct SetFinder: Sendable {
  private let configuration: DetectorConfiguration
  private var buffer = TimedFrames()
  private var framesUntilLook: Int
  private var active: ActiveSet?
  /// End of the previous set's last rep, s.
  private var previousEnd = -Double.infinity

  private struct ActiveSet: Sendable {
    var start: Double
    var end: Double
    var period: Double
    /// The longest period that it was ever read with, s.
    var slowestPeriod: Double
    /// Present once the set was announced.
    var tracker: LiveTracker?
  }

  init(configuration: DetectorConfiguration) {
    self.configuration = configuration
    framesUntilLook = Self.hopFrames(configuration)
  }

  private static func hopFrames(_ configuration: DetectorConfiguration) -> Int {
    Math.integer(configuration.hopSeconds * FrontEnd.frameRateHz, clampedTo: 1...10_000)
  }

  mutating func append(_ frame: TimedFrame, _ emit: (DetectionEvent) -> Void) {
    if frame.startsAfterBreak, buffer.count > 0 {
      finish(emit)
      buffer = TimedFrames()
      framesUntilLook = Self.hopFrames(configuration)
    }
    buffer.append(frame)
    active?.tracker?.advance(buffer, configuration: configuration, emit)
    framesUntilLook -= 1
    guard framesUntilLook <= 0 else { return }
    framesUntilLook = Self.hopFrames(configuration)
    look(emit)
    forget()
  }

  /// The end of the signal.
  mutating func finish(_ emit: (DetectionEvent) -> Void) {
    guard let set = active else { return }
    active = nil
    settle(set, emit)
  }

  private mutating func look(_ emit: (DetectionEvent) -> Void) {
    guard let now = buffer.times.last else { return }
    let chains = MovementChain.recent(
      in: buffer, after: previousEnd, configuration: configuration)
    if var set = active {
      active = nil
      let wait = max(configuration.endInPeriods * set.slowestPeriod, configuration.endSeconds)
      // The heaviest row tells the tempo; all rows tell how far the set goes.
      let joined = chains.filter { $0.start < set.end + wait }
      if let heaviest = joined.max(by: { $0.weight < $1.weight }) {
        set.period = heaviest.period
        set.slowestPeriod = max(set.slowestPeriod, heaviest.period)
        for chain in joined {
          set.start = min(set.start, max(chain.start, previousEnd))
          set.end = max(set.end, chain.end)
        }
      }
      if now - set.end > wait || now - set.start > configuration.longestSetSeconds {
        settle(set, emit)
      } else {
        follow(&set, emit)
        active = set
      }
    } else if let chain = chains.filter({
      now - $0.end <= max(2 * $0.period, 4) + configuration.hopSeconds
    }).max(by: { $0.weight < $1.weight }) {
      var set = ActiveSet(
        start: max(chain.start, previousEnd), end: chain.end, period: chain.period,
        slowestPeriod: chain.period)
      follow(&set, emit)
      active = set
    }
  }

  /// Announces a set, or looks again at one whose template was learned from few reps.
  private func follow(_ set: inout ActiveSet, _ emit: (DetectionEvent) -> Void) {
    if let tracker = set.tracker, !tracker.wantsNewTemplate { return }
    guard let now = buffer.times.last else { return }
    let from = max(set.start - configuration.marginInPeriods * set.period, previousEnd)
    guard
      let rows = buffer.rows(from: from, to: now),
      let lock = LiveTracker.Lock(
        buffer, rows: rows, expectedPeriod: set.period, configuration: configuration)
    else { return }
    if set.tracker == nil {
      emit(
        .setStarted(time: now, start: lock.reps.first?.start ?? set.start, cause: .detected))
      set.tracker = LiveTracker()
    }
    set.tracker?.adopt(lock, time: now, configuration: configuration, emit)
  }

  /// Drops frames that neither a window nor the set under way can ask for.
  private mutating func forget() {
    guard let now = buffer.times.last else { return }
    var keepFrom =
      now - (configuration.windows.map(\.seconds).max() ?? 24) - configuration.hopSeconds
    if let set = active {
      keepFrom = min(keepFrom, set.start - 2 * configuration.longestPeriodSeconds)
    }
    let excess = buffer.times.firstIndex { $0 >= keepFrom } ?? 0
    if excess > 100 { buffer.removeFirst(excess) }
  }

  /// The settled answer for a set that is over.
  private mutating func settle(_ set: ActiveSet, _ emit: (DetectionEvent) -> Void) {
    let now = buffer.times.last ?? set.end
    let runs = settledRuns(set)
    var tracker = set.tracker
    for run in runs {
      let counted = run.counted(cause: .detected)
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
    if runs.isEmpty, tracker != nil {
      tracker?.enter(.rest, time: now, emit)
      emit(.setCancelled(time: now))
    }
    if let end = runs.last?.reps.last?.end { previousEnd = max(previousEnd, end) }
  }

  /// Reads the whole set anew. Where the reading shows that the look at the running signal was too
  /// narrow, for example because it took half a rep for a whole one, the stretch is widened.
  private func settledRuns(_ set: ActiveSet) -> [SettledRun] {
    var from = set.start - configuration.marginInPeriods * set.period
    var to = set.end + configuration.marginInPeriods * set.period
    var runs: [SettledRun] = []
    for _ in 0..<configuration.settlingAttempts {
      guard let rows = buffer.rows(from: max(from, previousEnd), to: to) else { return [] }
      let stretch = buffer[rows]
      let settlement = Settlement(stretch.frames[...], configuration: configuration)
      guard
        let reading = settlement.best, let first = reading.segments.first,
        let last = reading.segments.last
      else { return [] }
      runs = SettledRun.split(settlement, in: stretch, configuration: configuration)
        .filter { $0.isSet(configuration) }
      let origin = stretch.times.first ?? from
      let margin = configuration.marginInPeriods * reading.period
      let wantedFrom = max(
        origin + reading.seconds(first.start) - margin, previousEnd, buffer.times.first ?? from)
      let wantedTo = min(
        origin + reading.seconds(last.end) + margin, buffer.times.last ?? to)
      let slack = 0.25 * reading.period
      guard wantedFrom < max(from, previousEnd) - slack || wantedTo > to + slack else { break }
      from = min(from, wantedFrom)
      to = max(to, wantedTo)
    }
    return runs
  }
}
