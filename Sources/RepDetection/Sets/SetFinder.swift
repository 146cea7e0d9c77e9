import Motion
import SignalProcessing

/// Finds sets in a running signal, counts live, and finalizes each set when it is over.
///
/// Every two seconds the recent signal is searched for a run of similar movements. A run that continues is a
/// set; when nothing of it was seen for a while, it is finalized. The set ends when no further bout of it can
/// follow.
struct SetFinder: Sendable, Codable {
  private let shared: SharedConfiguration
  /// Whether the caller declares a set.
  let isDeclared: Bool
  var configuration: DetectorConfiguration { shared.value }
  private(set) var buffer = FrameStore()
  private var framesUntilSearch: Int
  private(set) var active: ActiveSet?
  /// Tracker of a set that was announced from its first rep and not recognised further yet.
  var earlyTracker: LiveTracker?
  /// The set that is finalized so far and may continue.
  var open: OpenSet?
  /// End of the last finalized rep, in seconds.
  var previousEnd = -Double.infinity
  /// Tells sets from other movements.
  let gate: SetGate
  /// Log of rejected candidates; nil unless a diagnosis is running.
  var log: RejectionLog?
  /// Detects a movement that begins to repeat sooner than a window shows it; nil if that is disabled.
  private var provisional: ProvisionalCounter?

  /// Bytes of memory held for the set under way: its frames, and its finalized reps.
  var setByteCount: Int { framesByteCount + (open?.setByteCount ?? 0) }

  /// Bytes of memory held for the frames of the set under way.
  private var framesByteCount: Int {
    guard let set = active, count(since: set.start) > 0 else { return 0 }
    return buffer.byteCount * count(since: set.start) / max(buffer.count, 1)
  }

  private func count(since time: Double) -> Int {
    buffer.rows(from: time, to: .infinity)?.count ?? 0
  }

  /// - Parameter isDeclared: whether the caller declares a set, and counts its first reps itself.
  init(_ shared: SharedConfiguration, isDeclared: Bool = false) {
    self.shared = shared
    self.isDeclared = isDeclared
    if !isDeclared, shared.value.recognisedReps > 0 {
      provisional = ProvisionalCounter(shared.value, isTentative: true)
    }
    gate = SetGate(shared.value)
    framesUntilSearch = Self.hopFrames(shared.value)
  }

  private static func hopFrames(_ configuration: DetectorConfiguration) -> Int {
    Math.integer(configuration.hopSeconds * FrontEnd.frameRateHz, clampedTo: 1...10_000)
  }

  /// Appends frames. The events have the time of the sample that completed their frame.
  mutating func append(_ frames: [TimedFrame], into events: inout [DetectionEvent]) {
    var news: [DetectionEvent] = []
    for frame in frames {
      append(frame, into: &news)
      guard !news.isEmpty else { continue }
      events += news.map { $0.at(frame.arrival) }
      news.removeAll()
    }
  }

  mutating func append(_ frame: TimedFrame, into events: inout [DetectionEvent]) {
    if frame.startsAfterBreak, buffer.count > 0 {
      finish(into: &events)
      buffer = FrameStore()
      // The clock may have been set back.
      previousEnd = -.infinity
      provisional?.restart()
      framesUntilSearch = Self.hopFrames(configuration)
    }
    buffer.append(frame)
    // Synthetic frames serve for comparison only and are not searched.
    guard !frame.isSynthetic else { return }
    advance(into: &events)
    relearnTemplate(at: frame, into: &events)
    recogniseEarlySet(at: frame, into: &events)
    framesUntilSearch -= 1
    guard framesUntilSearch <= 0 else { return }
    framesUntilSearch = Self.hopFrames(configuration)
    search(into: &events)
    endOpenSetIfOver(into: &events)
    dropOldFrames()
  }

  private mutating func advance(into events: inout [DetectionEvent]) {
    guard active?.tracker != nil else { return }
    var news: [DetectionEvent] = []
    active?.tracker?.advance(buffer, configuration: shared.value, into: &news)
    if !news.isEmpty, let set = active { relay(news, of: set, into: &events) }
  }

  /// Passes on the events of a set's tracker, unless the set is silent. A bout continues the open set's count.
  private func relay(
    _ news: [DetectionEvent], of set: ActiveSet, into events: inout [DetectionEvent]
  ) {
    guard set.isAnnounced else { return }
    let before = set.isContinuation ? open?.count ?? 0 : 0
    events += news.map { $0.counting(after: before) }
  }

