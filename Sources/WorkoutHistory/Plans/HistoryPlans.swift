import Foundation
import GRDB

extension HistoryStore {
  /// A history's workout plans and training splits.
  public var plans: HistoryPlans { HistoryPlans(store: self) }
}

/// A history's workout plans and training splits.
public struct HistoryPlans: Sendable {
  let store: HistoryStore

  /// Adds a plan after a person's other plans, or updates the one with its uuid, including its items.
  ///
  /// - Parameters:
  ///   - limits: The person's limits. Additions to an existing plan must respect them, too.
  ///   - titlePrefix: The word before the letter of a new plan's automatic title.
  /// - Returns: The plan as stored, with its automatic title.
  /// - Throws: ``RuleViolation``; ``HistoryError/notFound(reference:)`` for an unknown exercise or split.
  @discardableResult
  public func save(
    _ plan: WorkoutPlan, user: HistoryUser.ID = HistoryStore.localUser, limits: PlanLimits = .none,
    titlePrefix: String = WorkoutPlan.titlePrefix
  ) throws -> WorkoutPlan {
    try save([plan], user: user, limits: limits, titlePrefix: titlePrefix)[0]
  }

  /// Adds or updates several plans, all of them or none.
  @discardableResult
  public func save(
    _ plans: [WorkoutPlan], user: HistoryUser.ID = HistoryStore.localUser,
    limits: PlanLimits = .none, titlePrefix: String = WorkoutPlan.titlePrefix
  ) throws -> [WorkoutPlan] {
    let checked = try plans.map { try $0.checked(limits: limits) }
    let prefix = try HistoryRules.text(titlePrefix, .planTitle, HistoryRules.titlePrefix)
    return try store.write { db in
      try checked.map { plan in
        let id = try Self.save(db, plan: plan, user: user, limits: limits, titlePrefix: prefix)
        guard let saved = try Self.plan(db, id: id) else {
          throw HistoryError.notFound(reference: "plan \(plan.uuid)")
        }
        return saved
      }
    }
  }

  static func save(
    _ db: Database, plan: WorkoutPlan, user: HistoryUser.ID, limits: PlanLimits,
    titlePrefix: String = WorkoutPlan.titlePrefix
  ) throws -> WorkoutPlan.ID {
    var splitId: Int64?
    if let split = plan.split {
      splitId = try Int64.fetchOne(
        db, sql: "SELECT id FROM split WHERE uuid = ? AND userId = ?", arguments: [split, user])
      guard splitId != nil else { throw HistoryError.notFound(reference: "split \(split)") }
    }
    let known = try Row.fetchOne(
      db, sql: "SELECT id, userId FROM plan WHERE uuid = ?", arguments: [plan.uuid])
    let id: WorkoutPlan.ID
    if let known {
      id = try known.value("id")
      guard try known.value("userId") == user else {
        throw HistoryError.notFound(reference: "plan \(plan.uuid) of user \(user)")
      }
      try db.execute(
        sql: "UPDATE plan SET title = ?, description = ?, splitId = ? WHERE id = ?",
        arguments: [plan.title, plan.description, splitId, id])
    } else {
      let titles = try String.fetchSet(
        db, sql: "SELECT autoTitle FROM plan WHERE userId = ?", arguments: [user])
      if let limit = limits.plans, titles.count >= limit {
        throw RuleViolation.tooManyPlans(limit: limit)
      }
      try db.execute(
        sql: """
          INSERT INTO plan (userId, uuid, splitId, autoTitle, title, description, "order",
            createdAt)
          VALUES (?1, ?2, ?3, ?4, ?5, ?6,
            (SELECT coalesce(max("order") + 1, 0) FROM plan WHERE userId = ?1), ?7)
          """,
        arguments: [
          user, plan.uuid, splitId, AutomaticTitle.first(freeIn: titles, prefix: titlePrefix),
          plan.title, plan.description, plan.createdAt?.timeIntervalSince1970,
        ])
      id = WorkoutPlan.ID(db.lastInsertedRowID)
    }
    try saveItems(db, plan.items, plan: id, user: user)
    return id
  }

