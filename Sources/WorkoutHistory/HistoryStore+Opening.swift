import GRDB

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension HistoryStore {
  /// "RepT", in the database's header.
  static let applicationId: Int32 = 0x5265_7054
  /// The longest wait for another process's transaction, in seconds.
  static let busyTimeout = 10.0

  static func open(path: String, mode: Mode) throws -> any DatabaseWriter {
    var isNew = try prepareFile(path: path, mode: mode)
    // A program that was killed while it made the file has left one without a mark or a table.
    if !isNew { isNew = try refuseForeign(path: path, mode: mode) }
    if isNew {
      // Before the first table is there and before the switch to a write-ahead log.
      let queue = try DatabaseQueue(path: path, configuration: configuration())
      try queue.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
        try db.execute(sql: "PRAGMA application_id = \(applicationId)")
      }
      try queue.close()
    }
    if mode == .readOnly { return try readOnlyQueue(path: path) }
    let pool = try DatabasePool(path: path, configuration: configuration())
    // Opening a pool sets NORMAL, which may lose the last commits when power is lost.
    try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    try migrate(pool)
    return pool
  }

  private static func configuration() -> Configuration {
    var configuration = Configuration()
    configuration.label = "history"
    configuration.busyMode = .timeout(busyTimeout)
    configuration.prepareDatabase { db in
      // What was deleted is overwritten.
      if !db.configuration.readonly {
        try db.execute(sql: "PRAGMA secure_delete = ON")
        // Much of a journal is gone again before it is copied from the log into the database.
        try db.execute(sql: "PRAGMA wal_autocheckpoint = 4096")
        try db.execute(sql: "PRAGMA cache_size = -32768")
      }
      try db.execute(sql: "PRAGMA trusted_schema = OFF")
    }
    return configuration
  }

  /// Makes the file if it is missing and may be made. Whether there is no database in it yet.
  ///
  /// The file gets its permissions before SQLite sees it, so that its write-ahead log, which
  /// SQLite gives the same ones, has them too.
  private static func prepareFile(path: String, mode: Mode) throws -> Bool {
    if mode == .create {
      do {
        try makeFile(path: path)
        return true
      } catch {
        guard errno == EEXIST else { throw error }
      }
    }
    var status = stat()
    guard stat(path, &status) == 0 else { throw cannotOpen(path) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw HistoryError.cannotOpen(path: path, reason: "it is not a file")
    }
    if status.st_size == 0, mode != .readOnly {
      guard chmod(path, 0o600) == 0 else { throw cannotOpen(path) }
      return true
    }
    let descriptor = systemOpen(path, O_RDONLY | O_CLOEXEC, 0)
    guard descriptor >= 0 else { throw cannotOpen(path) }
    defer { systemClose(descriptor) }
    let signature = Array("SQLite format 3\0".utf8)
    var head = [UInt8](repeating: 0, count: signature.count)
    let count = head.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, $0.count) }
    guard count == signature.count, head == signature else {
      throw HistoryError.notADatabase(path: path)
    }
    return false
  }

  /// Throws where the database is of something else, or has migrations that are not known here.
  ///
  /// - Returns: Whether it is an empty database that nothing has marked yet.
  private static func refuseForeign(path: String, mode: Mode) throws -> Bool {
    do {
      return try refuseForeign(path: path, mode: mode, readonly: true)
    } catch let error as DatabaseError
      where mode != .readOnly
      && [.SQLITE_READONLY, .SQLITE_CANTOPEN].contains(error.resultCode)
    {
      // Whoever made it was interrupted, and left a journal that must be rolled back first.
      return try refuseForeign(path: path, mode: mode, readonly: false)
    }
  }

  private static func refuseForeign(path: String, mode: Mode, readonly: Bool) throws -> Bool {
    let queue =
      try readonly
      ? readOnlyQueue(path: path) : DatabaseQueue(path: path, configuration: configuration())
    defer { try? queue.close() }
    return try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA query_only = ON")
      let id = try Int32.fetchOne(db, sql: "PRAGMA application_id")
      let isEmpty = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") == 0
      guard id == applicationId || (isEmpty && id == 0 && mode != .readOnly) else {
        throw HistoryError.notAHistory(path: path)
      }
      let migrator = HistoryMigrations.migrator
      let known = Set(migrator.migrations)
      let unknown = try migrator.appliedIdentifiers(db).subtracting(known).sorted()
      guard unknown.isEmpty else {
        throw HistoryError.newerSchema(path: path, migrations: unknown)
      }
      if mode == .readOnly, try !migrator.hasCompletedMigrations(db) {
        throw HistoryError.cannotOpen(
          path: path, reason: "its schema is of an older version; open it once for writing")
      }
      return id == 0
    }
  }

  /// Several processes may open a new history at once: who comes second to a step finds it done,
  /// and goes on from there.
  private static func migrate(_ pool: DatabasePool) throws {
    let migrator = HistoryMigrations.migrator
    var applied = try pool.read { try migrator.appliedIdentifiers($0).count }
    while true {
      do {
        return try migrator.migrate(pool)
      } catch {
        let now = try pool.read { try migrator.appliedIdentifiers($0).count }
        guard now > applied else { throw error }
        applied = now
      }
    }
  }

  /// A connection that changes nothing.
  ///
  /// Readers of a write-ahead log share a file beside the database. Where that may not be made, as
  /// in a folder that one may only read, and no log is there to be read, nothing can change either,
  /// and the database is read as it is.
  private static func readOnlyQueue(path: String) throws -> DatabaseQueue {
    var configuration = configuration()
    configuration.readonly = true
    do {
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      _ = try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_schema") }
      return queue
    } catch let error as DatabaseError
      where [.SQLITE_CANTOPEN, .SQLITE_READONLY].contains(error.resultCode)
    {
      var log = stat()
      guard stat(path + "-wal", &log) != 0 || log.st_size == 0 else { throw error }
      let escaped = path.utf8.map { byte -> String in
        let character = Character(UnicodeScalar(byte))
        let isPlain =
          byte < 0x80
          && (character.isLetter || character.isNumber || "/._-".utf8.contains(byte))
        let hex = String(byte, radix: 16)
        return isPlain ? String(UnicodeScalar(byte)) : (byte < 16 ? "%0" : "%") + hex
      }.joined()
      return try DatabaseQueue(
        path: "file:\(escaped)?immutable=1", configuration: configuration)
    }
  }

  /// Makes a file that its owner alone may read.
  static func makeFile(path: String) throws {
    let descriptor = systemOpen(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw cannotOpen(path) }
    defer { systemClose(descriptor) }
    // Whatever the process's mask took away.
    guard fchmod(descriptor, 0o600) == 0 else { throw cannotOpen(path) }
  }

  static func cannotOpen(_ path: String) -> HistoryError {
    .cannotOpen(path: path, reason: String(cString: strerror(errno)))
  }
}

// The names of the system's calls are those of methods, too.
private func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
  open(path, flags, mode)
}
private func systemClose(_ descriptor: Int32) { _ = close(descriptor) }
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int)
  -> Int
{
  guard let buffer else { return -1 }
  return read(descriptor, buffer, count)
}
