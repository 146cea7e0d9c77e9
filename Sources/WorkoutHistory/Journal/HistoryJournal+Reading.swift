import Foundation
import GRDB
import Motion
import TimelineFormat

extension HistoryJournal {
  /// Returns the sets in progress that are not cut, in order of their start.
  package func sets() throws -> [JournalSet] {
    try store.read { db in
      try db.rows(
        """
        SELECT s.id, s.key, s.kind, s.sessionId, s.exerciseId, s.setId, s.state, s.joinsHistory,
          s.isDatedBySending, e.id AS lastEntryId, e.sessionId AS lastSessionId,
          e.exerciseId AS lastExerciseId, e.setSamples, e.setTime, e.setClock, e.setDate,
          EXISTS (SELECT 1 FROM recording WHERE streamKey = s.key) AS isSettled
        FROM journal_set s LEFT JOIN journal_entry e
          ON e.id = (SELECT max(id) FROM journal_entry WHERE journalSetId = s.id)
        WHERE s.state <> 1 ORDER BY s.id
        """
      ).map { try JournalSet(withProgress: $0) }
    }
  }

  package func cutSet(_ key: String) throws -> JournalSet? {
    try store.read { db in
      try db.row("SELECT * FROM journal_set WHERE key = ? AND state = 1", key).map {
        try JournalSet($0)
      }
    }
  }

  /// Calls `body` with the messages of a set in order of arrival, without holding a lock.
  package func forEachEntry(ofSet key: String, _ body: (JournalEntry) throws -> Void) throws {
    var last: Int64 = 0
    while true {
      let page = try store.read { db in
        try db.rows(
          """
          SELECT * FROM journal_entry
          WHERE journalSetId = (SELECT id FROM journal_set WHERE key = ?) AND id > ?
          ORDER BY id LIMIT \(Self.entriesAtOnce)
          """, key, last
        ).map {
          try JournalEntry($0, setKey: key)
        }
      }
      for entry in page { try body(entry) }
      guard let end = page.last?.id, page.count == Self.entriesAtOnce else { return }
      last = end
    }
  }

  private static let entriesAtOnce = 64

  package func snapshot(ofSet key: String) throws -> JournalSnapshot? {
    try store.read { db in
      try db.row(
        """
        SELECT snapshotEntry, snapshot FROM journal_set WHERE key = ? AND snapshot IS NOT NULL
        """, key
      ).map { row in
        let data: Data = try row.value("snapshot")
        return JournalSnapshot(entry: try row.value("snapshotEntry"), data: [UInt8](data))
      }
    }
  }

  func damagedSets() throws -> [(key: String, messages: Int)] {
    let keys = try store.read {
      try $0.values("SELECT key FROM journal_set ORDER BY id", as: String.self)
    }
    return try keys.compactMap { key in
      var damaged = 0
      try forEachEntry(ofSet: key) { if $0.isDamaged { damaged += 1 } }
      return damaged == 0 ? nil : (key, damaged)
    }
  }

  /// Returns the kept events in order, and the number of the last event of all time.
  package func events(
    after number: Int64 = 0, limit: Int = .max
  ) throws -> (events: [JournalBatch.Event], last: Int64) {
    try store.read { db in
      (
        try db.records(
          "SELECT * FROM journal_event WHERE number > ? ORDER BY number LIMIT ?", number, limit),
        try db.value("SELECT seq FROM sqlite_sequence WHERE name = 'journal_event'") ?? 0
      )
    }
  }

  package func contexts() throws -> [JournalContext] {
    try store.read { db in
      try db.records(
        """
        SELECT session, state FROM journal_context
        WHERE json_extract(state, '$.life') IS NULL OR json_extract(state, '$.isLast')
        ORDER BY session
        """)
    }
  }

  package func context(_ session: String) throws -> JournalContext? {
    try store.read { db in
      let contexts: [JournalContext] = try db.records(
        "SELECT * FROM journal_context WHERE session = ?", session)
      return contexts.first
    }
  }

  /// Returns a value that changes with every deletion and undone deletion.
  package func deletionMark() throws -> String {
    try store.read { db in
      try db.value("SELECT count(*) || ' ' || coalesce(max(id), 0) FROM deleted_samples") ?? ""
    }
  }

