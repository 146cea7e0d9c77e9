import GRDB
import Motion
import Synchronization

/// The history of counted sets: one SQLite file that keeps every sample of every recording.
///
/// Safe to use from several threads, and from several processes at once: readers do not wait for
/// the writer. What a call has saved survives a crash of the program and the loss of power. Calls throw
/// ``HistoryError``, ``RuleViolation`` for a value that breaks a rule, and `TimelineError` where a
/// timeline's bytes are wrong.
public final class HistoryStore: Sendable {
  public enum Mode: Sendable {
    /// The file must exist and is not changed.
    case readOnly
    /// The file must exist.
    case readWrite
    /// The file is made if it is missing, readable by its owner alone.
    case create
  }

  public let path: String
  let database: any DatabaseWriter
  private let opened: OpenHistory
  private let deadline: ReadDeadline
  private let recorder: ChangeRecorder
  private let isClosed = Atomic(false)

  /// Opens a history, and brings its schema up to date if it may be written.
  ///
  /// - Parameter checksRows: Whether damaged tables are an error at once. They are found by reading
  ///   all rows but timelines; of a large history only ``verify()`` does so. False for a caller that
  ///   wants to know, or to keep, what a damaged history still holds (``sets(after:limit:damaged:)``).
  /// - Throws: ``HistoryError``. A file that is not a history, was written by a newer program, or is
  ///   damaged, is left as it is.
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

  /// Closes the connections, as the last reference's end does too. Later calls throw.
  ///
  /// Where nobody else has the history open, all of it is in its one file then, with no log beside
  /// it.
  public func close() throws {
    guard !isClosed.exchange(true, ordering: .relaxed) else { return }
    try HistoryError.translating(path: path) {
      try Self.close(database)
      Self.removeEmptyLog(path: path)
      opened.release()
    }
  }

  /// - Parameter seconds: How long it may compute: no damaged or hostile file holds a reader up.
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

  /// As ``read(seconds:_:)``, on the connection that writes where there is one: SQLite forgets the conditions
  /// on columns (`CHECK`) on one that only reads.
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

  /// Changes the history in one transaction, and seals what it has changed (``ChangeSealer``).
  func write<T>(_ mode: ChangeMode = .own, _ body: (Database) throws -> T) throws -> T {
    try HistoryError.translating(path: path) {
      try database.write { db in
        // A failed transaction's changes are rolled back.
        _ = recorder.take()
        let result = try body(db)
        try ChangeSealer(mode: mode).seal(db, recorder.take())
        return result
      }
    }
  }
}
