import GRDB
import Motion

extension HistoryStore {
  /// Writes the rows of a recording's sets, and removes or marks the sets that are no longer found.
  ///
  /// - Parameter previousOrigin: The date at which the recording's clock was 0, as saved before.
  static func saveSets(
    _ db: Database, _ prepared: PreparedRecording, name: SetName,
    recordingId: HistoryRecordingRow.ID, workoutId: HistoryWorkoutRow.ID, isActive: Bool,
    previousOrigin: Double?, user: HistoryUser.ID
  ) throws -> [SavedRecording.SavedSet] {
    let (recording, sets, session) = (prepared.recording, prepared.sets, name.session)
    let known = try knownSets(
      db, keys: sets.map(\.key), session: session, recordingId: recordingId, user: user)
    let matches = SetMatching.match(sets, with: known)
    // Detach all segments from their sets until the rows are final: deleting a row must not delete samples,
    // and positions may have shifted.
    try db.execute("UPDATE segment SET setId = NULL WHERE recordingId = ?", recordingId)
    let kept = Set(matches.compactMap { $0 })
    for (index, old) in known.enumerated() where !kept.contains(index) {
      if old.isCorrected || (isActive && old.isDeclared) {
        var key = old.key
        if sets.contains(where: { $0.key == key }) {
          key = try vanishedKey(db, instead: key, session: session, user: user)
        }
        try db.execute(
          """
          UPDATE workout_set SET key = ?, position = NULL, detectedReps = 0, confidence = NULL
          WHERE id = ?
          """, key, old.id)
      } else {
        try db.execute("DELETE FROM workout_set WHERE id = ?", old.id)
      }
    }
    for (position, match) in matches.enumerated() {
      guard let match, known[match].key != sets[position].key else { continue }
      try db.execute(
        "UPDATE workout_set SET key = ? WHERE id = ?", "moving-\(known[match].id)", known[match].id)
    }
    guard !sets.isEmpty else { return [] }
    let exercise = recording.identity.exerciseKey
    let exerciseId = try saveExercise(
      db, exercise, isFound: recording.identity.setId == nil, workoutId: workoutId,
      isActive: isActive, user: user)
    let saved = try sets.enumerated().map { index, new in
      let (set, old) = (new.set, matches[index].map { known[$0] })
      var kept: HistoryExerciseRow.ID?
      if let old, old.keepsExercise || exercise == nil {
        kept =
          old.workoutId == workoutId
          ? old.exerciseId : try copyExercise(db, old.exerciseId, to: workoutId)
      }
      let rest = index + 1 < sets.count ? max(0, sets[index + 1].set.start - set.end) : nil
      let arguments: StatementArguments = [
        "id": old?.id, "userId": user, "exerciseId": exerciseId, "keptExerciseId": kept,
        "recordingId": recordingId, "sessionKey": session, "key": new.key,
        "setId": recording.identity.setId, "position": index + 1, "cause": set.cause.rawValue,
        "detectedReps": set.reps.count, "confidence": set.confidence.storedConfidence,
        "startTime": recording.unixTime(atSeconds: set.start),
        "endTime": recording.unixTime(atSeconds: set.end), "restTime": rest,
        "clockStart": set.start, "clockEnd": set.end, "detector": prepared.detector,
        "clockOrigin": previousOrigin ?? recording.unixTime(atSeconds: 0),
      ]
      if let old {
        try db.execute(updateOfSet, arguments)
        return SavedRecording.SavedSet(id: old.id, key: new.key, isNew: false)
      }
      return SavedRecording.SavedSet(
        id: try db.written(insertOfSet, arguments), key: new.key, isNew: true)
    }
    if isActive, exercise != nil {
      // The placeholder exercise of sets without a named one.
      try db.execute(
        """
        DELETE FROM workout_exercise WHERE workoutId = ? AND key = ''
          AND NOT EXISTS (SELECT 1 FROM workout_set WHERE exerciseId = workout_exercise.id)
          AND NOT EXISTS (SELECT 1 FROM health WHERE exerciseId = workout_exercise.id)
        """, workoutId)
    }
    try noteRests(db, workout: workoutId, isActive: isActive)
    return saved
  }

  /// Records the rests after declared sets, until the next set. The next start may be known before the
  /// previous end, which follows from samples; their order of arrival does not matter.
  private static func noteRests(
    _ db: Database, workout: HistoryWorkoutRow.ID, isActive: Bool
  ) throws {
    try db.execute(
      """
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
      """, workout, isActive)
  }

  /// Returns an SQL condition for exercises started by messages, which determine the dates of their sets.
  static func isStarted(exercise: String) -> String {
    "(SELECT completed FROM workout_exercise e WHERE e.id = \(exercise)) IS NOT NULL"
  }

  /// Returns a key for a set that is no longer found and whose key another set takes. Every copy of a history
  /// derives the same key, so that syncing does not duplicate the set.
  private static func vanishedKey(
    _ db: Database, instead key: HistorySetRow.Key, session: String, user: HistoryUser.ID
  ) throws -> HistorySetRow.Key {
    var number = 1
    while true {
      let free = HistorySetRow.Key("vanished-\(number == 1 ? "" : "\(number)-")\(key)")
      if try setId(db, SetName(session: session, key: free.rawValue), user: user) == nil {
        return free
      }
      number += 1
    }
  }

