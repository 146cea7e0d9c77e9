import Motion

/// An event that the detector emits as samples arrive.
///
/// `time` is the time of the sample that caused the event, on the samples' clock.
public enum DetectionEvent: Sendable, Hashable {
  /// A set was declared or detected. The reps of a detected set up to this moment follow as `rep` events, and
  /// `start` is the begin of the first. A declared set starts with its first sample.
  case setStarted(time: Double, start: Double, cause: SetCause)
  /// A rep was completed. `count` is the number of reps in the set so far.
  case rep(time: Double, count: Int, rep: CountedRep)
  /// Corrects the count of the set: it is now `count`.
  case repCorrected(time: Double, count: Int)
  /// A movement fell short of a rep and was not counted.
  case partialRep(time: Double, rep: CountedRep)
  /// The wearer changed phase: began the reps of a set, began a pause too long to lie between two reps of one
  /// run, or left the set.
  case phase(time: Double, from: WorkoutPhase, to: WorkoutPhase)
  /// A set is over and finalized.
  case setEnded(time: Double, set: CountedSet)
  /// The set under way turned out not to be one. Only detected sets are canceled, never declared ones.
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
}
