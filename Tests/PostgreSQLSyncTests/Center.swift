#if PostgreSQL
import Foundation
import HistorySync
import Motion
import MotionSynthesis
import SyncTestSupport
import TestSupport
import Testing
import WorkoutHistory

@testable import PostgreSQLSync

/// The server started by `.ci/postgres`.
enum Server {
  /// `host:port/database`; nil if no server was started.
  static let place = ProcessInfo.processInfo.environment["REPTRACE_POSTGRES"]
  static let folder = ProcessInfo.processInfo.environment["REPTRACE_POSTGRES_FOLDER"] ?? ""

  static func address(_ role: String) -> String { "postgresql://\(role)@\(place ?? "")" }

  static func center(_ role: String) throws -> PostgreSQLCenter {
    try PostgreSQLCenter(address: address(role))
  }

  @discardableResult
  static func query(
    _ role: String, _ sql: String, _ parameters: [Parameter] = []
  ) async throws -> [[String?]] {
    try await PostgreSQLConnection(address: address(role)).transaction(nil) {
      try $0.query(sql, parameters)
    }
  }

  /// Creates an empty schema.
  static func prepare() async throws {
    try await center("admin").initialize()
    try await query("admin", "GRANT reptrace_user TO alice, bob")
    try await query("admin", "DELETE FROM reptrace.account")
  }
}

/// A copy of a history for the tests.
struct Copy {
  let store: HistoryStore

  init(_ folder: TemporaryFolder, _ name: String) throws {
    store = try HistoryStore(path: folder.path(name + ".sqlite"), mode: .create)
  }

  func synchronizer(_ role: String) throws -> Synchronizer {
    Synchronizer(store: store, transport: try Server.center(role))
  }

  @discardableResult
  func sync(_ role: String) async throws -> SyncReport { try await synchronizer(role).sync() }

  static func samples(rows: Int = 3000, seed: UInt64 = 5) -> MotionBatch {
    var generator = RandomSource(seed: seed)
    return MotionBatch([
      .time: (0..<rows).map { 100 + Double($0) / 50 },
      .rotationRateX: (0..<rows).map { _ in Double.random(in: -1...1, using: &generator) },
    ])
  }

  /// Adds a plan, and a workout of one set with its samples.
  func live(workout: String = "W", rows: Int = 3000) throws {
    try store.catalog.save(CatalogExercise(uuid: "E1", name: "Bench press", muscleGroup: .chest))
    try store.plans.save(
      WorkoutPlan(
        uuid: "P", title: "Monday",
        items: [
          PlanItem(
            uuid: "P1",
            .exercise(
              PlannedExercise(
                exercise: "E1", .repetitions(sets: 3, reps: 8, restTime: 90), weight: 62.5))),
          PlanItem(uuid: "P2", .pause(duration: 60)),
        ]))
    try store.save(
      Recording(
        name: "X", identity: SetIdentity(sessionId: workout, exerciseId: "E1", setId: "X"),
        samples: Self.samples(rows: rows)),
      sets: [Example.set(.declared, 101, 119, reps: 9)])
  }
}
#endif
