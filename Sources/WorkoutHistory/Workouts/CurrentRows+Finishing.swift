import Foundation
import GRDB
import Motion
import TimelineFormat

extension CurrentRows {
  /// Turns a workout under way into history, and removes it.
  ///
  /// - Parameter keepsStarted: Sets that were started and of which nothing is known stay: a stream has
  ///   their samples, which say when they ended.
  /// - Returns: The workout's row in the history; nil where it was interrupted before anything was
  ///   done.
  static func finish(
    _ db: Database, session: Int64, user: HistoryUser.ID, date: Double?, status: WorkoutStatus,
    keepsStarted: Bool = false
  ) throws -> HistoryWorkoutRow.ID? {
    guard
      let row = try Row.fetchOne(
        db, cached: "SELECT * FROM currentSession WHERE id = ?", arguments: [session])
    else { throw RuleViolation.noWorkoutUnderWay }
    let start: Double? = try row.value("startTime")
    if let date, let start, date < start { throw RuleViolation.endBeforeStart }
    if keepsStarted {
      // Where an earlier end of the stream has finalized one, its samples have said it already.
      try db.execute(
        cached: """
          UPDATE currentSet SET isActive = 0, endTime = coalesce(endTime,
              (SELECT r.startTime + currentSet.clockEnd - r.firstTime
               FROM timelineSegment g JOIN recording r ON r.id = g.recordingId
               WHERE g.currentSetId = currentSet.id))
          WHERE isActive = 1
            AND exerciseId IN (SELECT id FROM currentExercise WHERE sessionId = ?)
          """, arguments: [session])
    } else {
      // A set that was started and of which nothing is known was never done.
      try db.execute(
        cached: """
          DELETE FROM currentSet WHERE isActive = 1 AND detectedReps IS NULL
            AND correctedReps IS NULL
            AND exerciseId IN (SELECT id FROM currentExercise WHERE sessionId = ?)
            AND NOT EXISTS (SELECT 1 FROM timelineSegment WHERE currentSetId = currentSet.id)
            AND NOT EXISTS (SELECT 1 FROM currentHealth WHERE setId = currentSet.id)
          """, arguments: [session])
    }
    // What a person deleted does not come back because its messages come again.
    try db.execute(
      cached: """
        DELETE FROM currentSet
        WHERE exerciseId IN (SELECT id FROM currentExercise WHERE sessionId = ?1)
          AND EXISTS (SELECT 1 FROM deletedSamples d WHERE d.userId = ?2
            AND d.recordingKey = currentSet.key AND (d.sessionKey IS NULL OR d.sessionKey = ?3)
            AND d.firstSample = 0 AND d.endSample IS NULL)
        """, arguments: [session, user, row.value("key") as String])
    if status == .interrupted, try isEmpty(db, session: session) {
      try db.execute(cached: "DELETE FROM currentSession WHERE id = ?", arguments: [session])
      return nil
    }
    let end = try date ?? lastDate(db, session: session)
    try endActiveSets(db, session: session, date: end)
    try db.execute(
      cached: """
        UPDATE currentExercise SET isActive = 0, endTime = coalesce(endTime, max(?1, startTime), ?1)
        WHERE sessionId = ?2 AND isActive = 1
        """, arguments: [end, session])
    let workout = try finishWorkout(db, row, user: user, end: end, status: status)
    let exercises = try Row.fetchAll(
      db, cached: "SELECT * FROM currentExercise WHERE sessionId = ? ORDER BY \"order\"",
      arguments: [session])
    for exercise in exercises {
      let id = try finishExercise(db, exercise, workout: workout, user: user)
      for set in try Row.fetchAll(
        db, cached: "SELECT * FROM currentSet WHERE exerciseId = ? ORDER BY \"order\"",
        arguments: [try exercise.value("id") as Int64])
      {
        let setId = try finishSet(
          db, set, session: row.value("key"), exercise: id, user: user)
        try finishHealth(
          db, workout: workout, exercise: id, set: setId,
          where: "setId = ?", try set.value("id") as Int64)
      }
      try finishHealth(
        db, workout: workout, exercise: id, set: nil,
        where: "setId IS NULL AND exerciseId = ?", try exercise.value("id") as Int64)
    }
    try finishHealth(
      db, workout: workout, exercise: nil, set: nil,
      where: "setId IS NULL AND exerciseId IS NULL AND sessionId = ?", session)
    try db.execute(
      cached: """
        UPDATE recording SET workoutId = ?, currentSessionId = NULL WHERE currentSessionId = ?
        """, arguments: [workout, session])
    try db.execute(cached: "DELETE FROM currentSession WHERE id = ?", arguments: [session])
    return workout
  }

