import Foundation
import GRDB
import Motion
import Synchronization
import TestSupport
import Testing

@testable import HistoryStorage
@testable import HistorySync
@testable import TimelineFormat
@testable import WorkoutHistory

/// Damaged rows, and hostile files.
struct HistoryIntegrityTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("history.sqlite")
    let store = try HistoryStore(path: path, mode: .create)
    try store.save(
      Recording(
        name: "a",
        identity: SetIdentity(sessionId: "S", exerciseId: "curl", setId: "X"),
        samples: Example.samples(), unixTimeOfFirstSample: 1_700_000_000),
      sets: [Example.set(.declared, 101, 120, reps: 3)])
    try store.save(Recording(name: "b", samples: Example.samples(seed: 3)), sets: Example.twoSets)
    try store.correct(set: 1, reps: 4, at: 1_700_000_100)
    try store.close()
  }

  /// Changes the file, like a broken disk or another program.
  private func tamper(_ sql: String) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA writable_schema = ON")
      try db.execute(sql: sql)
    }
    try queue.close()
  }

  private func tamperRow(_ table: String, _ change: String) throws {
    try tamper("UPDATE \(table) SET \(change)")
  }

  @Test(arguments: [
    ("workout_set", "confidence = 0.98 WHERE id = 1"),
    ("workout_set", "detectedReps = 7 WHERE id = 2"),
    ("workout_set", "key = 'Y' WHERE id = 1"), ("workout_set", "clockStart = clockStart + 1e-9"),
    ("recording", "name = 'c' WHERE id = 2"), ("recording", "startTime = NULL"),
    ("segment", "sampleCount = sampleCount + 1"), ("stamp", "changedAt = changedAt + 1"),
    ("workout", "date = date + 1"), ("workout_exercise", "exerciseId = 'press'"),
    ("user", "name = 'someone'"),
  ])
  func changedRowIsDetected(table: String, change: String) throws {
    try tamperRow(table, change)
    #expect(throws: HistoryError.self) { try HistoryStore(path: path, mode: .readOnly) }
    #expect(throws: HistoryError.self) { try HistoryStore(path: path, mode: .readWrite) }
    let store = try HistoryStore(path: path, mode: .readOnly, checksRows: false)
    let report = try store.verify()
    #expect(report.problems.contains { $0.description.contains(table) }, "\(report.problems)")
  }

  /// In a history too large for a full check at opening, rows are checked when they are read.
  @Test func damagedRowIsNotListed() throws {
    try tamperRow("workout_set", "detectedReps = 7 WHERE id = 2")
    try tamperRow("recording", "name = 'c' WHERE id = 1")
    let store = try HistoryStore(path: path, mode: .readOnly, checksRows: false)
    let workout = try #require(
      try store.workouts.page().first { try store.workouts.workout($0.key)?.sessionId == nil })
    for read in [
      { _ = try store.sets() }, { _ = try store.set("2") }, { _ = try store.sets(ofRecording: 2) },
      { _ = try store.workouts.exercises(ofWorkout: workout.id) },
      { _ = try store.recordings() }, { _ = try store.recording(1) },
    ] as [() throws -> Void] {
      #expect {
        try read()
      } throws: { error in
        if case HistoryError.damaged(path, _) = error { true } else { false }
      }
    }
    #expect(try store.sets(limit: 1).map(\.reps) == [4])
    #expect(try store.recording(2).samples.count == Example.samples(seed: 3).count)
  }

  /// A damaged row is reported once, and does not hide later rows.
  @Test(arguments: [1, 2, 1000]) func damagedRowIsSkipped(limit: Int) throws {
    try tamperRow("workout_set", "confidence = 0.5 WHERE id IN (1, 3)")
    try tamperRow("recording", "name = 'c' WHERE id = 1")
    let store = try HistoryStore(path: path, mode: .readWrite, checksRows: false)
    var found: [HistorySetRow] = []
    var damage: [String] = []
    while case let page = try store.sets(
      after: found.last, limit: limit, damaged: { damage.append("\($0)") }), !page.isEmpty
    {
      found += page
    }
    #expect(found.map(\.number) == [2] && found.map(\.id) == [2])
    #expect(damage.count == 2 && damage.allSatisfy { $0.contains(path) })
    #expect(zip(damage, [1, 3]).allSatisfy { $0.contains("workout_set \($1):") }, "\(damage)")
    damage = []
    let recordings = try store.recordings { damage.append("\($0)") }
    #expect(recordings.map(\.id) == [2] && damage.count == 1)
    // Deleting a damaged row needs only its number.
    let damaged = try #require(try store.set("3", checksRow: false))
    try store.delete(set: damaged.id)
    #expect(try store.set("3", checksRow: false) == nil)
  }

  /// Statistics find rows by indexes, which have no checksums.
  @Test(arguments: [
    ("workout_set", "correctedReps = 999 WHERE id = 1"),
    ("workout_exercise", "exerciseId = 'press' WHERE id = 1"),
  ])
  func damagedRowIsExcludedFromStatistics(table: String, change: String) throws {
    let intact = try HistoryStore(path: path, mode: .readWrite)
    try intact.label(sets: [1], exercise: "Curl")
    #expect(try intact.statistics(of: .named("Curl")).reps == 4)
    try intact.close()
    try tamperRow(table, change)
    let store = try HistoryStore(path: path, mode: .readOnly, checksRows: false)
    #expect {
      try store.statistics(of: .named("Curl"))
    } throws: { error in
      "\(error)".contains("\(table) 1: the row is not what was written")
    }
  }

  /// Rows are counted: a single high row number does not disable the check of all rows.
  @Test func highRowNumberDoesNotHideDamage() throws {
    try tamper("PRAGMA foreign_keys = OFF; UPDATE segment SET id = 900000 WHERE id = 1")
    try tamperRow("workout_set", "detectedReps = 7 WHERE id = 2")
    #expect(throws: HistoryError.self) { try HistoryStore(path: path, mode: .readOnly) }
  }

  /// SQLite ignores column conditions on read-only connections. Impossible numbers must not crash them.
  @Test func impossibleNumberIsDetected() throws {
    try tamper(
      """
      PRAGMA ignore_check_constraints = ON;
      INSERT INTO deleted_samples (userId, recordingKey, sessionKey, setKey, firstSample, endSample)
      VALUES (1, 'X', 'S', 'X', -9223372036854775807 - 1, 9223372036854775807)
      """)
    #expect(throws: HistoryError.self) { try HistoryStore(path: path, mode: .readWrite) }
    let store = try HistoryStore(path: path, mode: .readWrite, checksRows: false)
    let problems = try store.verify().problems.map(\.description)
    #expect(problems.contains { $0.contains("CHECK constraint failed") }, "\(problems)")
    try store.save(
      Recording(
        name: "a", identity: SetIdentity(sessionId: "S", exerciseId: "curl", setId: "X"),
        samples: Example.samples()),
      sets: [Example.set(.declared, 101, 120, reps: 3)])
    let whole = DeletedSamples(setKey: nil, firstSample: .min, endSample: .max)
    #expect(whole.rows(of: 5) == 0..<5)
    #expect(DeletedSamples(setKey: nil, firstSample: .min, endSample: .min).rows(of: 5).isEmpty)
  }

  /// A full check continues after any damage.
  @Test func absurdCountIsReported() throws {
    try tamper(
      """
      PRAGMA ignore_check_constraints = ON;
      UPDATE segment SET sampleCount = -9223372036854775807 - 1 WHERE id = 1
      """)
    let store = try HistoryStore(path: path, mode: .readOnly, checksRows: false)
    let problems = try store.verify().problems
    #expect(
      problems.contains {
        $0.description.contains("samples instead of \(Int.min)") && $0.lostSamples == 0
      }, "\(problems)")
  }

  /// A timeline with another number of samples than its row is rejected.
  @Test func timelineOfAnotherLengthIsDetected() throws {
    try tamperRow("segment", "sampleCount = sampleCount + 1, checksum = NULL")
    let store = try HistoryStore(path: path, mode: .readOnly)
    #expect(throws: HistoryError.self) { try store.timeline(ofSet: 1) }
    #expect(throws: HistoryError.self) { try store.recording(1) }
  }

  /// Names of megabytes would fill the memory of a program that draws them. They are rejected even without a
  /// checksum, since another program may have written them.
  @Test(arguments: [
    ("workout_exercise", "name"), ("workout_set", "detector"), ("recording", "name"),
    ("user", "name"),
  ])
  func overlongTextIsRejected(table: String, column: String) throws {
    let long = "replace(hex(zeroblob(600000)), '0', 'x')"
    try tamperRow(table, "\(column) = \(long), checksum = NULL WHERE id = 1")
    for mode in [HistoryStore.Mode.readOnly, .readWrite] {
      #expect(throws: HistoryError.self) { try HistoryStore(path: path, mode: mode) }
    }
  }

  /// Such texts are not written either: the history could no longer be opened.
  @Test func overlongTextIsNotWritten() throws {
    let store = try HistoryStore(path: path, mode: .readWrite)
    let long = String(repeating: "x", count: 1_200_000)
    #expect(throws: (any Error).self) {
      try store.save(Recording(name: long, samples: Example.samples(seed: 9)), sets: [])
    }
    try store.close()
    #expect(try HistoryStore(path: path, mode: .readOnly).setCount() == 3)
  }

  /// A row changed by another program is reported with the statement that accepts it. The next writing
  /// program then seals it and records its change.
  @Test func changesByOtherProgramsCanBeAccepted() throws {
    let known = try HistoryStore(path: path, mode: .readOnly).sync.lastChangeNumber()
    try tamper(
      """
      UPDATE workout_set SET weight = 20.5 WHERE id = 1;
      INSERT INTO user (uuid, name) VALUES ('U', 'by hand')
      """)
    let error = try #require(
      #expect(throws: HistoryError.self) { try HistoryStore(path: path, mode: .readWrite) })
    let statement = "UPDATE workout_set SET checksum = NULL WHERE id = 1"
    #expect("\(error)".contains("workout_set 1: the row is not what was written"))
    #expect("\(error)".contains(statement))
    try tamper(statement)
    #expect(try HistoryStore(path: path, mode: .readOnly).sets()[0].weight == 20.5)
    let store = try HistoryStore(path: path, mode: .readWrite)
    let unsealed = try store.read { db in
      try ["workout_set", "user"].map {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM \($0) WHERE checksum IS NULL")
      }
    }
    #expect(unsealed == [0, 0])
    #expect(Set(try store.sync.changes(since: known).map(\.key)) == ["S/X", "U"])
    #expect(try store.verify().isIntact)
  }

  /// Rep rows duplicate the reps of the timeline.
  @Test func repThatDiffersFromItsTimelineIsDetected() throws {
    try tamper("UPDATE segment_rep SET confidence = 0.5 WHERE number = 1")
    let store = try HistoryStore(path: path, mode: .readOnly)
    let problems = try store.verify().problems
    #expect(problems.contains { $0.description.contains("reps") }, "\(problems)")
  }

  @Test func checksumsFollowEveryChange() throws {
    let store = try HistoryStore(path: path, mode: .readWrite)
    try store.catalog.save(CatalogExercise(uuid: "E", name: "Curl", muscleGroup: .biceps))
    try store.write { db in
      try db.execute(sql: "UPDATE workout_set SET weight = 20.5")
      try db.execute(sql: "UPDATE recording SET name = 'Ü'")
      try db.execute(sql: "DELETE FROM exercise")
    }
    try store.delete(set: 2)
    #expect(try store.verify().isIntact)
  }

  @Test(arguments: [
    "ALTER TABLE workout_set RENAME TO kept; CREATE VIEW workout_set AS SELECT * FROM kept",
    "DROP TABLE segment_rep",
    "CREATE TRIGGER surprise AFTER UPDATE ON workout_set BEGIN DELETE FROM recording; END",
    "CREATE VIEW surprise AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT * FROM n",
    "CREATE TRIGGER surprise AFTER INSERT ON grdb_migrations BEGIN DELETE FROM workout_set; END",
    """
    INSERT INTO sqlite_schema VALUES ('trigger', 'sqlite_surprise', 'workout_set', 0,
      'CREATE TRIGGER sqlite_surprise AFTER UPDATE ON workout_set BEGIN DELETE FROM recording; END')
    """,
    "DROP TRIGGER workout_dated",
    "CREATE UNIQUE INDEX surprise ON workout_set (key)",
    """
    CREATE TEMP TABLE notes AS SELECT identifier FROM grdb_migrations;
    DROP TABLE grdb_migrations;
    CREATE VIRTUAL TABLE grdb_migrations USING fts5(identifier);
    INSERT INTO grdb_migrations SELECT identifier FROM notes
    """,
    "UPDATE sqlite_schema SET sql = replace(sql, 'detectedReps >= 0', 'detectedReps >= 9') WHERE name = 'workout_set'",
  ])
  func changedSchemaIsRejected(change: String) throws {
    try tamper(change)
    for mode in [HistoryStore.Mode.readOnly, .readWrite, .create] {
      #expect(throws: HistoryError.self) { try HistoryStore(path: path, mode: mode) }
    }
  }

  @Test func tablesOfOtherProgramsAreAllowed() throws {
    try tamper("CREATE TABLE mine (x); CREATE INDEX mineByX ON mine (x)")
    #expect(try HistoryStore(path: path, mode: .readWrite).setCount() == 3)
  }

  /// An endless read is interrupted.
  @Test func endlessReadIsInterrupted() throws {
    let deadline = ReadDeadline()
    var configuration = HistoryConnection.configuration(deadline: deadline)
    configuration.readonly = true
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    // Other reads do not extend it.
    let other = try DatabaseQueue(path: path, configuration: configuration)
    let isDone = Mutex(false)
    let reader = Thread {
      while !isDone.withLock({ $0 }) { try? other.read { deadline.start($0, seconds: 60) } }
    }
    reader.start()
    defer { isDone.withLock { $0 = true } }
    #expect(throws: HistoryError.self) {
      try HistoryError.translating(path: path) {
        try queue.read { db in
          deadline.start(db, seconds: 0.2)
          return try Int.fetchOne(
            db,
            sql:
              "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
          )
        }
      }
    }
  }

  /// A short blob that claims many samples is rejected before memory is allocated.
  @Test func blobWithExcessiveSizeIsRejected() throws {
    let row = Timeline(
      samples: MotionBatch([
        .time: (0..<4_096).map(Double.init), .rotationRateX: [Double](repeating: 0, count: 4_096),
      ]))
    let bytes = try TimelineEncoder().encode(row)
    #expect(
      TimelineLimits.reading(bytes.count).decodedBytes == TimelineLimits.standard.decodedBytes)
    #expect(throws: TimelineError.self) {
      try TimelineDecoder(limits: TimelineLimits(decodedBytes: 4_096 * 16 - 1)).decode(bytes)
    }
    #expect(TimelineLimits.standard.decodedBytes <= 1 << 29)
  }

  @Test func connectionIsProtected() throws {
    let store = try HistoryStore(path: path, mode: .readWrite)
    try store.database.writeWithoutTransaction { (db: Database) throws in
      #expect(try Int.fetchOne(db, sql: "PRAGMA trusted_schema") == 0)
      #expect(try Int.fetchOne(db, sql: "PRAGMA cell_size_check") == 1)
      // In memory: sorted data must not reach the folder of temporary files.
      #expect(try Int.fetchOne(db, sql: "PRAGMA temp_store") == 2)
      // Defensive mode: the schema cannot be modified directly.
      try db.execute(sql: "PRAGMA writable_schema = ON")
      #expect(throws: DatabaseError.self) {
        try db.execute(sql: "DELETE FROM sqlite_schema")
      }
      #expect(throws: DatabaseError.self) {
        try Int.fetchOne(db, sql: "SELECT length(zeroblob(300000000))")
      }
    }
  }

  /// The size limits of the schema: 24 tables, 20 triggers.
  @Test func schemaIsSmall() throws {
    let store = try HistoryStore(path: path, mode: .readOnly)
    let counts = try store.read { db in
      try ["table", "trigger"].map {
        try Int.fetchOne(
          db,
          sql: """
            SELECT count(*) FROM sqlite_schema WHERE type = ? AND name NOT LIKE 'sqlite_%'
              AND name <> 'grdb_migrations'
            """, arguments: [$0]) ?? 0
      }
    }
    #expect(counts[0] <= 24 && counts[1] <= 20, "\(counts)")
    #expect(
      try store.read { try HistorySchema.latest.get().difference(to: HistorySchema($0)) } == nil)
  }

  /// Checks that a log with damaged or truncated commits after a crash is an error, instead of silently
  /// restoring an earlier state.
  @Test(arguments: [0, 40, 4_000, 20_000, -1])
  func damagedLogIsDetected(place: Int) throws {
    let copy = folder.path("copy.sqlite")
    let store = try HistoryStore(path: path, mode: .readWrite)
    for reps in 5..<12 { try store.correct(set: 1, reps: reps) }
    for suffix in ["", "-wal", "-shm"] {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
    }
    try store.close()
    var log = try Data(contentsOf: URL(fileURLWithPath: copy + "-wal"))
    #expect(log.count > 20_000)
    if place < 0 {
      log.removeLast(4_096)
    } else {
      log[place] ^= 0x10
    }
    try log.write(to: URL(fileURLWithPath: copy + "-wal"))
    #expect(throws: HistoryError.self) { try HistoryStore(path: copy, mode: .readOnly) }
    #expect(throws: HistoryError.self) { try HistoryStore(path: copy, mode: .readWrite) }
    // As the error says, the intact part is read without the shared file.
    try FileManager.default.removeItem(atPath: copy + "-shm")
    #expect(try HistoryStore(path: copy, mode: .readOnly).setCount() == 3)
  }

  /// After a crash without damage, everything is readable.
  @Test func intactLogIsRead() throws {
    let copy = folder.path("copy.sqlite")
    let store = try HistoryStore(path: path, mode: .readWrite)
    try store.correct(set: 1, reps: 11)
    for suffix in ["", "-wal", "-shm"] {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
    }
    try store.close()
    #expect(try HistoryStore(path: copy, mode: .readOnly).sets()[0].reps == 11)
    #expect(try HistoryStore(path: copy, mode: .readWrite).sets()[0].reps == 11)
  }

  /// A recording with a missing timeline is an error, not a shorter recording.
  @Test func missingTimelineIsAnError() throws {
    try tamper("DELETE FROM blob WHERE segmentId = (SELECT max(id) FROM segment)")
    let store = try HistoryStore(path: path, mode: .readOnly)
    #expect(throws: HistoryError.self) { try store.samples(ofRecording: 2) }
    #expect(try store.samples(ofRecording: 1).count == Example.samples().count)
  }

  /// Every listed table is protected, and every protected table exists.
  @Test func everyTableIsProtected() throws {
    let store = try HistoryStore(path: path, mode: .readOnly)
    let tables = try store.read { db in
      try String.fetchSet(
        db,
        sql: """
          SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
            AND name <> 'grdb_migrations' AND name NOT LIKE 'journal%'
          """)
    }
    #expect(
      tables.subtracting(ProtectedTable.all.map(\.name)) == [
        "blob", "segment_rep", "clock", "sync_peer", "sync_blob",
      ])
    for table in ProtectedTable.all {
      #expect(table.columns.count > 3 && !table.columns.contains("checksum"), "\(table.name)")
    }
  }

  /// Checks `rowChecksum` against its description in `docs/data-model.md`.
  @Test func rowChecksumMatchesItsDescription() throws {
    let store = try HistoryStore(path: path, mode: .readOnly)
    let value = try store.read {
      try Int64.fetchOne($0, sql: "SELECT rowChecksum('t', 1, 0.5, NULL, x'FF', 'ä')")
    }
    var bytes: [UInt8] = [3, 1, 0, 0, 0, 0, 0, 0, 0, UInt8(ascii: "t")]
    bytes += [1, 1, 0, 0, 0, 0, 0, 0, 0]
    bytes += [2, 0, 0, 0, 0, 0, 0, 0xE0, 0x3F]
    bytes += [5]
    bytes += [4, 1, 0, 0, 0, 0, 0, 0, 0, 0xFF]
    bytes += [3, 2, 0, 0, 0, 0, 0, 0, 0, 0xC3, 0xA4]
    #expect(value == Int64(CRC32C.checksum(bytes)))
  }
}