  private static func knownSets(
    _ db: Database, keys: [HistorySetRow.Key], session: String, recordingId: HistoryRecordingRow.ID,
    user: HistoryUser.ID
  ) throws -> [SetMatching.KnownSet] {
    let rowsOfSets = """
      SELECT s.id, s.key, s.clockStart AS start, s.clockEnd AS "end", s.exerciseId, e.workoutId,
        s.correctedReps IS NOT NULL OR s.exerciseSource IS 'person' OR s.notes IS NOT NULL AS isCorrected,
        s.exerciseSource IS NOT NULL AS keepsExercise, s.cause = 'declared' AS isDeclared
      FROM workout_set s JOIN workout_exercise e ON e.id = s.exerciseId
      """
    let isNamed = "s.userId = ? AND s.sessionKey = ? AND s.key = ? AND s.recordingId IS NOT ?"
    var known: [SetMatching.KnownSet] = try db.records(
      "\(rowsOfSets) WHERE s.recordingId = ? ORDER BY s.id", recordingId)
    for key in keys {
      known += try db.records(
        "\(rowsOfSets) WHERE \(isNamed)", user, session, key, recordingId)
    }
    return known
  }

  private static func saveExercise(
    _ db: Database, _ exerciseId: HistoryExerciseRow.Key?, isFound: Bool,
    workoutId: HistoryWorkoutRow.ID, isActive: Bool, user: HistoryUser.ID
  ) throws -> HistoryExerciseRow.ID {
    if isActive, isFound, exerciseId == nil,
      let active = try db.value(
        "SELECT id FROM workout_exercise WHERE workoutId = ? AND isActive = 1", workoutId,
        as: HistoryExerciseRow.ID.self)
    {
      return active
    }
    let template = try exerciseId.flatMap { try HistoryCatalog.id(db, CatalogExercise.Key($0)) }
    return try db.written(
      """
      INSERT INTO workout_exercise (userId, workoutId, key, exerciseId, "order", templateId, name,
        completed)
      VALUES (?1, ?2, ?3, ?4,
        (SELECT coalesce(max("order") + 1, 0) FROM workout_exercise WHERE workoutId = ?2), ?5,
        (SELECT name FROM exercise WHERE id = ?5), ?6)
      ON CONFLICT (workoutId, key) DO UPDATE SET exerciseId = excluded.exerciseId,
        templateId = coalesce(templateId, excluded.templateId),
        name = coalesce(name, excluded.name)
      RETURNING id
      """, user, workoutId, exerciseId ?? "", exerciseId, template, isActive ? 0 : nil as Int?,
      as: HistoryExerciseRow.ID.self)
  }

  /// Returns the matching exercise in the workout to which a set moves, copying it if necessary.
  static func copyExercise(
    _ db: Database, _ id: HistoryExerciseRow.ID, to workoutId: HistoryWorkoutRow.ID
  ) throws -> HistoryExerciseRow.ID {
    try db.written(
      """
      INSERT INTO workout_exercise (userId, workoutId, key, exerciseId, "order", templateId, name)
      SELECT userId, ?2, key, exerciseId,
        (SELECT coalesce(max("order") + 1, 0) FROM workout_exercise WHERE workoutId = ?2),
        templateId, name
      FROM workout_exercise WHERE id = ?1
      ON CONFLICT (workoutId, key) DO UPDATE SET name = coalesce(name, excluded.name)
      RETURNING id
      """, id, workoutId)
  }

  /// Columns of a set that are written whenever its recording is saved.
  private static let columnsOfSet = [
    "recordingId", "sessionKey", "key", "setId", "position", "cause", "detectedReps", "confidence",
    "clockStart", "clockEnd", "detector",
  ]

  private static let insertOfSet = """
    INSERT INTO workout_set (userId, exerciseId, "order", startTime, endTime, timestamp, restTime,
      \(columnsOfSet.joined(separator: ", ")))
    VALUES (:userId, :exerciseId,
      (SELECT coalesce(max("order") + 1, 0) FROM workout_set WHERE exerciseId = :exerciseId),
      :startTime, :endTime, :endTime, :restTime,
      \(columnsOfSet.map { ":\($0)" }.joined(separator: ", ")))
    RETURNING id
    """

  /// The update of an existing row. Keeps a person's values, and dates that neither the samples nor an
  /// earlier detection determined.
  private static let updateOfSet: String = {
    let isStarted = HistoryStore.isStarted(exercise: ":exerciseId")
    func date(_ name: String, _ clock: String, _ new: String) -> String {
      """
      WHEN \(isStarted) AND coalesce(abs(\(name) - \(clock) - :clockOrigin) >= 1e-3, 1)
        THEN coalesce(\(name), \(new)) ELSE coalesce(\(new), \(name)) END
      """
    }
    return """
      UPDATE workout_set SET exerciseId = coalesce(:keptExerciseId, :exerciseId),
        "order" = CASE WHEN exerciseId = coalesce(:keptExerciseId, :exerciseId) THEN "order" ELSE
          (SELECT coalesce(max("order") + 1, 0) FROM workout_set WHERE exerciseId = :exerciseId) END,
        startTime = CASE \(date("startTime", "clockStart", ":startTime")),
        endTime = CASE WHEN isActive = 1 THEN endTime \(date("endTime", "clockEnd", ":endTime")),
        timestamp = CASE WHEN isActive = 1 THEN timestamp
          \(date("timestamp", "clockEnd", ":endTime")),
        restTime = CASE WHEN \(isStarted) THEN coalesce(restTime, :restTime)
          ELSE coalesce(:restTime, restTime) END,
        \(columnsOfSet.map { "\($0) = :\($0)" }.joined(separator: ", "))
      WHERE id = :id AND userId = :userId
      """
  }()
}

extension SetMatching.KnownSet: FetchableRecord {}
