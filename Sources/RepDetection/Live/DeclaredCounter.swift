import Motion

/// Counts along in a set whose begin and end the caller declares.
///
/// It goes by bouts, runs of reps without a long pause. Until a bout is recognised its reps are those
/// of a ``ProvisionalCounter``; from then on it is followed like a set of its own. The reps of all bouts
/// add up.
struct DeclaredCounter: Sendable, Codable {
  private let shared: SharedConfiguration
  private var configuration: DetectorConfiguration { shared.value }
  private var bouts: SetFinder
  /// Absent while a bout is recognised, and in later bouts of a set whose movement it never saw.
  private var provisional: ProvisionalCounter?
  private var movement: ProvisionalMovement?
  private var phase = WorkoutPhase.rest
  /// Reps of the bouts that are over.
  private var countBefore = 0
  /// Reps that were announced.
  private(set) var count = 0
  private var partials: [CountedRep] = []

  /// Bytes that are held for the set's frames, and besides.
  var setByteCount: Int { bouts.setByteCount }
  var stateByteCount: Int { bouts.stateByteCount + (provisional?.byteCount ?? 0) }

  init(_ shared: SharedConfiguration) {
    self.shared = shared
    bouts = SetFinder(shared, isDeclared: true)
    provisional = ProvisionalCounter(shared.value.provisional)
  }

  /// Whether a partial rep was announced that overlaps with this one.
  func hasAnnounced(_ partial: CountedRep) -> Bool {
    partials.contains { $0.start < partial.end && partial.start < $0.end }
  }

  mutating func append(_ frame: TimedFrame, _ emit: (DetectionEvent) -> Void) {
    var told: [ProvisionalCounter.Report] = []
    provisional?.append(frame) { told.append($0) }
    for report in told { take(report, at: frame.arrival, emit) }
    bouts.announcedEnd = provisional.flatMap { $0.count > 0 ? $0.lastEnd : nil }
    var events: [DetectionEvent] = []
    bouts.append(frame) { events.append($0) }
    take(events, at: frame.arrival, emit)
  }

  /// The bout is over, as the caller rests or the set has ended.
  mutating func endBout(at time: Double, _ emit: (DetectionEvent) -> Void) {
    var events: [DetectionEvent] = []
    bouts.finish { events.append($0) }
    take(events, at: time, emit)
    // What nobody recognised stays as it was told, until the set is finalized.
    countBefore = count
    enter(.rest, at: time, emit)
    startProvisional()
  }

  private mutating func startProvisional() {
    movement = provisional?.movement ?? movement
    let isFirst = countBefore == 0
    provisional =
      isFirst || movement != nil
      ? ProvisionalCounter(configuration.provisional, known: isFirst ? nil : movement) : nil
  }

  private mutating func take(
    _ report: ProvisionalCounter.Report, at time: Double, _ emit: (DetectionEvent) -> Void
  ) {
    switch report {
    case .rep(let rep):
      enter(.execution, at: time, emit)
      count += 1
      emit(.rep(time: time, count: count, rep: rep))
    case .takenBack:
      count -= 1
      emit(.repCorrected(time: time, count: count))
    }
  }

  /// What the finder of bouts reports at one frame.
  private mutating func take(
    _ events: [DetectionEvent], at time: Double, _ emit: (DetectionEvent) -> Void
  ) {
    var recognised: [(count: Int, rep: CountedRep)]?
    for event in events {
      switch event {
      case .setStarted: recognised = []
      case .rep(_, let inBout, let rep):
        if recognised != nil {
          recognised?.append((inBout, rep))
        } else {
          count = countBefore + inBout
          emit(.rep(time: time, count: count, rep: rep))
        }
      case .repCorrected(_, let inBout): correct(to: countBefore + inBout, at: time, emit)
      case .partialRep(_, let rep):
        partials.append(rep)
        emit(event.at(time))
      case .phase(_, _, let next): enter(next, at: time, emit)
      case .setEnded(_, let bout):
        if let reps = recognised { merge(reps, at: time, emit) }
        recognised = nil
        countBefore += bout.reps.count
        count = countBefore
        startProvisional()
      case .setCancelled:
        recognised = nil
        correct(to: countBefore, at: time, emit)
        startProvisional()
      }
    }
    if let reps = recognised { merge(reps, at: time, emit) }
  }

  /// A bout was recognised: reps that end after all that was told are news, what else differs is a
  /// correction.
  private mutating func merge(
    _ reps: [(count: Int, rep: CountedRep)], at time: Double,
    _ emit: (DetectionEvent) -> Void
  ) {
    let lastEnd = provisional.map { $0.count > 0 ? $0.lastEnd : -.infinity } ?? -.infinity
    movement = provisional?.movement ?? movement
    provisional = nil
    // As many of another phase: what was told stays.
    guard reps.count != count - countBefore else { return }
    let news = reps.reversed().prefix { ($0.rep.start + $0.rep.end) / 2 > lastEnd }.count
    correct(to: countBefore + reps.count - news, at: time, emit)
    for (inBout, rep) in reps.suffix(news) {
      count = countBefore + inBout
      var rep = rep
      rep.start = max(rep.start, lastEnd)
      emit(.rep(time: time, count: count, rep: rep))
    }
  }

  private mutating func correct(
    to next: Int, at time: Double, _ emit: (DetectionEvent) -> Void
  ) {
    guard next != count else { return }
    count = next
    emit(.repCorrected(time: time, count: count))
  }

  private mutating func enter(
    _ next: WorkoutPhase, at time: Double, _ emit: (DetectionEvent) -> Void
  ) {
    guard next != phase else { return }
    emit(.phase(time: time, from: phase, to: next))
    phase = next
  }
}
