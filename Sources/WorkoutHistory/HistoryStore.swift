import GRDB
import Motion
import Synchronization

/// The history of counted sets: one SQLite file that keeps every sample of every recording.
///
/// Safe to use from several threads and several processes at once: readers do not wait for the writer. Saved
/// data survives a crash of the program and the loss of power once the call returns. Calls throw
/// ``HistoryError``, ``RuleViolation`` for a value that breaks a rule, and `TimelineError` for invalid bytes of
/// a timeline.
public final class HistoryStore: Sendable {
  public enum Mode: Sendable {
    /// The file must exist and is not changed.
    case readOnly
    /// The file must exist.
    case readWrite
    /// The file is created if it is missing, readable by its owner alone.
    case create
  }

  package let path: String
  let database: any DatabaseWriter
  private let opened: OpenHistory
  private let deadline: ReadDeadline
  private let recorder: ChangeRecorder
  private let isClosed = Atomic(false)

  /// Opens a history, and migrates its schema if it is writable.
  ///
  /// - Parameter checksRows: Whether to throw if tables are damaged. The check reads all rows except timelines;
  ///   in a large history only `history verify` does so. Pass false to examine or rescue the contents of a damaged
  ///   history (``sets(after:limit:damaged:)``).
  /// - Throws: ``HistoryError``. A file that is not a history, was written by a newer program, or is damaged is
  ///   not changed.
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

  /// Closes the connections, as releasing the last reference does. Later calls throw.
  ///
  /// If no other process has the history open, everything is in its one file then, with no log beside it.
  public func close() throws {
    guard !isClosed.exchange(true, ordering: .relaxed) else { return }
    try HistoryError.translating(path: path) {
      try Self.close(database)
      Self.removeEmptyLog(path: path)
      opened.release()
    }
  }

  /// - Parameter seconds: Limit of the computing time, so that a damaged or hostile file cannot block a reader.
  func read<T>(
    seconds: Double = HistoryStore.longestRead, _ body: (Database) throws -> T
  ) throws -> T {
    try HistoryError.translating(path: path) {
      try database.read { db in
        deadline.start(db, seconds: seconds)
        return try body(db)
      }
    }
  }

  /// Like ``read(seconds:_:)``, but on the writing connection if there is one: SQLite ignores column conditions
  /// (`CHECK`) on read-only connections.
  func inspect<T>(
    seconds: Double = HistoryStore.longestRead, _ body: (Database) throws -> T
  ) throws -> T {
    if database.configuration.readonly { return try read(seconds: seconds, body) }
    return try HistoryError.translating(path: path) {
      try database.writeWithoutTransaction { db in
        deadline.start(db, seconds: seconds)
        defer { deadline.stop(db) }
        return try body(db)
      }
    }
  }

  /// Changes the history in one transaction, and seals the changed rows (``ChangeSealer``).
  func write<T>(_ mode: ChangeMode = .own, _ body: (Database) throws -> T) throws -> T {
    try HistoryError.translating(path: path) {
      try database.write { db in
        // Discard the changes of a failed transaction, which were rolled back.
        _ = recorder.take()
        let result = try body(db)
        try ChangeSealer(mode: mode).seal(db, recorder.take())
        return result
      }
    }
  }
}
