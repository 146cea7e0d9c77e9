import Foundation
import GRDB

extension HistoryStore {
  /// "RepT", the application id in the database's header.
  static let applicationId: Int32 = 0x5265_7054
  /// Maximum wait of a reader for another process to create or migrate the history, in seconds.
  static let creationTimeout = 2.0
  /// Maximum computing time of a read transaction, in seconds.
  package static let longestRead = 10.0

  static func open(
    path: String, mode: Mode, deadline: ReadDeadline, recorder: ChangeRecorder
  ) throws -> (any DatabaseWriter, OpenHistory) {
    let file = HistoryFile(path: path)
    try file.prepare(mode: mode)
    let opened = try OpenHistory(path) { try file.requireCommits() }
    var state = try state(of: file, mode: mode, deadline)
    if mode == .readOnly {
      let latest = Date(timeIntervalSinceNow: creationTimeout)
      while state != .complete, Date() < latest {
        Thread.sleep(forTimeInterval: 0.02)
        state = try Self.state(of: file, mode: mode, deadline)
      }
      guard state == .complete else {
        throw HistoryError.cannotOpen(
          path: path,
          reason: state == .empty
            ? "it is empty: nothing was saved in it"
            : "its schema is of an older version; open it once for writing")
      }
      return (try readOnlyQueue(file, deadline), opened)
    }
    if state == .empty {
      try create(file)
      // Another process may have created a different file in the meantime.
      state = try Self.state(of: file, mode: mode, deadline)
    }
    let pool = try pool(path: path, deadline, recorder)
    // Opening a pool sets NORMAL, which may lose the last commits on power loss.
    try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    try migrate(pool)
    return (pool, opened)
  }

  /// The progress of a history's creation. `empty` has no tables, even after an interrupted creation.
  private enum State { case empty, outdated, complete }