  /// Returns the deletions within sessions: the session, and the id of a set, the stream's name of another
  /// object, or an empty name for the whole session.
  package func deletions() throws -> [(session: String, name: String)] {
    try store.read { db in
      try db.rows(
        """
        SELECT sessionKey, recordingKey FROM deleted_samples
        WHERE firstSample = 0 AND endSample IS NULL AND sessionKey <> ''
        """
      ).map { (session: try $0.value("sessionKey"), name: try $0.value("recordingKey")) }
    }
  }

  /// Returns the recording and sets that a stream's object was finalized as; nil if it is not finalized.
  package func finalizedRecording(
    ofStreamed key: String, identity: SetIdentity
  ) throws -> FinalizedRecording? {
    guard let id = try store.read({ try Self.recordingId($0, ofStreamed: key, identity: identity) })
    else { return nil }
    var sets: [CountedSet] = []
    for bytes in try store.timelineBytes(ofRecording: id) {
      if let set = try TimelineDecoder().countedSet(in: bytes) { sets.append(set) }
    }
    var finalized = FinalizedRecording(recording: try store.recording(id), sets: sets)
    finalized.recording.identity.sessionId =
      finalized.recording.identity.sessionId ?? identity.sessionId
    if let session = identity.sessionId {
      finalized.hasDeclaredNeighbors = try store.read { db in
        try db.exists(
          """
          SELECT 1 FROM workout w JOIN workout_exercise e ON e.workoutId = w.id
            JOIN workout_set s ON s.exerciseId = e.id
            WHERE w.userId = ?1 AND w.key = ?2 AND s.cause = 'declared'
          """, try HistoryWorkouts.owner(db, of: SetIdentity(sessionId: session)), session)
      }
    }
    return finalized
  }

  private static func recordingId(
    _ db: Database, ofStreamed key: String, identity: SetIdentity
  ) throws -> HistoryRecordingRow.ID? {
    let known = try db.value(
      "SELECT id FROM recording WHERE streamKey = ?", key, as: HistoryRecordingRow.ID.self)
    if let known { return known }
    guard let setId = identity.setId else { return nil }
    return try db.value(
      """
      SELECT r.id FROM recording r JOIN workout w ON w.id = r.workoutId
      WHERE r.userId = ?1 AND r.key = ?2
        AND (?3 IS NULL OR w.sessionId IS NULL OR upper(w.sessionId) = upper(?3))
      """, try HistoryWorkouts.owner(db, of: identity), setId, identity.sessionId,
      as: HistoryRecordingRow.ID.self)
  }

  /// Returns true if the session belongs to a named person other than this one.
  package func isOfAnother(session: String, than person: String) throws -> Bool {
    try store.read { db in
      try db.exists(
        """
        SELECT 1 FROM (\(HistoryWorkouts.sessionRows))
          WHERE userId <> ?2 AND userId IS NOT ?3
        """, session, HistoryUser.ID.local, try HistoryUsers.id(db, HistoryUser.Key(person)))
    }
  }

  package func isOnePerson(_ name: HistoryUser.Key, _ other: HistoryUser.Key) throws -> Bool {
    try store.read { db in
      guard let id = try HistoryUsers.id(db, name) else { return false }
      return try HistoryUsers.id(db, other) == id
    }
  }

  /// Returns a session's id as first spelled, and its person, which is nil for the local user.
  package func session(_ id: String) throws -> (
    key: HistoryWorkoutRow.Key, person: HistoryUser.Key?
  )? {
    try store.read { db in
      try db.row(
        """
        SELECT s.key, CASE WHEN u.id <> ?2 THEN u.uuid END AS person
        FROM (\(HistoryWorkouts.sessionRows)) s JOIN user u ON u.id = s.userId
        ORDER BY u.id = ?2, s.key <> ?1 LIMIT 1
        """, id, HistoryUser.ID.local
      ).map { (key: try $0.value("key"), person: try $0.value("person")) }
    }
  }

