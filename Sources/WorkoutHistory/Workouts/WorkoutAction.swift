import Motion

/// A step in the life of a workout as a message, for whoever writes many at once, with other
/// things, in one transaction. What each does is said at ``WorkoutSession`` and
/// ``HistoryWorkouts/start(_:at:plan:focus:intensity:user:)``.
package struct WorkoutAction: Sendable, Hashable {
  package enum Step: Sendable, Hashable {
    case startWorkout(plan: WorkoutPlan.Key? = nil)
    case startExercise(
      _ exercise: HistoryExerciseRow.Key, catalogExercise: CatalogExercise.Key? = nil,
      name: String? = nil)
    case startSet(
      _ set: HistorySetRow.Key, exercise: HistoryExerciseRow.Key? = nil, targetReps: Int? = nil,
      weight: Double? = nil)
    case endSet(_ set: HistorySetRow.Key? = nil, reps: Int? = nil, weight: Double? = nil)
    /// What was said at the start of a set that the history did not have yet: what it has stays.
    case noteStart(_ set: HistorySetRow.Key, targetReps: Int?, weight: Double?)
    case endExercise(_ exercise: HistoryExerciseRow.Key? = nil)
    case health([HealthReading])
    /// A person's count of a set, or which exercise it was, whether it is history already or not. With neither
    /// the count is taken back.
    case correct(
      _ set: HistorySetRow.Key, reps: Int?, exercise: HistoryExerciseRow.Key? = nil,
      exerciseName: String? = nil)
    case endWorkout
  }

  /// The session's id.
  package var session: HistoryWorkoutRow.Key
  package var step: Step
  /// Seconds since 1970, nil where the source gives no date.
  package var date: Double?
  /// The owner's row; nil: ``person``, or else whose the session is, or else the local user.
  package var user: HistoryUser.ID?
  /// The owner's uuid or log-in id. Where nobody has it, somebody does now.
  package var person: HistoryUser.Key?
  /// The owner's uuid or log-in id as the session has it; nobody is made of it.
  package var owner: HistoryUser.Key?

  package init(
    session: HistoryWorkoutRow.Key, _ step: Step, date: Double? = nil,
    user: HistoryUser.ID? = HistoryUser.localId
  ) {
    self.session = session
    self.step = step
    self.date = date
    self.user = user
  }
}
