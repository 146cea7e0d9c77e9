import Foundation
import GRDB
import Motion

extension HistoryStore {
  package var journal: HistoryJournal { HistoryJournal(store: self) }
}

/// The journal of a stream: its messages as received, until their sets are finalized.
package struct HistoryJournal: StreamJournal {
  let store: HistoryStore

  /// Claims the journal for one stream. Two streams would resume and finalize each other's open sets.
  package func claim() throws -> JournalClaim { try JournalClaim(path: store.path) }

  /// Applies changes to the journal in one durable transaction. Finalized sets move to the history.
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
      try db.execute("UPDATE OR IGNORE journal_set SET key = ? WHERE key = ?", set.new, set.old)
    }
    // Messages of a continued set in this batch come after the finalized part.
    for finalized in batch.finalized where finalized.continuation != nil {
      try finalize(db, finalized)
    }
    // An ended set needs neither its row nor its messages.
    let ended = Set(batch.finalized.filter { $0.continuation == nil }.map(\.key))
    for set in batch.sets where !ended.contains(set.key) { try save(db, set) }
    var rows: [String: Int64] = [:]
    for entry in batch.entries where !ended.contains(entry.setKey) {
      if rows[entry.setKey] == nil {
        rows[entry.setKey] = try db.value("SELECT id FROM journal_set WHERE key = ?", entry.setKey)
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
      try db.execute("DELETE FROM journal_set WHERE key = ?", key)
    }
    for session in batch.endedSessions {
      try db.execute("DELETE FROM journal_set WHERE state = 1 AND session = ?", session)
    }
    for context in batch.contexts {
      try db.execute(
        """
        INSERT INTO journal_context (session, state) VALUES (?, ?)
        ON CONFLICT (session) DO UPDATE SET state = excluded.state
        """, context.session, context.state)
    }
    if let written = batch.writtenEvents {
      try db.execute("DELETE FROM journal_event WHERE number <= ?", written)
    }
    for event in batch.events {
      try db.execute(
        "INSERT INTO journal_event (number, session, line) VALUES (?, ?, ?)", event.number,
        event.session, event.line)
    }
    return failures
  }

  private static func save(_ db: Database, _ set: JournalSet) throws {
    try db.execute(
      """
      INSERT INTO journal_set (key, kind, sessionId, exerciseId, setId, state, joinsHistory,
        isDatedBySending, session)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (key) DO UPDATE SET kind = excluded.kind, state = excluded.state,
        joinsHistory = excluded.joinsHistory, isDatedBySending = excluded.isDatedBySending
      """, set.key, set.kind.rawValue, set.identity.sessionId, set.identity.exerciseId,
      set.identity.setId, set.state.rawValue, set.joinsHistory, set.isDatedBySending,
      set.identity.sessionId?.uppercased() ?? "")
  }

  private static func save(_ db: Database, _ entry: JournalEntry, row: Int64) throws {
    try db.execute(
      """
      INSERT INTO journal_entry
        (journalSetId, part, sessionId, exerciseId, phase, date, data, checksum,
          setSamples, setTime, setClock, setDate)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, row, entry.part, entry.sessionId, entry.exerciseId, entry.phase?.rawValue,
      entry.controlUnixTime, Data(entry.data), Int64(entry.checksum), entry.progress?.samples,
      entry.progress?.time, entry.progress?.clock.rawValue, entry.progress?.unixTime)
  }

  private static func save(_ db: Database, snapshot: [UInt8], ofSet key: String) throws {
    try db.execute(
      """
      UPDATE journal_set SET snapshot = ?2,
        snapshotEntry = (SELECT max(id) FROM journal_entry WHERE journalSetId = journal_set.id)
      WHERE key = ?1 AND EXISTS (SELECT 1 FROM journal_entry WHERE journalSetId = journal_set.id)
      """, key, Data(snapshot))
  }

  private static func finalize(_ db: Database, _ finalized: JournalBatch.Finalized) throws {
    let known = try db.value(
      "SELECT id FROM recording WHERE streamKey = ?", finalized.key, as: HistoryRecordingRow.ID.self
    )
    if let known { try rename(db, recording: known, to: finalized.recording.key) }
    let identity = finalized.recording.recording.identity
    guard var user = try HistoryWorkouts.owner(db, of: identity, person: finalized.person) else {
      // The person was deleted.
      return try db.execute("DELETE FROM journal_set WHERE key = ?", finalized.key)
    }
    var name: SetName?
    if let known, identity.setId != nil, identity.sessionId == nil,
      let row = try db.row("SELECT userId, sessionKey FROM recording WHERE id = ?", known)
    {
      // A late message without a session belongs to the session under which the recording was finalized.
      user = try row.value("userId")
      name = SetName(session: try row.value("sessionKey"), key: finalized.recording.key.rawValue)
    }
    let saved = try HistoryStore.save(db, finalized.recording, as: name, user: user)
    if let known, known != saved.id { try deleteRecording(db, known) }
    // The id is 0 if a person has deleted the recording.
    if saved.id != 0 {
      try db.execute(
        "UPDATE recording SET streamKey = NULL WHERE streamKey = ? AND id <> ?", finalized.key,
        saved.id)
      try db.execute(
        "UPDATE recording SET streamKey = ?1 WHERE id = ?2 AND streamKey IS NOT ?1", finalized.key,
        saved.id)
    }
    switch finalized.continuation {
    case nil:
      try db.execute("DELETE FROM journal_set WHERE key = ?", finalized.key)
    case let set?:
      try save(db, set)
      try db.execute(
        "UPDATE journal_set SET snapshot = NULL, snapshotEntry = NULL WHERE key = ?", finalized.key)
      guard set.joinsHistory else { return }
      try db.execute(
        """
        DELETE FROM journal_entry
        WHERE journalSetId = (SELECT id FROM journal_set WHERE key = ?)
        """, finalized.key)
    }
  }

  /// Renames a recording without an id. Its key is the digest of its samples, which a late chunk changes, but
  /// corrections and deletions must keep applying.
  private static func rename(
    _ db: Database, recording id: HistoryRecordingRow.ID, to key: HistoryRecordingRow.Key
  ) throws {
    let before = try db.value(
      "SELECT key FROM recording WHERE id = ?", id, as: HistoryRecordingRow.Key.self)
    guard let before, before != key else { return }
    try db.execute(
      """
      UPDATE recording SET key = ?1
      WHERE id = ?2 AND NOT EXISTS (SELECT 1 FROM recording other
        WHERE other.userId = recording.userId AND other.sessionKey = recording.sessionKey
          AND other.key = ?1)
      """, key, id)
    try db.execute(
      """
      UPDATE deleted_samples SET recordingKey = r.key
      FROM (SELECT key, userId, sessionKey FROM recording WHERE id = ?1) r
      WHERE deleted_samples.recordingKey = ?2 AND deleted_samples.userId = r.userId
        AND deleted_samples.sessionKey = r.sessionKey AND r.key <> ?2
      """, id, before)
  }

  private static func deleteRecording(_ db: Database, _ id: HistoryRecordingRow.ID) throws {
    let workout = try db.value(
      "SELECT workoutId FROM recording WHERE id = ?", id, as: HistoryWorkoutRow.ID.self)
    try db.execute(
      """
      DELETE FROM workout_set WHERE recordingId = ? AND correctedReps IS NULL
        AND exerciseSource IS NOT 'person' AND notes IS NULL
      """, id)
    try db.execute("DELETE FROM recording WHERE id = ?", id)
    if let workout { try HistoryStore.removeEmptyParents(db, workout: workout) }
  }

  /// Removes the sets that were cut longest ago. Later samples of theirs are joined like late chunks.
  package func removeCutSets(keeping count: Int) throws {
    try store.write { db in
      try db.execute(
        """
        DELETE FROM journal_set WHERE state = 1 AND id <=
          (SELECT id FROM journal_set WHERE state = 1 ORDER BY id DESC LIMIT 1 OFFSET ?)
        """, count)
    }
  }

  /// Deletes a person's messages and contexts. Sessions without a named person belong to the local user.
  static func deleteMessages(_ db: Database, ofUser id: HistoryUser.ID) throws -> [String] {
    let isLocal = id == HistoryUser.ID.local
    let named = """
      SELECT upper(key) FROM workout WHERE userId \(isLocal ? "<>" : "=") ?1
      UNION SELECT upper(c.session) FROM journal_context c JOIN user u ON u.id \(isLocal ? "<>" : "=") ?1
        AND upper(json_extract(c.state, '$.person')) IN (upper(u.uuid), upper(u.providerId))
      """
    let isTheirs = isLocal ? "NOT IN" : "IN"
    let sessions = try db.values(
      """
      SELECT session FROM journal_context
      WHERE session <> '' AND upper(session) \(isTheirs) (\(named))
      """, id, as: String.self)
    try db.execute(
      """
      DELETE FROM journal_set WHERE upper(coalesce(sessionId, '')) \(isTheirs) (\(named))
      """, id)
    for table in ["journal_event", "journal_context"] {
      try db.execute("DELETE FROM \(table) WHERE upper(session) \(isTheirs) (\(named))", id)
    }
    return sessions
  }

  /// Returns freed pages to the system: all of them, or up to `limit` if they are more than a quarter of the
  /// file. With a limit, each page may cost a scan of all free pages.
  package func reclaimPages(limit: Int? = nil) throws {
    try store.maintain { db in
      let free = try Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0
      guard free > Self.freePagesKept else { return }
      guard let limit else {
        // The commit that switches to full mode drops the whole list of free pages.
        return try db.execute(sql: "PRAGMA auto_vacuum = FULL; PRAGMA auto_vacuum = INCREMENTAL")
      }
      let all = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
      guard 4 * free > all else { return }
      _ = try Row.fetchAll(db, sql: "PRAGMA incremental_vacuum(\(min(limit, free)))")
    }
  }

  private static let freePagesKept = 32
}
