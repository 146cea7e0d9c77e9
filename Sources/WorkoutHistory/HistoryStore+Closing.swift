import Foundation
import GRDB

extension HistoryStore {
  /// Maximum wait for readers that keep the log from being emptied, in milliseconds.
  private static let checkpointTimeout = 200

  /// Closes connections. A connection that can write empties the log first.
  static func close(_ database: any DatabaseWriter) throws {
    if !database.configuration.readonly {
      // If other connections hold it up, the last of them empties the log.
      try? database.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA busy_timeout = \(checkpointTimeout)")
        _ = try db.checkpoint(.truncate)
      }
    }
    try database.close()
  }

  /// Removes the files of an empty log that a reader left beside the database, or a writer that closed before
  /// its readers.
  ///
  /// SQLite does so when the last connection that may write closes, under its own locks: other processes that
  /// have the history open keep their log.
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
