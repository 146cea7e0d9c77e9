import ChunkDecoding
import Motion
import WorkoutHistory

extension WorkoutAction {
  /// What a control message means for its workout; nil where it says nothing that a history keeps.
  ///
  /// - Parameters:
  ///   - before: Its ids, completed from what was open before it.
  ///   - after: The same, with what it has opened itself.
  init?(_ message: ControlMessage, before: SetIdentity, after: SetIdentity) {
    guard let session = after.sessionId, !session.isEmpty else { return nil }
    let details = message.details
    let step: Step
    switch message.kind {
    case .startWorkout: step = .startWorkout(plan: message.metadata.planId)
    case .startExercise:
      step = .startExercise(message.identity.exerciseId ?? "", name: details.exerciseName)
    case .startSet:
      guard let set = after.setId else { return nil }
      step = .startSet(
        set, exercise: after.exerciseId, targetReps: details.targetReps, weight: details.weight)
    case .endSet:
      guard let set = before.setId else { return nil }
      step = .endSet(set, reps: details.reps, weight: details.weight)
    case .correctSet:
      guard let set = message.identity.setId ?? before.setId else { return nil }
      step = .correct(set, reps: details.reps)
    case .endExercise: step = .endExercise(message.identity.exerciseId)
    case .endWorkout: step = .endWorkout
    case .updatePhase, .phaseChangeDetected: return nil
    }
    self.init(session: session, step, date: message.unixTime, user: nil)
    person = details.userId
  }
}