  private static func isEmpty(_ db: Database, session: Int64) throws -> Bool {
    try Int.fetchOne(
      db,
      cached: """
        SELECT EXISTS (SELECT 1 FROM currentSet s JOIN currentExercise e ON e.id = s.exerciseId
            WHERE e.sessionId = ?1)
          OR EXISTS (SELECT 1 FROM recording WHERE currentSessionId = ?1)
          OR EXISTS (SELECT 1 FROM currentHealth WHERE sessionId = ?1)
        """, arguments: [session]) == 0
  }

  /// When the last thing happened of which a date is known.
  private static func lastDate(_ db: Database, session: Int64) throws -> Double? {
    try Double.fetchOne(
      db,
      cached: """
        SELECT max(t) FROM (
          SELECT startTime AS t FROM currentSession WHERE id = ?1
          UNION ALL SELECT max(startTime) FROM currentExercise WHERE sessionId = ?1
          UNION ALL SELECT max(endTime) FROM currentExercise WHERE sessionId = ?1
          UNION ALL SELECT max(s.startTime) FROM currentSet s
            JOIN currentExercise e ON e.id = s.exerciseId WHERE e.sessionId = ?1
          UNION ALL SELECT max(s.endTime) FROM currentSet s
            JOIN currentExercise e ON e.id = s.exerciseId WHERE e.sessionId = ?1
          UNION ALL SELECT max(startTime + coalesce(lastTime - firstTime, 0)) FROM recording
            WHERE currentSessionId = ?1
          UNION ALL SELECT max(unixTime) FROM currentHealth WHERE sessionId = ?1)
        """, arguments: [session])
  }

  private static func finishWorkout(
    _ db: Database, _ session: Row, user: HistoryUser.ID, end: Double?, status: WorkoutStatus
  ) throws -> HistoryWorkoutRow.ID {
    return try HistoryWorkoutRow.ID.fetchWritten(
      db,
      cached: """
        INSERT INTO workoutHistory (userId, key, sessionId, date, planId, planTitle, endTime,
          focus, intensity, status)
        VALUES (?1, ?2, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
        ON CONFLICT (userId, key) DO UPDATE SET
          date = coalesce(min(date, excluded.date), excluded.date, date),
          planId = coalesce(excluded.planId, planId),
          planTitle = coalesce(excluded.planTitle, planTitle),
          endTime = coalesce(max(endTime, excluded.endTime), excluded.endTime, endTime),
          focus = coalesce(excluded.focus, focus),
          intensity = coalesce(excluded.intensity, intensity), status = excluded.status
        RETURNING id
        """,
      arguments: [
        user, try session.value("key") as String, try session.value("startTime") as Double?,
        try session.value("planId") as Int64?, try session.value("planTitle") as String?, end,
        try session.value("focus") as String?, try session.value("intensity") as String?,
        status.rawValue,
      ])
  }

  private static func finishExercise(
    _ db: Database, _ exercise: Row, workout: HistoryWorkoutRow.ID, user: HistoryUser.ID
  ) throws -> HistoryExerciseRow.ID {
    let key: HistoryExerciseRow.Key = try exercise.value("key")
    return try HistoryExerciseRow.ID.fetchWritten(
      db,
      cached: """
        INSERT INTO historyExercise (userId, workoutId, key, exerciseId, name, "order",
          templateId, startTime, endTime, completed)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (workoutId, key) DO UPDATE SET name = coalesce(excluded.name, name),
          "order" = excluded."order", templateId = coalesce(excluded.templateId, templateId),
          startTime = coalesce(min(startTime, excluded.startTime), excluded.startTime, startTime),
          endTime = coalesce(max(endTime, excluded.endTime), excluded.endTime, endTime),
          completed = max(coalesce(completed, 0), excluded.completed)
        RETURNING id
        """,
      arguments: [
        user, workout, key, key == "" ? nil : key, try exercise.value("name") as String?,
        try exercise.value("order") as Int, try exercise.value("templateId") as Int64?,
        try exercise.value("startTime") as Double?, try exercise.value("endTime") as Double?,
        try exercise.value("completed") as Int,
      ])
  }

