import GRDB

extension HistoryStore {
  // Each call returns true if the deleted data has left the history's files entirely. While another connection
  // reads an older snapshot, the data remains in the log, and is removed when that reader is done.

  /// Deletes a set with its samples. Deletes its recording and workout, too, if nothing else is left in them.
  ///
  /// The deleted data is overwritten in the file, and its pages are freed. The set does not come back when its
  /// recording is processed again: its deletion is remembered, without any health data, until
  /// `history delete --undo`.
  @discardableResult
  public func delete(set id: HistorySetRow.ID) throws -> Bool {
    try write(.decided([.historySet])) { db in
      guard
        let set = try Row.fetchOne(
          db,
          sql: """
            SELECT s.userId, s.sessionKey, s.key, s.exerciseId, s.recordingId, e.workoutId,
              r.sessionKey AS recordingSession, r.key AS recordingKey,
              r.deletedSampleCount, g.firstSample, g.sampleCount,
              (SELECT count(*) FROM segment WHERE recordingId = r.id) AS segmentCount
            FROM workout_set s JOIN workout_exercise e ON e.id = s.exerciseId
            LEFT JOIN recording r ON r.id = s.recordingId
            LEFT JOIN segment g ON g.setId = s.id WHERE s.id = ?
            """, arguments: [id])
      else { throw HistoryError.notFound(reference: "set \(id)") }
      try db.execute(sql: "DELETE FROM workout_set WHERE id = ?", arguments: [id])
      if let recording: HistoryRecordingRow.ID = try set.value("recordingId") {
        let count: Int = try set.value("sampleCount") ?? 0
        try db.execute(
          sql: """
            UPDATE recording SET deletedSampleCount = min(deletedSampleCount + ?, \(Int64.max))
            WHERE id = ?
            """, arguments: [count, recording])
        if let first: Int = try set.value("firstSample") {
          // A set that owned its whole recording also owns samples that arrive later.
          let isAll = try set.value("segmentCount") == 1 && set.value("deletedSampleCount") == 0
          // A store may hold arbitrary numbers; the set can be deleted nevertheless.
          let (end, isBeyond) = first.addingReportingOverflow(count)
          try remember(
            db,
            recording: SetName(
              session: try set.value("recordingSession"), key: try set.value("recordingKey")),
            set: try set.value("key"), user: try set.value("userId"),
            first: isAll ? 0 : first, end: isAll || isBeyond ? nil : end)
          if isAll { try rememberStreamed(db, recording: recording) }
        }
        try db.execute(
          sql: """
            DELETE FROM recording WHERE id = ?1
              AND NOT EXISTS (SELECT 1 FROM segment WHERE recordingId = ?1)
              AND NOT EXISTS (SELECT 1 FROM workout_set WHERE recordingId = ?1)
            """, arguments: [recording])
      } else {
        // A set without samples still has a key under which it could come back.
        try remember(
          db, recording: try SetName(set), set: try set.value("key"),
          user: try set.value("userId"), first: 0, end: nil)
      }
      try HistoryPatterns.forget(db, user: try set.value("userId"))
      try removeIfEmpty(db, exercise: try set.value("exerciseId"))
      try Self.removeEmptyParents(db, workout: try set.value("workoutId"))
    }
    return try reclaimSpace()
  }

  /// Deletes a recording with its sets and samples, and its workout if nothing else is left in it. The
  /// recording does not come back when it is processed again.
  @discardableResult
  public func delete(recording id: HistoryRecordingRow.ID) throws -> Bool {
    try write(.decided([.historySet])) { db in
      guard
        let row = try Row.fetchOne(
          db, sql: "SELECT userId, sessionKey, key, workoutId FROM recording WHERE id = ?",
          arguments: [id])
      else { throw HistoryError.notFound(reference: "recording \(id)") }
      try remember(
        db, recording: try SetName(row), set: nil, user: try row.value("userId"), first: 0, end: nil
      )
      try rememberStreamed(db, recording: id)
      try db.execute(sql: "DELETE FROM workout_set WHERE recordingId = ?", arguments: [id])
      try db.execute(sql: "DELETE FROM recording WHERE id = ?", arguments: [id])
      try HistoryPatterns.forget(db, user: try row.value("userId"))
      if let workout: HistoryWorkoutRow.ID = try row.value("workoutId") {
        try Self.removeEmptyParents(db, workout: workout)
      }
    }
    return try reclaimSpace()
  }

