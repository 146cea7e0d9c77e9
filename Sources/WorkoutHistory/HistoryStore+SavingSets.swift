import GRDB
import Motion

extension HistoryStore {
  /// Writes the rows of a recording's sets, and removes or marks those that have vanished.
  static func saveSets(
    _ db: Database, _ sets: [(key: HistorySetRow.Key, set: CountedSet)], of recording: Recording,
    session: String, recordingId: HistoryRecordingRow.ID, workoutId: HistoryWorkoutRow.ID,
    detector: String, user: HistoryUser.ID
  ) throws -> [SavedRecording.SavedSet] {
    let known = try knownSets(
      db, keys: sets.map(\.key), session: session, recordingId: recordingId, user: user)
    let matches = SetMatching.match(sets, with: known)
    // No segment belongs to a set until all rows are settled: a row that is deleted must not take
    // samples along, and positions may have shifted.
    try db.execute(
      cached: "UPDATE timelineSegment SET setId = NULL WHERE recordingId = ?",
      arguments: [recordingId])
    let kept = Set(matches.compactMap { $0 })
    for (index, old) in known.enumerated() where !kept.contains(index) {
      if old.isCorrected {
        try db.execute(
          cached: """
            UPDATE historySet SET key = ?, position = NULL, detectedReps = 0, confidence = NULL
            WHERE id = ?
            """,
          arguments: ["vanished-\(String(UInt64.random(in: .min ... .max), radix: 16))", old.id])
      } else {
        try db.execute(cached: "DELETE FROM historySet WHERE id = ?", arguments: [old.id])
      }
    }
    for (position, match) in matches.enumerated() {
      guard let match, known[match].key != sets[position].key else { continue }
      try db.execute(
        cached: "UPDATE historySet SET key = ? WHERE id = ?",
        // The triggers of stamps know it for no key of a set's.
        arguments: ["moving-\(known[match].id)", known[match].id])
    }
    guard !sets.isEmpty else { return [] }
    let exerciseId = try saveExercise(
      db, recording.identity.exerciseKey, workoutId: workoutId, user: user)
    return try sets.enumerated().map { index, new in
      let next = index + 1 < sets.count ? sets[index + 1].set.start : nil
      var row = SetColumns(
        session: session, key: new.key, setId: recording.identity.setId, position: index + 1,
        set: new.set,
        exerciseId: exerciseId, recordingId: recordingId, detector: detector, userId: user)
      row.startTime = recording.unixTime(atSeconds: new.set.start)
      row.endTime = recording.unixTime(atSeconds: new.set.end)
      row.restTime = next.map { max(0, $0 - new.set.end) }
      if let match = matches[index] {
        try row.update(db, id: known[match].id)
        return SavedRecording.SavedSet(id: known[match].id, key: new.key, isNew: false)
      }
      return SavedRecording.SavedSet(id: try row.insert(db), key: new.key, isNew: true)
    }
  }

  /// The sets of the recording, and those elsewhere that have one of the keys.
  private static func knownSets(
    _ db: Database, keys: [HistorySetRow.Key], session: String, recordingId: HistoryRecordingRow.ID,
    user: HistoryUser.ID
  ) throws -> [SetMatching.KnownSet] {
    var rows = try Row.fetchAll(
      db,
      cached: """
        SELECT id, key, clockStart, clockEnd, correctedReps FROM historySet
        WHERE recordingId = ? ORDER BY id
        """, arguments: [recordingId])
    for key in keys {
      rows += try Row.fetchAll(
        db,
        cached: """
          SELECT id, key, clockStart, clockEnd, correctedReps FROM historySet
          WHERE userId = ? AND sessionKey = ? AND key = ? AND recordingId IS NOT ?
          """, arguments: [user, session, key, recordingId])
    }
    return try rows.map { row in
      SetMatching.KnownSet(
        id: try row.value("id"), key: try row.value("key"), start: try row.value("clockStart"),
        end: try row.value("clockEnd"),
        isCorrected: (try row.value("correctedReps") as Int?) != nil)
    }
  }

