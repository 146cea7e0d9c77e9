import Foundation
import GRDB
import Motion
import TimelineFormat
import WorkoutHistory

extension SyncSession {
  /// Writes an object and returns its row.
  ///
  /// - Parameter fields: The fields whose values differ from the row's.
  func write(_ object: SyncObject, id: Int64?, changing fields: Set<String>) throws -> Int64 {
    switch object.entity {
    case .exerciseTemplate: return try write(exercise: object)
    case .workoutPlan: return try write(plan: object)
    case .recording: return try write(recording: object, id: id, changing: fields)
    case .split:
      return try writeColumns(of: object, id: id, changing: fields, fixed: ["uuid": object.key])
    case .workoutHistory:
      let plan = try reference(object, "plan") {
        try HistoryPlans.id(db, WorkoutPlan.Key($0))?.rawValue
      }
      // Another copy may have ended a workout that is in progress here.
      if let id, fields.contains("status") {
        try ActiveWorkout.touchContents(db, of: HistoryWorkoutRow.ID(id))
      }
      return try writeColumns(
        of: object, id: id, changing: fields, fixed: ["key": object.key],
        given: ["plan": ("planId", plan)])
    case .historyExercise:
      let workout = try reference(object, "workout") {
        try rowId(.workoutHistory, key: $0)
      }
      let template = try reference(object, "template") {
        try HistoryCatalog.id(db, CatalogExercise.Key($0))?.rawValue
      }
      return try writeColumns(
        of: object, id: id, changing: fields,
        given: ["workout": ("workoutId", workout), "template": ("templateId", template)])
    case .historySet:
      let exercise = try reference(object, "exercise") {
        try historyExerciseId($0)
      }
      let name = SetName(globalKey: object.key)
      let row = try writeColumns(
        of: object, id: id, changing: fields, fixed: ["sessionKey": name.session, "key": name.key],
        given: ["exercise": ("exerciseId", exercise)])
      if fields.contains("exercise") {
        // Processing the recording here must not change an exercise that a person assigned elsewhere.
        try db.execute(
          """
          UPDATE workout_set SET exerciseSource = (SELECT 'copy' FROM workout_exercise e
            WHERE e.id = workout_set.exerciseId AND e.key <> '')
          WHERE id = ? AND exerciseSource IS NULL
          """, row)
      }
      return row
    case .deletedSamples:
      let row = try writeColumns(of: object, id: id, changing: fields)
      try cut(deletedSamples: row)
      return row
    case .user:
      let id = try writeColumns(
        of: object, id: user.rawValue, changing: fields.subtracting(["activePlan"]))
      if fields.contains("activePlan") {
        try db.execute(
          "UPDATE sync_peer SET activePlan = ?1 WHERE userId = ?2",
          object.value("activePlan").databaseValue, user)
        if object.value("activePlan") == .null { try HistoryPlans.activate(db, nil, user: user) }
      }
      return id
    }
  }

  private func reference(
    _ object: SyncObject, _ member: String, _ find: (String) throws -> Int64?
  ) throws -> Int64? {
    guard case .text(let key) = object.value(member) else { return nil }
    return try find(key)
  }

  /// Writes the columns of the changed fields.
  ///
  /// - Parameters:
  ///   - fixed: Identifying columns of a new row.
  ///   - given: Columns of members whose stored values differ from the exchanged ones; nil for no column.
  func writeColumns(
    of object: SyncObject, id: Int64?, changing fields: Set<String>,
    fixed: [String: String] = [:],
    given: [String: (column: String, value: (any DatabaseValueConvertible)?)?] = [:]
  ) throws -> Int64 {
    let table = SyncTable.of(object.entity)
    var columns: [(name: String, value: DatabaseValue)] = []
    for field in table.fields where fields.contains(field.name) {
      for member in field.members {
        if let known = given[member.name] {
          if let known { columns.append((known.column, known.value?.databaseValue ?? .null)) }
        } else if member.name == "detector", object.value("detector") == .null {
          columns.append(("detector", "".databaseValue))
        } else {
          columns.append((member.name, object.value(member.name).databaseValue))
        }
      }
    }
    if let id {
      guard !columns.isEmpty else { return id }
      try db.execute(
        """
        UPDATE \(table.name) SET \(columns.map { "\"\($0.name)\" = ?" }.joined(separator: ", "))
        WHERE id = ?
        """, StatementArguments(columns.map(\.value) + [id.databaseValue]))
      return id
    }
    columns += fixed.sorted { $0.key < $1.key }.map { ($0.key, $0.value.databaseValue) }
    columns.append(("userId", user.databaseValue))
    let marks = [String](repeating: "?", count: columns.count).joined(separator: ", ")
    return try db.written(
      """
      INSERT INTO \(table.name) (\(columns.map { "\"\($0.name)\"" }.joined(separator: ", ")))
      VALUES (\(marks)) RETURNING id
      """, StatementArguments(columns.map(\.value)))
  }

