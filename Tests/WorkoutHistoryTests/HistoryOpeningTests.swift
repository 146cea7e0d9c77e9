import Foundation
import GRDB
import Motion
import TestSupport
import Testing

@testable import HistoryStorage
@testable import WorkoutHistory

struct HistoryOpeningTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("history.sqlite")
  }

  /// The file of a program that was killed between writing the first page and its mark is completed.
  @Test func interruptedCreationIsCompleted() throws {
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
      #expect(try Int.fetchOne(db, sql: "PRAGMA application_id") == 0)
    }
    try queue.close()
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count > 0)
    for _ in 0..<3 { try HistoryStore(path: path, mode: .create).close() }
    try HistoryStore(path: path, mode: .readOnly).close()
  }

  /// SQLite would treat the name as a URI and write to another file, which everybody can read.
  @Test func nameLikeAURIIsAFileName() throws {
    #expect(HistoryFile.plain(":memory:") == "./:memory:")
    let name = "reptrace-\(UUID().uuidString)"
    let (path, copy) = ("file:\(name).sqlite", "file:\(name)-copy.sqlite")
    func files() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: ".").filter { $0.contains(name) }.sorted()
    }
    defer { for file in (try? files()) ?? [] { try? FileManager.default.removeItem(atPath: file) } }
    let store = try HistoryStore(path: path, mode: .create)
    try store.save(Recording(name: "a", samples: Example.samples()), sets: Example.twoSets)
    try store.backup(to: copy)
    try store.close()
    #expect(try files() == [copy, path].sorted())
    for file in [path, copy] {
      let attributes = try FileManager.default.attributesOfItem(atPath: file)
      #expect((attributes[.posixPermissions] as? Int) == 0o600)
      #expect(try HistoryStore(path: file, mode: .readOnly).setCount() == 2)
    }
  }

  @Test func databaseIsDurableAndSound() throws {
    let store = try HistoryStore(path: path, mode: .create)
    try store.database.writeWithoutTransaction { (db: Database) throws in
      #expect(try String.fetchOne(db, sql: "PRAGMA journal_mode") == "wal")
      #expect(try Int.fetchOne(db, sql: "PRAGMA synchronous") == 2)
      #expect(try Int.fetchOne(db, sql: "PRAGMA foreign_keys") == 1)
      #expect(try Int.fetchOne(db, sql: "PRAGMA auto_vacuum") == 2)
      #expect(try Int.fetchOne(db, sql: "PRAGMA secure_delete") == 1)
      #expect(try String.fetchOne(db, sql: "PRAGMA integrity_check") == "ok")
    }
  }

  private func isRefusedUntouched(_ path: String, _ error: HistoryError) throws {
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    for mode in [HistoryStore.Mode.create, .readWrite, .readOnly] {
      #expect(throws: error) { try HistoryStore(path: path, mode: mode) }
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  @Test func otherFilesAreRejectedUnchanged() throws {
    try Data("a diary, not a database\n".utf8).write(to: URL(fileURLWithPath: path))
    try isRefusedUntouched(path, .notADatabase(path: path))
    let other = folder.path("other.sqlite")
    let queue = try DatabaseQueue(path: other)
    try queue.write { try $0.execute(sql: "CREATE TABLE addresses (name TEXT)") }
    try queue.close()
    try isRefusedUntouched(other, .notAHistory(path: other))
  }

  @Test func newerSchemaIsRejectedUnchanged() throws {
    let store = try HistoryStore(path: path, mode: .create)
    try store.save(Recording(name: "a", samples: Example.samples()), sets: Example.twoSets)
    try store.run("INSERT INTO grdb_migrations VALUES ('99 from the future')")
    try store.close()
    try isRefusedUntouched(path, .newerSchema(path: path, migrations: ["99 from the future"]))
  }

  @Test func missingFilesAndFoldersAreErrors() throws {
    for mode in [HistoryStore.Mode.readWrite, .readOnly] {
      #expect(throws: HistoryError.self) { try HistoryStore(path: path, mode: mode) }
    }
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(throws: HistoryError.self) {
      try HistoryStore(path: folder.path("none/history.sqlite"), mode: .create)
    }
    #expect(throws: HistoryError.self) {
      try HistoryStore(path: folder.url.path, mode: .create)
    }
  }

  @Test func readOnlyHistoryIsNotWritten() throws {
    let writer = try HistoryStore(path: path, mode: .create)
    try writer.save(Recording(name: "a", samples: Example.samples()), sets: Example.twoSets)
    let reader = try HistoryStore(path: path, mode: .readOnly)
    #expect(try reader.sets().count == 2)
    #expect(throws: HistoryError.readOnly) { try reader.correct(set: 1, reps: 3) }
    try writer.close()
    #expect(try reader.sets().count == 2)
  }

  /// The list never reads timelines, and finds its rows by keys.
  @Test func listUsesIndexes() throws {
    let store = try HistoryStore(path: path, mode: .create)
    let plan = try store.read { db in
      try Row.fetchAll(
        db, sql: "EXPLAIN QUERY PLAN " + HistoryStore.pageQuery, arguments: [0, 20]
      ).map { $0["detail"] as String }
    }
    #expect(!plan.isEmpty)
    for step in plan {
      #expect(step.hasPrefix("SEARCH"), "\(step)")
      #expect(!step.contains("blob"))
      #expect(!step.contains("TEMP B-TREE"))
    }
  }

  @Test func fullDiskChangesNothing() throws {
    let store = try HistoryStore(path: path, mode: .create)
    try store.save(Recording(name: "a", samples: Example.samples()), sets: Example.twoSets)
    let pages = try store.read { try Int.fetchOne($0, sql: "PRAGMA page_count") ?? 0 }
    try store.database.writeWithoutTransaction { (db: Database) throws in
      try db.execute(sql: "PRAGMA max_page_count = \(pages + 2)")
    }
    #expect(throws: HistoryError.diskFull) {
      try store.save(
        Recording(name: "b", samples: Example.samples(seed: 77)), sets: Example.twoSets)
    }
    #expect(try store.recordings().map(\.name) == ["a"])
    #expect(try store.verify().isIntact)
  }

  @Test func busyDatabaseIsReported() throws {
    let store = try HistoryStore(path: path, mode: .create)
    var configuration = Configuration()
    configuration.busyMode = .immediateError
    let other = try DatabaseQueue(path: path, configuration: configuration)
    _ = try store.database.write { _ in
      #expect(throws: HistoryError.busy) {
        try HistoryError.translating(path: path) { try other.write { _ = $0 } }
      }
    }
  }

  @Test func twoConnectionsCanWriteConcurrently() async throws {
    let path = path
    let stores = try [
      HistoryStore(path: path, mode: .create), HistoryStore(path: path, mode: .create),
    ]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (index, store) in stores.enumerated() {
        group.addTask {
          for seed in 0..<20 {
            try store.save(
              Recording(
                name: "\(index)", samples: Example.samples(seconds: 5, seed: UInt64(seed))),
              sets: [])
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try stores[0].recordings().count == 20)
    #expect(try stores[1].verify().isIntact)
  }
}
