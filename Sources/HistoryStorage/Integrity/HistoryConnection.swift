import CSQLiteSettings
import Foundation
import GRDB
import GRDBSQLite
import Synchronization

/// The configuration of connections, by which a hostile file cannot run code, block or exhaust memory.
enum HistoryConnection {
  /// Maximum wait for another process's transaction, in seconds.
  static let busyTimeout = 10.0
  static let longestStatement: Int32 = 1 << 20

  static func configuration(
    deadline: ReadDeadline? = nil, recorder: ChangeRecorder? = nil
  ) -> Configuration {
    var configuration = Configuration()
    configuration.label = "history"
    configuration.busyMode = .timeout(busyTimeout)
    configuration.prepareDatabase { db in
      if !db.configuration.readonly {
        // Overwrite deleted data. Much of a journal is deleted before it is copied from the log.
        try db.execute(
          sql: """
            PRAGMA secure_delete = ON; PRAGMA wal_autocheckpoint = 4096; PRAGMA cache_size = -32768
            """)
        recorder?.watch(db)
      }
      // Sorting handles health data too, which must not reach the folder of temporary files.
      try db.execute(sql: "PRAGMA temp_store = MEMORY")
      try protect(db)
      try RowChecksum.register(in: db)
      deadline?.watch(db)
    }
    return configuration
  }

  /// Applies SQLite's recommended protections for files of unknown origin
  /// (https://www.sqlite.org/security.html).
  private static func protect(_ db: Database) throws {
    try db.execute(
      sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0")
    guard let connection = db.sqliteConnection else { return }
    let code = csqlite_set_defensive(connection)
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    for (limit, value) in [
      (SQLITE_LIMIT_LENGTH, HistoryRules.longestValue), (SQLITE_LIMIT_SQL_LENGTH, longestStatement),
      (SQLITE_LIMIT_EXPR_DEPTH, 200), (SQLITE_LIMIT_COMPOUND_SELECT, 20),
      (SQLITE_LIMIT_ATTACHED, 1), (SQLITE_LIMIT_TRIGGER_DEPTH, 20),
      (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000), (SQLITE_LIMIT_WORKER_THREADS, 0),
    ] { _ = sqlite3_limit(connection, limit, value) }
  }
}

/// Interrupts reads and checks that compute for too long, since a query on a damaged or hostile file may be
/// endless. Each watched connection has its own deadline, counted from its last ``start(_:seconds:)``.
final class ReadDeadline: Sendable {
  /// Number of SQLite virtual machine instructions between checks of the clock: some milliseconds.
  private static let instructions: Int32 = 100_000
  /// Number of checks before a query may be interrupted: some tenths of a second.
  private static let fewLooks = 200

  private final class Watch: Sendable {
    let end = Atomic<UInt64>(.max)
    let looks = Atomic(0)

    func start(seconds: Double?) {
      looks.store(0, ordering: .relaxed)
      end.store(
        seconds.map { ReadDeadline.now + UInt64($0 * 1e9) } ?? .max, ordering: .relaxed)
    }
  }

  private let watches = Mutex<[ObjectIdentifier: Watch]>([:])

  private static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

  /// - Parameter seconds: Nil for no limit.
  func start(_ db: Database, seconds: Double?) {
    let connection = ObjectIdentifier(db)
    watches.withLock { $0[connection] }?.start(seconds: seconds)
  }

  /// Watches a connection. The store must keep the deadline alive for as long as the connection.
  fileprivate func watch(_ db: Database) {
    let watch = Watch()
    if db.configuration.readonly { watch.start(seconds: HistoryStore.longestRead) }
    let connection = ObjectIdentifier(db)
    watches.withLock { $0[connection] = watch }
    sqlite3_progress_handler(
      db.sqliteConnection, Self.instructions,
      { context in
        guard let context else { return 0 }
        let watch = Unmanaged<Watch>.fromOpaque(context).takeUnretainedValue()
        let looks = watch.looks.add(1, ordering: .relaxed).newValue
        let end = watch.end.load(ordering: .relaxed)
        return looks > ReadDeadline.fewLooks && ReadDeadline.now > end ? 1 : 0
      }, Unmanaged.passUnretained(watch).toOpaque())
  }
}
