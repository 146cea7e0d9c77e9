import Foundation
import GRDB
import Motion
import TestSupport
import Testing

@testable import HistoryStorage
@testable import TimelineFormat
@testable import WorkoutHistory

/// The files of a program killed while creating a history, and other processes' view of them.
struct HistoryCreationTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("history.sqlite")
  }

  /// Returns the file and its journal within a transaction whose pages have already reached the disk, as
  /// after `kill -9` at that time.
  private func interrupt(
    _ path: String, _ change: (Database) throws -> Void
  ) throws -> (file: Data, journal: Data) {
    var configuration = HistoryConnection.configuration()
    configuration.foreignKeysEnabled = false
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    var snapshot: (Data, Data)?
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA cache_size = 1; PRAGMA cache_spill = 1")
      try db.inTransaction(.deferred) {
        try change(db)
        snapshot = (
          try Data(contentsOf: URL(fileURLWithPath: path)),
          try Data(contentsOf: URL(fileURLWithPath: path + "-journal"))
        )
        return .rollback
      }
    }
    try queue.close()
    return try #require(snapshot)
  }

  private func put(_ snapshot: (file: Data, journal: Data), at path: String) throws {
    try snapshot.file.write(to: URL(fileURLWithPath: path))
    try snapshot.journal.write(to: URL(fileURLWithPath: path + "-journal"))
  }

  /// Checks that a hot journal is rolled back, so that no reader opens an unfinished file as a history.
  @Test(arguments: [HistoryStore.Mode.readOnly, .readWrite, .create])
  func interruptedCreationLeavesAnEmptyFile(first: HistoryStore.Mode) throws {
    let snapshot = try interrupt(folder.path("begun.sqlite")) { db in
      try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
      try HistoryMigrations.makeAll(db)
      try db.execute(sql: "PRAGMA application_id = \(HistoryStore.applicationId)")
      // Exceeds the cache, so that earlier pages are written to the file.
      try db.execute(sql: "CREATE TABLE filler (data BLOB)")
      for _ in 0..<20 { try db.execute(sql: "INSERT INTO filler VALUES (zeroblob(4000))") }
    }
    #expect(!snapshot.file.isEmpty && !snapshot.journal.isEmpty)
    try put(snapshot, at: path)
    if first == .readOnly {
      #expect(throws: HistoryError.self) { try HistoryStore(path: path, mode: .readOnly) }
    } else {
      try HistoryStore(path: path, mode: first).close()
    }
    let store = try HistoryStore(path: path, mode: .create)
    try store.save(Recording(name: "a", samples: Example.samples()), sets: Example.twoSets)
    #expect(try store.verify().isIntact)
    try store.close()
    #expect(try HistoryStore(path: path, mode: .readOnly).setCount() == 2)
  }

  /// The next reader rolls back an interrupted change to a complete history without a write-ahead log.
  @Test func readerRollsBackAnInterruptedChange() throws {
    try HistoryStore(path: path, mode: .create).close()
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
    try queue.close()
    let snapshot = try interrupt(path) { db in
      try db.execute(sql: "UPDATE user SET name = 'nobody'")
      try db.execute(sql: "PRAGMA application_id = 0")
      try db.execute(sql: "CREATE TABLE filler (data BLOB)")
      for _ in 0..<20 { try db.execute(sql: "INSERT INTO filler VALUES (zeroblob(4000))") }
    }
    try put(snapshot, at: path)
    let store = try HistoryStore(path: path, mode: .readOnly)
    #expect(try store.users.all().map(\.name) == ["local"])
  }

  /// A reader waits until a history is created.
  @Test func readersWaitForCreation() throws {
    let path = path
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    var configuration = HistoryConnection.configuration()
    configuration.foreignKeysEnabled = false
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    let isMade = DispatchSemaphore(value: 0)
    let maker = Thread {
      try? queue.writeWithoutTransaction { db in
        try db.inTransaction(.deferred) {
          try HistoryMigrations.makeAll(db)
          try db.execute(sql: "PRAGMA application_id = \(HistoryStore.applicationId)")
          isMade.signal()
          Thread.sleep(forTimeInterval: 0.3)
          return .commit
        }
      }
    }
    maker.start()
    #expect(isMade.wait(timeout: .now() + 60) == .success)
    for _ in 0..<4 {
      #expect(try HistoryStore(path: path, mode: .readOnly).setCount() == 0)
    }
  }

  /// A process that checks whether a history must be created does not block others.
  @Test func checkingForAHistoryDoesNotBlockWriters() throws {
    let path = path
    var configuration = HistoryConnection.configuration()
    configuration.foreignKeysEnabled = false
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.writeWithoutTransaction { db in
      try db.inTransaction(.immediate) {
        try HistoryMigrations.makeAll(db)
        try db.execute(sql: "PRAGMA application_id = \(HistoryStore.applicationId)")
        return .commit
      }
    }
    let isHeld = DispatchSemaphore(value: 0)
    let other = Thread {
      try? queue.writeWithoutTransaction { db in
        try db.inTransaction(.immediate) {
          isHeld.signal()
          Thread.sleep(forTimeInterval: 0.3)
          return .rollback
        }
      }
    }
    other.start()
    #expect(isHeld.wait(timeout: .now() + 60) == .success)
    let store = try HistoryStore(path: path, mode: .readWrite)
    #expect(try store.setCount() == 0)
    try store.close()
  }

  @Test func severalProgramsCanCreateItAtOnce() async throws {
    for round in 0..<10 {
      let path = folder.path("many\(round).sqlite")
      try await withThrowingTaskGroup(of: Void.self) { group in
        for index in 0..<4 {
          group.addTask {
            let store = try HistoryStore(path: path, mode: .create)
            try store.save(
              Recording(
                name: "\(index)", samples: Example.samples(seconds: 2, seed: UInt64(index))),
              sets: [])
            try store.close()
          }
        }
        try await group.waitForAll()
      }
      let store = try HistoryStore(path: path, mode: .readOnly)
      #expect(try store.recordings().count == 4)
      #expect(try store.verify().isIntact)
    }
  }

  /// An empty file is reported as empty, and can be completed.
  @Test func emptyFileIsReportedAndCanBeCompleted() throws {
    FileManager.default.createFile(atPath: path, contents: nil)
    #expect(throws: HistoryError.self) { try HistoryStore(path: path, mode: .readOnly) }
    try HistoryStore(path: path, mode: .readWrite).close()
    #expect(try HistoryStore(path: path, mode: .readOnly).setCount() == 0)
  }
}
