import GRDB
import Motion

/// The rows of a workout under way. All within one transaction of the caller's.
enum CurrentRows {
  static func session(
    _ db: Database, key: HistoryWorkoutRow.Key, user: HistoryUser.ID
  ) throws -> Int64? {
    try Int64.fetchOne(
      db, cached: "SELECT id FROM currentSession WHERE userId = ? AND key = ?",
      arguments: [user, key])
  }

  /// Gives a workout under way for which nobody was named to a person, who has none.
  static func claim(
    _ db: Database, session key: HistoryWorkoutRow.Key, for user: HistoryUser.ID
  ) throws {
    guard try session(db, key: key, user: user) == nil,
      let unnamed = try session(db, key: key, user: HistoryStore.localUser)
    else { return }
    try db.execute(
      cached: "UPDATE currentSession SET userId = ? WHERE id = ?", arguments: [user, unnamed])
    try db.execute(
      cached: """
        UPDATE currentSet SET userId = ?
        WHERE exerciseId IN (SELECT id FROM currentExercise WHERE sessionId = ?)
        """, arguments: [user, unnamed])
    try db.execute(
      cached: "UPDATE recording SET userId = ? WHERE currentSessionId = ?",
      arguments: [user, unnamed])
  }

  @discardableResult
  static func startExercise(
    _ db: Database, session: Int64, key: HistoryExerciseRow.Key,
    catalogExercise: CatalogExercise.Key? = nil,
    name: String? = nil, date: Double?
  ) throws -> Int64 {
    var template: Row?
    if let reference = catalogExercise ?? (key == "" ? nil : CatalogExercise.Key(key.rawValue)),
      let id = try HistoryCatalog.id(db, reference)
    {
      template = try Row.fetchOne(
        db, cached: "SELECT id, name FROM exerciseTemplate WHERE id = ?", arguments: [id])
    } else if let catalogExercise {
      throw HistoryError.notFound(reference: "exercise \(catalogExercise)")
    }
    let templateName: String? = try template.value("name")
    if let known = try Row.fetchOne(
      db, cached: "SELECT id, isActive FROM currentExercise WHERE sessionId = ? AND key = ?",
      arguments: [session, key])
    {
      let id: Int64 = try known.value("id")
      if try known.value("isActive") == 0 { try leaveExercise(db, session: session, date: date) }
      try db.execute(
        cached: """
          UPDATE currentExercise SET isActive = 1, endTime = NULL, completed = 0,
            name = coalesce(?, name), templateId = coalesce(?, templateId) WHERE id = ?
          """, arguments: [name ?? templateName, try template.value("id") as Int64?, id])
      try noteIndex(db, session: session, exercise: id)
      return id
    }
    try leaveExercise(db, session: session, date: date)
    try db.execute(
      cached: """
        INSERT INTO currentExercise (sessionId, key, templateId, name, "order", startTime,
          isActive)
        VALUES (?1, ?2, ?3, ?4,
          (SELECT coalesce(max("order") + 1, 0) FROM currentExercise WHERE sessionId = ?1), ?5, 1)
        """,
      arguments: [
        session, key, try template.value("id") as Int64?, name ?? templateName, date,
      ])
    let id = db.lastInsertedRowID
    try noteIndex(db, session: session, exercise: id)
    return id
  }

  private static func noteIndex(_ db: Database, session: Int64, exercise: Int64) throws {
    try db.execute(
      cached: """
        UPDATE currentSession SET currentExerciseIndex =
          (SELECT "order" FROM currentExercise WHERE id = ?) WHERE id = ?
        """, arguments: [exercise, session])
  }

  /// Ends the exercise under way without calling it completed.
  private static func leaveExercise(_ db: Database, session: Int64, date: Double?) throws {
    try endActiveSets(db, session: session, date: date)
    try db.execute(
      cached: """
        UPDATE currentExercise SET isActive = 0,
          endTime = coalesce(endTime, max(?1, startTime), ?1)
        WHERE sessionId = ?2 AND isActive = 1
        """, arguments: [date, session])
  }

