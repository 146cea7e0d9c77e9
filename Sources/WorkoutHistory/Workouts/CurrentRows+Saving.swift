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
          WHERE id = ? AND cause = 'detected' AND correctedReps IS NULL
          """, arguments: [vanished])
      try db.execute(
        cached: """
          UPDATE currentSet SET detectedReps = 0, confidence = NULL, position = NULL WHERE id = ?
          """, arguments: [vanished])
    }
    return saved
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
