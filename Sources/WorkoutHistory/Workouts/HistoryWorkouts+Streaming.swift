import GRDB
import Motion

/// A step in the life of a workout that could not be taken.
package struct WorkoutStepFailure: Sendable, Hashable {
  /// The number of the input that asked for it.
  package var line: Int
  /// The session's id.
  package var session: HistoryWorkoutRow.Key
  /// A sentence for a person.
  package var reason: String
}

extension HistoryWorkouts {
  /// Takes the steps that a stream's messages ask for. A stream may join in the middle, repeat, and
  /// lose; what it says of a workout that is not under way is therefore no failure, and:
  ///
  /// - A person who starts a workout while another of theirs was left open has left that: it is
  ///   closed, as interrupted.
  /// - Ending a workout that was closed so makes it a completed one.
  /// - A plan that is not there is none.
  static func performFromStream(
    _ db: Database, _ steps: [JournalBatch.WorkoutStep]
  ) throws -> [WorkoutStepFailure] {
    try steps.compactMap { step in
      let failure = try attempt(db) { try performFromStream(db, step.action) }
      switch failure {
      case nil: return nil
      case RuleViolation.noWorkoutUnderWay?, RuleViolation.noExerciseUnderWay?,
        RuleViolation.noSetUnderWay?:
        return nil
      case let failure?:
        return WorkoutStepFailure(
          line: step.line, session: step.action.session, reason: "\(failure)")
      }
    }
  }

  private static func performFromStream(_ db: Database, _ action: WorkoutAction) throws {
    switch action.step {
    case .startWorkout(let plan):
      let user = try owner(db, of: action)
      let other = try Row.fetchOne(
        db, cached: "SELECT id FROM currentSession WHERE userId = ? AND key <> ?",
        arguments: [user, action.session])
      if let other {
        _ = try CurrentRows.finish(
          db, session: try other.value("id"), user: user, date: nil, status: .interrupted)
      }
      var action = action
      if let plan, try HistoryPlans.id(db, plan) == nil { action.step = .startWorkout(plan: nil) }
      try perform(db, action)
    case .endWorkout:
      let user = try owner(db, of: action)
      if try CurrentRows.session(db, key: action.session, user: user) == nil {
        try HistoryRules.check(date: action.date, .endTime)
        try db.execute(
          cached: """
            UPDATE workoutHistory SET status = 'completed',
              endTime = coalesce(max(endTime, ?1), ?1, endTime)
            WHERE userId = ?2 AND key = ?3 AND status = 'interrupted'
            """, arguments: [action.date, user, action.session])
        return
      }
      try perform(db, action)
    default: try perform(db, action)
    }
  }

  /// Whose a step is.
  static func owner(_ db: Database, of action: WorkoutAction) throws -> HistoryUser.ID {
    if let user = action.user { return user }
    guard let person = action.person else {
      return try owner(db, of: SetIdentity(sessionId: action.session.rawValue))
    }
    let uuid = try HistoryRules.key(person, .userName, HistoryRules.name)
    if let user = try HistoryUsers.id(db, uuid) { return user }
    try db.execute(cached: "INSERT INTO user (uuid, name) VALUES (?1, ?1)", arguments: [uuid])
    return HistoryUser.ID(db.lastInsertedRowID)
  }

  /// Whose a recording is: its session's owner, or else the local user.
  static func owner(_ db: Database, of identity: SetIdentity) throws -> HistoryUser.ID {
    guard let session = identity.sessionId else { return HistoryStore.localUser }
    return try HistoryUser.ID.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT userId FROM currentSession WHERE key = ?1
          UNION ALL SELECT userId FROM workoutHistory WHERE key = ?1 LIMIT 1
          """), arguments: [session]) ?? HistoryStore.localUser
  }
}