  private static func saveExercise(
    _ db: Database, _ exerciseId: HistoryExerciseRow.Key?, workoutId: HistoryWorkoutRow.ID,
    user: HistoryUser.ID
  ) throws -> HistoryExerciseRow.ID {
    let template = try exerciseId.flatMap {
      try HistoryCatalog.id(db, CatalogExercise.Key($0.rawValue))
    }
    let id = try HistoryExerciseRow.ID.fetchOne(
      db,
      cached: """
        INSERT INTO historyExercise (userId, workoutId, key, exerciseId, "order", templateId, name)
        VALUES (?1, ?2, ?3, ?4,
          (SELECT coalesce(max("order") + 1, 0) FROM historyExercise WHERE workoutId = ?2), ?5,
          (SELECT name FROM exerciseTemplate WHERE id = ?5))
        ON CONFLICT (workoutId, key) DO UPDATE SET exerciseId = excluded.exerciseId,
          templateId = coalesce(templateId, excluded.templateId),
          name = coalesce(name, excluded.name)
        RETURNING id
        """,
      arguments: [user, workoutId, exerciseId ?? "", exerciseId, template])
    guard let id else { throw HistoryError.damaged(reason: "an exercise was not written") }
    return id
  }
}

/// What the machine says of a set: the columns that are written each time its recording is saved.
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

  init(
    session: String, key: HistorySetRow.Key, setId: String?, position: Int, set: CountedSet,
    exerciseId: HistoryExerciseRow.ID,
    recordingId: HistoryRecordingRow.ID, detector: String, userId: HistoryUser.ID
  ) {
    self.userId = userId
    self.session = session
    self.key = key
    self.setId = setId
    self.position = position
    self.set = set
    self.exerciseId = exerciseId
    self.recordingId = recordingId
    self.detector = detector
  }

  private var arguments: StatementArguments {
    // Comparisons with NaN are false: it becomes NULL.
    let confidence: Double? = set.confidence >= 0 ? min(set.confidence, 1) : nil
    return [
      "userId": userId, "exerciseId": exerciseId,
      "recordingId": recordingId, "sessionKey": session, "key": key, "setId": setId,
      "position": position,
      "cause": set.cause.rawValue, "detectedReps": set.reps.count, "confidence": confidence,
      "startTime": startTime, "endTime": endTime, "restTime": restTime,
      "clockStart": set.start, "clockEnd": set.end, "detector": detector,
    ]
  }

  func insert(_ db: Database) throws -> HistorySetRow.ID {
    try db.execute(
      cached: """
        INSERT INTO historySet (userId, exerciseId, recordingId, sessionKey, key, setId, position,
          "order", cause, detectedReps, confidence, startTime, endTime, timestamp, restTime, clockStart,
          clockEnd, detector)
        VALUES (:userId, :exerciseId, :recordingId, :sessionKey, :key, :setId, :position,
          (SELECT coalesce(max("order") + 1, 0) FROM historySet WHERE exerciseId = :exerciseId),
          :cause, :detectedReps, :confidence, :startTime, :endTime, :endTime, :restTime,
          :clockStart, :clockEnd, :detector)
        """, arguments: arguments)
    return HistorySetRow.ID(db.lastInsertedRowID)
  }

  /// What a person said, the exercise's name included, the weight, the target, and dates that the samples
  /// do not tell stay; so do those of a workout that was started and ended by messages.
  func update(_ db: Database, id: HistorySetRow.ID) throws {
    let isStarted = """
      (SELECT completed FROM historyExercise e WHERE e.id = :exerciseId) IS NOT NULL
      """
    // Where the source names no exercise, one of the same workout that has a name stays.
    let isNamedByPerson = """
      EXISTS (SELECT 1 FROM historyExercise new JOIN historyExercise old
        ON old.workoutId = new.workoutId AND old.id = historySet.exerciseId
        WHERE new.id = :exerciseId AND new.key = '' AND old.key <> '')
      """
    try db.execute(
      cached: """
        UPDATE historySet SET exerciseId = CASE WHEN \(isNamedByPerson) THEN exerciseId
            ELSE :exerciseId END, recordingId = :recordingId,
          sessionKey = :sessionKey, key = :key,
          setId = :setId, position = :position, cause = :cause, detectedReps = :detectedReps,
          confidence = :confidence,
          startTime = CASE WHEN \(isStarted) THEN coalesce(startTime, :startTime)
            ELSE coalesce(:startTime, startTime) END,
          endTime = CASE WHEN \(isStarted) THEN coalesce(endTime, :endTime)
            ELSE coalesce(:endTime, endTime) END,
          timestamp = CASE WHEN \(isStarted) THEN coalesce(timestamp, :endTime)
            ELSE coalesce(:endTime, timestamp) END,
          restTime = CASE WHEN \(isStarted) THEN coalesce(restTime, :restTime)
            ELSE coalesce(:restTime, restTime) END,
          clockStart = :clockStart, clockEnd = :clockEnd, detector = :detector
        WHERE id = :id AND userId = :userId
        """, arguments: arguments &+ ["id": id])
  }
}
