import GRDB
import Motion

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

  /// Opens a history, and brings its schema up to date if it may be written.
  ///
  /// - Throws: ``HistoryError``. A file that is not a history, or was written by a newer program,
  ///   is left as it is.
  public init(path: String, mode: Mode) throws {
    self.path = path
    database = try HistoryError.translating(path: path) {
      try Self.open(path: path, mode: mode)
    }
  }

  /// Closes the connections. Later calls throw.
  public func close() throws {
    try HistoryError.translating(path: path) {
      if !database.configuration.readonly {
        // The last to close would do it, but for readers, which may not.
        try? database.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
      }
      try database.close()
    }
  }

  func read<T>(_ body: (Database) throws -> T) throws -> T {
    try HistoryError.translating(path: path) { try database.read(body) }
  }

  func write<T>(_ body: (Database) throws -> T) throws -> T {
    try HistoryError.translating(path: path) { try database.write(body) }
  }
}
