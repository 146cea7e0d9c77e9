import Motion

/// What the detector says while samples come in.
///
/// `time` is on the samples' clock: that of the sample that caused the event.
public enum DetectionEvent: Sendable, Hashable {
  /// A set was recognised; its first reps, made before that, follow as `rep` events.
  case setStarted(time: Double, start: Double)
  /// A rep was completed. `count` reps are in the set so far.
  case rep(time: Double, count: Int, rep: CountedRep)
  /// The count was wrong and is now this.
  case repCorrected(time: Double, count: Int)
  /// A movement like a rep that falls short of one; not counted.
  case partialRep(time: Double, rep: CountedRep)
  /// The wearer went over from one phase to the other.
  case phase(time: Double, from: WorkoutPhase, to: WorkoutPhase)
  /// A set is over and settled.
  case setEnded(time: Double, set: CountedSet)
  /// What looked like a set was none.
  case setCancelled(time: Double)

  /// Seconds on the samples' clock: of the sample that caused the event.
  public var time: Double {
    switch self {
    case .setStarted(let time, _), .rep(let time, _, _), .repCorrected(let time, _),
      .partialRep(let time, _), .phase(let time, _, _), .setEnded(let time, _),
      .setCancelled(let time):
      time
    }
  }
}
