import Foundation
import GRDB
import Motion

extension HistoryStore {
  /// The journal of a stream.
  package var journal: HistoryJournal { HistoryJournal(store: self) }
}

/// The journal of a stream: messages as received, until their sets are finalized.
package struct HistoryJournal: StreamJournal {
  let store: HistoryStore

  /// Claims the journal for one stream. Two streams at once would each resume and finalize the other's open
  /// sets. The claim ends when its last reference is released, or with the process.
  ///
  /// - Throws: ``HistoryError/claimed(path:)`` if another process still holds the claim after two seconds.
  package func claim() throws -> JournalClaim { try JournalClaim(path: store.path) }

  /// Applies changes to the journal in one durable transaction. Finalized sets move to the history in this
  /// transaction; those of a workout in progress are listed when it ends.
  ///
  /// - Returns: The workout steps that failed, with reasons.
  @discardableResult
  package func commit(_ batch: JournalBatch) throws -> [WorkoutStepFailure] {
    guard !batch.isEmpty else { return [] }
    return try store.write { db in
      try (batch.preceding + [batch]).flatMap { try Self.commit(db, $0) }
    }
  }

  private static func commit(_ db: Database, _ batch: JournalBatch) throws -> [WorkoutStepFailure] {
    let taken = try HistoryWorkouts.performFromStream(db, batch.workoutSteps)
    for set in batch.renamedSets {
      try db.execute(
        cached: "UPDATE OR IGNORE journal_set SET key = ? WHERE key = ?",
        arguments: [set.new, set.old])
    }
    // A continued set may have more messages in this batch: they come after the finalized part.
    for finalized in batch.finalized where finalized.continuation != nil {
      try finalize(db, finalized)
    }
    // An ended set needs neither a row nor messages.
    let ended = Set(batch.finalized.filter { $0.continuation == nil }.map(\.key))
    for set in batch.sets where !ended.contains(set.key) { try save(db, set) }
    var rows: [String: Int64] = [:]
    for entry in batch.entries where !ended.contains(entry.setKey) {
      if rows[entry.setKey] == nil {
        rows[entry.setKey] = try journalRow(db, entry.setKey)
      }
      if let row = rows[entry.setKey] { try save(db, entry, row: row) }
    }
    for snapshot in batch.snapshots where !ended.contains(snapshot.set) {
      try save(db, snapshot: snapshot.data, ofSet: snapshot.set)
    }
    for finalized in batch.finalized where finalized.continuation == nil {
      try finalize(db, finalized)
    }
    let failures = try taken.failures + HistoryWorkouts.performAgain(db, taken.early)
    for key in batch.discarded {
      try db.execute(cached: "DELETE FROM journal_set WHERE key = ?", arguments: [key])
    }
    for session in batch.endedSessions {
      try db.execute(
        cached: "DELETE FROM journal_set WHERE state = 1 AND session = ?", arguments: [session])
    }
    for context in batch.contexts {
      try db.execute(
        cached: """
          INSERT INTO journal_context (session, state) VALUES (?, ?)
          ON CONFLICT (session) DO UPDATE SET state = excluded.state
          """, arguments: [context.session, context.state])
    }
    if let written = batch.writtenEvents {
      try db.execute(
        cached: "DELETE FROM journal_event WHERE number <= ?", arguments: [written])
    }
    for event in batch.events {
      try db.execute(
        cached: "INSERT INTO journal_event (number, session, line) VALUES (?, ?, ?)",
        arguments: [event.number, event.session, event.line])
    }
    return failures
  }

  private static func journalRow(_ db: Database, _ key: String) throws -> Int64? {
    try Int64.fetchOne(
      db.cachedStatement(sql: "SELECT id FROM journal_set WHERE key = ?"), arguments: [key])
  }

  private static func save(_ db: Database, _ set: JournalSet) throws {
    try db.execute(
      cached: """
        INSERT INTO journal_set (key, kind, sessionId, exerciseId, setId, state, joinsHistory,
          isDatedBySending, session)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (key) DO UPDATE SET kind = excluded.kind, state = excluded.state,
          joinsHistory = excluded.joinsHistory, isDatedBySending = excluded.isDatedBySending
        """,
      arguments: [
        set.key, set.kind.rawValue, set.identity.sessionId, set.identity.exerciseId,
        set.identity.setId, set.state.rawValue, set.joinsHistory, set.isDatedBySending,
        set.identity.sessionId?.uppercased() ?? "",
      ])
  }

  private static func save(_ db: Database, _ entry: JournalEntry, row: Int64) throws {
    try db.execute(
      cached: """
        INSERT INTO journal_entry
          (journalSetId, part, sessionId, exerciseId, phase, date, data, checksum,
            setSamples, setTime, setClock, setDate)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        row, entry.part, entry.sessionId, entry.exerciseId, entry.phase?.rawValue,
        entry.controlUnixTime, Data(entry.data), Int64(entry.checksum), entry.progress?.samples,
        entry.progress?.time, entry.progress?.clock.rawValue, entry.progress?.unixTime,
      ])
  }

  private static func save(_ db: Database, snapshot: [UInt8], ofSet key: String) throws {
    try db.execute(
      cached: """
        UPDATE journal_set SET snapshot = ?2,
          snapshotEntry = (SELECT max(id) FROM journal_entry WHERE journalSetId = journal_set.id)
        WHERE key = ?1 AND EXISTS (SELECT 1 FROM journal_entry WHERE journalSetId = journal_set.id)
        """, arguments: [key, Data(snapshot)])
  }

  private static func finalize(_ db: Database, _ finalized: JournalBatch.Finalized) throws {
    let known = try HistoryRecordingRow.ID.fetchOne(
      db, cached: "SELECT id FROM recording WHERE streamKey = ?", arguments: [finalized.key])
    if let known { try rename(db, recording: known, to: finalized.recording.key) }
    let identity = finalized.recording.recording.identity
    guard var user = try HistoryWorkouts.owner(db, of: identity, person: finalized.person) else {
      // The person was deleted.
      return try db.execute(
        cached: "DELETE FROM journal_set WHERE key = ?", arguments: [finalized.key])
    }
    var name: SetName?
    if let known, identity.setId != nil, identity.sessionId == nil,
      let row = try Row.fetchOne(
        db, cached: "SELECT userId, sessionKey FROM recording WHERE id = ?", arguments: [known])
    {
      // A late message without a session belongs to the session that the recording was finalized with.
      user = try row.value("userId")
      name = SetName(
        session: try row.value("sessionKey"), key: finalized.recording.key.rawValue)
    }
    let saved = try HistoryStore.save(db, finalized.recording, as: name, user: user)
    if let known, known != saved.id { try deleteRecording(db, known) }
    // The id is 0 if a person has deleted the recording.
    if saved.id != 0 {
      try db.execute(
        cached: "UPDATE recording SET streamKey = NULL WHERE streamKey = ? AND id <> ?",
        arguments: [finalized.key, saved.id])
      try db.execute(
        cached: "UPDATE recording SET streamKey = ?1 WHERE id = ?2 AND streamKey IS NOT ?1",
        arguments: [finalized.key, saved.id])
    }
    switch finalized.continuation {
    case nil:
      try db.execute(cached: "DELETE FROM journal_set WHERE key = ?", arguments: [finalized.key])
    case let set?:
      try save(db, set)
      try db.execute(
        cached: "UPDATE journal_set SET snapshot = NULL, snapshotEntry = NULL WHERE key = ?",
        arguments: [finalized.key])
      guard set.joinsHistory else { return }
      try db.execute(
        cached: """
          DELETE FROM journal_entry
          WHERE journalSetId = (SELECT id FROM journal_set WHERE key = ?)
          """, arguments: [finalized.key])
    }
  }

  /// Renames a recording without an id. Its key is the digest of its samples, which a late chunk changes;
  /// corrections and deletions must keep applying to it.
  private static func rename(
    _ db: Database, recording id: HistoryRecordingRow.ID, to key: HistoryRecordingRow.Key
  ) throws {
    let before = try HistoryRecordingRow.Key.fetchOne(
      db, cached: "SELECT key FROM recording WHERE id = ?", arguments: [id])
    guard let before, before != key else { return }
    try db.cachedStatement(
      sql: """
        UPDATE recording SET key = ?1
        WHERE id = ?2 AND NOT EXISTS (SELECT 1 FROM recording other
          WHERE other.userId = recording.userId AND other.sessionKey = recording.sessionKey
            AND other.key = ?1)
        """
    ).execute(arguments: [key, id])
    try db.execute(
      cached: """
        UPDATE deleted_samples SET recordingKey = r.key
        FROM (SELECT key, userId, sessionKey FROM recording WHERE id = ?1) r
        WHERE deleted_samples.recordingKey = ?2 AND deleted_samples.userId = r.userId
          AND deleted_samples.sessionKey = r.sessionKey AND r.key <> ?2
        """, arguments: [id, before])
  }

  /// Removes a recording that another one replaces.
  private static func deleteRecording(_ db: Database, _ id: HistoryRecordingRow.ID) throws {
    let workout = try HistoryWorkoutRow.ID.fetchOne(
      db, sql: "SELECT workoutId FROM recording WHERE id = ?", arguments: [id])
    try db.execute(
      sql: """
        DELETE FROM workout_set WHERE recordingId = ? AND correctedReps IS NULL
          AND exerciseSource IS NOT 'person' AND notes IS NULL
        """, arguments: [id])
    try db.execute(sql: "DELETE FROM recording WHERE id = ?", arguments: [id])
    if let workout { try HistoryStore.removeEmptyParents(db, workout: workout) }
  }

  // MARK: - Upkeep

  /// Drops the sets that were cut longest ago. Samples that still arrive for them are joined like late chunks.
  package func forgetCutSets(keeping count: Int) throws {
    try store.write { db in
      try db.execute(
        sql: """
          DELETE FROM journal_set WHERE state = 1 AND id <=
            (SELECT id FROM journal_set WHERE state = 1 ORDER BY id DESC LIMIT 1 OFFSET ?)
          """, arguments: [count])
    }
  }

  /// Removes a person's messages that are not finalized, and the contexts of their sessions. Sessions without a
  /// named person belong to the local user.
  ///
  /// - Returns: The person's sessions.
  static func deleteMessages(_ db: Database, ofUser id: HistoryUser.ID) throws -> [String] {
    let isLocal = id == HistoryStore.localUser
    let named = """
      SELECT upper(key) FROM workout WHERE userId \(isLocal ? "<>" : "=") ?1
      UNION SELECT upper(c.session) FROM journal_context c JOIN user u ON u.id \(isLocal ? "<>" : "=") ?1
        AND upper(json_extract(c.state, '$.person')) IN (upper(u.uuid), upper(u.providerId))
      """
    let isTheirs = isLocal ? "NOT IN" : "IN"
    let sessions = try String.fetchAll(
      db,
      sql: """
        SELECT session FROM journal_context
        WHERE session <> '' AND upper(session) \(isTheirs) (\(named))
        """, arguments: [id])
    try db.execute(
      sql: """
        DELETE FROM journal_set WHERE upper(coalesce(sessionId, '')) \(isTheirs) (\(named))
        """, arguments: [id])
    for table in ["journal_event", "journal_context"] {
      try db.execute(
        sql: "DELETE FROM \(table) WHERE upper(session) \(isTheirs) (\(named))",
        arguments: [id])
    }
    return sessions
  }

  /// Returns some of the pages that the journal freed to the system, if they are more than a quarter of the
  /// file.
  ///
  /// - Parameter limit: Maximum number of pages. Each may cost a scan of all free pages.
  package func reclaimPages(limit: Int) throws {
    try HistoryError.translating(path: store.path) {
      try store.database.writeWithoutTransaction { db in
        let free = try Self.freePages(db)
        let all = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
        guard free > Self.freePagesKept, 4 * free > all else { return }
        _ = try Row.fetchAll(db, sql: "PRAGMA incremental_vacuum(\(min(limit, free)))")
      }
    }
  }

  /// Returns all pages that the journal freed to the system. O(pages of the file).
  package func reclaimPages() throws {
    try HistoryError.translating(path: store.path) {
      try store.database.writeWithoutTransaction { db in
        guard try Self.freePages(db) > Self.freePagesKept else { return }
        // `incremental_vacuum` searches the list of free pages for each page: quadratic. The commit that
        // switches to full mode drops the list as a whole.
        try db.execute(sql: "PRAGMA auto_vacuum = FULL")
        try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
      }
    }
  }

  private static func freePages(_ db: Database) throws -> Int {
    try Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0
  }

  private static let freePagesKept = 32
}
