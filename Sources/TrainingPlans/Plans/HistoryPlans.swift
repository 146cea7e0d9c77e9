import Foundation
import GRDB

extension HistoryStore {
  public var plans: HistoryPlans { HistoryPlans(store: self) }
}

public struct HistoryPlans: Sendable {
  let store: HistoryStore

  /// Adds a plan after a person's other plans, or updates the one with its uuid, including its items.
  ///
  /// - Parameter titlePrefix: The word before the letter of a new plan's automatic title.
  @discardableResult
  public func save(
    _ plan: WorkoutPlan, user: HistoryUser.ID = .local, limits: PlanLimits = .none,
    titlePrefix: String = WorkoutPlan.titlePrefix
  ) throws -> WorkoutPlan {
    try save([plan], user: user, limits: limits, titlePrefix: titlePrefix)[0]
  }

  @discardableResult
  package func save(
    _ plans: [WorkoutPlan], user: HistoryUser.ID = .local,
    limits: PlanLimits = .none, titlePrefix: String = WorkoutPlan.titlePrefix
  ) throws -> [WorkoutPlan] {
    let checked = try plans.map { try $0.checked(limits: limits) }
    let prefix = try HistoryRules.text(titlePrefix, .planTitle, HistoryRules.titlePrefix)
    return try store.write { db in
      try checked.map { plan in
        let id = try Self.save(db, plan: plan, user: user, limits: limits, titlePrefix: prefix)
        return try Self.plan(db, id: id).orNotFound("plan \(plan.uuid)")
      }
    }
  }

  package static func save(
    _ db: Database, plan: WorkoutPlan, user: HistoryUser.ID, limits: PlanLimits,
    titlePrefix: String = WorkoutPlan.titlePrefix
  ) throws -> WorkoutPlan.ID {
    let splitId = try plan.split.map { split in
      try db.value(
        "SELECT id FROM split WHERE uuid = ? AND userId = ?", split, user, as: Int64.self
      ).orNotFound("split \(split)")
    }
    let known = try db.row("SELECT id, userId FROM plan WHERE uuid = ?", plan.uuid)
    let id: WorkoutPlan.ID
    if let known {
      id = try known.value("id")
      guard try known.value("userId") == user else {
        throw HistoryError.notFound(reference: "plan \(plan.uuid) of user \(user)")
      }
      try db.execute(
        "UPDATE plan SET title = ?, description = ?, splitId = ? WHERE id = ?", plan.title,
        plan.description, splitId, id)
    } else {
      let titles = try Set(
        db.values("SELECT autoTitle FROM plan WHERE userId = ?", user, as: String.self))
      if let limit = limits.plans, titles.count >= limit {
        throw RuleViolation.tooManyPlans(limit: limit)
      }
      try db.execute(
        """
        INSERT INTO plan (userId, uuid, splitId, autoTitle, title, description, "order",
          createdAt)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6,
          (SELECT coalesce(max("order") + 1, 0) FROM plan WHERE userId = ?1), ?7)
        """, user, plan.uuid, splitId, AutomaticTitle.first(freeIn: titles, prefix: titlePrefix),
        plan.title, plan.description, plan.createdAt?.timeIntervalSince1970)
      id = WorkoutPlan.ID(db.lastInsertedRowID)
    }
    try saveItems(db, plan.items, plan: id)
    return id
  }

