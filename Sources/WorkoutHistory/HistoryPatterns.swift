import Foundation
import GRDB

/// The template of a person's earlier sets of an exercise, as whoever computes it wrote it.
package struct StoredPattern: Sendable, Hashable {
  /// Of the format of ``data``.
  package var version: Int
  package var data: [UInt8]

  package init(version: Int, data: [UInt8]) {
    self.version = version
    self.data = data
  }
}

extension HistoryStore {
  /// The templates of the movements that a person has done before, by exercise.
  package var patterns: HistoryPatterns { HistoryPatterns(store: self) }
}

/// The templates of the movements that a person has done before, by exercise.
package struct HistoryPatterns: Sendable {
  let store: HistoryStore

  /// What was learned from what is deleted goes with it. What is left can be learned anew.
  static func forget(_ db: Database, user: HistoryUser.ID) throws {
    try db.execute(sql: "DELETE FROM pattern WHERE userId = ?", arguments: [user])
  }

  /// Keeps the template of a person's sets of an exercise in place of the one before; nil removes
  /// it.
  ///
  /// - Parameter exercise: The exercise's id, as recordings name it.
  package func set(
    _ pattern: StoredPattern?, ofExercise exercise: String,
    user: HistoryUser.ID = HistoryStore.localUser
  ) throws {
    try store.write { db in
      guard let pattern else {
        try db.execute(
          sql: "DELETE FROM pattern WHERE userId = ? AND exerciseKey = ?",
          arguments: [user, exercise])
        return
      }
      try db.execute(
        sql: """
          INSERT INTO pattern (userId, exerciseKey, version, data) VALUES (?, ?, ?, ?)
          ON CONFLICT (userId, exerciseKey) DO UPDATE SET version = excluded.version,
            data = excluded.data
          """, arguments: [user, exercise, pattern.version, Data(pattern.data)])
    }
  }

  /// The templates of all exercises of a person, by exercise.
  package func all(of user: HistoryUser.ID = HistoryStore.localUser) throws -> [String:
    StoredPattern]
  {
    try store.read { db in
      try Row.fetchAll(
        db, sql: "SELECT exerciseKey, version, data FROM pattern WHERE userId = ?",
        arguments: [user]
      ).reduce(into: [:]) { patterns, row in
        patterns[try row.value("exerciseKey") as String] = StoredPattern(
          version: try row.value("version"), data: [UInt8](try row.value("data") as Data))
      }
    }
  }

  /// The newest sets of a person whose exercise is known and whose timeline is kept, the newest first.
  ///
  /// - Parameter limit: Of sets. Older ones are not looked at, so that it costs the same in a long history.
  package func setsOfKnownExercises(
    user: HistoryUser.ID = HistoryStore.localUser, limit: Int
  ) throws -> [SetOfKnownExercise] {
    try store.read { db in
      try Row.fetchAll(db, sql: Self.knownExercisesQuery, arguments: [user, limit])
        .map(SetOfKnownExercise.init)
    }
  }

  static let knownExercisesQuery = """
    SELECT s.id, s.globalKey, s.detectedReps, s.correctedReps, s.confidence, s.clockStart, s.clockEnd,
      s.startTime, coalesce(e.exerciseId, e.name) AS exercise, coalesce(e.name, e.exerciseId) AS name
    FROM (SELECT id FROM workout_set WHERE userId = ? ORDER BY timestamp DESC, id DESC LIMIT ?) newest
    CROSS JOIN workout_set s ON s.id = newest.id
    JOIN workout_exercise e ON e.id = s.exerciseId
    JOIN workout w ON w.id = e.workoutId AND w.status IS NOT 'active'
    JOIN segment g ON g.setId = s.id
    WHERE exercise IS NOT NULL
    ORDER BY s.timestamp DESC, s.globalKey
    """
}

/// A set that a movement may be learned from.
package struct SetOfKnownExercise: Sendable, Hashable {
  package var id: HistorySetRow.ID
  /// Its name among all sets of the person.
  package var globalKey: HistorySetRow.Key
  /// The exercise's id, or else its name.
  package var exercise: String
  /// For people.
  package var exerciseName: String
  package var detectedReps: Int?
  package var correctedReps: Int?
  /// The probability that ``detectedReps`` is exactly right, 0 to 1.
  package var confidence: Double?
  /// Seconds on the samples' clock.
  package var clockStart: Double?
  package var clockEnd: Double?
  /// Seconds since 1970, nil where the source gave no date.
  package var startTime: Double?

  init(_ row: Row) throws {
    id = try row.value("id")
    globalKey = try row.value("globalKey")
    exercise = try row.value("exercise")
    exerciseName = try row.value("name")
    detectedReps = try row.value("detectedReps")
    correctedReps = try row.value("correctedReps")
    confidence = try row.value("confidence")
    clockStart = try row.value("clockStart")
    clockEnd = try row.value("clockEnd")
    startTime = try row.value("startTime")
  }
}
