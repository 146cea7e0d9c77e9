import GRDB
import Motion

extension CurrentRows {
  /// Writes what the machine says of the sets of a recording whose workout is under way. Sets that
  /// nobody declared get rows of their own.
  ///
  /// - Parameter previousOrigin: The date of the recording's clock at 0 when it was saved before.
  static func saveSets(
    _ db: Database, _ prepared: PreparedRecording, recordingId: HistoryRecordingRow.ID,
    previousOrigin: Double?, session: Int64, user: HistoryUser.ID
  ) throws -> [SavedRecording.SavedSet] {
    let recording = prepared.recording
    let before = try HistorySetRow.ID.fetchSet(
      db,
      cached: """
        SELECT currentSetId FROM timelineSegment
        WHERE recordingId = ? AND currentSetId IS NOT NULL
        """, arguments: [recordingId])
    try db.execute(
      cached: "UPDATE timelineSegment SET currentSetId = NULL WHERE recordingId = ?",
      arguments: [recordingId])
    var saved: [SavedRecording.SavedSet] = []
    for (index, new) in prepared.sets.enumerated() {
      var id = try HistorySetRow.ID.fetchOne(
        db, cached: "SELECT id FROM currentSet WHERE userId = ? AND key = ?",
        arguments: [user, new.key])
      if id == nil, recording.identity.setId == nil, new.set.cause == .declared,
        let known = before.first
      {
        // Named by its samples: with more of them it has another name, and is still the same set.
        try db.execute(
          cached: "UPDATE currentSet SET key = ? WHERE id = ?", arguments: [new.key, known])
        id = known
      }
      let isNew = id == nil
      if isNew {
        let exercise = try exerciseOfFoundSet(db, recording.identity.exerciseKey, session: session)
        try db.execute(
          cached: """
            INSERT INTO currentSet (userId, exerciseId, key, setId, "order", cause, isActive)
            VALUES (?1, ?2, ?3, ?4,
              (SELECT coalesce(max("order") + 1, 0) FROM currentSet WHERE exerciseId = ?2), ?5, 0)
            """,
          arguments: [
            user, exercise, new.key, recording.identity.setId, new.set.cause.rawValue,
          ])
        id = HistorySetRow.ID(db.lastInsertedRowID)
      }
      guard let id else { continue }
      // Dates that follow from the machine's answer before follow this one; what was said stays. They
      // followed from the origin of then: one more chunk may have moved it.
      let clockOrigin = previousOrigin ?? recording.unixTime(atSeconds: 0)
      let next = index + 1 < prepared.sets.count ? prepared.sets[index + 1].set.start : nil
      try db.execute(
        cached: """
          UPDATE currentSet SET detectedReps = ?, confidence = ?, position = ?, clockStart = ?,
            clockEnd = ?, detector = ?,
            startTime = CASE WHEN startTime IS NULL OR abs(startTime - clockStart - ?) < 1e-3
              THEN ? ELSE startTime END,
            endTime = CASE WHEN isActive = 0
                AND (endTime IS NULL OR abs(endTime - clockEnd - ?) < 1e-3)
              THEN ? ELSE endTime END,
            restTime = coalesce(restTime, ?) WHERE id = ?
          """,
        arguments: [
          new.set.reps.count, new.set.confidence.storedConfidence, index + 1, new.set.start,
          new.set.end, prepared.detector,
          clockOrigin, recording.unixTime(atSeconds: new.set.start),
          clockOrigin, recording.unixTime(atSeconds: new.set.end),
          next.map { max(0, $0 - new.set.end) }, id,
        ])
      saved.append(.init(id: id, key: new.key, isNew: isNew))
    }
    for vanished in before.subtracting(saved.map(\.id)) {
      try db.execute(
        cached: """
          DELETE FROM currentSet
          WHERE id = ? AND cause = 'detected' AND correctedReps IS NULL AND exerciseSource IS NULL
          """, arguments: [vanished])
      try db.execute(
        cached: """
          UPDATE currentSet SET detectedReps = 0, confidence = NULL, position = NULL WHERE id = ?
          """, arguments: [vanished])
    }
    try noteRests(db, session: session)
    return saved
  }

