import Foundation
import GRDB

extension HistoryStore {
  /// The longest wait for readers who keep the log from being emptied, in milliseconds.
  private static let checkpointTimeout = 200

  /// Closes connections; who can write empties the log.
  static func close(_ database: any DatabaseWriter) throws {
    if !database.configuration.readonly {
      // Whom others hold up leaves the log to the last of them.
      try? database.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA busy_timeout = \(checkpointTimeout)")
        _ = try db.checkpoint(.truncate)
      }
    }
    try database.close()
  }

  /// Removes the files of an empty log that a reader, or a writer whose readers were closed after
  /// it, has left beside the database.
  ///
  /// SQLite does so when the last connection that may write closes, under its own locks: others who
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
