import Foundation
import GRDB

/// The template of a person's earlier sets of an exercise, as whoever computes it wrote it.
public struct StoredPattern: Sendable, Hashable {
  /// Of the format of ``data``.
  public var version: Int
  public var data: [UInt8]

  public init(version: Int, data: [UInt8]) {
    self.version = version
    self.data = data
  }
}

extension HistoryStore {
  /// The template of a person's earlier sets of an exercise, nil where there is none.
  ///
  /// - Parameter exercise: The exercise's id, as recordings name it.
  public func pattern(
    ofExercise exercise: String, user: Int64 = HistoryStore.localUser
  ) throws -> StoredPattern? {
    try read { db in
      try Row.fetchOne(
        db,
        sql: "SELECT version, data FROM movementPattern WHERE userId = ? AND exerciseKey = ?",
        arguments: [user, exercise]
      ).map {
        StoredPattern(version: try $0.value("version"), data: [UInt8](try $0.value("data") as Data))
      }
    }
  }

  /// Keeps the template of a person's sets of an exercise in place of the one before; nil removes
  /// it.
  public func set(
    pattern: StoredPattern?, ofExercise exercise: String, user: Int64 = HistoryStore.localUser
  ) throws {
    try write { db in
      guard let pattern else {
        try db.execute(
          sql: "DELETE FROM movementPattern WHERE userId = ? AND exerciseKey = ?",
          arguments: [user, exercise])
        return
      }
      try db.execute(
        sql: """
          INSERT INTO movementPattern (userId, exerciseKey, version, data) VALUES (?, ?, ?, ?)
          ON CONFLICT (userId, exerciseKey) DO UPDATE SET version = excluded.version,
            data = excluded.data
          """, arguments: [user, exercise, pattern.version, Data(pattern.data)])
    }
  }
}