  /// Moves a set to the exercise that a person says it was.
  ///
  /// - Parameters:
  ///   - exercise: Its id or name, as the workout, the history or the catalogue has it; else a new name.
  ///   - name: What it is called in this workout; nil: as it was.
  static func setExercise(
    _ db: Database, _ exercise: String, name: String?, ofSet id: Int64, session: Int64,
    user: HistoryUser.ID
  ) throws {
    let target = try exerciseRow(db, exercise, session: session, user: user)
    if let name {
      try db.execute(
        sql: "UPDATE currentExercise SET name = ?1 WHERE id = ?2 AND name IS NOT ?1",
        arguments: [name, target])
    }
    try db.execute(
      sql: """
        UPDATE currentSet SET exerciseId = ?1, exerciseSource = 'person',
          "order" = CASE exerciseId WHEN ?1 THEN "order" ELSE
            (SELECT coalesce(max("order") + 1, 0) FROM currentSet WHERE exerciseId = ?1) END
        WHERE id = ?2
        """, arguments: [target, id])
  }

  private static func exerciseRow(
    _ db: Database, _ reference: String, session: Int64, user: HistoryUser.ID
  ) throws -> Int64 {
    if let known = try Int64.fetchOne(
      db,
      sql: """
        SELECT id FROM currentExercise WHERE sessionId = ?1 AND (key = ?2 OR name = ?2)
        ORDER BY key <> ?2, id LIMIT 1
        """, arguments: [session, reference])
    {
      return known
    }
    let known = try HistoryStore.knownExercise(db, reference, user: user)
    let key = known.id ?? HistoryExerciseRow.Key(reference)
    // An id may be longer than a name.
    try db.execute(
      sql: """
        INSERT INTO currentExercise (sessionId, key, templateId, name, "order", isActive)
        VALUES (?1, ?2, ?3, coalesce(?4, (SELECT name FROM exerciseTemplate WHERE id = ?3),
            CASE WHEN length(?5) <= 100 THEN ?5 END),
          (SELECT coalesce(max("order") + 1, 0) FROM currentExercise WHERE sessionId = ?1), 0)
        ON CONFLICT (sessionId, key) DO NOTHING
        """, arguments: [session, key, known.template, known.name, reference])
    return try Int64.fetchWritten(
      db, cached: "SELECT id FROM currentExercise WHERE sessionId = ? AND key = ?",
      arguments: [session, key])
  }

  /// The exercise of a set that nobody declared: that of its recording, or else the one under way.
  private static func exerciseOfFoundSet(
    _ db: Database, _ exerciseId: HistoryExerciseRow.Key?, session: Int64
  ) throws -> Int64 {
    let known = try Int64.fetchOne(
      db,
      cached: """
        SELECT id FROM currentExercise
        WHERE sessionId = ?1 AND (key = ?2 OR (?2 IS NULL AND isActive = 1))
        """, arguments: [session, exerciseId])
    if let known { return known }
    let key = exerciseId ?? ""
    let template = key == "" ? nil : try HistoryCatalog.id(db, CatalogExercise.Key(key.rawValue))
    try db.execute(
      cached: """
        INSERT INTO currentExercise (sessionId, key, templateId, name, "order", isActive)
        VALUES (?1, ?2, ?3, (SELECT name FROM exerciseTemplate WHERE id = ?3),
          (SELECT coalesce(max("order") + 1, 0) FROM currentExercise WHERE sessionId = ?1), 0)
        ON CONFLICT (sessionId, key) DO NOTHING
        """, arguments: [session, key, template])
    return try Int64.fetchWritten(
      db, cached: "SELECT id FROM currentExercise WHERE sessionId = ? AND key = ?",
      arguments: [session, key])
  }
}
