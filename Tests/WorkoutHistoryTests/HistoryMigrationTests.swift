import Foundation
import GRDB
import Motion
import TestSupport
import Testing

@testable import WorkoutHistory

/// Databases that every earlier schema wrote.
@Suite struct HistoryMigrationTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The first version's database has every row after the migration, and everything works on it.
  @Test func theFirstSchema() throws {
    let path = folder.path("history.sqlite")
    try FileManager.default.copyItem(
      atPath: goldenFolder.appendingPathComponent("history-v1.sqlite").path, toPath: path)
    let queue = try DatabaseQueue(path: path)
    let old = try queue.read { db in
      try [
        "SELECT id, key, setId, position, \"order\", cause, detectedReps, confidence, correctedReps, startTime, restTime, clockStart FROM historySet ORDER BY id",
        "SELECT id, key, name, digest, sampleCount, firstTime FROM recording ORDER BY id",
        "SELECT id, recordingId, position, setId, sampleCount, byteCount FROM timelineSegment ORDER BY id",
        "SELECT * FROM timelineBlob ORDER BY segmentId",
        "SELECT id, key, sessionId, date FROM workoutHistory ORDER BY id",
        "SELECT id, workoutId, key, exerciseId, \"order\" FROM historyExercise ORDER BY id",
        "SELECT id, uuid, name FROM user",
      ].map { sql in (sql, try Row.fetchAll(db, sql: sql)) }
    }
    try queue.close()
    let store = try HistoryStore(path: path, mode: .readWrite)
    for (sql, rows) in old {
      #expect(try store.read { try Row.fetchAll($0, sql: sql) } == rows, "\(sql)")
      #expect(!rows.isEmpty)
    }
    // Segments know where they begin; everything waits to be synced; dates are sorted by.
    let firsts = try store.read {
      try Int.fetchAll(
        $0, sql: "SELECT firstSample FROM timelineSegment WHERE recordingId = 1 ORDER BY position")
    }
    #expect(firsts.first == 0 && firsts == firsts.sorted() && Set(firsts).count == firsts.count)
    let changes = try store.sync.changes()
    #expect(changes.count == 1 + 2 + 2 + 3)
    #expect(Set(changes.map(\.number)).count == changes.count)
    #expect(try store.workouts.page().count == 2)
    #expect(try store.verify().isIntact)
    try store.delete(set: 1)
    #expect(try store.deletedKeys().count == 1)
    let workout = try store.workouts.start("new")
    try workout.startSet("X")
    try workout.endSet(reps: 3)
    try workout.end()
    #expect(try store.setCount() == 3)
    #expect(try store.verify().isIntact)
    let (strays, integrity) = try store.write { db in
      (
        try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").count,
        try String.fetchOne(db, sql: "PRAGMA integrity_check")
      )
    }
    #expect(strays == 0)
    #expect(integrity == "ok")
  }

  /// Stopping at any migration and going on gives the same schema as all at once.
  @Test func everyStepOfTheWay() throws {
    let fresh = try HistoryStore(path: folder.path("fresh.sqlite"), mode: .create)
    func schema(_ store: HistoryStore) throws -> [String] {
      try store.read { db in
        try String.fetchAll(
          db,
          sql:
            "SELECT coalesce(sql, name) FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name"
        )
      }
    }
    let migrator = HistoryMigrations.migrator
    for step in migrator.migrations {
      let path = folder.path("\(step).sqlite")
      let queue = try DatabaseQueue(
        path: path, configuration: HistoryConnection.configuration())
      try queue.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA application_id = \(HistoryStore.applicationId)")
      }
      try migrator.migrate(queue, upTo: step)
      try queue.close()
      let store = try HistoryStore(path: path, mode: .readWrite)
      #expect(try schema(store) == schema(fresh), "\(step)")
      try store.save(Recording(name: "a", samples: Example.samples()), sets: Example.twoSets)
      #expect(try store.verify().isIntact)
    }
  }

  /// A row that is damaged is so afterwards, though its table has a column more.
  @Test(arguments: ["historySet", "currentSet"]) func damageIsNotSealed(table: String) throws {
    let path = folder.path("history.sqlite")
    try FileManager.default.copyItem(
      atPath: goldenFolder.appendingPathComponent("history-v8.sqlite").path, toPath: path)
    let queue = try DatabaseQueue(path: path)
    try queue.write { try $0.execute(sql: "UPDATE \(table) SET checksum = 1 WHERE id = 1") }
    try queue.close()
    let error = #expect(throws: HistoryError.self) {
      try HistoryStore(path: path, mode: .readWrite)
    }
    #expect(
      "\(error.map { "\($0)" } ?? "")".contains("\(table) 1: the row is not what was written"))
  }

  /// What a migration makes never changes with later code: `fixtures/golden` has it, a line `--`
  /// between two objects.
  @Test func theSeventhSchemaIsWhatItWas() throws {
    let queue = try DatabaseQueue(
      path: folder.path("seven.sqlite"), configuration: HistoryConnection.configuration())
    try HistoryMigrations.migrator.migrate(queue, upTo: "7 stamps")
    let objects = try queue.read { db in
      try String.fetchAll(
        db,
        sql: #"""
          SELECT sql FROM sqlite_schema
          WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\_%' ESCAPE '\'
            AND name NOT LIKE 'exerciseSearch\_%' ESCAPE '\'
          ORDER BY type, name
          """#)
    }
    let golden = try String(
      contentsOf: goldenFolder.appendingPathComponent("history-v7.sql"), encoding: .utf8)
    let were = golden.dropLast().components(separatedBy: "\n--\n")
    #expect(were.count > 200)
    #expect(objects.difference(from: were).isEmpty)
  }

  @Test func migrationsAreNumberedInOrder() {
    let names = HistoryMigrations.migrator.migrations
    #expect(names.map { Int($0.prefix(while: \.isNumber)) } == Array(1...names.count))
    #expect(names.contains("1 history") && names.contains("3 workouts") && names.contains("4 sync"))
  }
}
