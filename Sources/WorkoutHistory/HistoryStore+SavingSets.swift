import GRDB
import Motion

extension HistoryStore {
  /// Writes the rows of a recording's sets, and removes or marks those that are no longer found.
  ///
  /// - Parameters:
  ///   - isActive: Whether the workout is in progress.
  ///   - previousOrigin: The date of the recording's clock at 0 when it was saved before.
  static func saveSets(
    _ db: Database, _ prepared: PreparedRecording, name: SetName,
    recordingId: HistoryRecordingRow.ID, workoutId: HistoryWorkoutRow.ID, isActive: Bool,
    previousOrigin: Double?, user: HistoryUser.ID
  ) throws -> [SavedRecording.SavedSet] {
    let (recording, sets, session) = (prepared.recording, prepared.sets, name.session)
    let known = try knownSets(
      db, keys: sets.map(\.key), session: session, recordingId: recordingId, user: user)
    let matches = SetMatching.match(sets, with: known)
    // Detach all segments from their sets until the rows are final: deleting a row must not delete samples, and
    // positions may have shifted.
    try db.execute(
      cached: "UPDATE segment SET setId = NULL WHERE recordingId = ?", arguments: [recordingId])
    let kept = Set(matches.compactMap { $0 })
    for (index, old) in known.enumerated() where !kept.contains(index) {
      if old.isCorrected || (isActive && old.isDeclared) {
        var key = old.key
        if sets.contains(where: { $0.key == key }) {
          key = try vanishedKey(db, instead: key, session: session, user: user)
        }
        try db.execute(
          cached: """
            UPDATE workout_set SET key = ?, position = NULL, detectedReps = 0, confidence = NULL
            WHERE id = ?
            """, arguments: [key, old.id])
      } else {
        try db.execute(cached: "DELETE FROM workout_set WHERE id = ?", arguments: [old.id])
      }
    }
    for (position, match) in matches.enumerated() {
      guard let match, known[match].key != sets[position].key else { continue }
      try db.execute(
        cached: "UPDATE workout_set SET key = ? WHERE id = ?",
        arguments: ["moving-\(known[match].id)", known[match].id])
    }
    guard !sets.isEmpty else { return [] }
    let exercise = recording.identity.exerciseKey
    let exerciseId = try saveExercise(
      db, exercise, isFound: recording.identity.setId == nil, workoutId: workoutId,
      isActive: isActive, user: user)
    let saved = try sets.enumerated().map { index, new in
      let next = index + 1 < sets.count ? sets[index + 1].set.start : nil
      var row = SetColumns(
        session: session, key: new.key, setId: recording.identity.setId, position: index + 1,
        set: new.set,
        exerciseId: exerciseId, recordingId: recordingId, detector: prepared.detector, userId: user)
      row.clockOrigin = previousOrigin ?? recording.unixTime(atSeconds: 0)
      row.startTime = recording.unixTime(atSeconds: new.set.start)
      row.endTime = recording.unixTime(atSeconds: new.set.end)
      row.restTime = next.map { max(0, $0 - new.set.end) }
      if let match = matches[index] {
        let old = known[match]
        if old.keepsExercise || exercise == nil {
          row.keptExerciseId =
            old.workoutId == workoutId
            ? old.exerciseId : try copyExercise(db, old.exerciseId, to: workoutId)
        }
        try row.update(db, id: old.id)
        return SavedRecording.SavedSet(id: old.id, key: new.key, isNew: false)
      }
      let id = try row.insert(db)
      return SavedRecording.SavedSet(id: id, key: new.key, isNew: true)
    }
    if isActive, exercise != nil {
      // The placeholder exercise of sets without a named one.
      try db.execute(
        cached: """
          DELETE FROM workout_exercise WHERE workoutId = ? AND key = ''
            AND NOT EXISTS (SELECT 1 FROM workout_set WHERE exerciseId = workout_exercise.id)
            AND NOT EXISTS (SELECT 1 FROM health WHERE exerciseId = workout_exercise.id)
          """, arguments: [workoutId])
    }
    try noteRests(db, workout: workoutId, isActive: isActive)
    return saved
  }

  /// Records the rests after declared sets, which last until the next set. The next set's start may be known
  /// before the previous set's end, which follows from its samples: the result depends on both times, not on
  /// their order of arrival.
  private static func noteRests(
    _ db: Database, workout: HistoryWorkoutRow.ID, isActive: Bool
  ) throws {
    try db.execute(
      cached: """
        UPDATE workout_set SET restTime = r.rest
        FROM (SELECT s.id, max(0, min(next.startTime) - s.endTime) AS rest
          FROM workout_exercise e JOIN workout_set s ON s.exerciseId = e.id
            JOIN workout_exercise nextExercise ON nextExercise.workoutId = e.workoutId
            JOIN workout_set next ON next.exerciseId = nextExercise.id
          WHERE e.workoutId = ? AND e.completed IS NOT NULL AND nextExercise.completed IS NOT NULL
            AND (? OR s.restTime IS NULL) AND s.isActive = 0 AND s.endTime IS NOT NULL
            AND s.cause = 'declared' AND next.cause = 'declared'
            AND next.startTime > coalesce(s.startTime, s.endTime)
          GROUP BY s.id) r
        WHERE r.id = workout_set.id AND workout_set.restTime IS NOT r.rest
        """, arguments: [workout, isActive])
  }

