import Digests
import Foundation
import GRDB

extension HistoryStore {
  // Each call returns true if the deleted data has left the history's files entirely. While another
  // connection reads an older snapshot, the data remains in the log; it is removed when that reader is done.

  /// Deletes a set with its samples, and its recording and workout if they are then empty. The data is
  /// overwritten in the file. The set does not come back with its recording until `history delete --undo`.
  @discardableResult
  public func delete(set id: HistorySetRow.ID) throws -> Bool {
    try write(.decided([.historySet])) { db in
      let set = try db.row(
        """
        SELECT s.userId, s.sessionKey, s.key, s.exerciseId, s.recordingId, e.workoutId,
          r.sessionKey AS recordingSession, r.key AS recordingKey,
          r.deletedSampleCount, g.firstSample, g.sampleCount,
          (SELECT count(*) FROM segment WHERE recordingId = r.id) AS segmentCount
        FROM workout_set s JOIN workout_exercise e ON e.id = s.exerciseId
        LEFT JOIN recording r ON r.id = s.recordingId
        LEFT JOIN segment g ON g.setId = s.id WHERE s.id = ?
        """, id
      ).orNotFound("set \(id)")
      try db.execute("DELETE FROM workout_set WHERE id = ?", id)
      if let recording: HistoryRecordingRow.ID = try set.value("recordingId") {
        let count: Int = try set.value("sampleCount") ?? 0
        try db.execute(
          """
          UPDATE recording SET deletedSampleCount = min(deletedSampleCount + ?, \(Int64.max))
          WHERE id = ?
          """, count, recording)
        if let first: Int = try set.value("firstSample") {
          // A set that owned its whole recording also owns samples that arrive later.
          let isAll = try set.value("segmentCount") == 1 && set.value("deletedSampleCount") == 0
          // A store may contain arbitrary numbers; the set can be deleted nevertheless.
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
          """
          DELETE FROM recording WHERE id = ?1
            AND NOT EXISTS (SELECT 1 FROM segment WHERE recordingId = ?1)
            AND NOT EXISTS (SELECT 1 FROM workout_set WHERE recordingId = ?1)
          """, recording)
      } else {
        // A set without samples still has a key under which it could come back.
        try remember(
          db, recording: try SetName(set), set: try set.value("key"),
          user: try set.value("userId"))
      }
      try HistoryPatterns.forget(db, user: try set.value("userId"))
      try Self.removeEmptyParents(
        db, workout: try set.value("workoutId"), started: try set.value("exerciseId"))
    }
    return try reclaimSpace()
  }

  /// Deletes a recording permanently with its sets and samples, and its workout if it is then empty.
  @discardableResult
  public func delete(recording id: HistoryRecordingRow.ID) throws -> Bool {
    try write(.decided([.historySet])) { db in
      let row = try db.row(
        "SELECT userId, sessionKey, key, workoutId FROM recording WHERE id = ?", id
      ).orNotFound("recording \(id)")
      try remember(db, recording: try SetName(row), user: try row.value("userId"))
      try rememberStreamed(db, recording: id)
      try db.execute("DELETE FROM workout_set WHERE recordingId = ?", id)
      try db.execute("DELETE FROM recording WHERE id = ?", id)
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
      let user = try db.value(
        "SELECT userId FROM workout WHERE id = ?", id, as: HistoryUser.ID.self
      ).orNotFound("workout \(id)")
      // Sets without a recording also have keys under which they could come back.
      for row in try db.rows(
        """
        SELECT sessionKey, key, NULL AS setKey FROM recording WHERE workoutId = ?1
        UNION ALL SELECT s.sessionKey, s.key, s.key FROM workout_set s
          JOIN workout_exercise e ON e.id = s.exerciseId
          WHERE e.workoutId = ?1 AND s.recordingId IS NULL
        """, id)
      {
        try remember(db, recording: try SetName(row), set: try row.value("setKey"), user: user)
      }
      // Later messages of its session are dropped.
      let session = try db.value("SELECT sessionId FROM workout WHERE id = ?", id, as: String.self)
      if let session, !session.isEmpty {
        try remember(db, recording: SetName(session: session, key: ""), user: user)
      }
      try db.execute("DELETE FROM workout WHERE id = ?", id)
      try HistoryPatterns.forget(db, user: user)
    }
    return try reclaimSpace()
  }

  /// Deletes a person and all their data. The local user's row stays, empty.
  @discardableResult
  public func delete(user id: HistoryUser.ID) throws -> Bool {
    try write { db in
      let row = try db.row("SELECT uuid FROM user WHERE id = ?", id).orNotFound("user \(id)")
      let sessions = try HistoryJournal.deleteMessages(db, ofUser: id)
      // Samples being received may belong to this person. Other people's samples are requested again.
      try db.execute("DELETE FROM sync_blob")
      let uuid: String = try row.value("uuid")
      // Delete stamps before their rows, so that the rows leave no tombstones.
      try db.execute("DELETE FROM stamp WHERE userId = ?", id)
      try db.execute("DELETE FROM tombstone WHERE userId = ?", id)
      let (number, stamp) = try HistoryClock.use(db) { ($0.nextNumber(), $0.tick()) }
      try Tombstone(
        user: 0, entity: .user, key: Self.keyOfDeleted(uuid),
        deletion: SyncRegister(isSet: true, stamp: stamp)
      ).save(db, number: number, changedAt: stamp.milliseconds, isPending: false)
      try db.execute("DELETE FROM user WHERE id = ?", id)
      if id == HistoryUser.ID.local {
        try db.execute("INSERT INTO user (id, uuid, name) VALUES (?, ?, 'local')", id, uuid)
      }
      for session in sessions {
        try remember(db, recording: SetName(session: session, key: ""), user: HistoryUser.ID.local)
      }
    }
    return try reclaimSpace()
  }

