import Foundation
import GRDB
import Motion
import TimelineFormat

/// The journal of a stream: messages as they were received, until what they belong to is finalized.
extension HistoryStore {
  /// Makes changes to the journal, in one transaction that survives the loss of power once the call
  /// returns. Sets that have finalized go to the history in the same transaction, or wait with their
  /// workout where one is under way.
  ///
  /// - Returns: The steps of workouts that could not be taken, and why.
  @discardableResult
  public func commit(_ batch: JournalBatch) throws -> [WorkoutStepFailure] {
    guard !batch.isEmpty else { return [] }
    return try write { db in
      let failures = try Self.performFromStream(db, batch.workoutSteps)
      for set in batch.renamedSets {
        try db.execute(
          cached: "UPDATE OR IGNORE journalSet SET key = ? WHERE key = ?",
          arguments: [set.new, set.old])
      }
      // What goes on may have more messages in this very batch: they come behind what is finalized.
      for finalized in batch.finalized where finalized.continuation != nil {
        try Self.finalize(db, finalized)
      }
      // What has ended needs neither a row nor messages.
      let ended = Set(batch.finalized.filter { $0.continuation == nil }.map(\.key))
      for set in batch.sets where !ended.contains(set.key) { try Self.save(db, set) }
      var rows: [String: Int64] = [:]
      for entry in batch.entries where !ended.contains(entry.setKey) {
        if rows[entry.setKey] == nil {
          rows[entry.setKey] = try Self.journalRow(db, entry.setKey)
        }
        if let row = rows[entry.setKey] { try Self.save(db, entry, row: row) }
      }
      for snapshot in batch.snapshots where !ended.contains(snapshot.set) {
        try Self.save(db, snapshot: snapshot.data, ofSet: snapshot.set)
      }
      for finalized in batch.finalized where finalized.continuation == nil {
        try Self.finalize(db, finalized)
      }
      for key in batch.discarded {
        try db.execute(cached: "DELETE FROM journalSet WHERE key = ?", arguments: [key])
      }
      for session in batch.endedSessions {
        try db.execute(
          cached: "DELETE FROM journalSet WHERE state = 1 AND session = ?", arguments: [session])
      }
      for session in batch.endedContexts {
        try db.execute(
          cached: "DELETE FROM journalContext WHERE session = ?", arguments: [session])
      }
      for context in batch.contexts {
        try db.execute(
          cached: """
            INSERT INTO journalContext (session, state) VALUES (?, ?)
            ON CONFLICT (session) DO UPDATE SET state = excluded.state
            """, arguments: [context.session, context.state])
      }
      if let written = batch.writtenEvents {
        try db.execute(
          cached: "DELETE FROM journalEvent WHERE number <= ?", arguments: [written])
      }
      for event in batch.events {
        try db.execute(
          cached: "INSERT INTO journalEvent (number, session, line) VALUES (?, ?, ?)",
          arguments: [event.number, event.session, event.line])
      }
      return failures
    }
  }

  private static func journalRow(_ db: Database, _ key: String) throws -> Int64? {
    try Int64.fetchOne(
      db.cachedStatement(sql: "SELECT id FROM journalSet WHERE key = ?"), arguments: [key])
  }

  private static func save(_ db: Database, _ set: JournalSet) throws {
    try db.execute(
      cached: """
        INSERT INTO journalSet (key, kind, sessionId, exerciseId, setId, state, joinsHistory,
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
        INSERT INTO journalEntry
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
        INSERT INTO journalSnapshot (journalSetId, entryId, data)
        SELECT journalSetId, max(id), ?2 FROM journalEntry
          WHERE journalSetId = (SELECT id FROM journalSet WHERE key = ?1) GROUP BY journalSetId
        ON CONFLICT (journalSetId) DO UPDATE SET entryId = excluded.entryId, data = excluded.data
        """, arguments: [key, Data(snapshot)])
  }

