import Foundation
import GRDB
import Motion
import TestSupport
import Testing

@testable import TimelineFormat
@testable import WorkoutHistory

/// Databases as every schema had them, in `fixtures/golden`: the first version's, written by the
/// first version, taken through each later one and used there. Never change one, add others.
///
/// `REPTRACE_WRITE_GOLDEN=1 swift test --filter GoldenStores` writes those that are missing.
struct GoldenStores {
  /// A schema: its last migration, and what programs with that schema wrote.
  struct Version {
    var number: Int
    var lastMigration: String
    var additions: String

    var file: URL { goldenFolder.appendingPathComponent("history-v\(number).sqlite") }
  }

  static let versions = [
    Version(
      number: 2, lastMigration: "2 journal",
      additions: """
        INSERT INTO journalSettled VALUES ('set 7C9E6679-7425-40DE-944B-E07FC1F90AE7', 2);
        INSERT INTO journalSet (id, key, kind, sessionId, exerciseId, setId) VALUES
          (1, 'set X1', 0, 'S1', 'curl', 'X1'), (2, 'session S2', 1, 'S2', NULL, NULL),
          (3, 'session S1', 2, 'S1', NULL, NULL);
        INSERT INTO journalEntry (journalSetId, part, sessionId, exerciseId, phase, date, data) VALUES
          (1, 0, 'S1', 'curl', 'execution', 1700000000.5,
            CAST('{"setId":"X1","samples":[{"timestamp":1,"rotationX":0.5},{"timestamp":1.02,"rotationX":0.25}]}' AS BLOB)),
          (1, 0, 'S1', 'curl', NULL, NULL,
            CAST('{"setId":"X1","samples":[{"timestamp":1.04,"rotationX":-0.5}]}' AS BLOB)),
          (2, 1, 'S2', NULL, 'rest', NULL,
            CAST('[[{"timestamp":2}],{"samples":[{"timestamp":2.02}]}]' AS BLOB));
        INSERT INTO journalContext VALUES
          ('S1', '{"context":{},"hasDeclaredSets":true,"isLast":true}'), ('', '{}');
        """),
    Version(
      number: 3, lastMigration: "3 workouts",
      additions: """
        INSERT INTO user (id, uuid, name, email, providerId, birthDate, gender, height, weight,
            locale, createdAt, lastLoginDate, subscriptionType, subscriptionStartDate,
            subscriptionValidUntil)
          VALUES (2, 'U2', 'Ana', 'ana@example.org', 'p2', 631152000, 'female', 1.7, 65.5, 'pt_BR',
            1700000000, 1700000100, 1, 1700000000, 1800000000);
        INSERT INTO exerciseType VALUES (1, 'strength', NULL);
        INSERT INTO muscle VALUES (1, 'biceps brachii', NULL, 'biceps');
        INSERT INTO exerciseTemplate (id, userId, uuid, templateId, name, foldedName, muscleGroup,
            muscleSubgroup, typeId, equipment, gripVariation, setup, description, videoURL,
            defaultSets, defaultReps, defaultRestTime, defaultWeight, createdAt) VALUES
          (1, NULL, 'E1', 'curl', 'Rosca direta', 'rosca direta', 'biceps', NULL, 1, 'barbell',
            'supinated', 'standing', 'd', 'https://www.youtube.com/watch?v=abc', 4, 10, 90, 20.5, NULL),
          (2, 2, 'E2', NULL, 'Flexão', 'flexao', 'chest', 'upper', NULL, NULL, NULL, NULL, NULL, NULL,
            3, 12, 60, NULL, 1700000000);
        INSERT INTO exerciseMuscleGroup VALUES (1, 'forearms');
        INSERT INTO exerciseMuscle VALUES (1, 1);
        INSERT INTO exerciseSearch (rowid, name, keywords) VALUES
          (1, 'Rosca direta', 'biceps barbell'), (2, 'Flexão', 'chest');
        INSERT INTO split (id, userId, uuid, name, intro) VALUES (1, 2, 'SP1', 'AB', 'two days');
        INSERT INTO workoutPlan (id, userId, uuid, splitId, autoTitle, title, description, "order",
            isActive, createdAt) VALUES
          (1, 2, 'P1', 1, 'Treino A', 'Arms', 'slow', 0, 1, 1700000000),
          (2, 2, 'P2', 1, 'Treino B', NULL, '', 1, 0, 1700000001);
        INSERT INTO planItem VALUES
          (1, 1, 'I1', 0, 'repetitions', 1, 'Rosca direta', 4, 10, 20.5, 90, NULL),
          (2, 1, 'I2', 1, 'break', NULL, NULL, NULL, NULL, NULL, NULL, 120),
          (3, 1, 'I3', 2, 'time', 2, 'Flexão', NULL, NULL, NULL, NULL, 45);
        INSERT INTO currentSession VALUES (1, 2, 'S9', 1, 'Arms', 'arms', 'high', 1700001000, 0);
        INSERT INTO currentExercise VALUES
          (1, 1, 'E1', 1, 'Rosca direta', 0, 1700001001, NULL, 1, 0, 1);
        INSERT INTO currentSet (id, userId, exerciseId, key, setId, "order", cause, targetReps, weight,
            startTime, endTime, restTime, correctedReps, detectedReps, confidence, isActive) VALUES
          (1, 2, 1, 'C1', 'C1', 0, 'declared', 10, 20.5, 1700001002, 1700001040, 90, 9, 10, 0.75, 0),
          (2, 2, 1, 'C2', 'C2', 1, 'declared', 10, NULL, 1700001130, NULL, NULL, NULL, NULL, NULL, 1);
        INSERT INTO currentHealth VALUES (1, 1, 1, 1700001010, 120, 1.5), (1, 1, NULL, 1700001100, 99, NULL);
        INSERT INTO workoutHistory (id, userId, key, sessionId, date, planId, planTitle, endTime, focus,
            intensity, status)
          VALUES (3, 2, 'W3', 'W3', 1690000000, 2, 'Treino B', 1690003600, 'legs', 'low', 'interrupted');
        INSERT INTO historyExercise (id, userId, workoutId, key, exerciseId, name, "order", templateId,
            startTime, endTime, completed)
          VALUES (3, 2, 3, 'E2', 'E2', 'Flexão', 0, 2, 1690000000, 1690003600, 1);
        INSERT INTO historySet (id, userId, exerciseId, key, setId, "order", cause, targetReps,
            detectedReps, confidence, correctedReps, correctedAt, weight, startTime, endTime, timestamp)
          VALUES (4, 2, 3, 'H4', 'H4', 0, 'declared', 12, NULL, NULL, 11, 1690000100, 0, 1690000010,
            1690000050, 1690000050);
        INSERT INTO deletedSamples VALUES (1, 1, 'gone', NULL, 0, NULL), (2, 1, 'cut', 'cut-1', 10, 20);
        INSERT INTO movementPattern VALUES (2, 'E1', 1, x'00010203');
        """),
    Version(
      number: 4, lastMigration: "4 sync",
      additions: """
        UPDATE historySet SET correctedReps = 7, correctedAt = 1700000300 WHERE id = 1;
        UPDATE workoutPlan SET title = 'Arms and more' WHERE id = 1;
        UPDATE workoutHistory SET cloudSyncStatus = 1, lastCloudSync = 1700000400 WHERE id = 2;
        DELETE FROM split WHERE id = 1;
        INSERT INTO split (id, userId, uuid, name) VALUES (2, 2, 'SP2', 'ABC');
        INSERT INTO user (id, uuid, name) VALUES (3, 'U3', 'gone');
        INSERT INTO workoutHistory (userId, key) VALUES (3, 'W4');
        DELETE FROM user WHERE id = 3;
        """),
    Version(
      number: 8, lastMigration: "8 restart",
      additions: """
        INSERT INTO historyExercise (id, userId, workoutId, key, name, "order")
          SELECT 9, userId, workoutId, 'Squat', 'Squat', 9 FROM historyExercise
          WHERE id = (SELECT exerciseId FROM historySet WHERE id = 1);
        UPDATE historySet SET exerciseId = 9 WHERE id = 1;
        INSERT INTO syncPeer VALUES (2, 'C1', 7, NULL);
        INSERT INTO syncBlob VALUES ('d1', 3, x'0102');
        INSERT INTO journalSnapshot VALUES (1, 2, x'00');
        INSERT INTO journalEvent VALUES (1, 'S1', '{"event":"ack"}');
        """),
  ]

