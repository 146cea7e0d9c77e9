import Foundation
import GRDB

extension HistoryStore {
  /// A history's workouts: those in progress, and those that are over.
  public var workouts: HistoryWorkouts { HistoryWorkouts(store: self) }
}

/// A history's workouts: those in progress, and those that are over.
public struct HistoryWorkouts: Sendable {
  let store: HistoryStore

  /// Starts a workout. A person has at most one in progress.
  ///
  /// - Parameter session: The session's id. A workout in progress with this id is resumed.
  /// - Throws: ``RuleViolation`` if another workout is in progress;
  ///   ``HistoryError/notFound(reference:)`` for an unknown plan.
  public func start(
    _ session: HistoryWorkoutRow.Key, at date: Date? = nil, plan: WorkoutPlan.Key? = nil,
    focus: String? = nil, intensity: String? = nil, user: HistoryUser.ID = HistoryStore.localUser
  ) throws -> WorkoutSession {
    let key = try HistoryRules.key(session, .sessionId)
    let focus = try HistoryRules.optionalText(focus, .focus, 1...100)
    let intensity = try HistoryRules.optionalText(intensity, .intensity, 1...100)
    try HistoryRules.check(date: date, .startTime)
    try store.write { db in
      try Self.start(
        db, session: key, date: date?.timeIntervalSince1970, plan: plan, focus: focus,
        intensity: intensity, user: user)
    }
    return WorkoutSession(store: store, sessionId: key, user: user)
  }

  static func start(
    _ db: Database, session key: HistoryWorkoutRow.Key, date: Double?, plan: WorkoutPlan.Key?,
    focus: String?, intensity: String?, user: HistoryUser.ID
  ) throws {
    if let active = try ActiveWorkout.find(db, user: user) {
      guard active.key == key else { throw RuleViolation.workoutUnderWay(sessionId: active.key) }
      return
    }
    let plan = try plan.map { try planToStart(db, $0, user: user) }
    try db.execute(
      cached: """
        INSERT INTO workout (userId, key, sessionId, planId, planTitle, focus, intensity, date, status)
        VALUES (?1, ?2, ?2, ?3, ?4, ?5, ?6, ?7, 'active')
        ON CONFLICT (userId, key) DO UPDATE SET status = 'active',
          sessionId = coalesce(sessionId, excluded.sessionId),
          date = coalesce(min(date, excluded.date), excluded.date, date),
          planId = coalesce(excluded.planId, planId),
          planTitle = coalesce(excluded.planTitle, planTitle),
          focus = coalesce(excluded.focus, focus), intensity = coalesce(excluded.intensity, intensity)
        """, arguments: [user, key, plan?.id, plan?.displayTitle, focus, intensity, date])
  }

  private static func planToStart(
    _ db: Database, _ uuid: WorkoutPlan.Key, user: HistoryUser.ID
  ) throws -> WorkoutPlan {
    guard
      let id = try WorkoutPlan.ID.fetchOne(
        db, sql: "SELECT id FROM plan WHERE uuid = ? AND userId = ?",
        arguments: [uuid, user]), let plan = try HistoryPlans.plan(db, id: id)
    else { throw HistoryError.notFound(reference: "plan \(uuid)") }
    guard !plan.exercises.isEmpty else { throw RuleViolation.emptyPlan }
    return plan
  }

  /// Records that a planned workout was not done.
  ///
  /// - Returns: The row of the workout in the history.
  @discardableResult
  package func skip(
    _ session: HistoryWorkoutRow.Key, at date: Date? = nil, plan: WorkoutPlan.Key? = nil,
    user: HistoryUser.ID = HistoryStore.localUser
  ) throws -> HistoryWorkoutRow.ID {
    let key = try HistoryRules.key(session, .sessionId)
    try HistoryRules.check(date: date, .startTime)
    return try store.write { db in
      let plan = try plan.map { try Self.planToStart(db, $0, user: user) }
      try db.execute(
        sql: """
          INSERT INTO workout (userId, key, sessionId, date, planId, planTitle, status)
          VALUES (?1, ?2, ?2, ?3, ?4, ?5, 'skipped')
          ON CONFLICT (userId, key) DO NOTHING
          """, arguments: [user, key, date?.timeIntervalSince1970, plan?.id, plan?.displayTitle])
      return try HistoryWorkoutRow.ID.fetchWritten(
        db, cached: "SELECT id FROM workout WHERE userId = ? AND key = ?", arguments: [user, key])
    }
  }

  /// Returns the workouts in progress, including those that were left open.
  public func allUnderWay() throws -> [WorkoutSession] {
    try store.read { db in
      try Row.fetchAll(
        db, sql: "SELECT userId, key FROM workout WHERE status = 'active' ORDER BY id"
      ).map {
        WorkoutSession(store: store, sessionId: try $0.value("key"), user: try $0.value("userId"))
      }
    }
  }

  /// Returns a person's workout in progress, to be resumed; nil if there is none.
  public func underWay(
    session: HistoryWorkoutRow.Key? = nil, user: HistoryUser.ID = HistoryStore.localUser
  ) throws -> WorkoutSession? {
    try store.read { db in
      try ActiveWorkout.find(db, session: session, user: user)
        .map { WorkoutSession(store: store, sessionId: $0.key, user: user) }
    }
  }
}
