import Foundation
import GRDB

/// An encoded template of a person's earlier sets of an exercise.
package struct StoredPattern: Sendable, Hashable {
  package var version: Int
  package var data: [UInt8]

  package init(version: Int, data: [UInt8]) {
    self.version = version
    self.data = data
  }
}

extension HistoryStore {
  package var patterns: HistoryPatterns { HistoryPatterns(store: self) }
}

package struct HistoryPatterns: Sendable {
  let store: HistoryStore

  /// Deletes a person's templates, which may depend on deleted data. They can be learned again from the rest.
  package static func forget(_ db: Database, user: HistoryUser.ID) throws {
    try db.execute("DELETE FROM pattern WHERE userId = ?", user)
  }

  package func set(
    _ pattern: StoredPattern?, ofExercise exercise: String,
    user: HistoryUser.ID = .local
  ) throws {
    try store.write { db in
      guard let pattern else {
        try db.execute("DELETE FROM pattern WHERE userId = ? AND exerciseKey = ?", user, exercise)
        return
      }
      try db.execute(
        """
        INSERT INTO pattern (userId, exerciseKey, version, data) VALUES (?, ?, ?, ?)
        ON CONFLICT (userId, exerciseKey) DO UPDATE SET version = excluded.version,
          data = excluded.data
        """, user, exercise, pattern.version, Data(pattern.data))
    }
  }

  package func all(of user: HistoryUser.ID = .local) throws -> [String: StoredPattern] {
    try store.read { db in
      try db.rows("SELECT * FROM pattern WHERE userId = ?", user).reduce(into: [:]) {
        patterns, row in
        patterns[try row.value("exerciseKey")] = StoredPattern(
          version: try row.value("version"), data: [UInt8](try row.value("data") as Data))
      }
    }
  }

  /// Returns a person's newest sets that have a known exercise and a stored timeline, newest first.
  package func setsOfKnownExercises(
    user: HistoryUser.ID = .local, limit: Int
  ) throws -> [SetOfKnownExercise] {
    try store.read { try $0.records(Self.knownExercisesQuery, user, limit) }
  }

  static let knownExercisesQuery = """
    SELECT s.id, s.globalKey, s.detectedReps, s.correctedReps, s.confidence, s.clockStart, s.clockEnd,
      s.startTime, coalesce(e.exerciseId, e.name) AS exercise, coalesce(e.name, e.exerciseId) AS exerciseName
    FROM (SELECT id FROM workout_set WHERE userId = ? ORDER BY timestamp DESC, id DESC LIMIT ?) newest
    CROSS JOIN workout_set s ON s.id = newest.id
    JOIN workout_exercise e ON e.id = s.exerciseId
    JOIN workout w ON w.id = e.workoutId AND w.status IS NOT 'active'
    JOIN segment g ON g.setId = s.id
    WHERE exercise IS NOT NULL
    ORDER BY s.timestamp DESC, s.globalKey
    """
}

/// A set from which a template can be learned.
package struct SetOfKnownExercise: Sendable, Hashable, Decodable, FetchableRecord {
  package var id: HistorySetRow.ID
  package var globalKey: HistorySetRow.Key
  package var exercise: String
  package var exerciseName: String
  package var detectedReps: Int?
  package var correctedReps: Int?
  package var confidence: Double?
  /// Start of the set, in seconds on the samples' clock.
  package var clockStart: Double?
  package var clockEnd: Double?
  package var startTime: Double?
}