  private static func finalize(_ db: Database, _ finalized: JournalBatch.Finalized) throws {
    let known = try Int64.fetchOne(
      db.cachedStatement(sql: "SELECT recordingId FROM journalSettled WHERE key = ?"),
      arguments: [finalized.key])
    if let known { try rename(db, recording: known, to: finalized.recording.key) }
    let identity = finalized.recording.recording.identity
    var user = try owner(db, of: identity)
    var name: SetName?
    if let known, identity.setId != nil, identity.sessionId == nil,
      let row = try Row.fetchOne(
        db, cached: "SELECT userId, sessionKey FROM recording WHERE id = ?", arguments: [known])
    {
      // What comes late and names no session belongs to what it was finalized with.
      user = try row.value("userId")
      name = SetName(
        session: try row.value("sessionKey"), key: finalized.recording.key)
    }
    let saved = try save(db, finalized.recording, as: name, user: user)
    if let known, known != saved.id { try deleteRecording(db, known) }
    // A person may have deleted it: then there is none.
    if saved.id != 0 {
      try db.cachedStatement(
        sql: """
          INSERT INTO journalSettled (key, recordingId) VALUES (?, ?)
          ON CONFLICT (key) DO UPDATE SET recordingId = excluded.recordingId
          """
      ).execute(arguments: [finalized.key, saved.id])
    }
    switch finalized.continuation {
    case nil:
      try db.execute(cached: "DELETE FROM journalSet WHERE key = ?", arguments: [finalized.key])
    case let set?:
      try save(db, set)
      try db.execute(
        cached: """
          DELETE FROM journalSnapshot
          WHERE journalSetId = (SELECT id FROM journalSet WHERE key = ?)
          """, arguments: [finalized.key])
      guard set.joinsHistory else { return }
      try db.execute(
        cached: """
          DELETE FROM journalEntry
          WHERE journalSetId = (SELECT id FROM journalSet WHERE key = ?)
          """, arguments: [finalized.key])
    }
  }