  /// Returns the key of a deleted person's tombstone, which makes other copies of the history delete them
  /// too. A random id is stored unchanged, a name only as its SHA-256.
  static func keyOfDeleted(_ uuid: String) -> String {
    UUID(uuidString: uuid) != nil || uuid.hasPrefix("sha256:")
      ? uuid : "sha256:\(SHA256.hash(uuid.utf8).hexadecimalDigits)"
  }

  /// Allows a deleted set or recording to come back when it is processed again.
  package func undoDeletion(of key: DeletedSamples.Key, user: HistoryUser.ID = .local) throws {
    try write { db in
      let name = SetName(globalKey: key.rawValue)
      let deleted = try db.rows(
        """
        DELETE FROM deleted_samples WHERE userId = ?1
          AND (coalesce(setKey, recordingKey) = ?2
            OR (coalesce(setKey, recordingKey) = ?3 AND sessionKey = ?4))
        RETURNING sessionKey, coalesce(setKey, recordingKey) AS key
        """, user, key, name.key, name.session)
      guard !deleted.isEmpty else { throw HistoryError.notFound(reference: "deleted \(key)") }
      for row in deleted {
        // Undoing the deletion of one set allows its session to come back.
        try db.execute(
          """
          DELETE FROM deleted_samples WHERE userId = ? AND recordingKey = '' AND sessionKey = ?
          """, user, try row.value("sessionKey") as String?)
      }
      for row in deleted { try keepSet(db, SetName(row), user: user) }
    }
  }

  /// Keeps a set that still exists when its deletion is undone. An interrupted sync may have delivered the
  /// deletion of its samples but not of the set; a newer stamp overrides the latter when it arrives.
  private func keepSet(_ db: Database, _ name: SetName, user: HistoryUser.ID) throws {
    guard let id = try Self.setId(db, name, user: user) else { return }
    let key = try db.written("SELECT globalKey FROM workout_set WHERE id = ?", id, as: String.self)
    let (number, stamp) = try HistoryClock.use(db) { ($0.nextNumber(), $0.tick()) }
    let kept = SyncRegister(isSet: false, stamp: stamp)
    try Tombstone(
      user: user.rawValue, entity: .historySet, key: key, deletion: kept, removal: kept
    ).save(db, number: number, changedAt: stamp.milliseconds)
    try ChangeSealer.sealRecords(db)
  }

  private func remember(
    _ db: Database, recording: SetName, set: HistorySetRow.Key? = nil, user: HistoryUser.ID,
    first: Int = 0, end: Int? = nil
  ) throws {
    try db.execute(
      """
      INSERT INTO deleted_samples (userId, recordingKey, setKey, firstSample, endSample, sessionKey)
      SELECT ?1, ?2, ?3, ?4, ?5, ?6
      WHERE NOT EXISTS (SELECT 1 FROM deleted_samples WHERE userId = ?1 AND recordingKey = ?2
        AND setKey IS ?3 AND firstSample = ?4 AND endSample IS ?5 AND sessionKey IS ?6)
      """, user, recording.key, set, first, end, recording.session)
  }

  /// Records the deletion of a recording without an id, by its key in its stream.
  private func rememberStreamed(_ db: Database, recording id: HistoryRecordingRow.ID) throws {
    try db.execute(
      """
      INSERT INTO deleted_samples (userId, recordingKey, setKey, firstSample, sessionKey)
      SELECT r.userId, r.streamKey, r.key, 0, w.sessionId
      FROM recording r JOIN workout w ON w.id = r.workoutId
      WHERE r.id = ? AND r.streamKey IS NOT NULL AND r.sessionKey = '' AND w.sessionId IS NOT NULL
      """, id)
  }
}

extension SetName {
  fileprivate init(_ row: Row) throws {
    self.init(session: try row.value("sessionKey"), key: try row.value("key"))
  }
}

extension DeletedSamples: FetchableRecord {
  package static func fetch(
    _ db: Database, recording name: SetName, user: HistoryUser.ID
  ) throws -> [DeletedSamples] {
    try db.records(
      """
      SELECT setKey, firstSample, endSample FROM deleted_samples
      WHERE userId = ?1 AND (
        recordingKey = ?2 AND (sessionKey IS NULL OR sessionKey = ?3)
        OR recordingKey = '' AND sessionKey = ?3 AND ?3 <> '')
      ORDER BY firstSample, id
      """, user, name.key, name.session)
  }
}