  private static func saveItems(
    _ db: Database, _ items: [PlanItem], plan: WorkoutPlan.ID
  ) throws {
    let rows = try items.enumerated().map { try arguments(db, of: $1, at: $0, plan: plan) }
    // Do not write unchanged items, which would be synced again.
    let columns = """
      planId, uuid, position, kind, exerciseId, exerciseName, sets, reps, weight, restTime, duration
      """
    let known = try db.rows(
      "SELECT \(columns) FROM plan_item WHERE planId = ? ORDER BY position", plan)
    var kept = 0
    while kept < min(known.count, rows.count),
      StatementArguments(known[kept].databaseValues) == rows[kept]
    { kept += 1 }
    for position in (kept..<max(kept, known.count)).reversed() {
      try db.execute("DELETE FROM plan_item WHERE planId = ? AND position = ?", plan, position)
    }
    // Items are a field of their plan, which therefore counts as changed.
    try db.execute("UPDATE plan SET title = title WHERE id = ?", plan)
    for row in rows[kept...] {
      try db.execute(
        sql: "INSERT INTO plan_item (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        arguments: row)
    }
  }

  private static func arguments(
    _ db: Database, of item: PlanItem, at position: Int, plan: WorkoutPlan.ID
  ) throws -> StatementArguments {
    switch item.content {
    case .pause(let duration):
      return [plan, item.uuid, position, "break", nil, nil, nil, nil, nil, nil, duration]
    case .exercise(let exercise):
      var exerciseId: CatalogExercise.ID?
      var name = exercise.name
      if let reference = exercise.exercise {
        exerciseId = try HistoryCatalog.id(db, reference).orNotFound("exercise \(reference)")
        if name.isEmpty {
          name = try db.value("SELECT name FROM exercise WHERE id = ?", exerciseId) ?? ""
        }
      }
      let start: StatementArguments = [plan, item.uuid, position]
      switch exercise.configuration {
      case .repetitions(let sets, let reps, let restTime):
        return start
          + ["repetitions", exerciseId, name, sets, reps, exercise.weight, restTime, nil]
      case .time(let duration):
        return start + ["time", exerciseId, name, nil, nil, exercise.weight, nil, duration]
      }
    }
  }

  public func all(of user: HistoryUser.ID = .local) throws -> [WorkoutPlan] {
    try store.read { db in
      try db.values(
        "SELECT id FROM plan WHERE userId = ? ORDER BY \"order\", id", user, as: WorkoutPlan.ID.self
      ).compactMap { try Self.plan(db, id: $0) }
    }
  }

  public func plan(_ uuid: WorkoutPlan.Key) throws -> WorkoutPlan? {
    try store.read { db in
      try Self.id(db, uuid).flatMap { try Self.plan(db, id: $0) }
    }
  }

  public func active(of user: HistoryUser.ID = .local) throws -> WorkoutPlan? {
    try store.read { db in
      try db.value(
        "SELECT id FROM plan WHERE userId = ? AND isActive = 1", user, as: WorkoutPlan.ID.self
      ).flatMap { try Self.plan(db, id: $0) }
    }
  }

  /// Makes a plan the active one of its owner; nil deactivates all.
  public func activate(_ uuid: WorkoutPlan.Key?, user: HistoryUser.ID = .local) throws {
    try store.write { db in
      try Self.activate(db, uuid.map { try Self.id(db, $0, of: user) }, user: user)
      try Self.markOwnerChanged(db, user)
    }
  }

  package static func activate(_ db: Database, _ id: WorkoutPlan.ID?, user: HistoryUser.ID) throws {
    try db.execute(
      "UPDATE plan SET isActive = 0 WHERE userId = ? AND isActive = 1 AND id IS NOT ?", user, id)
    try db.execute("UPDATE plan SET isActive = 1 WHERE isActive = 0 AND id = ?", id)
  }

  /// Marks a person as changed. The active plan is their property, so that two plans cannot be active.
  package static func markOwnerChanged(_ db: Database, _ user: HistoryUser.ID) throws {
    try db.execute("UPDATE user SET name = name WHERE id = ?", user)
  }

  /// Reorders a person's plans. Each of them must be listed once.
  public func order(_ uuids: [WorkoutPlan.Key], user: HistoryUser.ID = .local) throws {
    try store.write { db in
      let known = try Set(
        db.values("SELECT uuid FROM plan WHERE userId = ?", user, as: WorkoutPlan.Key.self))
      guard Set(uuids) == known, uuids.count == known.count else {
        throw RuleViolation.incompleteOrder
      }
      for (order, uuid) in uuids.enumerated() {
        try db.execute("UPDATE plan SET \"order\" = ? WHERE uuid = ?", order, uuid)
      }
    }
  }

  /// Deletes a plan with its items. Workouts that followed it remain and keep its title.
  public func delete(_ uuid: WorkoutPlan.Key) throws {
    try store.write { db in
      let user = try db.value(
        "DELETE FROM plan WHERE uuid = ? RETURNING userId", uuid, as: HistoryUser.ID.self
      ).orNotFound("plan \(uuid)")
      try Self.markOwnerChanged(db, user)
    }
  }

  package static func id(_ db: Database, _ uuid: WorkoutPlan.Key) throws -> WorkoutPlan.ID? {
    try db.value("SELECT id FROM plan WHERE uuid = ?", uuid, as: WorkoutPlan.ID.self)
  }

  package static func id(
    _ db: Database, _ uuid: WorkoutPlan.Key, of user: HistoryUser.ID
  ) throws -> WorkoutPlan.ID {
    try db.value("SELECT id FROM plan WHERE uuid = ? AND userId = ?", uuid, user)
      .orNotFound("plan \(uuid)")
  }

  package static func plan(_ db: Database, id: WorkoutPlan.ID) throws -> WorkoutPlan? {
    guard
      let row = try db.row(
        """
        SELECT p.*, s.uuid AS split FROM plan p LEFT JOIN split s ON s.id = p.splitId
        WHERE p.id = ?
        """, id)
    else { return nil }
    let items = try db.rows(
      """
      SELECT i.*, i.exerciseName AS name, t.uuid AS exercise, t.muscleGroup FROM plan_item i
      LEFT JOIN exercise t ON t.id = i.exerciseId WHERE i.planId = ? ORDER BY i.position
      """, id)
    var plan = WorkoutPlan(
      uuid: try row.value("uuid"), title: try row.value("title"),
      items: try items.map { try PlanItem(MetadataObject($0), uuid: $0.value("uuid")) })
    plan.id = id
    plan.autoTitle = try row.value("autoTitle")
    plan.description = try row.value("description")
    plan.order = try row.value("order")
    plan.isActive = try row.value("isActive") == 1
    plan.split = try row.value("split")
    plan.createdAt = try row.date("createdAt")
    for name in try items.compactMap({ try $0.value("muscleGroup") as String? }) {
      guard let group = MuscleGroup(rawValue: name), !plan.muscleGroups.contains(group)
      else { continue }
      plan.muscleGroups.append(group)
    }
    return plan
  }

  @discardableResult
  package func save(_ split: TrainingSplit, user: HistoryUser.ID = .local) throws -> TrainingSplit {
    var checked = split
    checked.name = try HistoryRules.text(split.name, .splitName, HistoryRules.name)
    checked.intro = try HistoryRules.text(split.intro, .intro, HistoryRules.description)
    let saved = checked
    try store.write { db in
      try db.execute(
        """
        INSERT INTO split (userId, uuid, name, intro) VALUES (?, ?, ?, ?)
        ON CONFLICT (uuid) DO UPDATE SET name = excluded.name, intro = excluded.intro
          WHERE userId = excluded.userId
        """, user, saved.uuid, saved.name, saved.intro)
      guard db.changesCount == 1 else {
        throw HistoryError.notFound(reference: "split \(saved.uuid) of user \(user)")
      }
    }
    return saved
  }

  package func splits(of user: HistoryUser.ID = .local) throws -> [TrainingSplit] {
    try store.read { db in
      try db.rows("SELECT * FROM split WHERE userId = ? ORDER BY id", user).map { row in
        try TrainingSplit(
          uuid: row.value("uuid"), name: row.value("name"), intro: row.value("intro"))
      }
    }
  }

  package func deleteSplit(_ uuid: TrainingSplit.Key, withPlans: Bool) throws {
    try store.write { db in
      if withPlans {
        let users = try Set(
          db.values(
            """
            DELETE FROM plan WHERE splitId = (SELECT id FROM split WHERE uuid = ?) RETURNING userId
            """, uuid, as: HistoryUser.ID.self))
        for user in users { try Self.markOwnerChanged(db, user) }
      }
      try db.execute("DELETE FROM split WHERE uuid = ?", uuid)
      guard db.changesCount > 0 else { throw HistoryError.notFound(reference: "split \(uuid)") }
    }
  }
}

extension PlanItem {
  package init(_ object: MetadataObject, uuid: Key) {
    let duration = object.integer("duration") ?? 0
    if object.text("kind") == "break" {
      self.init(uuid: uuid, .pause(duration: duration))
      return
    }
    let isTimed = object.text("kind") == "time"
    self.init(
      uuid: uuid,
      .exercise(
        PlannedExercise(
          exercise: object.text("exercise").map(CatalogExercise.Key.init(_:)),
          name: object.text("name") ?? "",
          isTimed
            ? .time(duration: duration)
            : .repetitions(
              sets: object.integer("sets") ?? 3, reps: object.integer("reps") ?? 12,
              restTime: object.integer("restTime") ?? 60), weight: object.number("weight"))))
  }
}
