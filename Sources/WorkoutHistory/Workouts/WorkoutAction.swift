import Motion

/// A workout step as a value, for callers that perform many in one transaction.
package struct WorkoutAction: Sendable, Hashable {
  package enum Step: Sendable, Hashable {
    case startWorkout(plan: WorkoutPlan.Key? = nil, focus: String? = nil, intensity: String? = nil)
    case startExercise(
      _ exercise: HistoryExerciseRow.Key, catalogExercise: CatalogExercise.Key? = nil,
      name: String? = nil)
    case startSet(
      _ set: HistorySetRow.Key, exercise: HistoryExerciseRow.Key? = nil, targetReps: Int? = nil,
      weight: Double? = nil)
    case endSet(_ set: HistorySetRow.Key? = nil, reps: Int? = nil, weight: Double? = nil)
    /// The details of the start of a set that is already in the history. Existing values are kept.
    case noteStart(_ set: HistorySetRow.Key, targetReps: Int?, weight: Double?)
    case endExercise(_ exercise: HistoryExerciseRow.Key? = nil)
    case health([HealthReading])
    /// A person's correction of a set's count or exercise. Without either, revokes the count's correction.
    case correct(
      _ set: HistorySetRow.Key, reps: Int?, exercise: HistoryExerciseRow.Key? = nil,
      exerciseName: String? = nil)
    case endWorkout
  }

  package var session: HistoryWorkoutRow.Key
  package var step: Step
  package var date: Double?
  /// The owner's row; nil for ``person``, or else the session's owner, or else the local user.
  package var user: HistoryUser.ID?
  /// The owner's uuid or log-in id. An unknown person is added.
  package var person: HistoryUser.Key?
  /// The owner's uuid or log-in id as stored for the session. An unknown person is not added.
  package var owner: HistoryUser.Key?

  package init(
    session: HistoryWorkoutRow.Key, _ step: Step, date: Double? = nil,
    user: HistoryUser.ID? = .local
  ) {
    self.session = session
    self.step = step
    self.date = date
    self.user = user
  }

  func checkDate() throws(RuleViolation) {
    switch step {
    case .endSet, .endExercise, .endWorkout, .correct: try HistoryRules.check(date: date, .endTime)
    default: try HistoryRules.check(date: date, .startTime)
    }
  }
}
