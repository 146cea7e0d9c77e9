import Motion
import MotionFrames
import SignalProcessing

/// Finds sets in a running signal, or the bouts of a declared set; counts live, and finalizes each bout when
/// it is over.
///
/// Every two seconds the recent signal is searched for a run of similar movements. A run that continues is a
/// bout; it is finalized when nothing of it was seen for a while. A detected set ends when no further bout of
/// it can follow; a declared set contains all bouts. Until a bout is recognized, a ``ProvisionalCounter``
/// counts its reps, or watches for a set if none is declared.
///
/// At any time the answer is the reps of the finalized bouts, followed by those of the bout under way.
/// ``AnnouncedSet`` announces its changes.
struct SetFinder: Sendable, Codable {
  private let shared: SharedConfiguration
  /// True if the caller declares the set.
  let isDeclared: Bool
  var configuration: DetectorConfiguration { shared.value }
  private(set) var buffer = FrameStore()
  private var framesUntilSearch: Int
  private(set) var active: ActiveSet?
  /// The announced set: the declared one, or a detected one until it ends.
  var announced: AnnouncedSet?
  /// Reps of the announced set's finalized bouts.
  var finalized: [CountedRep] = []
  /// Reps of the current bout before it is recognized.
  var firstReps: [CountedRep] = []
  /// The detected set that is finalized so far and may continue.
  var open: OpenSet?
  /// Time of the newest sample, in seconds.
  private(set) var newestTime = 0.0
  /// End of the last finalized rep, in seconds.
  var previousEnd = -Double.infinity
  /// Distinguishes sets from other movements.
  let gate: SetGate
  /// The log of rejected candidates; nil outside a diagnosis.
  var log: RejectionLog?
  /// Counts the first reps of a bout. Nil if that is disabled, and in a declared set while a bout is
  /// recognized or if the set's movement was never observed alone.
  private var provisional: ProvisionalCounter?
  /// The declared set's movement, by which the first reps of later bouts are recognized.
  private var movement: ProvisionalMovement?

  /// True if a detected set was announced from its first rep and not recognized further yet.
  var isEarly: Bool { !isDeclared && !firstReps.isEmpty }

  /// Bytes of memory held for the set under way: its frames, and its finalized reps.
  var setByteCount: Int {
    framesByteCount + (open?.setByteCount ?? 0)
      + finalized.count * MemoryLayout<CountedRep>.stride
  }

  /// Bytes of memory held for the frames of the set under way.
  private var framesByteCount: Int {
    guard let set = active, count(since: set.start) > 0 else { return 0 }
    return buffer.byteCount * count(since: set.start) / max(buffer.count, 1)
  }

  private func count(since time: Double) -> Int {
    buffer.rows(from: time, to: .infinity)?.count ?? 0
  }

  init(_ shared: SharedConfiguration, isDeclared: Bool = false) {
    self.shared = shared
    self.isDeclared = isDeclared
    if isDeclared {
      announced = AnnouncedSet()
      provisional = ProvisionalCounter(shared.value)
    } else {
      provisional = ProvisionalCounter(shared.value, isTentative: true)
    }
    gate = SetGate(shared.value)
    framesUntilSearch = Self.hopFrames(shared.value)
  }

  private static func hopFrames(_ configuration: DetectorConfiguration) -> Int {
    Math.integer(configuration.hopSeconds * FrontEnd.frameRateHz, clampedTo: 1...10_000)
  }

  mutating func append(_ frames: [TimedFrame], into events: inout [DetectionEvent]) {
    for frame in frames { append(frame, into: &events) }
  }

  mutating func append(_ frame: TimedFrame, into events: inout [DetectionEvent]) {
    newestTime = frame.arrival
    if frame.startsAfterBreak, buffer.count > 0 {
      finish(into: &events)
      buffer = FrameStore()
      // The clock may have been set back.
      previousEnd = -.infinity
      if !isDeclared { provisional?.restart() }
      framesUntilSearch = Self.hopFrames(configuration)
    }
    buffer.append(frame)
    if isDeclared { countFirstReps(of: frame, into: &events) }
    // Synthetic frames are used only for comparison and are not searched.
    guard !frame.isSynthetic else { return }
    advance(to: frame.time, into: &events)
    relearnTemplate(at: frame, into: &events)
    if !isDeclared { recognizeEarlySet(at: frame, into: &events) }
    framesUntilSearch -= 1
    guard framesUntilSearch <= 0 else { return }
    framesUntilSearch = Self.hopFrames(configuration)
    search(into: &events)
    endOpenSetIfOver(into: &events)
    dropOldFrames()
  }

