import GRDB
import Motion

package struct WorkoutStepFailure: Sendable, Hashable {
  package var line: Int
  package var session: HistoryWorkoutRow.Key
  package var reason: String

  fileprivate init(
    _ step: JournalBatch.WorkoutStep, left: HistoryWorkoutRow.Key? = nil, _ reason: String
  ) {
    (line, self.session, self.reason) = (step.line, left ?? step.action.session, reason)
  }
}

extension HistoryWorkouts {
  /// Performs the workout steps of a stream's messages. A stream may join in the middle, and repeat or lose
  /// messages. Messages about a workout that is not in progress are therefore not failures, and:
  ///
  /// - Starting a workout closes another open one of the person as interrupted, and reports it.
  /// - Ending a workout that was closed as interrupted makes it completed.
  /// - A started set counts as done even if it has no data when its workout ends, since its samples follow.
  /// - A workout in progress without a named person goes to the first person for whom it is started.
  /// - An unknown plan is ignored.
  ///
  /// - Returns: The failed steps, and a person's corrections of unknown sets. They may succeed once the
  ///   batch's sets are finalized (``performAgain(_:_:)``).
  static func performFromStream(
    _ db: Database, _ steps: [JournalBatch.WorkoutStep]
  ) throws -> (failures: [WorkoutStepFailure], early: [JournalBatch.WorkoutStep]) {
    var failures: [WorkoutStepFailure] = []
    var early: [JournalBatch.WorkoutStep] = []
    for step in steps {
      if case .noteStart = step.action.step {
        early.append(step)
        continue
      }
      var left: HistoryWorkoutRow.Key?
      let failure = try attempt(db) { left = try performFromStream(db, step.action) }
      if let left {
        failures.append(
          WorkoutStepFailure(
            step, left: left,
            "The workout was left open, and another of the same person begins: it is closed. "
              + "Several people need a userId."))
      }
      switch (step.action.step, failure) {
      case (_, nil): break
      case (.endSet(_, let reps, let weight), let violation as RuleViolation)
      where violation.isAboutNothingInProgress:
        if reps != nil || weight != nil || step.action.date != nil { early.append(step) }
      case (_, let violation as RuleViolation) where violation.isAboutNothingInProgress: break
      case (.correct, HistoryError.notFound(reference: _)?): early.append(step)
      case (_, let failure?): failures.append(WorkoutStepFailure(step, "\(failure)"))
      }
    }
    return (failures, early)
  }

  /// Retries steps that came too early, once the sets of their batch are finalized.
  static func performAgain(
    _ db: Database, _ steps: [JournalBatch.WorkoutStep]
  ) throws -> [WorkoutStepFailure] {
    try steps.compactMap { step in
      let failure = try attempt(db) {
        let user = try owner(db, of: step.action)
        if case .endSet(let set?, let reps, let weight) = step.action.step,
          try ActiveWorkout.find(db, session: step.action.session, user: user) == nil
        {
          guard reps != nil || weight != nil else { return }
          try noteEnd(db, of: set, step.action, reps: reps, weight: weight, user: user)
        } else {
          try perform(db, step.action)
        }
      }
      if failure as? RuleViolation == .noSetUnderWay { return nil }
      return failure.map { WorkoutStepFailure(step, "\($0)") }
    }
  }

  /// Applies a person's count and weight at the end of a set in the history. Keeps earlier values.
  private static func noteEnd(
    _ db: Database, of set: HistorySetRow.Key, _ action: WorkoutAction, reps: Int?,
    weight: Double?, user: HistoryUser.ID
  ) throws {
    try HistoryRules.check(date: action.date, .endTime)
    try HistoryRules.check(reps, .actualReps, HistoryRules.actualReps)
    try HistoryRules.check(weight, .weight, HistoryRules.weight)
    let id = try HistoryStore.setId(db, named: set, session: action.session, user: user)
    guard let id else { return }
    try db.execute(
      """
      UPDATE workout_set SET
        correctedAt = CASE WHEN correctedReps IS NULL AND ?1 IS NOT NULL
          THEN coalesce(?2, endTime, (julianday('now') - 2440587.5) * 86400.0)
          ELSE correctedAt END,
        correctedReps = coalesce(correctedReps, ?1), weight = coalesce(weight, ?3) WHERE id = ?4
      """, reps, action.date, weight, id)
  }