  /// Deletes a workout with its contents. Its recordings do not come back when they are processed again.
  @discardableResult
  public func delete(workout id: HistoryWorkoutRow.ID) throws -> Bool {
    try write(.decided([.workoutHistory, .historyExercise, .historySet])) { db in
      let user = try HistoryUser.ID.fetchOne(
        db, sql: "SELECT userId FROM workout WHERE id = ?", arguments: [id])
      guard let user else { throw HistoryError.notFound(reference: "workout \(id)") }
      // Sets without a recording have keys, too, under which they could come back.
      for row in try Row.fetchAll(
        db,
        sql: """
          SELECT sessionKey, key, NULL AS setKey FROM recording WHERE workoutId = ?1
          UNION ALL SELECT s.sessionKey, s.key, s.key FROM workout_set s
            JOIN workout_exercise e ON e.id = s.exerciseId
            WHERE e.workoutId = ?1 AND s.recordingId IS NULL
          """, arguments: [id])
      {
        try remember(
          db, recording: try SetName(row), set: try row.value("setKey"), user: user, first: 0,
          end: nil)
      }
      // Later messages of its session are dropped.
      let session = try String.fetchOne(
        db, sql: "SELECT sessionId FROM workout WHERE id = ?", arguments: [id])
      if let session, !session.isEmpty {
        try remember(
          db, recording: SetName(session: session, key: ""), set: nil, user: user, first: 0,
          end: nil)
      }
      try db.execute(sql: "DELETE FROM workout WHERE id = ?", arguments: [id])
      try HistoryPatterns.forget(db, user: user)
    }
    return try reclaimSpace()
  }

  /// Deletes a person and all their data. The local user's row stays, empty.
  @discardableResult
  public func delete(user id: HistoryUser.ID) throws -> Bool {
    try write { db in
      let row = try Row.fetchOne(db, sql: "SELECT uuid FROM user WHERE id = ?", arguments: [id])
      guard let row else { throw HistoryError.notFound(reference: "user \(id)") }
      let sessions = try HistoryJournal.deleteMessages(db, ofUser: id)
      // Samples that are being received may belong to them. Other people's samples are requested again.
      try db.execute(sql: "DELETE FROM sync_blob")
      let uuid: HistoryUser.Key = try row.value("uuid")
      // Stamps are deleted before their rows, so that the rows leave no tombstones.
      try db.execute(sql: "DELETE FROM stamp WHERE userId = ?", arguments: [id])
      try db.execute(sql: "DELETE FROM tombstone WHERE userId = ?", arguments: [id])
      let (number, stamp) = try HistoryClock.use(db) { clock in
        clock.number += 1
        return (clock.number, clock.tick())
      }
      try db.execute(
        sql: """
          INSERT INTO tombstone (userId, entity, key, deleted, deletedStamp, number, changedAt, isPending)
          VALUES (0, ?1, ?2, 1, ?3, ?4, ?5, 0)
          ON CONFLICT DO UPDATE SET deletedStamp = ?3, number = ?4, changedAt = ?5, checksum = NULL
          """,
        arguments: [
          SyncEntity.user.rawValue, DeletedUser.key(of: uuid), stamp.text, number,
          stamp.milliseconds,
        ])
      try db.execute(sql: "DELETE FROM user WHERE id = ?", arguments: [id])
      if id == Self.localUser {
        try db.execute(
          sql: "INSERT INTO user (id, uuid, name) VALUES (?, ?, 'local')", arguments: [id, uuid])
      }
      for session in sessions {
        try remember(
          db, recording: SetName(session: session, key: ""), set: nil, user: Self.localUser,
          first: 0, end: nil)
      }
    }
    return try reclaimSpace()
  }

  /// Allows a deleted set or recording to come back when it is processed again.
  ///
  /// - Throws: ``HistoryError/notFound(reference:)`` if nothing with that key was deleted.
  package func undoDeletion(
    of key: DeletedSamples.Key, user: HistoryUser.ID = HistoryStore.localUser
  ) throws {
    try write { db in
      let name = SetName(globalKey: key.rawValue)
      let deleted = try Row.fetchAll(
        db,
        sql: """
          DELETE FROM deleted_samples WHERE userId = ?1
            AND (coalesce(setKey, recordingKey) = ?2
              OR (coalesce(setKey, recordingKey) = ?3 AND sessionKey = ?4))
          RETURNING sessionKey, coalesce(setKey, recordingKey) AS key
          """, arguments: [user, key, name.key, name.session])
      guard !deleted.isEmpty else { throw HistoryError.notFound(reference: "deleted \(key)") }
      for row in deleted {
        // Undoing the deletion of one set allows its session to come back.
        try db.execute(
          sql: """
            DELETE FROM deleted_samples WHERE userId = ? AND recordingKey = '' AND sessionKey = ?
            """, arguments: [user, try row.value("sessionKey") as String?])
      }
      for row in deleted { try keepSet(db, SetName(row), user: user) }
    }
  }