  /// Ends the signal: finalizes the active set, and ends the open one.
  mutating func finish(into events: inout [DetectionEvent]) {
    if let set = active {
      active = nil
      finalize(set, into: &events)
    }
    announce(shortBouts(before: .infinity), of: nil, into: &events)
    cancelEarlySet(at: buffer.times.last ?? 0, into: &events)
    endOpenSet(into: &events)
  }

  private mutating func search(into events: inout [DetectionEvent]) {
    guard let now = buffer.times.last else { return }
    if var set = active, let tracker = set.tracker,
      tracker.hasRecentRep(at: now, configuration: configuration)
    {
      // While its reps keep coming, there is no need to search for anything else.
      set.end = max(set.end, tracker.lastEnd)
      update(with: set, isOver: false, into: &events)
      return
    }
    let (chains, rejections) = MovementChain.recent(
      in: buffer, after: previousEnd, configuration: configuration)
    if var set = active {
      let wait = configuration.longestPause(period: set.period) + set.period
      // The heaviest run sets the tempo; all runs together set the end.
      let joined = chains.filter { $0.start < set.end + wait }
      var mayBeOther = false
      if let heaviest = joined.max(by: { $0.weight < $1.weight }) {
        set.period = heaviest.period
        mayBeOther = set.tracker?.isUncounted(heaviest) == true
        for chain in joined { set.note(chain, after: previousEnd) }
      }
      update(with: set, isOver: now - set.end > wait, mayBeOther: mayBeOther, into: &events)
    } else if let chain = chains.filter({
      now - $0.end <= max(2 * $0.period, 4) + configuration.hopSeconds
    }).max(by: { $0.weight < $1.weight }) {
      update(with: ActiveSet(chain, after: previousEnd), isOver: false, into: &events)
    } else {
      log?.note(rejections)
    }
  }

  /// Follows a set, or finalizes it if it is over or too long.
  private mutating func update(
    with set: ActiveSet, isOver: Bool, mayBeOther: Bool = false, into events: inout [DetectionEvent]
  ) {
    var set = set
    active = nil
    let now = buffer.times.last ?? set.end
    if isOver || now - set.start > configuration.longestSetSeconds {
      finalize(set, into: &events)
    } else {
      follow(&set, mayBeOther: mayBeOther, into: &events)
      active = set
    }
  }

  /// Recognises a set by its first movements, before a window shows it.
  private mutating func recogniseEarlySet(at frame: TimedFrame, into events: inout [DetectionEvent])
  {
    guard provisional != nil else { return }
    guard active?.isAnnounced != true, open == nil else {
      provisional?.restart()
      provisional?.resetHistory(before: frame.time)
      return
    }
    let reports = provisional?.append(frame) ?? []
    guard let seen = provisional, seen.count > 0 else { return }
    if frame.time - seen.lastEnd > configuration.longestPeriodSeconds
      || seen.firstStart < previousEnd
    {
      provisional?.restart()
      cancelEarlySet(at: frame.time, into: &events)
      return
    }
    for report in reports {
      switch report {
      case .retracted: cancelEarlySet(at: frame.time, into: &events)
      case .isRepeating: announceEarlySet(seen, at: frame.time, into: &events)
      case .rep:
        if active?.tracker == nil || earlyTracker != nil {
          recognise(seen, at: frame.time, into: &events)
        }
      }
    }
  }

  /// Announces a set from its first rep, as another one begins.
  private mutating func announceEarlySet(
    _ seen: ProvisionalCounter, at time: Double, into events: inout [DetectionEvent]
  ) {
    guard configuration.recognisedReps == 1, earlyTracker == nil, let movement = seen.movement
    else { return }
    let rep = RepRun.Rep(start: movement.begin.time, end: movement.end.time, similarity: 1)
    guard rep.end - rep.start >= configuration.slowPeriodSeconds else { return }
    events.append(.setStarted(time: time, start: rep.start, cause: .detected))
    var tracker = LiveTracker()
    tracker.begin(with: rep, at: time, into: &events)
    earlyTracker = tracker
  }

  /// Cancels a set that was announced from its first rep.
  mutating func cancelEarlySet(at time: Double, into events: inout [DetectionEvent]) {
    guard var tracker = earlyTracker else { return }
    earlyTracker = nil
    tracker.phase.enter(.rest, at: time, into: &events)
    events.append(.setCancelled(time: time))
  }

