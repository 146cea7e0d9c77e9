import Motion

/// An event that the detector emits while samples come in.
///
/// `time` is the time of the sample that caused the event, on the samples' clock.
public enum DetectionEvent: Sendable, Hashable {
  /// A set was declared or recognised. For a recognised set, the reps made before that moment follow as `rep`
  /// events, and `start` is the begin of the first. A declared set starts with its first sample.
  case setStarted(time: Double, start: Double, cause: SetCause)
  /// A rep was completed. `count` is the number of reps in the set so far.
  case rep(time: Double, count: Int, rep: CountedRep)
  /// Corrects the count of the set: it is now `count`.
  case repCorrected(time: Double, count: Int)
  /// A movement like a rep that falls short of one; not counted.
  case partialRep(time: Double, rep: CountedRep)
  /// The wearer changed phase: into the reps of a set, into a pause too long to lie between two reps of one
  /// run, or out of the set.
  case phase(time: Double, from: WorkoutPhase, to: WorkoutPhase)
  /// A set is over and finalized.
  case setEnded(time: Double, set: CountedSet)
  /// The set under way turned out not to be one. Only recognised sets are cancelled, never declared ones.
  case setCancelled(time: Double)

  /// Time of the sample that caused the event, in seconds on the samples' clock.
  public var time: Double {
    switch self {
    case .setStarted(let time, _, _), .rep(let time, _, _), .repCorrected(let time, _),
      .partialRep(let time, _), .phase(let time, _, _), .setEnded(let time, _),
      .setCancelled(let time):
      time
    }
  }

  /// Returns a copy of the event with another time.
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

  /// Returns the event with `before` added to its count, for a set that had reps before.
  func counting(after before: Int) -> DetectionEvent {
    switch self {
    case .rep(let time, let count, let rep): .rep(time: time, count: before + count, rep: rep)
    case .repCorrected(let time, let count): .repCorrected(time: time, count: before + count)
    case .setStarted, .partialRep, .phase, .setEnded, .setCancelled: self
    }
  }
}

extension WorkoutPhase {
  /// Changes to another phase and emits the change.
  mutating func enter(
    _ next: WorkoutPhase, at time: Double, into events: inout [DetectionEvent]
  ) {
    guard next != self else { return }
    events.append(.phase(time: time, from: self, to: next))
    self = next
  }
}