  /// Returns an SQL condition that is true for an exercise that was started by messages: its sets take their
  /// dates from those.
  static func isStarted(exercise: String) -> String {
    "(SELECT completed FROM workout_exercise e WHERE e.id = \(exercise)) IS NOT NULL"
  }

  /// Returns a key for a set that is no longer found and whose key another set takes. Every copy of a history
  /// derives an equal key, so that syncing does not duplicate the set.
  private static func vanishedKey(
    _ db: Database, instead key: HistorySetRow.Key, session: String, user: HistoryUser.ID
  ) throws -> HistorySetRow.Key {
    var number = 1
    while true {
      let free = HistorySetRow.Key("vanished-\(number == 1 ? "" : "\(number)-")\(key)")
      let isTaken = try Bool.fetchOne(
        db,
        cached: """
          SELECT EXISTS (SELECT 1 FROM workout_set WHERE userId = ? AND sessionKey = ? AND key = ?)
          """, arguments: [user, session, free])
      if isTaken == false { return free }
      number += 1
    }
  }

  /// Returns the sets of the recording, and sets elsewhere with one of the keys.
  private static func knownSets(
    _ db: Database, keys: [HistorySetRow.Key], session: String, recordingId: HistoryRecordingRow.ID,
    user: HistoryUser.ID
  ) throws -> [SetMatching.KnownSet] {
    let rowsOfSets = """
      SELECT s.id, s.key, s.clockStart, s.clockEnd, s.exerciseId, e.workoutId,
        s.correctedReps IS NOT NULL OR s.exerciseSource IS 'person' OR s.notes IS NOT NULL AS isCorrected,
        s.exerciseSource IS NOT NULL AS keepsExercise, s.cause = 'declared' AS isDeclared
      FROM workout_set s JOIN workout_exercise e ON e.id = s.exerciseId
      """
    var rows = try Row.fetchAll(
      db,
      cached: """
        \(rowsOfSets) WHERE s.recordingId = ? ORDER BY s.id
        """, arguments: [recordingId])
    for key in keys {
      rows += try Row.fetchAll(
        db,
        cached: """
          \(rowsOfSets) WHERE s.userId = ? AND s.sessionKey = ? AND s.key = ?
            AND s.recordingId IS NOT ?
          """, arguments: [user, session, key, recordingId])
    }
    return try rows.map { row in
      SetMatching.KnownSet(
        id: try row.value("id"), key: try row.value("key"), start: try row.value("clockStart"),
        end: try row.value("clockEnd"), isCorrected: try row.value("isCorrected"),
        exerciseId: try row.value("exerciseId"), workoutId: try row.value("workoutId"),
        keepsExercise: try row.value("keepsExercise"), isDeclared: try row.value("isDeclared"))
    }
  }

  private static func saveExercise(
    _ db: Database, _ exerciseId: HistoryExerciseRow.Key?, isFound: Bool,
    workoutId: HistoryWorkoutRow.ID, isActive: Bool, user: HistoryUser.ID
  ) throws -> HistoryExerciseRow.ID {
    if isActive, isFound, exerciseId == nil,
      let active = try HistoryExerciseRow.ID.fetchOne(
        db, cached: "SELECT id FROM workout_exercise WHERE workoutId = ? AND isActive = 1",
        arguments: [workoutId])
    {
      return active
    }
    let template = try exerciseId.flatMap {
      try HistoryCatalog.id(db, CatalogExercise.Key($0.rawValue))
    }
    return try HistoryExerciseRow.ID.fetchWritten(
      db,
      cached: """
        INSERT INTO workout_exercise (userId, workoutId, key, exerciseId, "order", templateId, name,
          completed)
        VALUES (?1, ?2, ?3, ?4,
          (SELECT coalesce(max("order") + 1, 0) FROM workout_exercise WHERE workoutId = ?2), ?5,
          (SELECT name FROM exercise WHERE id = ?5), ?6)
        ON CONFLICT (workoutId, key) DO UPDATE SET exerciseId = excluded.exerciseId,
          templateId = coalesce(templateId, excluded.templateId),
          name = coalesce(name, excluded.name)
        RETURNING id
        """,
      arguments: [
        user, workoutId, exerciseId ?? "", exerciseId, template, isActive ? 0 : nil as Int?,
      ])
  }

