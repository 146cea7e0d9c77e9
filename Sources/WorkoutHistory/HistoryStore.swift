import GRDB
import Motion
import Synchronization

/// The history of counted sets: one SQLite file that keeps every sample of every recording.
///
/// Safe to use from several threads, and from several processes at once: readers do not wait for
/// the writer. What a call has saved survives a crash of the program and the loss of power. All
/// calls throw ``HistoryError``, and ``TimelineError`` where a timeline's bytes are wrong.
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
  private let isClosed = Atomic(false)

  /// Opens a history, and brings its schema up to date if it may be written.
  ///
  /// - Throws: ``HistoryError``. A file that is not a history, or was written by a newer program,
  ///   is left as it is.
  public init(path: String, mode: Mode) throws {
    self.path = path
    do {
      database = try HistoryError.translating(path: path) {
        try Self.open(path: path, mode: mode)
      }
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
    }
  }

  func read<T>(_ body: (Database) throws -> T) throws -> T {
    try HistoryError.translating(path: path) { try database.read(body) }
  }

  func write<T>(_ body: (Database) throws -> T) throws -> T {
    try HistoryError.translating(path: path) { try database.write(body) }
  }
}
