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
  private var framesUntilLook: Int
  private(set) var active: ActiveSet?
  /// Tracker of a set that was announced from its first rep and not recognised further yet.
  var early: LiveTracker?
  /// The set that is finalized so far and may continue.
  var open: OpenSet?
  /// End of the last finalized rep, in seconds.
  var previousEnd = -Double.infinity
  /// Tells sets from other movements.
  var gate: SetGate
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
    framesUntilLook = Self.hopFrames(shared.value)
  }

  private static func hopFrames(_ configuration: DetectorConfiguration) -> Int {
    Math.integer(configuration.hopSeconds * FrontEnd.frameRateHz, clampedTo: 1...10_000)
  }

  mutating func append(_ frame: TimedFrame, _ emit: (DetectionEvent) -> Void) {
    if frame.startsAfterBreak, buffer.count > 0 {
      finish(emit)
      buffer = FrameStore()
      // The clock may have been set back.
      previousEnd = -.infinity
      provisional?.restart()
      framesUntilLook = Self.hopFrames(configuration)
    }
    buffer.append(frame)
    // Synthetic frames serve for comparison only and are not searched.
    guard !frame.isMadeUp else { return }
    advance(emit)
    learn(at: frame, emit)
    recogniseEarly(at: frame, emit)
    framesUntilLook -= 1
    guard framesUntilLook <= 0 else { return }
    framesUntilLook = Self.hopFrames(configuration)
    look(emit)
    endOpenSetIfOver(emit)
    forget()
  }

  private mutating func advance(_ emit: (DetectionEvent) -> Void) {
    guard active?.tracker != nil else { return }
    let isAnnounced = active?.isAnnounced == true
    let before = active?.isContinuation == true ? open?.count ?? 0 : 0
    active?.tracker?.advance(buffer, configuration: shared.value) {
      if isAnnounced { emit($0.counting(after: before)) }
    }
  }

  /// Ends the signal: finalizes the active set, and ends the open one.
  mutating func finish(_ emit: (DetectionEvent) -> Void) {
    if let set = active {
      active = nil
      finalize(set, emit)
    }
    announce(shortBouts(before: .infinity), of: nil, emit)
    withdrawEarly(at: buffer.times.last ?? 0, emit)
    endOpenSet(emit)
  }

  private mutating func look(_ emit: (DetectionEvent) -> Void) {
    guard let now = buffer.times.last else { return }
    if var set = active, let tracker = set.tracker,
      tracker.isKeepingUp(at: now, configuration: configuration)
    {
      // While its reps keep coming, there is no need to search for anything else.
      set.end = max(set.end, tracker.lastEnd)
      goOn(with: set, isOver: false, emit)
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
      goOn(with: set, isOver: now - set.end > wait, mayBeOther: mayBeOther, emit)
    } else if let chain = chains.filter({
      now - $0.end <= max(2 * $0.period, 4) + configuration.hopSeconds
    }).max(by: { $0.weight < $1.weight }) {
      goOn(with: ActiveSet(chain, after: previousEnd), isOver: false, emit)
    } else {
      log?.note(rejections)
    }
  }

  /// Follows a set, or finalizes it if it is over or too long.
  private mutating func goOn(
    with set: ActiveSet, isOver: Bool, mayBeOther: Bool = false, _ emit: (DetectionEvent) -> Void
  ) {
    var set = set
    active = nil
    let now = buffer.times.last ?? set.end
    if isOver || now - set.start > configuration.longestSetSeconds {
      finalize(set, emit)
    } else {
      follow(&set, anew: mayBeOther, emit)
      active = set
    }
  }

  /// Recognises a set by its first movements, before a window shows it.
  private mutating func recogniseEarly(at frame: TimedFrame, _ emit: (DetectionEvent) -> Void) {
    guard provisional != nil else { return }
    guard active?.isAnnounced != true, open == nil else {
      provisional?.restart()
      provisional?.forgetWay(before: frame.time)
      return
    }
    let reports = provisional?.append(frame) ?? []
    guard let seen = provisional, seen.count > 0 else { return }
    if frame.time - seen.lastEnd > configuration.longestPeriodSeconds
      || seen.firstStart < previousEnd
    {
      provisional?.restart()
      withdrawEarly(at: frame.time, emit)
      return
    }
    for report in reports {
      switch report {
      case .takenBack: withdrawEarly(at: frame.time, emit)
      case .isRepeating: announceEarly(seen, at: frame.time, emit)
      case .rep:
        if active?.tracker == nil || early != nil { recognise(seen, at: frame.time, emit) }
      }
    }
  }

  /// Announces a set from its first rep, as another one begins.
  private mutating func announceEarly(
    _ seen: ProvisionalCounter, at time: Double, _ emit: (DetectionEvent) -> Void
  ) {
    guard configuration.recognisedReps == 1, early == nil, let movement = seen.movement
    else { return }
    let rep = RepRun.Rep(start: movement.begin.time, end: movement.end.time, similarity: 1)
    guard rep.end - rep.start >= configuration.slowPeriodSeconds else { return }
    emit(.setStarted(time: time, start: rep.start, cause: .detected))
    var tracker = LiveTracker()
    tracker.begin(with: rep, at: time, emit)
    early = tracker
  }

  /// Cancels a set that was announced from its first rep.
  mutating func withdrawEarly(at time: Double, _ emit: (DetectionEvent) -> Void) {
    guard var tracker = early else { return }
    early = nil
    tracker.phase.enter(.rest, at: time, emit)
    emit(.setCancelled(time: time))
  }

  /// Recognises a set from provisional reps, and from further reps that the template learned from them finds.
  private mutating func recognise(
    _ seen: ProvisionalCounter, at time: Double, _ emit: (DetectionEvent) -> Void
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
    _ = announce(&set, tracked, emit)
    adopt(tracked, in: &set, at: time, emit)
    active = set
  }

  /// Learns the template of the set under way anew, when it is time.
  private mutating func learn(at frame: TimedFrame, _ emit: (DetectionEvent) -> Void) {
    // Called for every frame, so it tests before copying the set.
    guard
      active?.tracker?.wantsNewTemplate(at: frame.time, configuration: configuration) == true,
      var set = active, let tracker = set.tracker
    else { return }
    let time = frame.time
    active = nil
    set.end = max(set.end, tracker.lastEnd)
    follow(&set, emit)
    if set.tracker?.wantsNewTemplate == true { set.tracker?.postponeLearning(at: time) }
    active = set
  }

  /// Announces a set, or segments one again whose template was learned from few reps.
  ///
  /// - Parameter anew: whether it may have another movement than the recognised one.
  private mutating func follow(
    _ set: inout ActiveSet, anew: Bool = false, _ emit: (DetectionEvent) -> Void
  ) {
    if let tracker = set.tracker, !tracker.wantsNewTemplate, !anew { return }
    // Two movements may be the end of a run: wait for more.
    guard set.chains.contains(where: { $0.count >= configuration.chainReps }) else { return }
    guard let now = buffer.times.last else { return }
    let from = max(set.start - set.period, previousEnd)
    guard
      let rows = buffer.rows(from: from, to: now),
      let tracked = LiveTracker.TrackedTemplate(
        buffer, rows: rows, configuration: configuration)
    else { return }
    if !set.isAnnounced || set.isContinuation && anew {
      let isNews = announce(&set, tracked, emit)
      // The bout continues unchanged.
      if !isNews, set.isAnnounced {
        set.tracker?.noteLookedInto(at: now)
        return
      }
    }
    adopt(tracked, in: &set, isLookedInto: anew, at: now, emit)
  }

  /// Updates a set's tracker; emits nothing for a set that is not announced.
  private func adopt(
    _ tracked: LiveTracker.TrackedTemplate, in set: inout ActiveSet, isLookedInto: Bool = false,
    at time: Double, _ emit: (DetectionEvent) -> Void
  ) {
    let isAnnounced = set.isAnnounced
    let before = set.isContinuation ? open?.count ?? 0 : 0
    set.tracker?.adopt(
      tracked, isLookedInto: isLookedInto, setProbability: probability(of: tracked), time: time,
      configuration: configuration
    ) { if isAnnounced { emit($0.counting(after: before)) } }
  }

  /// Returns the probability that the tracked run is a set.
  private func probability(of tracked: LiveTracker.TrackedTemplate) -> Double {
    SetGate.probability(
      gate.probability(of: tracked.figures),
      timesOdds: isDeclared ? configuration.declaredSetOdds : 1)
  }

  /// True if the tracked run passes the tests for a set.
  func isProbable(_ tracked: LiveTracker.TrackedTemplate) -> Bool {
    probability(of: tracked) >= configuration.setProbability
      && !isWalking(tracked.reps, period: tracked.period)
  }

  /// Drops frames that neither a window nor the set under way can need.
  private mutating func forget() {
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
