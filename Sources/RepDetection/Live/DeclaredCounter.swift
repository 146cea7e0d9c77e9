import Motion

/// Counts live in a set whose begin and end the caller declares.
///
/// A set consists of bouts, runs of reps without a long pause. Until a bout is recognised, its reps come from
/// a ``ProvisionalCounter``; from then on it is tracked like a found set. The reps of all bouts add up.
///
/// The announced count may be one rep ahead of the bout: if a new segmentation cuts at another phase, the
/// current rep may have been announced already. The next rep makes up for it; a rest takes it back.
struct DeclaredCounter: Sendable, Codable {
  private let shared: SharedConfiguration
  private var configuration: DetectorConfiguration { shared.value }
  @Boxed private var bouts: SetFinder
  /// Counter of the bout's first reps. Nil while a bout is recognised, and in later bouts if the counter
  /// never saw the set's movement.
  private var provisional: ProvisionalCounter?
  private var movement: ProvisionalMovement?
  var phase = WorkoutPhase.rest
  /// Reps of the finished bouts.
  private var countBefore = 0
  /// Reps of the current bout, once it is recognised.
  private var countInBout = 0
  /// Reps announced.
  private(set) var count = 0
  /// End of the last announced rep, in seconds.
  private(set) var lastEnd = -Double.infinity
  private var partials: [CountedRep] = []

  /// Bytes of memory held for the set's frames.
  var setByteCount: Int { bouts.setByteCount }

  init(_ shared: SharedConfiguration) {
    self.shared = shared
    bouts = SetFinder(shared, isDeclared: true)
    provisional = ProvisionalCounter(shared.value)
  }

  /// True if a partial rep that overlaps this one was announced.
  func hasAnnounced(_ partial: CountedRep) -> Bool {
    partials.contains { $0.start < partial.end && partial.start < $0.end }
  }

  mutating func append(_ frame: TimedFrame, into events: inout [DetectionEvent]) {
    for report in provisional?.append(frame) ?? [] {
      process(report, at: frame.arrival, into: &events)
    }
    var news: [DetectionEvent] = []
    bouts.append(frame, into: &news)
    process(news, at: frame.arrival, into: &events)
  }

  /// Ends the current bout because the caller rests.
  mutating func endBout(at time: Double, into events: inout [DetectionEvent]) {
    var news: [DetectionEvent] = []
    bouts.finish(into: &news)
    process(news, at: time, into: &events)
    // An unrecognised bout keeps its announced count until the set is finalized.
    countBefore = count
    countInBout = 0
    phase.enter(.rest, at: time, into: &events)
    startProvisional()
  }

  private mutating func startProvisional() {
    movement = provisional?.movement ?? movement
    let isFirst = countBefore == 0
    provisional =
      isFirst || movement != nil
      ? ProvisionalCounter(configuration, known: isFirst ? nil : movement) : nil
  }

  private mutating func process(
    _ report: ProvisionalCounter.Report, at time: Double, into events: inout [DetectionEvent]
  ) {
    switch report {
    case .rep(let rep):
      phase.enter(.execution, at: time, into: &events)
      announce(rep, number: count + 1, at: time, into: &events)
    case .isRepeating: break
    case .retracted:
      count -= 1
      events.append(.repCorrected(time: time, count: count))
    }
  }

  /// Processes the events of the bout finder for one frame.
  private mutating func process(
    _ news: [DetectionEvent], at time: Double, into events: inout [DetectionEvent]
  ) {
    var recognised: [CountedRep]?
    for event in news {
      switch event {
      case .setStarted: recognised = []
      case .rep(_, let inBout, let rep):
        if recognised != nil {
          recognised?.append(rep)
        } else {
          countInBout = inBout
          announce(rep, number: countBefore + inBout, at: time, into: &events)
        }
      case .repCorrected(_, let inBout): correct(toInBout: inBout, at: time, into: &events)
      case .partialRep(_, let rep):
        partials.append(rep)
        events.append(event.at(time))
      case .phase(_, _, let next): phase.enter(next, at: time, into: &events)
      case .setEnded(_, let bout):
        if let reps = recognised { merge(reps, at: time, into: &events) }
        recognised = nil
        leaveBout(of: bout.reps.count, at: time, into: &events)
      case .setCancelled:
        recognised = nil
        leaveBout(of: 0, at: time, into: &events)
      }
    }
    if let reps = recognised { merge(reps, at: time, into: &events) }
    if !news.isEmpty, phase == .rest {
      correct(to: countBefore + countInBout, at: time, into: &events)
    }
  }

  private mutating func leaveBout(
    of reps: Int, at time: Double, into events: inout [DetectionEvent]
  ) {
    countBefore += reps
    countInBout = 0
    correct(to: countBefore, at: time, into: &events)
    startProvisional()
  }

  /// Replaces provisional reps by those of a recognised bout.
  private mutating func merge(
    _ reps: [CountedRep], at time: Double, into events: inout [DetectionEvent]
  ) {
    let lastEnd = provisional.map { $0.count > 0 ? $0.lastEnd : -.infinity } ?? -.infinity
    movement = provisional?.movement ?? movement
    provisional = nil
    let change = CountChange(from: count - countBefore, until: lastEnd, to: reps)
    if let inBout = change.correction { correct(toInBout: inBout, at: time, into: &events) }
    countInBout = reps.count
    for (number, rep) in change.announcements(of: reps) {
      announce(rep, number: countBefore + number, at: time, into: &events)
    }
  }

  /// Announces a rep, unless the count is already ahead.
  private mutating func announce(
    _ rep: CountedRep, number: Int, at time: Double, into events: inout [DetectionEvent]
  ) {
    guard number > count else { return }
    var rep = rep
    // A bout may be cut at another phase than the reps counted before it; announced reps never overlap.
    if count > 0, lastEnd < rep.end { rep.start = max(rep.start, lastEnd) }
    count = number
    lastEnd = rep.end
    events.append(.rep(time: time, count: count, rep: rep))
  }

  private mutating func correct(
    toInBout next: Int, at time: Double, into events: inout [DetectionEvent]
  ) {
    countInBout = next
    guard count != countBefore + next + 1 else { return }
    correct(to: countBefore + next, at: time, into: &events)
  }

  private mutating func correct(
    to next: Int, at time: Double, into events: inout [DetectionEvent]
  ) {
    guard next != count else { return }
    count = next
    events.append(.repCorrected(time: time, count: count))
  }
}