  /// Returns the counterpart of an exercise in the workout to which a set moves, copying it if needed.
  static func copyExercise(
    _ db: Database, _ id: HistoryExerciseRow.ID, to workoutId: HistoryWorkoutRow.ID
  ) throws -> HistoryExerciseRow.ID {
    try HistoryExerciseRow.ID.fetchWritten(
      db,
      cached: """
        INSERT INTO workout_exercise (userId, workoutId, key, exerciseId, "order", templateId, name)
        SELECT userId, ?2, key, exerciseId,
          (SELECT coalesce(max("order") + 1, 0) FROM workout_exercise WHERE workoutId = ?2),
          templateId, name
        FROM workout_exercise WHERE id = ?1
        ON CONFLICT (workoutId, key) DO UPDATE SET name = coalesce(name, excluded.name)
        RETURNING id
        """, arguments: [id, workoutId])
  }
}

/// The detector's columns of a set, which are written each time its recording is saved.
private struct SetColumns {
  var session: String
  var key: HistorySetRow.Key
  var setId: String?
  var position: Int
  var set: CountedSet
  var exerciseId: HistoryExerciseRow.ID
  var recordingId: HistoryRecordingRow.ID
  var detector: String
  var userId: HistoryUser.ID
  var startTime: Double?
  var endTime: Double?
  var restTime: Double?
  /// The exercise in which the set stays, whatever the source names.
  var keptExerciseId: HistoryExerciseRow.ID?
  /// The date of the clock at 0 from which the previous dates were derived.
  var clockOrigin: Double?

  private var arguments: StatementArguments {
    return [
      "userId": userId, "exerciseId": exerciseId, "recordingId": recordingId, "sessionKey": session,
      "key": key, "setId": setId, "position": position, "cause": set.cause.rawValue,
      "detectedReps": set.reps.count, "confidence": set.confidence.storedConfidence,
      "startTime": startTime, "endTime": endTime, "restTime": restTime, "clockStart": set.start,
      "clockEnd": set.end, "detector": detector,
    ]
  }

  func insert(_ db: Database) throws -> HistorySetRow.ID {
    try db.execute(
      cached: """
        INSERT INTO workout_set (userId, exerciseId, recordingId, sessionKey, key, setId, position,
          "order", cause, detectedReps, confidence, startTime, endTime, timestamp, restTime, clockStart,
          clockEnd, detector)
        VALUES (:userId, :exerciseId, :recordingId, :sessionKey, :key, :setId, :position,
          (SELECT coalesce(max("order") + 1, 0) FROM workout_set WHERE exerciseId = :exerciseId),
          :cause, :detectedReps, :confidence, :startTime, :endTime, :endTime, :restTime,
          :clockStart, :clockEnd, :detector)
        """, arguments: arguments)
    return HistorySetRow.ID(db.lastInsertedRowID)
  }

  /// Updates a set. Keeps a person's correction, the weight, the target, and dates that do not follow from the
  /// samples. Dates of a workout that was started and ended by messages are kept, too, unless they were derived
  /// from an earlier detection.
  func update(_ db: Database, id: HistorySetRow.ID) throws {
    let isStarted = HistoryStore.isStarted(exercise: ":exerciseId")
    func isSaid(_ date: String, at clock: String) -> String {
      "\(isStarted) AND coalesce(abs(\(date) - \(clock) - :clockOrigin) >= 1e-3, 1)"
    }
    try db.execute(
      cached: """
        UPDATE workout_set SET exerciseId = coalesce(:keptExerciseId, :exerciseId),
          "order" = CASE WHEN exerciseId = coalesce(:keptExerciseId, :exerciseId) THEN "order" ELSE
            (SELECT coalesce(max("order") + 1, 0) FROM workout_set WHERE exerciseId = :exerciseId) END,
          recordingId = :recordingId,
          sessionKey = :sessionKey, key = :key,
          setId = :setId, position = :position, cause = :cause, detectedReps = :detectedReps,
          confidence = :confidence,
          startTime = CASE WHEN \(isSaid("startTime", at: "clockStart")) THEN coalesce(startTime, :startTime)
            ELSE coalesce(:startTime, startTime) END,
          endTime = CASE WHEN isActive = 1 THEN endTime
            WHEN \(isSaid("endTime", at: "clockEnd")) THEN coalesce(endTime, :endTime)
            ELSE coalesce(:endTime, endTime) END,
          timestamp = CASE WHEN isActive = 1 THEN timestamp
            WHEN \(isSaid("timestamp", at: "clockEnd")) THEN coalesce(timestamp, :endTime)
            ELSE coalesce(:endTime, timestamp) END,
          restTime = CASE WHEN \(isStarted) THEN coalesce(restTime, :restTime)
            ELSE coalesce(:restTime, restTime) END,
          clockStart = :clockStart, clockEnd = :clockEnd, detector = :detector
        WHERE id = :id AND userId = :userId
        """,
      arguments: arguments
        &+ ["id": id, "clockOrigin": clockOrigin, "keptExerciseId": keptExerciseId])
  }
}
