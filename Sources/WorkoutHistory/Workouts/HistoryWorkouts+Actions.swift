import GRDB
import Motion

extension HistoryWorkouts {
  /// Runs a closure in a savepoint. Returns the reason for a failure; nil if it succeeded.
  static func attempt(_ db: Database, _ body: () throws -> Void) throws -> (any Error & Sendable)? {
    var failure: (any Error & Sendable)?
    try db.inSavepoint {
      do {
        try body()
        return .commit
      } catch let violation as RuleViolation { failure = violation } catch let error as HistoryError
      { failure = error } catch let error as DatabaseError
        where error.resultCode == .SQLITE_CONSTRAINT
      { failure = HistoryError(error, path: "") }
      return .rollback
    }
    return failure
  }

  static func perform(_ db: Database, _ action: WorkoutAction) throws {
    let date = action.date
    let user = try owner(db, of: action)
    try action.checkDate()
    switch action.step {
    case .startWorkout(let plan, let focus, let intensity):
      return try start(
        db, session: try HistoryRules.key(action.session, .sessionId), date: date, plan: plan,
        focus: try HistoryRules.optionalText(focus, .focus, 1...100),
        intensity: try HistoryRules.optionalText(intensity, .intensity, 1...100), user: user)
    case .correct(let set, let reps, let exercise, let exerciseName):
      return try HistoryStore.correct(
        db, set: set, session: action.session == "" ? nil : action.session, reps: reps,
        exercise: exercise, exerciseName: exerciseName, date: date, user: user)
    case .noteStart(let set, let targetReps, let weight):
      return try noteStart(db, of: set, action, targetReps: targetReps, weight: weight, user: user)
    case .startSet(_, _, let targetReps, let weight):
      // Checked even if no workout is in progress, so that the error is reported once.
      try HistoryRules.check(targetReps, .targetReps, HistoryRules.targetReps)
      try HistoryRules.check(weight, .weight, HistoryRules.weight)
    default: break
    }
    guard let workout = try ActiveWorkout.find(db, session: action.session, user: user) else {
      throw RuleViolation.noWorkoutUnderWay
    }
    switch action.step {
    case .startExercise(let exercise, let catalogExercise, let name):
      let name = try HistoryRules.optionalText(name, .exerciseName, HistoryRules.name)
      try workout.startExercise(
        key: exercise, catalogExercise: catalogExercise, name: name, date: date)
    case .startSet(let set, let exercise, let targetReps, let weight):
      try workout.startSet(
        try HistoryRules.key(set, .setId), exercise: exercise, targetReps: targetReps,
        weight: weight, date: date)
    case .endSet(let set, let reps, let weight):
      try HistoryRules.check(reps, .actualReps, HistoryRules.actualReps)
      try HistoryRules.check(weight, .weight, HistoryRules.weight)
      try workout.endSet(key: set, reps: reps, weight: weight, date: date)
    case .endExercise(let exercise): try workout.endExercise(key: exercise, date: date)
    case .health(let readings):
      for reading in readings { try HistoryRules.check(date: reading.unixTime, .startTime) }
      try workout.add(health: readings)
    case .endWorkout: _ = try workout.end(at: date, as: .completed)
    case .startWorkout, .noteStart, .correct: break
    }
  }

  private static func noteStart(
    _ db: Database, of set: HistorySetRow.Key, _ action: WorkoutAction, targetReps: Int?,
    weight: Double?, user: HistoryUser.ID
  ) throws {
    // Impossible values were reported when the set was started.
    let targetReps = targetReps.flatMap { HistoryRules.targetReps.contains($0) ? $0 : nil }
    let weight = weight.flatMap { HistoryRules.weight.contains($0) ? $0 : nil }
    guard let id = try HistoryStore.setId(db, named: set, session: action.session, user: user)
    else { return }
    try db.execute(
      """
      UPDATE workout_set SET targetReps = coalesce(targetReps, ?1), weight = coalesce(weight, ?2),
        startTime = coalesce(startTime, ?3)
      WHERE id = ?4
      """, targetReps, weight, action.date, id)
  }
}