  /// Keeps a set that still exists when its deletion is undone: an interrupted sync may have delivered the
  /// deletion of its samples, but not yet that of the set. A newer stamp overrides the latter when it arrives.
  private func keepSet(_ db: Database, _ name: SetName, user: HistoryUser.ID) throws {
    guard let id = try Self.setId(db, name, user: user) else { return }
    let key = try String.fetchOne(
      db, sql: "SELECT globalKey FROM workout_set WHERE id = ?", arguments: [id])
    let (number, stamp) = try HistoryClock.use(db) { clock in
      clock.number += 1
      return (clock.number, clock.tick())
    }
    try db.execute(
      sql: """
        INSERT INTO tombstone (userId, entity, key, deletedStamp, removedStamp, number, changedAt)
        VALUES (?1, ?2, ?3, ?4, ?4, ?5, ?6)
        ON CONFLICT DO UPDATE SET deleted = 0, deletedStamp = ?4, removed = 0, removedStamp = ?4,
          isPending = 1, number = ?5, changedAt = ?6, checksum = NULL
        """,
      arguments: [
        user, SyncEntity.historySet.rawValue, key, stamp.text, number, stamp.milliseconds,
      ])
    try ChangeSealer.sealRecords(db)
  }

  /// Returns the keys of everything that a person deleted and that therefore does not come back.
  package func deletedKeys(
    of user: HistoryUser.ID = HistoryStore.localUser
  ) throws -> [DeletedSamples.Key] {
    try read { db in
      try DeletedSamples.Key.fetchAll(
        db,
        sql: """
          SELECT coalesce(setKey, recordingKey) AS key FROM deleted_samples
          WHERE userId = ? AND recordingKey <> '' GROUP BY key ORDER BY min(id)
          """, arguments: [user])
    }
  }

  private func remember(
    _ db: Database, recording: SetName, set: HistorySetRow.Key?, user: HistoryUser.ID, first: Int,
    end: Int?
  ) throws {
    try db.execute(
      sql: """
        INSERT INTO deleted_samples (userId, recordingKey, setKey, firstSample, endSample, sessionKey)
        SELECT ?1, ?2, ?3, ?4, ?5, ?6
        WHERE NOT EXISTS (SELECT 1 FROM deleted_samples WHERE userId = ?1 AND recordingKey = ?2
          AND setKey IS ?3 AND firstSample = ?4 AND endSample IS ?5 AND sessionKey IS ?6)
        """, arguments: [user, recording.key, set, first, end, recording.session])
  }

  /// Remembers the deletion of a recording without an id by its key in the stream that it came from.
  private func rememberStreamed(_ db: Database, recording id: HistoryRecordingRow.ID) throws {
    try db.execute(
      sql: """
        INSERT INTO deleted_samples (userId, recordingKey, setKey, firstSample, sessionKey)
        SELECT r.userId, r.streamKey, r.key, 0, w.sessionId
        FROM recording r JOIN workout w ON w.id = r.workoutId
        WHERE r.id = ? AND r.streamKey IS NOT NULL AND r.sessionKey = '' AND w.sessionId IS NOT NULL
        """, arguments: [id])
  }

  /// Deletes an exercise when its last set is deleted, even if the exercise was started explicitly.
  private func removeIfEmpty(_ db: Database, exercise id: Int64) throws {
    let workout = try Int64.fetchOne(
      db, sql: "SELECT workoutId FROM workout_exercise WHERE id = ?", arguments: [id])
    try db.execute(
      sql: """
        DELETE FROM workout_exercise WHERE id = ?1
          AND NOT EXISTS (SELECT 1 FROM workout_set WHERE exerciseId = ?1)
        """, arguments: [id])
    try db.execute(
      sql: """
        DELETE FROM workout WHERE id = ?1 AND status IS NOT 'active'
          AND NOT EXISTS (SELECT 1 FROM workout_exercise WHERE workoutId = ?1)
          AND NOT EXISTS (SELECT 1 FROM recording WHERE workoutId = ?1)
        """, arguments: [workout])
  }

  /// Frees unused pages and empties the write-ahead log, which may hold deleted data.
  ///
  /// - Returns: Whether the log was emptied. Readers of an older snapshot prevent it; the last connection to
  ///   close the history then empties it.
  @discardableResult
  func reclaimSpace() throws -> Bool {
    try HistoryError.translating(path: path) {
      try database.writeWithoutTransaction { db in
        _ = try Row.fetchAll(db, sql: "PRAGMA incremental_vacuum")
        _ = try? db.checkpoint(.truncate)
      }
    }
    return !HistoryFile(path: path).hasLog
  }
}

extension SetName {
  /// - Parameter row: A row with the columns `sessionKey` and `key`.
  fileprivate init(_ row: Row) throws {
    self.init(session: try row.value("sessionKey"), key: try row.value("key"))
  }
}