  /// Not a test but for the one who adds a version: writes the fixtures that are missing.
  @Test(
    .enabled(
      if: ProcessInfo.processInfo.environment["REPTRACE_WRITE_GOLDEN"] != nil,
      "writes a file: REPTRACE_WRITE_GOLDEN"))
  func write() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("store.sqlite")
    try FileManager.default.copyItem(
      at: goldenFolder.appendingPathComponent("history-v1.sqlite"),
      to: URL(fileURLWithPath: path))
    for version in Self.versions {
      let queue = try DatabaseQueue(
        path: path, configuration: HistoryConnection.configuration())
      try HistoryMigrations.migrator.migrate(queue, upTo: version.lastMigration)
      if !FileManager.default.fileExists(atPath: version.file.path) {
        try queue.write { try $0.execute(sql: version.additions) }
        if version.number == 3 { try Self.addHealth(queue) }
        try queue.writeWithoutTransaction { db in
          try db.execute(sql: "PRAGMA page_size = 1024")
          try db.execute(sql: "VACUUM INTO ?", arguments: [version.file.path])
        }
      }
      try queue.close()
      try FileManager.default.removeItem(atPath: path)
      try FileManager.default.copyItem(atPath: version.file.path, toPath: path)
    }
  }

  private static func addHealth(_ queue: DatabaseQueue) throws {
    let timeline = Timeline(
      samples: MotionBatch([.time: []]),
      health: [HealthReading(unixTime: 1_690_000_020, heartRateBPM: 101, calories: 0.5)])
    let bytes = try TimelineEncoder().encode(timeline)
    try queue.write { db in
      try db.execute(
        sql: """
          INSERT INTO healthBlob (workoutId, exerciseId, setId, readingCount, data)
          VALUES (3, 3, 4, 1, ?)
          """, arguments: [Data(bytes)])
    }
  }

  /// Every row of every table as it was, in the columns that there were; and the store works.
  @Test(arguments: [2, 3, 4, 8]) func migrates(version number: Int) throws {
    let version = try #require(Self.versions.first { $0.number == number })
    let folder = try TemporaryFolder()
    let path = folder.path("history.sqlite")
    try FileManager.default.copyItem(atPath: version.file.path, toPath: path)
    let old = try Self.rows(path)
    let applied = try DatabaseQueue(path: path).read {
      try HistoryMigrations.migrator.appliedIdentifiers($0)
    }
    #expect(applied.count == number && applied.contains(version.lastMigration))

    // An older one is not touched by who may only read.
    if number < HistoryMigrations.migrator.migrations.count {
      let before = try Data(contentsOf: URL(fileURLWithPath: path))
      #expect(throws: HistoryError.self) { try HistoryStore(path: path, mode: .readOnly) }
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }
    let store = try HistoryStore(path: path, mode: .readWrite)
    for (query, rows) in old {
      let now = try store.read { try Row.fetchAll($0, sql: query) }
      #expect(now == rows, "\(query)")
      #expect(!rows.isEmpty, "\(query)")
    }
    #expect(try store.verify().isIntact)
    try Self.use(store, version: number)
    #expect(try store.verify().isIntact)
    try store.close()
    let (strays, integrity) = try DatabaseQueue(path: path).read { db in
      (
        try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").count,
        try String.fetchOne(db, sql: "PRAGMA integrity_check")
      )
    }
    #expect(strays == 0)
    #expect(integrity == "ok")
  }

  /// The rows of all tables, each with the query that gives them in whatever schema follows.
  private static func rows(_ path: String) throws -> [(query: String, rows: [Row])] {
    let queue = try DatabaseQueue(path: path)
    return try queue.read { db in
      let tables = try String.fetchAll(
        db,
        sql: """
          SELECT name FROM pragma_table_list
          WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'
            AND name NOT LIKE 'grdb_%' AND name NOT LIKE 'exerciseSearch%' ORDER BY name
          """)
      return try tables.map { table in
        let columns = try String.fetchAll(
          db,
          sql: """
            SELECT '"' || name || '"' FROM pragma_table_xinfo(?)
            WHERE name <> 'checksum' OR ?1 = 'journalEntry' -- which has one of the message alone
            """, arguments: [table]
        ).joined(separator: ", ")
        // Names of people who were deleted are forgotten.
        let rows = table == "deletion" ? "\(table)\" WHERE \"entity\" <> 'user'" : "\(table)\""
        let query = "SELECT \(columns) FROM \"\(rows) ORDER BY \(columns)"
        return (query, try Row.fetchAll(db, sql: query))
      }
    }
  }

  /// What was under way goes on, what was known is known, and new things can be done.
  private static func use(_ store: HistoryStore, version: Int) throws {
    #expect(try store.journal.sets().map(\.key) == ["set X1", "session S2", "session S1"])
    var entries: [JournalEntry] = []
    try store.journal.forEachEntry(ofSet: "set X1") { entries.append($0) }
    #expect(entries.map(\.data.count) == [94, 62])
    #expect(entries.first?.phase == .execution)
    #expect(try store.journal.contexts().map(\.session) == ["", "S1"])
    let finalized = try store.journal.finalizedRecording(
      ofStreamed: "set 7C9E6679-7425-40DE-944B-E07FC1F90AE7", identity: SetIdentity())
    #expect(finalized?.recording.samples.count == 200)
    #expect(finalized?.sets.count == 1)
    var batch = JournalBatch()
    batch.discarded = ["session S2"]
    try store.journal.commit(batch)
    #expect(try store.journal.sets().count == 2)

    try store.save(Recording(name: "new", samples: Example.samples()), sets: Example.twoSets)
    #expect(try store.setCount() == (version == 2 ? 5 : 6))
    guard version >= 3 else { return }
    let ana: HistoryUser.ID = 2
    #expect(try store.workouts.page(HistoryFilter(user: ana)).map(\.key) == ["W3"])
    #expect(try store.health(ofSet: 4).map(\.heartRateBPM) == [101])
    #expect(try store.patterns.all(of: ana)["E1"]?.data == [0, 1, 2, 3])
    #expect(try store.workouts.allUnderWay().map(\.sessionId) == ["S9"])
    let workout = try store.workouts.start("S9", user: ana)
    try workout.endSet(reps: 8)
    try workout.end()
    #expect(try store.workouts.allUnderWay().isEmpty)
    #expect(try store.workouts.page(HistoryFilter(user: ana)).map(\.key) == ["S9", "W3"])
    let done = try #require(
      try store.read {
        try HistorySetRow.ID.fetchOne($0, sql: "SELECT id FROM historySet WHERE key = 'C1'")
      })
    #expect(try store.health(ofSet: done).map(\.heartRateBPM) == [120])
    let changes = try store.sync.changes()
    #expect(Set(changes.map(\.number)).count == changes.count)
    if version >= 4 {
      #expect(changes.contains { $0.isDeletion && $0.key == DeletedUser.key(of: "U3").rawValue })
      #expect(changes.contains { $0.isDeletion && $0.key == "SP1" })
    }
    guard version >= 8 else { return }
    let named = try store.read { db in
      try Int64.fetchAll(db, sql: "SELECT id FROM historySet WHERE exerciseSource = 'person'")
    }
    #expect(named == [1])
  }
}
