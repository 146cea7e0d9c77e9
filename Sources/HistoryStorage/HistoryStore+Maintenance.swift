import Foundation
import GRDB
import Synchronization

extension HistoryStore {
  /// Copies a snapshot of the history into a new file that only its owner can read.
  public func backup(to path: String) throws {
    let path = HistoryFile.plain(path)
    guard access(path, F_OK) != 0 else {
      throw HistoryError.cannotOpen(path: path, reason: "it exists already")
    }
    let partial = path + ".partial"
    func removePartial() {
      for suffix in ["", "-wal", "-shm", "-journal"] { unlink(partial + suffix) }
    }
    removePartial()
    defer { removePartial() }
    do { try HistoryFile(path: partial).make() } catch HistoryError.cannotOpen(_, let reason) {
      throw HistoryError.cannotOpen(path: path, reason: reason)
    }
    try HistoryError.translating(path: path) {
      let copy = try DatabaseQueue(path: partial)
      defer { try? copy.close() }
      try database.backup(to: copy)
    }
    // Atomic; never replaces a file that was created in the meantime.
    if link(partial, path) == 0 { return }
    guard errno != EEXIST else { throw HistoryFile(path: path).cannotOpen() }
    // The file system has no hard links.
    try HistoryFile(path: path).make()
    guard rename(partial, path) == 0 else {
      let error = HistoryFile(path: path).cannotOpen()
      unlink(path)
      throw error
    }
  }

  /// Rebuilds the database without its free pages and updates the query planner's statistics.
  @discardableResult
  package func vacuum() throws -> (before: Int, after: Int) {
    try maintain { db in
      let before = try db.fileSize()
      // Interrupted creation may have left a history without this setting.
      try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
      try Self.withTemporaryFiles(db, beside: path) { try db.execute(sql: "VACUUM") }
      try db.execute(sql: "ANALYZE")
      _ = try? db.checkpoint(.truncate)
      return (before, try db.fileSize())
    }
  }

  /// Frees unused pages and empties the write-ahead log, which may contain deleted data. Returns false if
  /// readers of an older snapshot prevent it; the last connection to close then empties the log.
  @discardableResult
  package func reclaimSpace() throws -> Bool {
    try maintain { db in
      _ = try Row.fetchAll(db, sql: "PRAGMA incremental_vacuum")
      _ = try? db.checkpoint(.truncate)
    }
    return !HistoryFile(path: path).hasLog
  }

  /// Protects SQLite's folder of temporary files, a global setting of the process.
  private static let temporaryFolder = Mutex(())

  /// Runs a closure with SQLite's temporary files in the history's folder, so that health data stays on its
  /// file system. No other connection of this program has temporary files.
  private static func withTemporaryFiles(
    _ db: Database, beside path: String, _ body: () throws -> Void
  ) throws {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    func setFolder(_ name: String) throws {
      try db.execute(sql: "PRAGMA temp_store_directory = '\(name.replacing("'", with: "''"))'")
    }
    try temporaryFolder.withLock { _ in
      let before = try String.fetchOne(db, sql: "PRAGMA temp_store_directory") ?? ""
      try db.execute(sql: "PRAGMA temp_store = FILE")
      defer {
        try? setFolder(before)
        try? db.execute(sql: "PRAGMA temp_store = MEMORY")
      }
      try setFolder(folder)
      try body()
    }
  }
}