  private mutating func advance(to time: Double, into events: inout [DetectionEvent]) {
    guard active?.tracker != nil else { return }
    let hasNews = active?.tracker?.advance(buffer, configuration: shared.value) ?? false
    guard let set = active, set.isAnnounced, let tracker = set.tracker else { return }
    if announced?.phase == .execution,
      tracker.isPausing(at: time, configuration: configuration)
    {
      update(to: tracker.reps, isOngoing: false, into: &events)
    } else if hasNews {
      update(to: tracker.reps, into: &events)
    }
  }

  /// Announces the present answer: the finalized bouts and the one under way.
  ///
  /// - Parameters:
  ///   - reps: The reps of the bout under way.
  ///   - isOngoing: Whether the wearer is executing reps rather than resting.
  mutating func update(
    to reps: [CountedRep], isOngoing: Bool = true, into events: inout [DetectionEvent]
  ) {
    announced?.update(
      to: finalized + reps, isOngoing: isOngoing, at: newestTime, into: &events)
    if !isOngoing { announced?.enter(.rest, at: newestTime, into: &events) }
  }

  /// Ends the signal: finalizes the active bout, and ends a detected set.
  mutating func finish(into events: inout [DetectionEvent]) {
    if let set = active {
      active = nil
      finalize(set, into: &events)
    }
    announce(shortBouts(before: .infinity), of: nil, into: &events)
    if isEarly { cancelSet(into: &events) }
    endOpenSet(into: &events)
  }

  /// Ends the bout of a declared set because the caller declares rest. Reps of a bout that was never
  /// recognized stay counted until the set is finalized.
  mutating func endBout(at time: Double, into events: inout [DetectionEvent]) {
    newestTime = time
    finish(into: &events)
    finalized += firstReps
    startBout()
    update(to: [], isOngoing: false, into: &events)
  }