  static func endActiveSets(_ db: Database, session: Int64, date: Double?) throws {
    try db.execute(
      cached: """
        UPDATE currentSet SET isActive = 0,
          endTime = coalesce(endTime, max(?1, startTime), ?1)
        WHERE isActive = 1
          AND exerciseId IN (SELECT id FROM currentExercise WHERE sessionId = ?2)
        """, arguments: [date, session])
  }

  static func endExercise(
    _ db: Database, session: Int64, key: HistoryExerciseRow.Key?, date: Double?
  ) throws {
    let row = try Row.fetchOne(
      db,
      cached: """
        SELECT id, startTime, isActive FROM currentExercise
        WHERE sessionId = ?1 AND (key = ?2 OR (?2 IS NULL AND isActive = 1))
        """, arguments: [session, key])
    guard let row else { throw RuleViolation.noExerciseUnderWay }
    if let date, let start: Double = try row.value("startTime"), date < start {
      throw RuleViolation.endBeforeStart
    }
    if try row.value("isActive") == 1 { try endActiveSets(db, session: session, date: date) }
    try db.execute(
      cached: """
        UPDATE currentExercise SET isActive = 0, completed = 1, endTime = coalesce(endTime, ?)
        WHERE id = ?
        """, arguments: [date, try row.value("id") as Int64])
  }

  struct SetStart {
    var key: HistorySetRow.Key
    var exercise: HistoryExerciseRow.Key?
    var targetReps: Int?
    var weight: Double?
    var date: Double?
  }

  static func startSet(_ db: Database, session: Int64, user: HistoryUser.ID, set: SetStart) throws {
    if let known = try Row.fetchOne(
      db,
      cached: """
        SELECT s.id, s.exerciseSource, e.sessionId, e.key
        FROM currentSet s JOIN currentExercise e ON e.id = s.exerciseId
        WHERE s.userId = ? AND s.key = ?
        """, arguments: [user, set.key])
    {
      guard try known.value("sessionId") == session,
        try set.exercise == nil || known.value("key") == set.exercise
          || (known.value("exerciseSource") as String?) != nil
      else { throw RuleViolation.setElsewhere(set.key) }
      // What the machine found before the set was declared becomes this set's. A date that only
      // follows from its samples gives way to what is said.
      try db.execute(
        cached: """
          UPDATE currentSet SET targetReps = coalesce(targetReps, ?1), weight = coalesce(weight, ?2),
            startTime = CASE WHEN EXISTS (
                SELECT 1 FROM timelineSegment g JOIN recording r ON r.id = g.recordingId
                WHERE g.currentSetId = currentSet.id
                  AND abs(currentSet.startTime - r.startTime - currentSet.clockStart + r.firstTime)
                    < 1e-3)
              THEN coalesce(?3, startTime) ELSE coalesce(startTime, ?3) END
          WHERE id = ?4
          """,
        arguments: [set.targetReps, set.weight, set.date, try known.value("id") as Int64])
      return
    }
    let active = try Row.fetchOne(
      db, cached: "SELECT id, key FROM currentExercise WHERE sessionId = ? AND isActive = 1",
      arguments: [session])
    let exercise: Int64
    if let active, try set.exercise == nil || active.value("key") == set.exercise {
      exercise = try active.value("id")
    } else {
      exercise = try startExercise(
        db, session: session, key: set.exercise ?? "", date: set.date)
    }
    try endActiveSets(db, session: session, date: set.date)
    try noteRest(db, session: session, until: set.date)
    let planned = try plannedTarget(db, session: session, exercise: exercise)
    try db.execute(
      cached: """
        INSERT INTO currentSet (userId, exerciseId, key, setId, "order", cause, targetReps,
          weight, startTime, isActive)
        VALUES (?1, ?2, ?3, ?3,
          (SELECT coalesce(max("order") + 1, 0) FROM currentSet WHERE exerciseId = ?2),
          'declared', ?4, ?5, ?6, 1)
        """,
      arguments: [
        user, exercise, set.key, try set.targetReps ?? planned.value("reps") as Int?,
        try set.weight ?? planned.value("weight") as Double?, set.date,
      ])
    try db.execute(
      cached: """
        UPDATE currentExercise SET currentSetIndex =
          (SELECT "order" FROM currentSet WHERE id = ?) WHERE id = ?
        """, arguments: [db.lastInsertedRowID, exercise])
  }