  private func write(exercise object: SyncObject) throws -> Int64 {
    let document = try object.document()
    var exercise = try CatalogExercise(
      document, uuid: CatalogExercise.Key(object.key),
      user: document.integer("shared") == 1 ? nil : user)
    // Another exercise may already have this name of the shared library.
    if let templateId = exercise.templateId,
      let other = try db.value(
        "SELECT uuid FROM exercise WHERE templateId = ?", templateId, as: CatalogExercise.Key.self),
      other != exercise.uuid
    {
      exercise.templateId = nil
    }
    let owner = try db.value(
      "SELECT userId FROM exercise WHERE uuid = ?", object.key, as: HistoryUser.ID.self)
    guard owner == nil || owner == user else {
      throw HistoryError.notFound(reference: "exercise \(object.key) of user \(user)")
    }
    let id = try HistoryCatalog.save(db, exercise: try exercise.checked())
    try db.execute(
      "UPDATE exercise SET createdAt = ?, userId = ? WHERE id = ?", document.number("createdAt"),
      exercise.userId, id)
    return id.rawValue
  }

  private func write(plan object: SyncObject) throws -> Int64 {
    let document = try object.document()
    let plan = try WorkoutPlan(db, document, uuid: WorkoutPlan.Key(object.key)).checked(
      limits: .none)
    let id = try HistoryPlans.save(db, plan: plan, user: user, limits: .none)
    try db.execute(
      """
      UPDATE plan SET "order" = coalesce(?, "order"), createdAt = ? WHERE id = ?
      """, document.integer("order"), document.number("createdAt"), id)
    return id.rawValue
  }

  /// Activates the plan that the person's row refers to, once it is received.
  func activateAwaitedPlan() throws {
    let awaited = try db.value(
      """
      SELECT activePlan FROM sync_peer WHERE userId = ?1
        AND EXISTS (SELECT 1 FROM plan WHERE uuid = activePlan AND userId = ?1)
      """, user, as: WorkoutPlan.Key.self)
    guard let awaited else { return }
    try HistoryPlans.activate(db, HistoryPlans.id(db, awaited), user: user)
    try db.execute("UPDATE sync_peer SET activePlan = NULL WHERE userId = ?", user)
  }
}

extension WorkoutPlan {
  fileprivate init(_ db: Database, _ object: MetadataObject, uuid: Key) throws {
    let items = try object.objects("items").enumerated().map { index, item in
      var item = PlanItem(item, uuid: PlanItem.Key(item.text("uuid") ?? "\(uuid)-\(index)"))
      if case .exercise(var planned) = item.content, let exercise = planned.exercise,
        try HistoryCatalog.id(db, exercise) == nil
      {
        planned.exercise = nil
        item.content = .exercise(planned)
      }
      return item
    }
    self.init(uuid: uuid, title: object.text("title"), items: items)
    description = object.text("description") ?? ""
    createdAt = object.number("createdAt").map(Date.init(timeIntervalSince1970:))
    if let split = object.text("split").map(TrainingSplit.Key.init(_:)),
      try db.value("SELECT id FROM split WHERE uuid = ?", split, as: Int64.self) != nil
    {
      self.split = split
    }
  }
}