  private static func performFromStream(
    _ db: Database, _ action: WorkoutAction
  ) throws -> HistoryWorkoutRow.Key? {
    switch action.step {
    case .startWorkout(let plan, _, _):
      let user = try owner(db, of: action)
      if try isRepeated(db, action, user: user) { return nil }
      let active = try ActiveWorkout.find(db, user: user)
      let other = active.flatMap { $0.key == action.session ? nil : $0 }
      _ = try other?.end(at: nil, as: .interrupted, keepsStarted: true)
      if action.person != nil, user != HistoryUser.ID.local {
        try ActiveWorkout.claim(db, session: action.session, for: user)
      }
      var action = action
      if let plan, try HistoryPlans.id(db, plan) == nil { action.step = .startWorkout(plan: nil) }
      try perform(db, action)
      return other?.key
    case .endWorkout:
      try action.checkDate()
      let user = try owner(db, of: action)
      guard let workout = try ActiveWorkout.find(db, session: action.session, user: user) else {
        try db.execute(
          """
          UPDATE workout SET status = 'completed',
            endTime = coalesce(max(endTime, ?1), ?1, endTime)
          WHERE userId = ?2 AND key = ?3 AND status = 'interrupted'
          """, action.date, user, action.session)
        return nil
      }
      _ = try workout.end(at: action.date, as: .completed, keepsStarted: true)
    default: try perform(db, action)
    }
    return nil
  }

  /// Returns whether the start is a repeated message, because the workout ended after it.
  private static func isRepeated(
    _ db: Database, _ action: WorkoutAction, user: HistoryUser.ID
  ) throws -> Bool {
    try db.exists(
      """
      SELECT 1 FROM workout WHERE userId = ? AND key = ?
        AND status IN ('completed', 'interrupted') AND endTime >= ?
      """, user, action.session, action.date)
  }

  static func owner(_ db: Database, of action: WorkoutAction) throws -> HistoryUser.ID {
    if let user = action.user { return user }
    guard let person = action.person else {
      let session = SetIdentity(sessionId: action.session.rawValue)
      return try owner(db, of: session, person: action.owner)
        .orNotFound("person \(action.owner?.rawValue ?? "")")
    }
    let uuid = try HistoryRules.key(person, .userName, HistoryRules.name)
    return try HistoryUsers.id(db, uuid) ?? add(db, uuid)
  }

  /// Returns a session's named person, or else its stored owner; nil if the person was deleted.
  static func owner(
    _ db: Database, of identity: SetIdentity, person: HistoryUser.Key?
  ) throws -> HistoryUser.ID? {
    guard let person else { return try owner(db, of: identity) }
    let uuid = try HistoryRules.key(person, .userName, HistoryRules.name)
    if let user = try HistoryUsers.id(db, uuid) { return user }
    let isDeleted = try db.exists(
      """
      SELECT 1 FROM deleted_samples
        WHERE recordingKey = '' AND sessionKey = ? COLLATE NOCASE
      """, identity.sessionId)
    return isDeleted ? nil : try add(db, uuid)
  }

  private static func add(_ db: Database, _ uuid: HistoryUser.Key) throws -> HistoryUser.ID {
    try db.execute("INSERT INTO user (uuid, name) VALUES (?1, ?1)", uuid)
    return HistoryUser.ID(db.lastInsertedRowID)
  }

  /// Returns the owner of a recording: its session's owner, or else the local user.
  static func owner(_ db: Database, of identity: SetIdentity) throws -> HistoryUser.ID {
    guard let session = identity.sessionId else { return HistoryUser.ID.local }
    return try db.value(
      "SELECT userId FROM (\(sessionRows)) ORDER BY userId = ?2 LIMIT 1", session,
      HistoryUser.ID.local, as: HistoryUser.ID.self) ?? HistoryUser.ID.local
  }

  /// The SQL of the rows of a session by its id in any case, which several people may use.
  static let sessionRows = "SELECT key, userId FROM workout WHERE key IN (?1, upper(?1), lower(?1))"
}
