import GRDB
import Motion

/// A step in the life of a workout as a message, for whoever writes many at once, with other
/// things, in one transaction. What each does is said at ``WorkoutSession`` and
/// ``HistoryStore/startWorkout(_:at:plan:focus:intensity:user:)``.
public struct WorkoutAction: Sendable, Hashable {
  public enum Step: Sendable, Hashable {
    case startWorkout(plan: String? = nil)
    case startExercise(_ exercise: String, catalogExercise: String? = nil, name: String? = nil)
    case startSet(
      _ set: String, exercise: String? = nil, targetReps: Int? = nil, weight: Double? = nil)
    case endSet(_ set: String? = nil, reps: Int? = nil, weight: Double? = nil)
    case endExercise(_ exercise: String? = nil)
    case health([HealthReading])
    /// A person's count of a set, whether it is history already or not; nil takes it back.
    case correct(_ set: String, reps: Int?)
    case endWorkout
  }

  /// The session's id.
  public var session: String
  public var step: Step
  /// Seconds since 1970, nil where the source gives no date.
  public var date: Double?
  /// The owner's row; nil: ``person``, or else whose the session is, or else the local user.
  public var user: Int64?
  /// The owner's uuid or log-in id. Where nobody has it, somebody does now.
  public var person: String?

  public init(
    session: String, _ step: Step, date: Double? = nil, user: Int64? = HistoryStore.localUser
  ) {
    self.session = session
    self.step = step
    self.date = date
    self.user = user
  }
}

extension HistoryStore {
  /// Takes steps in the life of workouts, in one transaction.
  ///
  /// - Returns: For each what kept it from being taken; nil where it was taken. One that was not
  ///   leaves everything as it was.
  @discardableResult
  public func perform(_ actions: [WorkoutAction]) throws -> [(any Error & Sendable)?] {
    try write { try Self.perform($0, actions) }
  }

  /// Takes steps as part of a transaction.
  static func perform(
    _ db: Database, _ actions: [WorkoutAction]
  ) throws -> [(any Error & Sendable)?] {
    try actions.map { action in try attempt(db) { try perform(db, action) } }
  }

  /// Does something wholly or not at all.
  ///
  /// - Returns: The rule that forbids it, or why else the request makes no sense.
  /// - Throws: What is wrong with the history rather than with the request.
  static func attempt(_ db: Database, _ body: () throws -> Void) throws -> (any Error & Sendable)? {
    var failure: (any Error & Sendable)?
    try db.inSavepoint {
      do {
        try body()
        return .commit
      } catch let violation as RuleViolation {
        failure = violation
      } catch let error as HistoryError {
        failure = error
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
        failure = HistoryError(error, path: "")
      }
      return .rollback
    }
    return failure
  }

  static func perform(_ db: Database, _ action: WorkoutAction) throws {
    let date = action.date
    let user = try owner(db, of: action)
    try HistoryRules.check(date: date, .startTime)
    if case .startWorkout(let plan) = action.step {
      try start(
        db, session: try HistoryRules.text(action.session, .sessionId, 1...200), date: date,
        plan: plan, focus: nil, intensity: nil, user: user)
      return
    }
    if case .correct(let set, let reps) = action.step {
      try correct(
        db, set: set, session: action.session.isEmpty ? nil : action.session, reps: reps,
        date: date, user: user)
      return
    }
    guard let session = try CurrentRows.session(db, key: action.session, user: user) else {
      throw RuleViolation.noWorkoutUnderWay
    }
    switch action.step {
    case .startExercise(let exercise, let catalogExercise, let name):
      let name = try HistoryRules.optionalText(name, .exerciseName, HistoryRules.name)
      try CurrentRows.startExercise(
        db, session: session, key: exercise, catalogExercise: catalogExercise, name: name,
        date: date)
    case .startSet(let set, let exercise, let targetReps, let weight):
      try HistoryRules.check(targetReps, .targetReps, HistoryRules.targetReps)
      try HistoryRules.check(weight, .weight, HistoryRules.weight)
      try CurrentRows.startSet(
        db, session: session, user: user,
        set: .init(
          key: try HistoryRules.text(set, .setId, 1...200), exercise: exercise,
          targetReps: targetReps, weight: weight, date: date))
    case .endSet(let set, let reps, let weight):
      try HistoryRules.check(reps, .actualReps, HistoryRules.actualReps)
      try HistoryRules.check(weight, .weight, HistoryRules.weight)
      try CurrentRows.endSet(
        db, session: session, user: user, key: set, reps: reps, weight: weight, date: date)
    case .endExercise(let exercise):
      try CurrentRows.endExercise(db, session: session, key: exercise, date: date)
    case .health(let readings):
      for reading in readings { try HistoryRules.check(date: reading.unixTime, .startTime) }
      try CurrentRows.add(db, health: readings, session: session)
    case .endWorkout:
      _ = try CurrentRows.finish(
        db, session: session, user: user, date: date, status: .completed)
    case .startWorkout, .correct: break
    }
  }
}