  /// A recording without id is named by its samples: with a late chunk among them it has another
  /// name, and is still the same recording with the same corrections.
  private static func rename(_ db: Database, recording id: Int64, to key: String) throws {
    try db.cachedStatement(
      sql: """
        UPDATE recording SET key = ?1
        WHERE id = ?2 AND NOT EXISTS (SELECT 1 FROM recording other
          WHERE other.userId = recording.userId AND other.sessionKey = recording.sessionKey
            AND other.key = ?1)
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

  /// What is under way, in the order in which it began: all that is not
  /// ``JournalSet/State-swift.enum/cut``.
  public func journalSets() throws -> [JournalSet] {
    try read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT s.*, e.id AS lastEntryId, e.sessionId AS lastSessionId,
            e.exerciseId AS lastExerciseId, e.setSamples, e.setTime, e.setClock, e.setDate,
            EXISTS (SELECT 1 FROM journalSettled WHERE key = s.key) AS isSettled
          FROM journalSet s LEFT JOIN journalEntry e
            ON e.id = (SELECT max(id) FROM journalEntry WHERE journalSetId = s.id)
          WHERE s.state <> 1 ORDER BY s.id
          """
      ).map { try JournalSet(withProgress: $0) }
    }
  }

  /// What the end of an earlier input cut; nil where it did not, or the set has ended since.
  public func cutSet(_ key: String) throws -> JournalSet? {
    try read { db in
      try Row.fetchOne(
        db, cached: "SELECT * FROM journalSet WHERE key = ? AND state = 1", arguments: [key]
      ).map { try JournalSet($0) }
    }
  }

  /// Calls `body` with the messages of a set in the order in which they came. A few are in memory at a
  /// time, and no lock is held while `body` runs.
  ///
  /// - Throws: What `body` throws.
  public func forEachJournalEntry(
    ofSet key: String, _ body: (JournalEntry) throws -> Void
  ) throws {
    var last: Int64 = 0
    while true {
      let page = try read { db in
        try Row.fetchAll(
          db,
          cached: """
            SELECT * FROM journalEntry
            WHERE journalSetId = (SELECT id FROM journalSet WHERE key = ?) AND id > ?
            ORDER BY id LIMIT \(Self.journalPage)
            """, arguments: [key, last]
        ).map {
          try JournalEntry($0, setKey: key)
        }
      }
      for entry in page { try body(entry) }
      guard let end = page.last?.id, page.count == Self.journalPage else { return }
      last = end
    }
  }

  private static let journalPage = 64

  /// The last snapshot of a set; nil where there is none.
  public func journalSnapshot(ofSet key: String) throws -> JournalSnapshot? {
    try read { db in
      try Row.fetchOne(
        db,
        cached: """
          SELECT entryId, data FROM journalSnapshot
          WHERE journalSetId = (SELECT id FROM journalSet WHERE key = ?)
          """, arguments: [key]
      ).map { row in
        let data: Data = try row.decode(forColumn: "data")
        return JournalSnapshot(entry: try row.decode(forColumn: "entryId"), data: [UInt8](data))
      }
    }
  }

  /// The sets of the journal of which messages cannot be read back, and how many.
  func damagedJournal() throws -> [(key: String, messages: Int)] {
    let keys = try read { try String.fetchAll($0, sql: "SELECT key FROM journalSet ORDER BY id") }
    return try keys.compactMap { key in
      var damaged = 0
      try forEachJournalEntry(ofSet: key) { if $0.isDamaged { damaged += 1 } }
      return damaged == 0 ? nil : (key, damaged)
    }
  }

  /// Events that may not have been written, in order, and the number of the last event ever.
  public func journalEvents() throws -> (events: [JournalBatch.Event], last: Int64) {
    try read { db in
      let events = try Row.fetchAll(db, sql: "SELECT * FROM journalEvent ORDER BY number").map {
        JournalBatch.Event(
          number: try $0.decode(forColumn: "number"), session: try $0.decode(forColumn: "session"),
          line: try $0.decode(forColumn: "line"))
      }
      let last = try Int64.fetchOne(
        db, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'journalEvent'")
      return (events, last ?? 0)
    }
  }

  /// Lets go of what was cut longest ago: what still comes to it joins it as late chunks do.
  public func forgetCutSets(keeping count: Int) throws {
    try write { db in
      try db.execute(
        sql: """
          DELETE FROM journalSet WHERE state = 1 AND id <=
            (SELECT id FROM journalSet WHERE state = 1 ORDER BY id DESC LIMIT 1 OFFSET ?)
          """, arguments: [count])
    }
  }

  public func journalContexts() throws -> [JournalContext] {
    try read { db in
      try Row.fetchAll(db, sql: "SELECT session, state FROM journalContext ORDER BY session").map {
        JournalContext(session: try $0.value("session"), state: try $0.value("state"))
      }
    }
  }

  /// The recording that something of a stream has become, with its sets; nil where it is not
  /// finalized.
  ///
  /// - Parameters:
  ///   - key: Its name in the stream.
  ///   - identity: Its ids, under which another program may have saved it.
  public func finalizedRecording(
    ofStreamed key: String, identity: SetIdentity
  ) throws -> FinalizedRecording? {
    guard let id = try read({ try Self.recordingId($0, ofStreamed: key, identity: identity) })
    else { return nil }
    var sets: [CountedSet] = []
    for bytes in try timelineBytes(ofRecording: id) {
      if let set = try TimelineDecoder().countedSet(in: bytes) { sets.append(set) }
    }
    var finalized = FinalizedRecording(recording: try recording(id), sets: sets)
    finalized.recording.identity.sessionId =
      finalized.recording.identity.sessionId ?? identity.sessionId
    if let session = identity.sessionId {
      finalized.hasDeclaredNeighbors = try read { try Self.hasDeclaredSets($0, session: session) }
    }
    return finalized
  }

  private static func recordingId(
    _ db: Database, ofStreamed key: String, identity: SetIdentity
  ) throws -> Int64? {
    let known = try Int64.fetchOne(
      db, cached: "SELECT recordingId FROM journalSettled WHERE key = ?", arguments: [key])
    if let known { return known }
    guard let setId = identity.setId else { return nil }
    // Of another program, or of an older one, whose names did not have the session.
    return try Int64.fetchOne(
      db,
      cached: """
        SELECT r.id FROM recording r
          LEFT JOIN workoutHistory w ON w.id = r.workoutId
          LEFT JOIN currentSession c ON c.id = r.currentSessionId
        WHERE r.userId = ?1 AND r.key = ?2
          AND (?3 IS NULL OR coalesce(w.sessionId, c.key) IS NULL
            OR upper(coalesce(w.sessionId, c.key)) = upper(?3))
        """,
      arguments: [try owner(db, of: identity), setId, identity.sessionId])
  }

  private static func hasDeclaredSets(_ db: Database, session: String) throws -> Bool {
    try Bool.fetchOne(
      db,
      cached: """
        SELECT EXISTS (SELECT 1 FROM workoutHistory w JOIN historyExercise e ON e.workoutId = w.id
            JOIN historySet s ON s.exerciseId = e.id
            WHERE w.userId = ?1 AND w.key = ?2 AND s.cause = 'declared')
          OR EXISTS (SELECT 1 FROM currentSession c JOIN currentExercise e ON e.sessionId = c.id
            JOIN currentSet s ON s.exerciseId = e.id
            WHERE c.userId = ?1 AND c.key = ?2 AND s.cause = 'declared')
        """,
      arguments: [try owner(db, of: SetIdentity(sessionId: session)), session]) ?? false
  }

  /// Gives some of the pages that a journal has left free back to the system, where they are more than
  /// a quarter of the file.
  ///
  /// - Parameter limit: Pages at most. Each may cost a look at all that are free.
  public func reclaimJournalPages(limit: Int) throws {
    try HistoryError.translating(path: path) {
      try database.writeWithoutTransaction { db in
        let free = try Self.freePages(db)
        let all = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
        guard free > Self.freePagesKept, 4 * free > all else { return }
        _ = try Row.fetchAll(db, sql: "PRAGMA incremental_vacuum(\(min(limit, free)))")
      }
    }
  }

  /// Gives all pages that a journal has left free back to the system. O(pages of the file).
  public func reclaimJournalPages() throws {
    try HistoryError.translating(path: path) {
      try database.writeWithoutTransaction { db in
        guard try Self.freePages(db) > Self.freePagesKept else { return }
        // `incremental_vacuum` looks each page up in the list of those that are free: quadratic. The
        // commit that turns to the full kind drops the list as a whole.
        try db.execute(sql: "PRAGMA auto_vacuum = FULL")
        try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
      }
    }
  }

  private static func freePages(_ db: Database) throws -> Int {
    try Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0
  }

  private static let freePagesKept = 32

  /// The messages in the journal, and their bytes. O(messages).
  public func journalSize() throws -> (entries: Int, bytes: Int) {
    try read { db in
      let row = try Row.fetchOne(
        db, sql: "SELECT count(*) AS entries, total(length(data)) AS bytes FROM journalEntry")
      guard let row else { return (0, 0) }
      let bytes: Double = try row.decode(forColumn: "bytes")
      return (try row.decode(forColumn: "entries"), Int(bytes))
    }
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
public struct FinalizedRecording: Sendable {
  public var recording: Recording
  /// In order of time; times in seconds on the samples' clock.
  public var sets: [CountedSet]
  /// Whether its session has declared sets.
  public var hasDeclaredNeighbors = false

  public init(recording: Recording, sets: [CountedSet]) {
    self.recording = recording
    self.sets = sets
  }
}

extension JournalSet {
  fileprivate init(_ row: Row) throws {
    self.init(
      key: try row.decode(forColumn: "key"),
      kind: Kind(rawValue: try row.decode(forColumn: "kind")) ?? .declared,
      identity: SetIdentity(
        sessionId: try row.decode(forColumn: "sessionId"),
        exerciseId: try row.decode(forColumn: "exerciseId"),
        setId: try row.decode(forColumn: "setId")))
    state = State(rawValue: try row.decode(forColumn: "state")) ?? .open
    joinsHistory = try row.decode(forColumn: "joinsHistory")
    isDatedBySending = try row.decode(forColumn: "isDatedBySending")
  }

  /// With how far it was with its last message. Where the history should have what went before and has
  /// not, that is not known.
  fileprivate init(withProgress row: Row) throws {
    try self.init(row)
    let isSettled: Bool = try row.decode(forColumn: "isSettled")
    let entry: Int64? = try row.decode(forColumn: "lastEntryId")
    guard entry != nil else {
      if !isSettled, !joinsHistory { progress = JournalProgress(identity: identity) }
      return
    }
    guard isSettled || !joinsHistory, let samples: Int = try row.decode(forColumn: "setSamples")
    else { return }
    var progress = JournalProgress(
      identity: SetIdentity(
        sessionId: try row.decode(forColumn: "lastSessionId"),
        exerciseId: try row.decode(forColumn: "lastExerciseId"), setId: identity.setId))
    progress.samples = samples
    progress.time = try row.decode(forColumn: "setTime")
    let clock: UInt8? = try row.decode(forColumn: "setClock")
    progress.clock = clock.flatMap(MotionClock.init(rawValue:)) ?? .device
    progress.unixTime = try row.decode(forColumn: "setDate")
    self.progress = progress
  }
}

extension JournalEntry {
  fileprivate init(_ row: Row, setKey: String) throws {
    let phase: String? = try row.decode(forColumn: "phase")
    let data: Data = try row.decode(forColumn: "data")
    self.init(
      setKey: setKey, part: try row.decode(forColumn: "part"),
      sessionId: try row.decode(forColumn: "sessionId"),
      exerciseId: try row.decode(forColumn: "exerciseId"),
      phase: phase.flatMap(WorkoutPhase.init(rawValue:)),
      controlUnixTime: try row.decode(forColumn: "date"), data: [UInt8](data))
    id = try row.decode(forColumn: "id")
    let stored: Int64? = try row.decode(forColumn: "checksum")
    isDamaged = stored.map { $0 != Int64(checksum) || phase != self.phase?.rawValue } ?? false
  }

  /// CRC-32C of all that it says.
  fileprivate var checksum: UInt32 {
    var crc = CRC32C()
    data.withUnsafeBytes { crc.add($0) }
    for text in [setKey, sessionId, exerciseId, phase?.rawValue] {
      crc.add(UInt8(text == nil ? 0 : 1))
      if var text { text.withUTF8 { crc.add(UnsafeRawBufferPointer($0)) } }
      crc.add(UInt8(0))
    }
    crc.add(UInt64(bitPattern: Int64(part)))
    crc.add(controlUnixTime?.bitPattern ?? .max)
    return crc.value
  }
}
