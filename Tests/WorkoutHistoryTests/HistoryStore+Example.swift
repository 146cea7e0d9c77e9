import Foundation
import GRDB
import Motion
import TestSupport

@testable import HistorySync
@testable import WorkoutHistory

extension HistoryStore {
  /// Creates an empty history in a folder of its own.
  static func temporary() throws -> (TemporaryFolder, HistoryStore) {
    let folder = try TemporaryFolder()
    return (folder, try HistoryStore(path: folder.path("history.sqlite"), mode: .create))
  }

  /// Adds a plan, a workout that follows it, and a set of nine reps with its samples.
  func live() throws {
    try catalog.save(HistoryCatalogTests.benchPress())
    try catalog.save(CatalogExercise(uuid: "E2", name: "Prancha", muscleGroup: .core))
    try plans.save(TrainingSplit(uuid: "SP", name: "ABC"))
    var plan = HistoryPlanTests.plan("P")
    plan.split = "SP"
    try plans.save(plan)
    let workout = try workouts.start("W", at: 1000, plan: "P")
    try workout.startSet("X", exercise: "E1", at: 1010)
    try save(Self.recording, sets: [Example.set(.declared, 101, 120, reps: 9)])
    try workout.endSet(at: 1050)
    try workout.end(at: 1100)
  }

  func moveItem(ofPlan uuid: WorkoutPlan.Key, from: Int, to: Int) throws {
    guard var plan = try plans.plan(uuid) else { throw HistoryError.notFound(reference: "\(uuid)") }
    plan.items.insert(plan.items.remove(at: from), at: to)
    try plans.save(plan)
  }

  static var recording: Recording {
    Recording(
      name: "X", identity: SetIdentity(sessionId: "W", exerciseId: "E1", setId: "X"),
      samples: Example.samples())
  }

  /// Returns the keys of a person's deleted sets and recordings.
  func deletedKeys(of user: HistoryUser.ID = .local) throws -> [DeletedSamples.Key] {
    try read { db in
      try db.values(
        """
        SELECT coalesce(setKey, recordingKey) AS key FROM deleted_samples
        WHERE userId = ? AND recordingKey <> '' GROUP BY key ORDER BY min(id)
        """, user, as: DeletedSamples.Key.self)
    }
  }

  /// Returns the number of rows of a table.
  func count(_ table: String) throws -> Int {
    try read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") ?? -1 }
  }

  /// Returns every row of the tables of recordings and workouts.
  func dump() throws -> [String] {
    try read { db in
      try [
        "user", "workout", "workout_exercise", "recording", "workout_set",
        "segment", "blob", "health",
      ].flatMap { table in
        try Row.fetchAll(db, sql: "SELECT * FROM \(table) ORDER BY 1").map(\.description)
      }
    }
  }
}

extension [HistoryExerciseRow] {
  /// The set that was started and has not ended.
  var activeSet: HistorySetRow? { lazy.flatMap(\.sets).first(where: \.isActive) }
}

extension SyncExchange {
  /// Returns the number of the last change.
  func lastChangeNumber() throws -> Int64 {
    try store.read { try Int64.fetchOne($0, sql: "SELECT number FROM clock") ?? 0 }
  }
}

extension HistoryWorkouts {
  /// Performs actions in one transaction. Returns the error of each, or nil; a failed one changes nothing.
  func perform(_ actions: [WorkoutAction]) throws -> [(any Error & Sendable)?] {
    try store.write { db in
      try actions.map { action in try Self.attempt(db) { try Self.perform(db, action) } }
    }
  }
}