  /// Recognises a set from provisional reps, and from further reps that the template learned from them finds.
  private mutating func recognise(
    _ seen: ProvisionalCounter, at time: Double, into events: inout [DetectionEvent]
  ) {
    let period = (seen.lastEnd - seen.firstStart) / Double(seen.count)
    let chain = MovementChain(
      start: seen.firstStart, end: seen.lastEnd, period: period, weight: Float(seen.count),
      count: max(seen.count, configuration.chainReps))
    var set = active ?? ActiveSet(chain, after: previousEnd)
    set.note(chain, after: previousEnd)
    let from = max(set.start - period, previousEnd)
    let needed = max(2, configuration.recognisedReps)
    // Reps found only by searching must be more similar than reps that were seen to begin and end.
    let similarity =
      seen.count >= needed ? configuration.runSimilarity : configuration.clearSimilarity
    guard
      let rows = buffer.rows(from: from, to: time),
      let tracked = LiveTracker.TrackedTemplate(
        buffer, rows: rows, configuration: configuration),
      tracked.reps.count >= needed,
      tracked.reps.reduce(0, { $0 + $1.similarity }) >= similarity * Float(tracked.reps.count),
      tracked.period >= configuration.slowPeriodSeconds
    else { return }
    _ = announce(&set, tracked, into: &events)
    adopt(tracked, in: &set, at: time, into: &events)
    active = set
  }

  /// Learns the template of the set under way anew, when it is time.
  private mutating func relearnTemplate(at frame: TimedFrame, into events: inout [DetectionEvent]) {
    // Called for every frame, so it tests before copying the set.
    guard
      active?.tracker?.needsNewTemplate(at: frame.time, configuration: configuration) == true,
      var set = active, let tracker = set.tracker
    else { return }
    let time = frame.time
    active = nil
    set.end = max(set.end, tracker.lastEnd)
    follow(&set, into: &events)
    if set.tracker?.needsNewTemplate == true { set.tracker?.postponeLearning(at: time) }
    active = set
  }

  /// Announces a set, or segments one again whose template was learned from few reps.
  ///
  /// - Parameter anew: whether it may have another movement than the recognised one.
  private mutating func follow(
    _ set: inout ActiveSet, mayBeOther: Bool = false, into events: inout [DetectionEvent]
  ) {
    if let tracker = set.tracker, !tracker.needsNewTemplate, !mayBeOther { return }
    // Two movements may be the end of a run: wait for more.
    guard set.chains.contains(where: { $0.count >= configuration.chainReps }) else { return }
    guard let now = buffer.times.last else { return }
    let from = max(set.start - set.period, previousEnd)
    guard
      let rows = buffer.rows(from: from, to: now),
      let tracked = LiveTracker.TrackedTemplate(
        buffer, rows: rows, configuration: configuration)
    else { return }
    if !set.isAnnounced || set.isContinuation && mayBeOther {
      let isNews = announce(&set, tracked, into: &events)
      // The bout continues unchanged.
      if !isNews, set.isAnnounced {
        set.tracker?.noteExamination(at: now)
        return
      }
    }
    adopt(tracked, in: &set, isReexamined: mayBeOther, at: now, into: &events)
  }

  /// Updates a set's tracker; emits nothing for a set that is not announced.
  private func adopt(
    _ tracked: LiveTracker.TrackedTemplate, in set: inout ActiveSet, isReexamined: Bool = false,
    at time: Double, into events: inout [DetectionEvent]
  ) {
    var news: [DetectionEvent] = []
    set.tracker?.adopt(
      tracked, isReexamined: isReexamined, setProbability: probability(of: tracked), time: time,
      configuration: configuration, into: &news)
    relay(news, of: set, into: &events)
  }

  /// Returns the probability that the tracked run is a set.
  private func probability(of tracked: LiveTracker.TrackedTemplate) -> Double {
    SetGate.probability(
      gate.probability(of: continuing(tracked.figures)),
      timesOdds: isDeclared ? configuration.declaredSetOdds : 1)
  }

  /// True if the tracked run passes the tests for a set.
  func isProbable(_ tracked: LiveTracker.TrackedTemplate) -> Bool {
    probability(of: tracked) >= configuration.setProbability
      && !isWalking(tracked.reps, tracked.figures)
  }

  /// Drops frames that neither a window nor the set under way can need.
  private mutating func dropOldFrames() {
    guard let now = buffer.times.last else { return }
    var keepFrom =
      now - (configuration.windows.map { $0.seconds }.max() ?? 24) - configuration.hopSeconds
    if let set = active {
      keepFrom = min(keepFrom, set.start - 2 * configuration.longestPeriodSeconds)
    }
    // Short bouts of an open set are searched for when it is over.
    if open != nil { keepFrom = min(keepFrom, previousEnd) }
    let excess = buffer.times.firstIndex { $0 >= keepFrom } ?? 0
    if excess > 100 { buffer.removeFirst(excess) }
  }
}