  /// What a person said of a set that the history has already stays.
  private static func finishSet(
    _ db: Database, _ set: Row, session: HistoryWorkoutRow.Key, exercise: HistoryExerciseRow.ID,
    user: HistoryUser.ID
  ) throws -> HistorySetRow.ID {
    let current: Int64 = try set.value("id")
    let recording = try HistoryRecordingRow.ID.fetchOne(
      db, cached: "SELECT recordingId FROM timelineSegment WHERE currentSetId = ?",
      arguments: [current])
    let id = try HistorySetRow.ID.fetchWritten(
      db,
      cached: """
        INSERT INTO historySet (userId, exerciseId, recordingId, sessionKey, key, setId, position,
          "order", cause, targetReps, detectedReps, confidence, correctedReps, correctedAt, weight,
          startTime, endTime, timestamp, restTime, clockStart, clockEnd, detector, exerciseSource)
        SELECT userId, ?2, ?3, CASE WHEN setId IS NULL THEN '' ELSE ?4 END, key, setId, position,
          "order", cause, targetReps, detectedReps, confidence, correctedReps,
          CASE WHEN correctedReps IS NULL THEN NULL ELSE endTime END,
          weight, startTime, endTime, endTime, restTime, clockStart, clockEnd, detector,
          exerciseSource
        FROM currentSet WHERE id = ?1
        ON CONFLICT (userId, sessionKey, key) DO UPDATE SET
          exerciseId = CASE WHEN exerciseSource IS NULL THEN excluded.exerciseId ELSE exerciseId END,
          "order" = CASE WHEN exerciseSource IS NULL THEN excluded."order" ELSE "order" END,
          exerciseSource = coalesce(exerciseSource, excluded.exerciseSource),
          recordingId = coalesce(excluded.recordingId, recordingId),
          position = coalesce(excluded.position, position),
          targetReps = coalesce(targetReps, excluded.targetReps),
          detectedReps = coalesce(excluded.detectedReps, detectedReps),
          confidence = coalesce(excluded.confidence, confidence),
          correctedReps = coalesce(correctedReps, excluded.correctedReps),
          correctedAt = coalesce(correctedAt, excluded.correctedAt),
          weight = coalesce(weight, excluded.weight),
          startTime = coalesce(excluded.startTime, startTime),
          endTime = coalesce(excluded.endTime, endTime),
          timestamp = coalesce(excluded.timestamp, timestamp),
          restTime = coalesce(excluded.restTime, restTime),
          clockStart = coalesce(excluded.clockStart, clockStart),
          clockEnd = coalesce(excluded.clockEnd, clockEnd),
          detector = CASE excluded.detector WHEN '' THEN detector ELSE excluded.detector END
        RETURNING id
        """, arguments: [current, exercise, recording, session])
    try db.execute(
      cached: "UPDATE timelineSegment SET setId = ?, currentSetId = NULL WHERE currentSetId = ?",
      arguments: [id, current])
    return id
  }

  /// The readings of a set, an exercise or a workout become its blob; those that it has already
  /// are not stored twice.
  private static func finishHealth(
    _ db: Database, workout: HistoryWorkoutRow.ID, exercise: HistoryExerciseRow.ID?,
    set: HistorySetRow.ID?, where condition: String, _ owner: Int64
  ) throws {
    var readings = try Row.fetchAll(
      db,
      cached: """
        SELECT unixTime, heartRateBPM, calories FROM currentHealth
        WHERE \(condition) ORDER BY unixTime
        """, arguments: [owner]
    ).map {
      HealthReading(
        unixTime: try $0.value("unixTime"), heartRateBPM: try $0.value("heartRateBPM"),
        calories: try $0.value("calories"))
    }
    guard !readings.isEmpty else { return }
    let known = Set(
      try HistoryStore.healthBlobs(
        db, "workoutId = ? AND exerciseId IS ? AND setId IS ?", [workout, exercise, set]
      ).flatMap { try TimelineDecoder().healthReadings(in: $0) }.map(\.unixTime))
    readings.removeAll { known.contains($0.unixTime) }
    guard !readings.isEmpty else { return }
    let data = try TimelineEncoder().encode(Timeline(samples: MotionBatch(), health: readings))
    try db.execute(
      cached: """
        INSERT INTO healthBlob (workoutId, exerciseId, setId, readingCount, data)
        VALUES (?, ?, ?, ?, ?)
        """, arguments: [workout, exercise, set, readings.count, Data(data)])
  }
}