  /// Examines a file without changing it, except to roll back an interrupted transaction.
  private static func state(
    of file: HistoryFile, mode: Mode, _ deadline: ReadDeadline
  ) throws -> State {
    guard try file.prepare(mode: mode) else { return .empty }
    let queue = try readOnlyQueue(file, deadline)
    defer { try? queue.close() }
    return try queue.read { db in
      let id = try Int32.fetchOne(db, sql: "PRAGMA application_id")
      if try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") == 0 {
        guard id == 0 || id == applicationId else {
          throw HistoryError.notAHistory(path: file.path)
        }
        return .empty
      }
      guard id == applicationId else { throw HistoryError.notAHistory(path: file.path) }
      let notes = try String.fetchAll(
        db, sql: "SELECT coalesce(sql, '') FROM sqlite_schema WHERE lower(name) = 'grdb_migrations'"
      )
      guard notes.allSatisfy({ $0 == HistoryMigrations.notes }) else {
        throw HistoryError.damaged(
          reason: "its schema is not that of a history: grdb_migrations is not as it should be")
      }
      let migrator = HistoryMigrations.migrator
      let applied = try migrator.appliedIdentifiers(db)
      let unknown = applied.subtracting(migrator.migrations).sorted()
      guard unknown.isEmpty else {
        throw HistoryError.newerSchema(path: file.path, migrations: unknown)
      }
      if let problem = try HistorySchema.problem(db, after: applied) {
        throw HistoryError.damaged(reason: "its schema is not that of a history: \(problem)")
      }
      return try migrator.hasCompletedMigrations(db) ? .complete : .outdated
    }
  }

  /// Creates the tables of an empty file and marks it as a history, in one transaction, so that an
  /// interrupted creation leaves an empty file. Does nothing if another process was faster.
  private static func create(_ file: HistoryFile) throws {
    var configuration = HistoryConnection.configuration()
    // Later migrations may rebuild tables that others refer to.
    configuration.foreignKeysEnabled = false
    let queue = try DatabaseQueue(path: file.path, configuration: configuration)
    defer { try? queue.close() }
    try queue.writeWithoutTransaction { db in
      // Deferred: the vacuum mode is in the first page, which the first writing statement writes.
      try db.inTransaction(.deferred) {
        try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
        guard try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") == 0 else {
          return .rollback
        }
        try HistoryMigrations.makeAll(db)
        try db.execute(sql: "PRAGMA application_id = \(applicationId)")
        return .commit
      }
    }
  }

  /// Opens a pool, which switches a new file to a write-ahead log. During that step, SQLite does not call the
  /// busy handler while another process writes (it holds a read lock when it requests the write lock).
  private static func pool(
    path: String, _ deadline: ReadDeadline, _ recorder: ChangeRecorder
  ) throws -> DatabasePool {
    let latest = Date(timeIntervalSinceNow: HistoryConnection.busyTimeout)
    while true {
      do {
        return try DatabasePool(
          path: path,
          configuration: HistoryConnection.configuration(deadline: deadline, recorder: recorder))
      } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY && Date() < latest {
        Thread.sleep(forTimeInterval: 0.01)
      }
    }
  }

  /// Applies missing migrations. Several processes may open a new history at once; if one finds a step done,
  /// it continues with the next.
  private static func migrate(_ pool: DatabasePool) throws {
    let migrator = HistoryMigrations.migrator
    var applied = try pool.read { try migrator.appliedIdentifiers($0).count }
    while true {
      do { return try migrator.migrate(pool) } catch {
        let now = try pool.read { try migrator.appliedIdentifiers($0).count }
        guard now > applied else { throw error }
        applied = now
      }
    }
  }

  /// Returns a connection that changes nothing. An interrupted transaction must first be rolled back by a
  /// connection that may write. Readers of a write-ahead log share a sidecar file: in a read-only folder
  /// without a log or a journal nothing can change, and the database is opened as immutable.
  private static func readOnlyQueue(
    _ file: HistoryFile, _ deadline: ReadDeadline
  ) throws -> DatabaseQueue {
    do {
      return try readOnlyQueue(path: file.path, deadline)
    } catch let error as DatabaseError
      where [.SQLITE_CANTOPEN, .SQLITE_READONLY].contains(error.resultCode)
    {
      if error.extendedResultCode == .SQLITE_READONLY_ROLLBACK || file.hasRollbackJournal {
        guard file.isWritable else {
          throw HistoryError.cannotOpen(
            path: file.path,
            reason: "a change to it was interrupted; open it where it may be written")
        }
        try rollBack(file)
        return try readOnlyQueue(path: file.path, deadline)
      }
      guard !file.hasLog, !file.isInWritableFolder else { throw error }
      return try readOnlyQueue(path: file.url.absoluteString + "?immutable=1", deadline)
    }
  }

  private static func readOnlyQueue(path: String, _ deadline: ReadDeadline) throws -> DatabaseQueue
  {
    var configuration = HistoryConnection.configuration(deadline: deadline)
    configuration.readonly = true
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    _ = try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_schema") }
    return queue
  }

  /// Rolls back an interrupted transaction by reading from a writable connection.
  private static func rollBack(_ file: HistoryFile) throws {
    let queue = try DatabaseQueue(path: file.path, configuration: HistoryConnection.configuration())
    defer { try? queue.close() }
    _ = try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_schema") }
  }

  /// Maximum wait for readers that prevent emptying the log, in milliseconds.
  private static let checkpointTimeout = 200

  static func close(_ database: any DatabaseWriter) throws {
    if !database.configuration.readonly {
      // If other connections prevent it, the last of them empties the log.
      try? database.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA busy_timeout = \(checkpointTimeout)")
        _ = try db.checkpoint(.truncate)
      }
    }
    try database.close()
  }

  /// Removes the files of an empty log that a reader left, or a writer that closed before its readers. SQLite
  /// does so under its own locks, so other processes keep their log.
  static func removeEmptyLog(path: String) {
    var log = stat()
    guard stat(path + "-wal", &log) == 0, log.st_size == 0,
      access(path, W_OK) == 0
    else { return }
    var configuration = HistoryConnection.configuration()
    configuration.busyMode = .timeout(0)
    guard let queue = try? DatabaseQueue(path: path, configuration: configuration) else { return }
    _ = try? queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_schema") }
    try? queue.close()
  }
}
