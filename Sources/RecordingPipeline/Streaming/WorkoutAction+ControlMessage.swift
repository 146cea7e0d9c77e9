import ChunkDecoding
import Motion
import WorkoutHistory

extension WorkoutAction {
  /// Translates a control message into an action on its workout; nil if it changes nothing in the history.
  ///
  /// - Parameters:
  ///   - before: The message's ids, completed with those that were open before it.
  ///   - after: The message's ids, completed with those that it opens.
  init?(_ message: ControlMessage, before: SetIdentity, after: SetIdentity) {
    guard let session = after.workoutKey, session != "" else { return nil }
    let details = message.details
    let step: Step
    switch message.kind {
    case .startWorkout:
      step = .startWorkout(plan: message.metadata.planId.map(WorkoutPlan.Key.init(_:)))
    case .startExercise:
      step = .startExercise(message.identity.exerciseKey ?? "", name: details.exerciseName)
    case .startSet:
      guard let set = after.setKey else { return nil }
      step = .startSet(
        set, exercise: after.exerciseKey, targetReps: details.targetReps, weight: details.weight)
    case .endSet:
      guard let set = before.setKey else { return nil }
      step = .endSet(set, reps: details.reps, weight: details.weight)
    case .correctSet:
      guard let set = message.identity.setKey ?? before.setKey else { return nil }
      step = .correct(
        set, reps: details.reps, exercise: message.identity.exerciseKey,
        exerciseName: details.exerciseName)
    case .endExercise: step = .endExercise(message.identity.exerciseKey)
    case .endWorkout: step = .endWorkout
    case .updatePhase, .phaseChangeDetected: return nil
    }
    self.init(session: session, step, date: message.unixTime, user: nil)
    // An empty name means no person.
    person = details.userId.flatMap { $0.isEmpty ? nil : HistoryUser.Key($0) }
  }
}