  package func spelling(
    ofSet id: HistorySetRow.Key, session: HistoryWorkoutRow.Key
  ) throws -> HistorySetRow.Key? {
    try store.read { db in
      try db.value(
        """
        SELECT s.key FROM workout w JOIN workout_exercise e ON e.workoutId = w.id
          JOIN workout_set s ON s.exerciseId = e.id
        WHERE w.userId = ?3 AND w.key = ?2 AND s.sessionKey = ?2 AND s.key = ?1 COLLATE NOCASE
        ORDER BY s.key <> ?1 LIMIT 1
        """, id, session,
        try HistoryWorkouts.owner(db, of: SetIdentity(sessionId: session.rawValue)),
        as: HistorySetRow.Key.self)
    }
  }

  package func hasSet(
    _ reference: HistorySetRow.Key, session: HistoryWorkoutRow.Key
  ) throws -> Bool {
    try store.read { db in
      let user = try HistoryWorkouts.owner(db, of: SetIdentity(sessionId: session.rawValue))
      return try HistoryStore.setId(db, named: reference, session: session, user: user) != nil
    }
  }

  package func spelling(
    ofExercise id: HistoryExerciseRow.Key, session: HistoryWorkoutRow.Key
  ) throws -> HistoryExerciseRow.Key? {
    try store.read { db in
      try db.value(
        """
        SELECT e.key FROM workout w JOIN workout_exercise e ON e.workoutId = w.id
        WHERE w.key = ?2 AND e.key = ?1 COLLATE NOCASE
        ORDER BY e.key <> ?1 LIMIT 1
        """, id, session, as: HistoryExerciseRow.Key.self)
    }
  }

  package func size() throws -> (entries: Int, bytes: Int) {
    try store.read { db in
      (
        try db.value("SELECT count(*) FROM journal_entry") ?? 0,
        try db.value("SELECT CAST(total(length(data)) AS INTEGER) FROM journal_entry") ?? 0
      )
    }
  }
}

extension JournalContext: FetchableRecord {}
extension JournalBatch.Event: FetchableRecord {}

extension JournalSet {
  fileprivate init(_ row: Row) throws {
    try self.init(
      key: row.value("key"), kind: Kind(rawValue: row.value("kind")) ?? .declared,
      identity: SetIdentity(
        sessionId: row.value("sessionId"), exerciseId: row.value("exerciseId"),
        setId: row.value("setId")))
    state = State(rawValue: try row.value("state")) ?? .open
    joinsHistory = try row.value("joinsHistory")
    isDatedBySending = try row.value("isDatedBySending")
  }

  /// The progress is nil if it depends on a recording that is missing from the history.
  fileprivate init(withProgress row: Row) throws {
    try self.init(row)
    let isSettled: Bool = try row.value("isSettled")
    let entry: Int64? = try row.value("lastEntryId")
    guard entry != nil else {
      if !isSettled, !joinsHistory { progress = JournalProgress(identity: identity) }
      return
    }
    guard isSettled || !joinsHistory, let samples: Int = try row.value("setSamples")
    else { return }
    var progress = JournalProgress(
      identity: SetIdentity(
        sessionId: try row.value("lastSessionId"),
        exerciseId: try row.value("lastExerciseId"), setId: identity.setId))
    progress.samples = samples
    progress.time = try row.value("setTime")
    let clock: UInt8? = try row.value("setClock")
    progress.clock = clock.flatMap(MotionClock.init(rawValue:)) ?? .device
    progress.unixTime = try row.value("setDate")
    self.progress = progress
  }
}

extension JournalEntry {
  fileprivate init(_ row: Row, setKey: String) throws {
    let phase: String? = try row.value("phase")
    let data: Data = try row.value("data")
    try self.init(
      setKey: setKey, part: row.value("part"), sessionId: row.value("sessionId"),
      exerciseId: row.value("exerciseId"), phase: phase.flatMap(WorkoutPhase.init(rawValue:)),
      controlUnixTime: row.value("date"), data: [UInt8](data))
    id = try row.value("id")
    isDamaged = try row.value("checksum") != Int64(checksum) || phase != self.phase?.rawValue
  }

  var checksum: UInt32 {
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
