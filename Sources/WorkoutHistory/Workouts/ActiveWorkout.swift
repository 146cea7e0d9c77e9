import GRDB
import Motion

/// The rows of a workout in progress. All calls run within a transaction of the caller.
package struct ActiveWorkout {
  let db: Database
  let id: HistoryWorkoutRow.ID
  let key: HistoryWorkoutRow.Key
  let user: HistoryUser.ID

  static func find(
    _ db: Database, session: HistoryWorkoutRow.Key? = nil, user: HistoryUser.ID
  ) throws -> ActiveWorkout? {
    try db.row(
      """
      SELECT id, key FROM workout
      WHERE userId = ?1 AND status = 'active' AND (?2 IS NULL OR key = ?2)
      """, user, session
    ).map { ActiveWorkout(db: db, id: try $0.value("id"), key: try $0.value("key"), user: user) }
  }

  static func find(
    _ db: Database, of identity: SetIdentity, user: HistoryUser.ID
  ) throws -> ActiveWorkout? {
    guard let active = try find(db, user: user) else { return nil }
    if active.key == identity.workoutKey { return active }
    guard let setId = identity.setId,
      identity.sessionId == nil
        || identity.sessionId?.uppercased() == active.key.rawValue.uppercased()
    else { return nil }
    let isKnown = try db.exists(
      """
      SELECT 1 FROM workout_set s JOIN workout_exercise e ON e.id = s.exerciseId
        WHERE e.workoutId = ? AND s.userId = ? AND s.key = ?
      """, active.id, user, setId)
    return isKnown ? active : nil
  }

  /// Assigns a session's workout in progress without a named person to a person, unless they have one in it.
  static func claim(
    _ db: Database, session key: HistoryWorkoutRow.Key, for user: HistoryUser.ID
  ) throws {
    guard try find(db, session: key, user: user) == nil,
      let unnamed = try find(db, session: key, user: HistoryUser.ID.local)
    else { return }
    for (table, condition) in [("workout", "id = ?1")] + contents {
      try db.execute("UPDATE \(table) SET userId = ?2 WHERE \(condition)", unnamed.id, user)
    }
  }

  /// The tables of a workout's contents, with SQL conditions on the workout's row as the first argument.
  private static let contents = [
    ("workout_exercise", "workoutId = ?1"), ("recording", "workoutId = ?1"),
    ("workout_set", isInWorkout),
  ]

  /// Marks the contents of a workout as changed, so that they get their missing stamps.
  package static func touchContents(_ db: Database, of workout: HistoryWorkoutRow.ID) throws {
    for (table, condition) in contents {
      try db.execute("UPDATE \(table) SET checksum = NULL WHERE \(condition)", workout)
    }
  }

  @discardableResult
  func startExercise(
    key: HistoryExerciseRow.Key, catalogExercise: CatalogExercise.Key? = nil,
    name: String? = nil, date: Double?
  ) throws -> Int64 {
    var template: Row?
    if let reference = catalogExercise ?? (key == "" ? nil : CatalogExercise.Key(key)),
      let id = try HistoryCatalog.id(db, reference)
    {
      template = try db.row("SELECT id, name FROM exercise WHERE id = ?", id)
    } else if let catalogExercise {
      throw HistoryError.notFound(reference: "exercise \(catalogExercise)")
    }
    let isActive = try db.value(
      "SELECT isActive FROM workout_exercise WHERE workoutId = ? AND key = ?", id, key,
      as: Bool.self)
    if isActive != true { try leaveExercise(date: date) }
    return try db.written(
      """
      INSERT INTO workout_exercise (userId, workoutId, key, exerciseId, templateId, name, "order",
        startTime, completed, isActive)
      VALUES (?1, ?2, ?3, nullif(?3, ''), ?4, ?5,
        (SELECT coalesce(max("order") + 1, 0) FROM workout_exercise WHERE workoutId = ?2), ?6, 0, 1)
      ON CONFLICT (workoutId, key) DO UPDATE SET isActive = 1, endTime = NULL, completed = 0,
        name = coalesce(excluded.name, name),
        templateId = coalesce(excluded.templateId, templateId),
        startTime = CASE WHEN completed IS NULL THEN coalesce(startTime, excluded.startTime)
          ELSE startTime END
      RETURNING id
      """, user, id, key, try template.value("id") as Int64?,
      try name ?? template.value("name") as String?, date, as: Int64.self)
  }

  private func leaveExercise(date: Double?) throws {
    try endActiveSets(date: date)
    try db.execute(
      """
      UPDATE workout_exercise SET isActive = 0,
        endTime = coalesce(endTime, max(?1, startTime), ?1)
      WHERE workoutId = ?2 AND isActive = 1
      """, date, id)
  }

  private func endActiveSets(date: Double?) throws {
    try db.execute(
      """
      UPDATE workout_set SET isActive = 0,
        endTime = coalesce(endTime, max(?1, startTime), ?1)
      WHERE isActive = 1 AND exerciseId IN (SELECT id FROM workout_exercise WHERE workoutId = ?2)
      """, date, id)
  }

  func endExercise(key: HistoryExerciseRow.Key?, date: Double?) throws {
    let row = try db.row(
      """
      SELECT id, startTime, isActive FROM workout_exercise
      WHERE workoutId = ?1 AND (key = ?2 OR (?2 IS NULL AND isActive = 1))
      """, id, key)
    guard let row else { throw RuleViolation.noExerciseUnderWay }
    if let date, let start: Double = try row.value("startTime"), date < start {
      throw RuleViolation.endBeforeStart
    }
    if try row.value("isActive") == 1 { try endActiveSets(date: date) }
    try db.execute(
      """
      UPDATE workout_exercise SET isActive = 0, completed = 1, endTime = coalesce(endTime, ?)
      WHERE id = ?
      """, date, try row.value("id") as Int64)
  }

  func startSet(
    _ set: HistorySetRow.Key, exercise named: HistoryExerciseRow.Key?,
    targetReps: Int?, weight: Double?, date: Double?
  ) throws {
    let known = try db.row(
      """
      SELECT s.id, s.exerciseSource, e.workoutId, e.key, e.completed
      FROM workout_set s JOIN workout_exercise e ON e.id = s.exerciseId
      WHERE s.userId = ? AND s.sessionKey = ? AND s.key = ?
      """, user, key, set)
    // If nobody has started the set's exercise, its samples arrived before its messages.
    if let known, try known.value("completed") as Int? != nil {
      guard try known.value("workoutId") == id,
        try named == nil || known.value("key") == named
          || (known.value("exerciseSource") as String?) != nil
      else { throw RuleViolation.setElsewhere(set) }
      // The declared date replaces a date derived from samples.
      return try db.execute(
        """
        UPDATE workout_set SET targetReps = coalesce(targetReps, ?1), weight = coalesce(weight, ?2),
          startTime = CASE WHEN EXISTS (SELECT 1 FROM recording r WHERE r.id = workout_set.recordingId
              AND abs(workout_set.startTime - r.startTime - workout_set.clockStart + r.firstTime) < 1e-3)
            THEN coalesce(?3, startTime) ELSE coalesce(startTime, ?3) END
        WHERE id = ?4
        """, targetReps, weight, date, try known.value("id") as Int64)
    }
    let active = try db.row(
      "SELECT id, key FROM workout_exercise WHERE workoutId = ? AND isActive = 1", id)
    let exercise: Int64
    if let active, try named == nil || active.value("key") == named {
      exercise = try active.value("id")
    } else {
      exercise = try startExercise(key: named ?? "", date: date)
    }
    try endActiveSets(date: date)
    try noteRest(until: date)
    let planned = try db.row(
      """
      SELECT i.reps, i.weight FROM workout_exercise e JOIN workout w ON w.id = e.workoutId
      JOIN plan_item i ON i.planId = w.planId AND i.exerciseId = e.templateId
      WHERE e.id = ? ORDER BY i.position LIMIT 1
      """, exercise)
    try db.execute(
      """
      INSERT INTO workout_set (userId, exerciseId, sessionKey, key, setId, "order", cause, targetReps,
        weight, startTime, isActive)
      VALUES (?1, ?2, ?3, ?4, ?4,
        (SELECT coalesce(max("order") + 1, 0) FROM workout_set WHERE exerciseId = ?2),
        'declared', ?5, ?6, ?7, 1)
      ON CONFLICT (userId, sessionKey, key) DO UPDATE SET
        exerciseId = CASE WHEN exerciseSource IS NULL THEN excluded.exerciseId ELSE exerciseId END,
        "order" = CASE WHEN exerciseSource IS NULL THEN excluded."order" ELSE "order" END,
        targetReps = coalesce(targetReps, excluded.targetReps),
        weight = coalesce(weight, excluded.weight),
        startTime = coalesce(excluded.startTime, startTime), isActive = 1
      """, user, exercise, key, set, try targetReps ?? planned.value("reps") as Int?,
      try weight ?? planned.value("weight") as Double?, date)
    if known != nil { try HistoryStore.removeEmptyParents(db, workout: id) }
  }

  private func noteRest(until date: Double?) throws {
    guard let date else { return }
    try db.execute(
      """
      UPDATE workout_set SET restTime = max(0, ?1 - endTime)
      WHERE restTime IS NULL AND id = (
        SELECT s.id FROM workout_set s JOIN workout_exercise e ON e.id = s.exerciseId
        WHERE e.workoutId = ?2 AND s.endTime IS NOT NULL ORDER BY s.endTime DESC LIMIT 1)
      """, date, id)
  }

  func endSet(key: HistorySetRow.Key?, reps: Int?, weight: Double?, date: Double?) throws {
    let row = try db.row(
      """
      SELECT s.id, s.startTime FROM workout_set s JOIN workout_exercise e ON e.id = s.exerciseId
      WHERE e.workoutId = ?1 AND (s.key = ?2 OR (?2 IS NULL AND s.isActive = 1))
      """, id, key)
    guard let row else { throw RuleViolation.noSetUnderWay }
    if let date, let start: Double = try row.value("startTime"), date < start {
      throw RuleViolation.endBeforeStart
    }
    try db.execute(
      """
      UPDATE workout_set SET isActive = 0, endTime = coalesce(?1, endTime),
        correctedReps = CASE WHEN correctedReps IS NOT NULL AND correctedAt > ?1 THEN correctedReps
          ELSE coalesce(?2, correctedReps) END,
        correctedAt = CASE WHEN ?2 IS NULL OR correctedReps IS NOT NULL AND correctedAt > ?1
          THEN correctedAt ELSE ?1 END,
        weight = coalesce(?3, weight)
      WHERE id = ?4
      """, date, reps, weight, try row.value("id") as Int64)
  }

  func add(health readings: [HealthReading]) throws {
    guard !readings.isEmpty else { return }
    let active = try db.row(
      """
      SELECT e.id AS exercise, s.id AS "set" FROM workout_exercise e
      LEFT JOIN workout_set s ON s.exerciseId = e.id AND s.isActive = 1
      WHERE e.workoutId = ? AND e.isActive = 1
      """, id)
    let statement = try db.cachedStatement(
      sql: """
        INSERT INTO health (workoutId, exerciseId, setId, unixTime, heartRateBPM, calories)
        VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
        """)
    for reading in readings {
      try statement.execute(arguments: [
        id, try active.value("exercise") as Int64?, try active.value("set") as Int64?,
        reading.unixTime, reading.heartRateBPM.flatMap { $0.isFinite ? $0 : nil },
        reading.calories.flatMap { $0.isFinite ? $0 : nil },
      ])
    }
  }

  /// Ends the workout, which moves it to the history. A stream keeps started sets without data, since their
  /// samples determine their end. Returns false if an interrupted workout without contents was removed.
  func end(at date: Double?, as status: WorkoutStatus, keepsStarted: Bool = false) throws -> Bool {
    let start =
      try db.row("SELECT date FROM workout WHERE id = ?", id).value("date") as Double?
    if let date, let start, date < start { throw RuleViolation.endBeforeStart }
    if keepsStarted {
      // A set finalized by an earlier end of the stream takes its end from its samples.
      try db.execute(
        """
        UPDATE workout_set SET isActive = 0, endTime = coalesce(endTime,
            (SELECT r.startTime + workout_set.clockEnd - r.firstTime
             FROM recording r WHERE r.id = workout_set.recordingId))
        WHERE isActive = 1 AND \(Self.isInWorkout)
        """, id)
    } else {
      // A started set without data was never performed.
      try db.execute(
        """
        DELETE FROM workout_set WHERE isActive = 1 AND detectedReps IS NULL
          AND correctedReps IS NULL AND recordingId IS NULL AND \(Self.isInWorkout)
          AND NOT EXISTS (SELECT 1 FROM health WHERE setId = workout_set.id)
        """, id)
    }
    // Deleted sets stay deleted when their messages are replayed.
    try db.execute(
      """
      DELETE FROM workout_set WHERE \(Self.isInWorkout)
        AND EXISTS (SELECT 1 FROM deleted_samples d WHERE d.userId = ?2
          AND d.recordingKey = workout_set.key AND (d.sessionKey IS NULL OR d.sessionKey = ?3)
          AND d.firstSample = 0 AND d.endSample IS NULL)
      """, id, user, key)
    if status == .interrupted, try isEmpty() {
      try db.execute("DELETE FROM workout WHERE id = ?", id)
      return false
    }
    let end = try date ?? lastDate()
    try leaveExercise(date: end)
    try db.execute(
      """
      UPDATE workout_set SET timestamp = coalesce(endTime, timestamp),
        correctedAt = CASE WHEN correctedReps IS NULL THEN NULL ELSE coalesce(correctedAt, endTime) END
      WHERE \(Self.isInWorkout)
      """, id)
    try db.execute(
      """
      UPDATE workout SET status = ?1, endTime = coalesce(max(endTime, ?2), ?2, endTime) WHERE id = ?3
      """, status.rawValue, end, id)
    try Self.touchContents(db, of: id)
    return true
  }

  /// An SQL condition for sets of the workout whose row is the first argument.
  private static let isInWorkout =
    "exerciseId IN (SELECT id FROM workout_exercise WHERE workoutId = ?1)"

  private func isEmpty() throws -> Bool {
    try db.value(
      """
      SELECT NOT EXISTS (SELECT 1 FROM workout_set WHERE \(Self.isInWorkout))
        AND NOT EXISTS (SELECT 1 FROM recording WHERE workoutId = ?1)
        AND NOT EXISTS (SELECT 1 FROM journal_set
          WHERE session = (SELECT upper(key) FROM workout WHERE id = ?1))
        AND NOT EXISTS (SELECT 1 FROM health WHERE workoutId = ?1)
      """, id, as: Bool.self) == true
  }

  private func lastDate() throws -> Double? {
    try db.value(
      """
      SELECT max(t) FROM (
        SELECT date AS t FROM workout WHERE id = ?1
        UNION ALL SELECT max(startTime) FROM workout_exercise WHERE workoutId = ?1
        UNION ALL SELECT max(endTime) FROM workout_exercise WHERE workoutId = ?1
        UNION ALL SELECT max(startTime) FROM workout_set WHERE \(Self.isInWorkout)
        UNION ALL SELECT max(endTime) FROM workout_set WHERE \(Self.isInWorkout)
        UNION ALL SELECT max(startTime + coalesce(lastTime - firstTime, 0)) FROM recording
          WHERE workoutId = ?1
        UNION ALL SELECT max(unixTime) FROM health WHERE workoutId = ?1)
      """, id, as: Double.self)
  }
}