  /// What the workout's plan says of an exercise.
  private static func plannedTarget(
    _ db: Database, session: Int64, exercise: Int64
  ) throws -> Row? {
    try Row.fetchOne(
      db,
      cached: """
        SELECT i.reps, i.weight FROM currentExercise e
        JOIN currentSession c ON c.id = e.sessionId
        JOIN planItem i ON i.planId = c.planId AND i.exerciseId = e.templateId
        WHERE e.id = ? ORDER BY i.position LIMIT 1
        """, arguments: [exercise])
  }

  /// The rest after the last set has lasted until now.
  private static func noteRest(_ db: Database, session: Int64, until date: Double?) throws {
    guard let date else { return }
    try db.execute(
      cached: """
        UPDATE currentSet SET restTime = max(0, ?1 - endTime)
        WHERE restTime IS NULL AND id = (
          SELECT s.id FROM currentSet s JOIN currentExercise e ON e.id = s.exerciseId
          WHERE e.sessionId = ?2 AND s.endTime IS NOT NULL ORDER BY s.endTime DESC LIMIT 1)
        """, arguments: [date, session])
  }

  /// The rest behind a declared set lasts until the next one. That the next one starts may be known before
  /// this one's end is, which follows from its samples: the answer depends on both, not on which came first.
  static func noteRests(_ db: Database, session: Int64) throws {
    try db.execute(
      cached: """
        UPDATE currentSet SET restTime = r.rest
        FROM (SELECT s.id, max(0, min(next.startTime) - s.endTime) AS rest
          FROM currentExercise e JOIN currentSet s ON s.exerciseId = e.id
            JOIN currentExercise nextExercise ON nextExercise.sessionId = e.sessionId
            JOIN currentSet next ON next.exerciseId = nextExercise.id
          WHERE e.sessionId = ? AND s.isActive = 0 AND s.endTime IS NOT NULL
            AND s.cause = 'declared' AND next.cause = 'declared'
            AND next.startTime > coalesce(s.startTime, s.endTime)
          GROUP BY s.id) r
        WHERE r.id = currentSet.id AND currentSet.restTime IS NOT r.rest
        """, arguments: [session])
  }

  static func endSet(
    _ db: Database, session: Int64, user: HistoryUser.ID, key: HistorySetRow.Key?, reps: Int?,
    weight: Double?, date: Double?
  ) throws {
    let row = try Row.fetchOne(
      db,
      cached: """
        SELECT s.id, s.startTime FROM currentSet s JOIN currentExercise e ON e.id = s.exerciseId
        WHERE e.sessionId = ?1 AND (s.key = ?2 OR (?2 IS NULL AND s.isActive = 1))
        """, arguments: [session, key])
    guard let row else { throw RuleViolation.noSetUnderWay }
    if let date, let start: Double = try row.value("startTime"), date < start {
      throw RuleViolation.endBeforeStart
    }
    try db.execute(
      cached: """
        UPDATE currentSet SET isActive = 0, endTime = coalesce(?, endTime),
          correctedReps = coalesce(?, correctedReps), weight = coalesce(?, weight) WHERE id = ?
        """, arguments: [date, reps, weight, try row.value("id") as Int64])
  }

  static func add(_ db: Database, health readings: [HealthReading], session: Int64) throws {
    guard !readings.isEmpty else { return }
    let active = try Row.fetchOne(
      db,
      cached: """
        SELECT e.id AS exercise, s.id AS "set" FROM currentExercise e
        LEFT JOIN currentSet s ON s.exerciseId = e.id AND s.isActive = 1
        WHERE e.sessionId = ? AND e.isActive = 1
        """, arguments: [session])
    let statement = try db.cachedStatement(
      sql: """
        INSERT INTO currentHealth (sessionId, exerciseId, setId, unixTime, heartRateBPM, calories)
        VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
        """)
    for reading in readings {
      try statement.execute(arguments: [
        session, try active.value("exercise") as Int64?, try active.value("set") as Int64?,
        reading.unixTime,
        reading.heartRateBPM.flatMap { $0.isFinite ? $0 : nil },
        reading.calories.flatMap { $0.isFinite ? $0 : nil },
      ])
    }
  }
}