  private mutating func search(into events: inout [DetectionEvent]) {
    guard let now = buffer.times.last else { return }
    if var set = active, let tracker = set.tracker,
      tracker.hasRecentRep(at: now, configuration: configuration)
    {
      // Nothing else needs to be searched for while the set's reps keep coming.
      set.end = max(set.end, tracker.lastEnd)
      update(with: set, isOver: false, into: &events)
      return
    }
    let (chains, rejections) = MovementChain.recent(
      in: buffer, after: previousEnd, configuration: configuration)
    if var set = active {
      let wait = configuration.longestPause(period: set.period) + set.period
      // The heaviest run determines the tempo; all runs together determine the end.
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

  // MARK: - First reps

  /// Prepares to count the first reps of the declared set's next bout.
  mutating func startBout() {
    guard isDeclared else { return }
    firstReps = []
    movement = provisional?.movement ?? movement
    let isFirst = finalized.isEmpty
    provisional =
      isFirst || movement != nil
      ? ProvisionalCounter(configuration, known: isFirst ? nil : movement) : nil
  }

  /// Counts the first reps of a declared set's bout.
  private mutating func countFirstReps(
    of frame: TimedFrame, into events: inout [DetectionEvent]
  ) {
    for report in provisional?.append(frame) ?? [] {
      switch report {
      case .rep(let rep): firstReps.append(rep)
      case .isRepeating: continue
      case .retracted: firstReps.removeLast()
      }
      announced?.update(
        to: finalized + firstReps, isOngoing: false, at: newestTime, into: &events)
    }
  }

  /// Recognizes a detected set by its first movements, before a window shows it.
  private mutating func recognizeEarlySet(at frame: TimedFrame, into events: inout [DetectionEvent])
  {
    guard provisional != nil else { return }
    guard active?.isAnnounced != true, open == nil else {
      provisional?.restart()
      provisional?.resetHistory(before: frame.time)
      return
    }
    let reports = provisional?.append(frame) ?? []
    // Usually nothing is counted yet, and the counter need not be copied.
    guard (provisional?.count ?? 0) > 0, let seen = provisional else { return }
    if frame.time - seen.lastEnd > configuration.longestPeriodSeconds
      || seen.firstStart < previousEnd
    {
      provisional?.restart()
      if isEarly { cancelSet(into: &events) }
      return
    }
    for report in reports {
      switch report {
      case .retracted: if isEarly { cancelSet(into: &events) }
      case .isRepeating: announceEarlySet(seen, into: &events)
      case .rep:
        if seen.count > 1, active?.tracker == nil || isEarly {
          recognize(seen, at: frame.time, into: &events)
        }
      }
    }
  }

  /// Announces a set from its first rep, when another one begins.
  private mutating func announceEarlySet(
    _ seen: ProvisionalCounter, into events: inout [DetectionEvent]
  ) {
    guard configuration.announcesWithFirstRep, !isEarly, let movement = seen.movement else {
      return
    }
    let rep = CountedRep(
      start: movement.begin.time, end: movement.end.time,
      confidence: configuration.provisional.firstConfidence)
    guard rep.duration >= configuration.slowPeriodSeconds else { return }
    startSet(at: rep.start, into: &events)
    firstReps = [rep]
    update(to: firstReps, into: &events)
  }

  /// Recognizes a set from provisional reps, and from further reps found with the template learned from them.
  private mutating func recognize(
    _ seen: ProvisionalCounter, at time: Double, into events: inout [DetectionEvent]
  ) {
    let period = (seen.lastEnd - seen.firstStart) / Double(seen.count)
    let chain = MovementChain(
      start: seen.firstStart, end: seen.lastEnd, period: period, weight: Float(seen.count),
      count: max(seen.count, configuration.chainReps))
    var set = active ?? ActiveSet(chain, after: previousEnd)
    set.note(chain, after: previousEnd)
    let from = max(set.start - period, previousEnd)
    guard
      let rows = buffer.rows(from: from, to: time),
      let tracked = LiveTracker.TrackedTemplate(
        buffer, rows: rows, configuration: configuration),
      tracked.reps.count > 1,
      tracked.reps.reduce(0, { $0 + $1.similarity })
        >= configuration.runSimilarity * Float(tracked.reps.count),
      tracked.period >= configuration.slowPeriodSeconds
    else { return }
    _ = announce(&set, tracked, into: &events)
    adopt(tracked, in: &set, at: time, into: &events)
    active = set
  }

  /// Learns the template of the set under way again, when it is time.
  private mutating func relearnTemplate(at frame: TimedFrame, into events: inout [DetectionEvent]) {
    // Called for every frame, so this tests before copying the set.
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

  /// Announces a set, or repeats the segmentation of one whose template was learned from few reps.
  ///
  /// - Parameter mayBeOther: Whether it may have another movement than the recognized one.
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
  private mutating func adopt(
    _ tracked: LiveTracker.TrackedTemplate, in set: inout ActiveSet, isReexamined: Bool = false,
    at time: Double, into events: inout [DetectionEvent]
  ) {
    set.tracker?.adopt(
      tracked, isReexamined: isReexamined, setProbability: probability(of: tracked), time: time,
      configuration: configuration)
    guard set.isAnnounced, let tracker = set.tracker else { return }
    if isDeclared {
      movement = provisional?.movement ?? movement
      provisional = nil
    }
    firstReps = []
    update(to: tracker.reps, into: &events)
  }

  /// Returns the probability that the tracked run is a set.
  private func probability(of tracked: LiveTracker.TrackedTemplate) -> Double {
    SetGate.probability(
      gate.probability(of: continuing(tracked.figures)),
      timesOdds: isDeclared ? configuration.expectationOdds : 1)
  }

  /// Returns true if the tracked run passes the tests for a set.
  func isProbable(_ tracked: LiveTracker.TrackedTemplate) -> Bool {
    probability(of: tracked) >= configuration.setProbability
      && !isWalking(tracked.reps, tracked.figures)
  }

  /// Drops frames that neither a window nor the set under way can need.
  private mutating func dropOldFrames() {
    guard let now = buffer.times.last else { return }
    var keepFrom =
      now - configuration.longWindowSeconds - configuration.hopSeconds
    if let set = active {
      keepFrom = min(keepFrom, set.start - 2 * configuration.longestPeriodSeconds)
    }
    // Short bouts of an open set are searched for when it is over.
    if open != nil { keepFrom = min(keepFrom, previousEnd) }
    let excess = buffer.times.firstIndex { $0 >= keepFrom } ?? 0
    if excess > 100 { buffer.removeFirst(excess) }
  }
}
