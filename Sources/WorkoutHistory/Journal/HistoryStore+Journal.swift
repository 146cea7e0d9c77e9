import Foundation
import GRDB
import Motion
import TimelineFormat

/// The journal of a stream: messages as they were received, until what they belong to is settled.
extension HistoryStore {
  /// Makes changes to the journal, in one transaction that survives the loss of power once the call
  /// returns. Sets that have settled go to the history in the same transaction, or wait with their
  /// workout where one is under way.
  ///
  /// - Returns: The steps of workouts that could not be taken, and why.
  @discardableResult
  public func commit(_ batch: JournalBatch) throws -> [WorkoutStepFailure] {
    guard !batch.isEmpty else { return [] }
    return try write { db in
      if !batch.settled.isEmpty || !batch.discarded.isEmpty {
        // What leaves the journal is in the history now, and was not deleted by anyone: its pages
        // are overwritten when they are used again, or given back when something is deleted.
        try db.execute(sql: "PRAGMA secure_delete = FAST")
      }
      defer { try? db.execute(sql: "PRAGMA secure_delete = ON") }
      let failures = try Self.performFromStream(db, batch.workoutSteps)
      let settledKeys = Set(batch.settled.map(\.key))
      for set in batch.sets where !settledKeys.contains(set.key) { try Self.save(db, set) }
      var rows: [String: Int64] = [:]
      for entry in batch.entries where !settledKeys.contains(entry.setKey) {
        if rows[entry.setKey] == nil {
          rows[entry.setKey] = try Self.journalRow(db, entry.setKey)
        }
        if let row = rows[entry.setKey] { try Self.save(db, entry, row: row) }
      }
      for settled in batch.settled { try Self.settle(db, settled) }
      for key in batch.discarded {
        try db.cachedStatement(sql: "DELETE FROM journalSet WHERE key = ?")
          .execute(arguments: [key])
      }
      for session in batch.endedContexts {
        try db.cachedStatement(sql: "DELETE FROM journalContext WHERE session = ?")
          .execute(arguments: [session])
      }
      for context in batch.contexts {
        try db.cachedStatement(
          sql: """
            INSERT INTO journalContext (session, state) VALUES (?, ?)
            ON CONFLICT (session) DO UPDATE SET state = excluded.state
            """
        ).execute(arguments: [context.session, context.state])
      }
      return failures
    }
  }

  private static func journalRow(_ db: Database, _ key: String) throws -> Int64? {
    try Int64.fetchOne(
      db.cachedStatement(sql: "SELECT id FROM journalSet WHERE key = ?"), arguments: [key])
  }

  private static func save(_ db: Database, _ set: JournalSet) throws {
    try db.cachedStatement(
      sql: """
        INSERT INTO journalSet (key, kind, sessionId, exerciseId, setId) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (key) DO UPDATE SET kind = excluded.kind
        """
    ).execute(arguments: [
      set.key, set.kind.rawValue, set.identity.sessionId, set.identity.exerciseId,
      set.identity.setId,
    ])
  }

