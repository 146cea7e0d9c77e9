import GRDB
import Synchronization

/// The history of counted sets: one SQLite file with every sample of every recording.
///
/// Safe to use from several threads and processes at once; readers do not wait for the writer. Once a call
/// returns, saved data survives a crash or power loss. Calls throw ``HistoryError``, ``RuleViolation`` for
/// invalid values, and `TimelineError` for invalid bytes of a timeline.
public final class HistoryStore: Sendable {
  public enum Mode: Sendable {
    case readOnly
    case readWrite
    /// Creates the file if it is missing, readable only by its owner.
    case create
  }

  package let path: String
  package let database: any DatabaseWriter
  private let opened: OpenHistory
  private let deadline: ReadDeadline
  private let recorder: ChangeRecorder
  private let isClosed = Atomic(false)

  /// Opens a history, and migrates its schema if it is writable.
  ///
  /// - Parameter checksRows: True to throw if tables are damaged. Reads all rows except timelines, unless the
  ///   history is large (see `history verify`). Pass false to rescue a damaged history.
  public init(path: String, mode: Mode, checksRows: Bool = true) throws {
    let path = HistoryFile.plain(path)
    self.path = path
    let deadline = ReadDeadline()
    self.deadline = deadline
    let recorder = ChangeRecorder()
    self.recorder = recorder
    do {
      let (database, opened) = try HistoryError.translating(path: path) {
        try Self.open(path: path, mode: mode, deadline: deadline, recorder: recorder)
      }
      self.database = database
      self.opened = opened
      if checksRows { try requireIntactRows() }
    } catch {
      Self.removeEmptyLog(path: path)
      throw error
    }
  }

  deinit { try? close() }

  /// Closes the connections, as releasing the last reference does. Later calls throw. If no other process has
  /// the history open, the file then contains all data.
  public func close() throws {
    guard !isClosed.exchange(true, ordering: .relaxed) else { return }
    try HistoryError.translating(path: path) {
      try Self.close(database)
      Self.removeEmptyLog(path: path)
      opened.release()
    }
  }

  package func read<T>(
    seconds: Double = HistoryStore.longestRead, _ body: (Database) throws -> T
  ) throws -> T {
    try HistoryError.translating(path: path) {
      try database.read { db in
        deadline.start(db, seconds: seconds)
        return try body(db)
      }
    }
  }

  /// Reads like ``read(seconds:_:)``, but on the writing connection if there is one: SQLite ignores column
  /// conditions (`CHECK`) on read-only connections.
  package func inspect<T>(
    seconds: Double = HistoryStore.longestRead, _ body: (Database) throws -> T
  ) throws -> T {
    if database.configuration.readonly { return try read(seconds: seconds, body) }
    return try maintain { db in
      deadline.start(db, seconds: seconds)
      defer { deadline.start(db, seconds: nil) }
      return try body(db)
    }
  }

  /// Runs a closure on the writing connection, outside of a transaction.
  package func maintain<T>(_ body: (Database) throws -> T) throws -> T {
    try HistoryError.translating(path: path) { try database.writeWithoutTransaction(body) }
  }

  /// Runs SQL statements in one transaction, for benchmarks and tests.
  package func run(_ script: String, _ arguments: Database.Argument...) throws {
    try write { try $0.execute(sql: script, arguments: StatementArguments(arguments)) }
  }

  /// Changes the history in one transaction and seals the changed rows (``ChangeSealer``).
  package func write<T>(_ mode: ChangeMode = .own, _ body: (Database) throws -> T) throws -> T {
    try HistoryError.translating(path: path) {
      try database.write { db in
        // Discard the rolled-back changes of a failed transaction.
        _ = recorder.take()
        let result = try body(db)
        try ChangeSealer.seal(db, recorder.take(), mode)
        return result
      }
    }
  }
}

extension HistoryStore {
  public var users: HistoryUsers { HistoryUsers(store: self) }
}
