import Foundation
import GRDB

extension HistoryStore {
  public var workouts: HistoryWorkouts { HistoryWorkouts(store: self) }
}

/// A history's workouts, in progress and ended.
public struct HistoryWorkouts: Sendable {
  let store: HistoryStore

  /// Starts a workout. A person has at most one in progress; one in progress with this id is resumed.
  public func start(
    _ session: HistoryWorkoutRow.Key, at date: Date? = nil, plan: WorkoutPlan.Key? = nil,
    focus: String? = nil, intensity: String? = nil, user: HistoryUser.ID = .local
  ) throws -> WorkoutSession {
    let key = try HistoryRules.key(session, .sessionId)
    let step = WorkoutAction.Step.startWorkout(plan: plan, focus: focus, intensity: intensity)
    try store.write {
      try Self.perform(
        $0, WorkoutAction(session: key, step, date: date?.timeIntervalSince1970, user: user))
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
      """
      INSERT INTO workout (userId, key, sessionId, planId, planTitle, focus, intensity, date, status)
      VALUES (?1, ?2, ?2, ?3, ?4, ?5, ?6, ?7, 'active')
      ON CONFLICT (userId, key) DO UPDATE SET status = 'active',
        sessionId = coalesce(sessionId, excluded.sessionId),
        date = coalesce(min(date, excluded.date), excluded.date, date),
        planId = coalesce(excluded.planId, planId),
        planTitle = coalesce(excluded.planTitle, planTitle),
        focus = coalesce(excluded.focus, focus), intensity = coalesce(excluded.intensity, intensity)
      """, user, key, plan?.id, plan?.displayTitle, focus, intensity, date)
  }

  private static func planToStart(
    _ db: Database, _ uuid: WorkoutPlan.Key, user: HistoryUser.ID
  ) throws -> WorkoutPlan {
    let id = try HistoryPlans.id(db, uuid, of: user)
    let plan = try HistoryPlans.plan(db, id: id).orNotFound("plan \(uuid)")
    guard !plan.exercises.isEmpty else { throw RuleViolation.emptyPlan }
    return plan
  }

  /// Records that a planned workout was not done.
  @discardableResult
  package func skip(
    _ session: HistoryWorkoutRow.Key, at date: Date? = nil, plan: WorkoutPlan.Key? = nil,
    user: HistoryUser.ID = .local
  ) throws -> HistoryWorkoutRow.ID {
    let key = try HistoryRules.key(session, .sessionId)
    try HistoryRules.check(date: date, .startTime)
    return try store.write { db in
      let plan = try plan.map { try Self.planToStart(db, $0, user: user) }
      try db.execute(
        """
        INSERT INTO workout (userId, key, sessionId, date, planId, planTitle, status)
        VALUES (?1, ?2, ?2, ?3, ?4, ?5, 'skipped')
        ON CONFLICT (userId, key) DO NOTHING
        """, user, key, date?.timeIntervalSince1970, plan?.id, plan?.displayTitle)
      return try db.written(
        "SELECT id FROM workout WHERE userId = ? AND key = ?", user, key,
        as: HistoryWorkoutRow.ID.self)
    }
  }

  public func allInProgress() throws -> [WorkoutSession] {
    try store.read { db in
      try db.rows("SELECT userId, key FROM workout WHERE status = 'active' ORDER BY id").map {
        WorkoutSession(store: store, sessionId: try $0.value("key"), user: try $0.value("userId"))
      }
    }
  }

  public func underWay(
    session: HistoryWorkoutRow.Key? = nil, user: HistoryUser.ID = .local
  ) throws -> WorkoutSession? {
    try store.read { db in
      try ActiveWorkout.find(db, session: session, user: user)
        .map { WorkoutSession(store: store, sessionId: $0.key, user: user) }
    }
  }
}
