import Foundation
import GRDB

/// An encoded template of a person's earlier sets of an exercise. Its format belongs to the code that computes
/// it.
package struct StoredPattern: Sendable, Hashable {
  /// Version of the format of ``data``.
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

  /// Deletes a person's templates, since they were learned from deleted data. They can be learned again from
  /// the rest.
  static func forget(_ db: Database, user: HistoryUser.ID) throws {
    try db.execute(sql: "DELETE FROM pattern WHERE userId = ?", arguments: [user])
  }

  /// Replaces the template of a person's sets of an exercise; nil removes it.
  ///
  /// - Parameter exercise: The exercise's id, as in recordings.
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

  /// Returns all templates of a person, by exercise.
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

  /// Returns a person's newest sets that have a known exercise and a stored timeline, newest first.
  ///
  /// - Parameter limit: Maximum number of sets. Older ones are not read, so the cost does not grow with the
  ///   history.
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

/// A set from which a template can be learned.
package struct SetOfKnownExercise: Sendable, Hashable {
  package var id: HistorySetRow.ID
  /// The set's key among all sets of the person.
  package var globalKey: HistorySetRow.Key
  /// The exercise's id, or else its name.
  package var exercise: String
  /// The display name of the exercise.
  package var exerciseName: String
  package var detectedReps: Int?
  package var correctedReps: Int?
  /// Probability that ``detectedReps`` is exactly right, 0 to 1.
  package var confidence: Double?
  /// Begin of the set, in seconds on the samples' clock.
  package var clockStart: Double?
  package var clockEnd: Double?
  /// Begin of the set, in seconds since 1970; nil if the source gave no date.
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