  private static func save(_ db: Database, _ entry: JournalEntry, row: Int64) throws {
    try db.cachedStatement(
      sql: """
        INSERT INTO journalEntry (journalSetId, part, sessionId, exerciseId, phase, date, data)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      row, entry.part, entry.sessionId, entry.exerciseId, entry.phase?.rawValue,
      entry.controlUnixTime, Data(entry.data),
    ])
  }

  private static func settle(_ db: Database, _ settled: JournalBatch.Settled) throws {
    let known = try Int64.fetchOne(
      db.cachedStatement(sql: "SELECT recordingId FROM journalSettled WHERE key = ?"),
      arguments: [settled.key])
    if let known { try rename(db, recording: known, to: settled.recording.key) }
    let saved = try save(
      db, settled.recording, user: try owner(db, of: settled.recording.recording.identity))
    if let known, known != saved.id { try deleteRecording(db, known) }
    // A person may have deleted it: then there is none.
    if saved.id != 0 {
      try db.cachedStatement(
        sql: """
          INSERT INTO journalSettled (key, recordingId) VALUES (?, ?)
          ON CONFLICT (key) DO UPDATE SET recordingId = excluded.recordingId
          """
      ).execute(arguments: [settled.key, saved.id])
    }
    try db.cachedStatement(sql: "DELETE FROM journalSet WHERE key = ?")
      .execute(arguments: [settled.key])
  }

  /// A recording without id is named by its samples: with a late chunk among them it has another
  /// name, and is still the same recording with the same corrections.
  private static func rename(_ db: Database, recording id: Int64, to key: String) throws {
    try db.cachedStatement(
      sql: """
        UPDATE recording SET key = ?1
        WHERE id = ?2 AND NOT EXISTS (SELECT 1 FROM recording other
          WHERE other.userId = recording.userId AND other.key = ?1)
        """
    ).execute(arguments: [key, id])
  }

  /// Removes a recording that another one has taken the place of.
  private static func deleteRecording(_ db: Database, _ id: Int64) throws {
    let workout = try Int64.fetchOne(
      db, sql: "SELECT workoutId FROM recording WHERE id = ?", arguments: [id])
    try db.execute(
      sql: "DELETE FROM historySet WHERE recordingId = ? AND correctedReps IS NULL",
      arguments: [id])
    try db.execute(sql: "DELETE FROM recording WHERE id = ?", arguments: [id])
    if let workout { try removeEmptyParents(db, workout: workout) }
  }

  // MARK: - Reading

  /// What is under way, in the order in which it began.
  public func journalSets() throws -> [JournalSet] {
    try read { db in
      try Row.fetchAll(db, sql: "SELECT * FROM journalSet ORDER BY id").map { row in
        JournalSet(
          key: row["key"], kind: JournalSet.Kind(rawValue: row["kind"]) ?? .declared,
          identity: SetIdentity(
            sessionId: row["sessionId"], exerciseId: row["exerciseId"], setId: row["setId"]))
      }
    }
  }

  /// The messages of what is under way, in the order in which they came.
  public func journalEntries(ofSet key: String) throws -> [JournalEntry] {
    try read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT e.* FROM journalEntry e JOIN journalSet s ON s.id = e.journalSetId
          WHERE s.key = ? ORDER BY e.id
          """, arguments: [key]
      ).map { row in
        JournalEntry(
          setKey: key, part: row["part"], sessionId: row["sessionId"],
          exerciseId: row["exerciseId"],
          phase: (row["phase"] as String?).flatMap(WorkoutPhase.init(rawValue:)),
          controlUnixTime: row["date"], data: [UInt8](row["data"] as Data))
      }
    }
  }

  public func journalContexts() throws -> [JournalContext] {
    try read { db in
      try Row.fetchAll(db, sql: "SELECT session, state FROM journalContext ORDER BY session").map {
        JournalContext(session: $0["session"], state: $0["state"])
      }
    }
  }

  /// The recording that something of a stream has become, with its sets; nil where it is not
  /// settled.
  ///
  /// - Parameters:
  ///   - key: Its name in the stream.
  ///   - setId: Its set's id, under which another program may have saved it.
  public func settledRecording(
    ofStreamed key: String, setId: String?
  ) throws -> SettledRecording? {
    let id = try read { db -> Int64? in
      let known = try Int64.fetchOne(
        db, cached: "SELECT recordingId FROM journalSettled WHERE key = ?", arguments: [key])
      if let known { return known }
      guard let setId else { return nil }
      return try Int64.fetchOne(
        db, cached: "SELECT id FROM recording WHERE userId = ? AND key = ?",
        arguments: [HistoryMigrations.localUserId, setId])
    }
    guard let id else { return nil }
    var sets: [CountedSet] = []
    for bytes in try timelineBytes(ofRecording: id) {
      if let set = try TimelineDecoder().decode(bytes).set { sets.append(set) }
    }
    return SettledRecording(recording: try recording(id), sets: sets)
  }

  /// How hard the connection that commits waits for the disk: 2 is FULL (`PRAGMA synchronous`).
  public func synchronousLevel() throws -> Int {
    try HistoryError.translating(path: path) {
      try database.writeWithoutTransaction {
        try Int.fetchOne($0, sql: "PRAGMA synchronous") ?? -1
      }
    }
  }
}

/// A recording of the history with the sets that were counted in it.
public struct SettledRecording: Sendable {
  public var recording: Recording
  /// In order of time; times in seconds on the samples' clock.
  public var sets: [CountedSet]

  public init(recording: Recording, sets: [CountedSet]) {
    self.recording = recording
    self.sets = sets
  }
}
