import Motion

/// What the detector reports while samples come in.
///
/// `time` is on the samples' clock: that of the sample that caused the event.
public enum DetectionEvent: Sendable, Hashable {
  /// A set was declared, or recognised. The first reps of a recognised set, made before that,
  /// follow as `rep` events; `start` is the first one's begin. A declared set starts with its
  /// first sample.
  case setStarted(time: Double, start: Double, cause: SetCause)
  /// A rep was completed. `count` reps are in the set so far.
  case rep(time: Double, count: Int, rep: CountedRep)
  /// Corrects the count of the set: it is now `count`.
  case repCorrected(time: Double, count: Int)
  /// A movement like a rep that falls short of one; not counted.
  case partialRep(time: Double, rep: CountedRep)
  /// The wearer changed from one phase to the other: into the reps of a set, or into a pause
  /// too long to lie between two reps of one run, or out of the set.
  case phase(time: Double, from: WorkoutPhase, to: WorkoutPhase)
  /// A set is over and finalized.
  case setEnded(time: Double, set: CountedSet)
  /// What looked like a set was none. Only recognised sets are cancelled, never declared ones.
  case setCancelled(time: Double)

  /// Seconds on the samples' clock: of the sample that caused the event.
  public var time: Double {
    switch self {
    case .setStarted(let time, _, _), .rep(let time, _, _), .repCorrected(let time, _),
      .partialRep(let time, _), .phase(let time, _, _), .setEnded(let time, _),
      .setCancelled(let time):
      time
    }
  }

  /// The same event at another time.
  func at(_ time: Double) -> DetectionEvent {
    switch self {
    case .setStarted(_, let start, let cause): .setStarted(time: time, start: start, cause: cause)
    case .rep(_, let count, let rep): .rep(time: time, count: count, rep: rep)
    case .repCorrected(_, let count): .repCorrected(time: time, count: count)
    case .partialRep(_, let rep): .partialRep(time: time, rep: rep)
    case .phase(_, let from, let to): .phase(time: time, from: from, to: to)
    case .setEnded(_, let set): .setEnded(time: time, set: set)
    case .setCancelled: .setCancelled(time: time)
    }
  }

  /// The same event of a set that had reps before.
  func counting(after before: Int) -> DetectionEvent {
    switch self {
    case .rep(let time, let count, let rep): .rep(time: time, count: before + count, rep: rep)
    case .repCorrected(let time, let count): .repCorrected(time: time, count: before + count)
    case .setStarted, .partialRep, .phase, .setEnded, .setCancelled: self
    }
  }
}

extension WorkoutPhase {
  /// Goes over into another phase, and reports it.
  mutating func enter(
    _ next: WorkoutPhase, at time: Double, _ emit: (DetectionEvent) -> Void
  ) {
    guard next != self else { return }
    emit(.phase(time: time, from: self, to: next))
    self = next
  }
}
