import GRDB

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension HistoryStore {
  /// Copies the history, as it is at one instant, into a new file that its owner alone may read.
  /// Others may go on reading and writing meanwhile.
  ///
  /// - Throws: ``HistoryError/cannotOpen(path:reason:)`` where the file exists already.
  public func backup(to path: String) throws {
    guard access(path, F_OK) != 0 else {
      throw HistoryError.cannotOpen(path: path, reason: "it exists already")
    }
    // Under another name until it is whole.
    let partial = path + ".partial"
    unlink(partial)
    do {
      try HistoryFile(path: partial).make()
      try HistoryError.translating(path: partial) {
        let copy = try DatabaseQueue(path: partial)
        defer { try? copy.close() }
        try database.backup(to: copy)
      }
      guard rename(partial, path) == 0 else { throw HistoryFile(path: path).cannotOpen() }
    } catch {
      for suffix in ["", "-wal", "-shm"] { unlink(partial + suffix) }
      throw error
    }
  }

  /// Writes the database anew without its free pages, and the query planner's statistics.
  ///
  /// - Returns: Bytes before and after.
  @discardableResult
  public func vacuum() throws -> (before: Int, after: Int) {
    try HistoryError.translating(path: path) {
      try database.writeWithoutTransaction { db in
        func size() throws -> Int {
          let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
          return try pages * (Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0)
        }
        let before = try size()
        // Histories that were made by a program that was killed meanwhile may lack it.
        try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
        try db.execute(sql: "VACUUM")
        try db.execute(sql: "ANALYZE")
        _ = try? db.checkpoint(.truncate)
        return (before, try size())
      }
    }
  }
}