  private static func saveItems(
    _ db: Database, _ items: [PlanItem], plan: WorkoutPlan.ID, user: HistoryUser.ID
  ) throws {
    var rows: [StatementArguments] = []
    for (position, item) in items.enumerated() {
      rows.append(try arguments(db, of: item, at: position, plan: plan, user: user))
    }
    // Unchanged items are not written: a rewritten item would be synced again.
    let columns = """
      planId, uuid, position, kind, exerciseId, exerciseName, sets, reps, weight, restTime, duration
      """
    let known = try Row.fetchAll(
      db, sql: "SELECT \(columns) FROM plan_item WHERE planId = ? ORDER BY position",
      arguments: [plan])
    var kept = 0
    while kept < min(known.count, rows.count),
      StatementArguments(known[kept].databaseValues) == rows[kept]
    { kept += 1 }
    for position in (kept..<max(kept, known.count)).reversed() {
      try db.execute(
        sql: "DELETE FROM plan_item WHERE planId = ? AND position = ?", arguments: [plan, position])
    }
    // Items are a field of their plan, which therefore counts as changed.
    try db.execute(cached: "UPDATE plan SET title = title WHERE id = ?", arguments: [plan])
    for row in rows[kept...] {
      try db.execute(
        sql: "INSERT INTO plan_item (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        arguments: row)
    }
  }

  private static func arguments(
    _ db: Database, of item: PlanItem, at position: Int, plan: WorkoutPlan.ID, user: HistoryUser.ID
  ) throws -> StatementArguments {
    switch item.content {
    case .pause(let duration):
      return [plan, item.uuid, position, "break", nil, nil, nil, nil, nil, nil, duration]
    case .exercise(let exercise):
      var exerciseId: CatalogExercise.ID?
      var name = exercise.name
      if let reference = exercise.exercise {
        exerciseId = try HistoryCatalog.id(db, reference)
        guard let exerciseId else {
          throw HistoryError.notFound(reference: "exercise \(reference)")
        }
        if name.isEmpty {
          name =
            try String.fetchOne(
              db, sql: "SELECT name FROM exercise WHERE id = ?", arguments: [exerciseId]) ?? ""
        }
      }
      switch exercise.configuration {
      case .repetitions(let sets, let reps, let restTime):
        return [
          plan, item.uuid, position, "repetitions", exerciseId, name, sets, reps, exercise.weight,
          restTime, nil,
        ]
      case .time(let duration):
        return [
          plan, item.uuid, position, "time", exerciseId, name, nil, nil, exercise.weight, nil,
          duration,
        ]
      }
    }
  }

  /// Returns a person's plans in their order.
  public func all(of user: HistoryUser.ID = HistoryStore.localUser) throws -> [WorkoutPlan] {
    try store.read { db in
      try WorkoutPlan.ID.fetchAll(
        db, sql: "SELECT id FROM plan WHERE userId = ? ORDER BY \"order\", id", arguments: [user]
      ).compactMap { try Self.plan(db, id: $0) }
    }
  }

  /// Returns a plan by its uuid; nil if there is none.
  public func plan(_ uuid: WorkoutPlan.Key) throws -> WorkoutPlan? {
    try store.read { db in
      try Self.id(db, uuid).flatMap { try Self.plan(db, id: $0) }
    }
  }

  /// Returns the plan that a person follows.
  public func active(of user: HistoryUser.ID = HistoryStore.localUser) throws -> WorkoutPlan? {
    try store.read { db in
      try WorkoutPlan.ID.fetchOne(
        db, sql: "SELECT id FROM plan WHERE userId = ? AND isActive = 1", arguments: [user]
      ).flatMap { try Self.plan(db, id: $0) }
    }
  }

  /// Makes a plan the active one of its owner; nil deactivates all.
  public func activate(
    _ uuid: WorkoutPlan.Key?, user: HistoryUser.ID = HistoryStore.localUser
  ) throws {
    try store.write { db in
      var id: WorkoutPlan.ID?
      if let uuid {
        id = try WorkoutPlan.ID.fetchOne(
          db, sql: "SELECT id FROM plan WHERE uuid = ? AND userId = ?", arguments: [uuid, user])
        guard id != nil else { throw HistoryError.notFound(reference: "plan \(uuid)") }
      }
      try db.execute(
        sql: "UPDATE plan SET isActive = 0 WHERE userId = ? AND isActive = 1 AND id IS NOT ?",
        arguments: [user, id])
      try db.execute(sql: "UPDATE plan SET isActive = 1 WHERE id = ?", arguments: [id])
      try Self.touchOwner(db, user)
    }
  }

  /// Marks a person as changed. The active plan is stored as a property of the person, so that two plans cannot
  /// be active.
  static func touchOwner(_ db: Database, _ user: HistoryUser.ID) throws {
    try db.execute(cached: "UPDATE user SET name = name WHERE id = ?", arguments: [user])
  }

  /// Reorders a person's plans. Each of them must be listed once.
  public func order(
    _ uuids: [WorkoutPlan.Key], user: HistoryUser.ID = HistoryStore.localUser
  ) throws {
    try store.write { db in
      let known = try WorkoutPlan.Key.fetchSet(
        db, sql: "SELECT uuid FROM plan WHERE userId = ?", arguments: [user])
      guard Set(uuids) == known, uuids.count == known.count else {
        throw RuleViolation.incompleteOrder
      }
      for (order, uuid) in uuids.enumerated() {
        try db.execute(
          sql: "UPDATE plan SET \"order\" = ? WHERE uuid = ?", arguments: [order, uuid])
      }
    }
  }

  /// Moves an item of a plan; the items between shift by one.
  package func moveItem(ofPlan uuid: WorkoutPlan.Key, from: Int, to: Int) throws {
    try store.write { db in
      guard let id = try Self.id(db, uuid), var plan = try Self.plan(db, id: id) else {
        throw HistoryError.notFound(reference: "plan \(uuid)")
      }
      for position in [from, to] where !plan.items.indices.contains(position) {
        throw RuleViolation.position(position, count: plan.items.count)
      }
      plan.items.insert(plan.items.remove(at: from), at: to)
      let user =
        try HistoryUser.ID.fetchOne(
          db, sql: "SELECT userId FROM plan WHERE id = ?", arguments: [id]) ?? 0
      try Self.saveItems(db, plan.items, plan: id, user: user)
    }
  }

  /// Deletes a plan with its items. Workouts that followed it stay, and keep its title.
  public func delete(_ uuid: WorkoutPlan.Key) throws {
    try store.write { db in
      let user = try HistoryUser.ID.fetchOne(
        db, sql: "DELETE FROM plan WHERE uuid = ? RETURNING userId", arguments: [uuid])
      guard let user else { throw HistoryError.notFound(reference: "plan \(uuid)") }
      try Self.touchOwner(db, user)
    }
  }

  static func id(_ db: Database, _ uuid: WorkoutPlan.Key) throws -> WorkoutPlan.ID? {
    try WorkoutPlan.ID.fetchOne(db, sql: "SELECT id FROM plan WHERE uuid = ?", arguments: [uuid])
  }

  static func plan(_ db: Database, id: WorkoutPlan.ID) throws -> WorkoutPlan? {
    guard
      let row = try Row.fetchOne(
        db,
        sql: """
          SELECT p.*, s.uuid AS split FROM plan p LEFT JOIN split s ON s.id = p.splitId
          WHERE p.id = ?
          """, arguments: [id])
    else { return nil }
    let items = try Row.fetchAll(
      db,
      sql: """
        SELECT i.*, t.uuid AS exercise, t.muscleGroup FROM plan_item i
        LEFT JOIN exercise t ON t.id = i.exerciseId WHERE i.planId = ? ORDER BY i.position
        """, arguments: [id])
    var plan = WorkoutPlan(
      uuid: try row.value("uuid"), title: try row.value("title"),
      items: try items.map(PlanItem.init))
    plan.id = id
    plan.autoTitle = try row.value("autoTitle")
    plan.description = try row.value("description")
    plan.order = try row.value("order")
    plan.isActive = try row.value("isActive") == 1
    plan.split = try row.value("split")
    plan.createdAt = try row.date("createdAt")
    for item in items {
      guard
        let group = (try item.value("muscleGroup") as String?).flatMap(MuscleGroup.init(rawValue:)),
        !plan.muscleGroups.contains(group)
      else { continue }
      plan.muscleGroups.append(group)
    }
    return plan
  }
}

extension PlanItem {
  fileprivate init(_ row: Row) throws {
    let kind: String = try row.value("kind")
    if kind == "break" {
      self.init(uuid: try row.value("uuid"), .pause(duration: try row.value("duration")))
      return
    }
    self.init(
      uuid: try row.value("uuid"),
      .exercise(
        PlannedExercise(
          exercise: try row.value("exercise"), name: try row.value("exerciseName"),
          kind == "time"
            ? .time(duration: try row.value("duration"))
            : .repetitions(
              sets: try row.value("sets"), reps: try row.value("reps"),
              restTime: try row.value("restTime")), weight: try row.value("weight"))))
  }
}
