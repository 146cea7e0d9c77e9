import Foundation
import GRDB
import Motion
import TimelineFormat

extension SyncExchange {
  /// Writes an object to its row.
  ///
  /// - Parameters:
  ///   - id: The object's row; nil creates one.
  ///   - fields: The fields whose values differ from the row's.
  static func write(
    _ db: Database, _ object: SyncObject, id: Int64?, user: HistoryUser.ID,
    changing fields: Set<String>
  ) throws -> Int64 {
    switch object.entity {
    case .exerciseTemplate: return try write(db, exercise: object, user: user)
    case .workoutPlan: return try write(db, plan: object, user: user)
    case .recording: return try write(db, recording: object, id: id, user: user, changing: fields)
    case .split:
      return try write(
        db, object, id: id, changing: fields, fixed: ["uuid": object.key], user: user)
    case .workoutHistory:
      let plan = try reference(db, object, "plan") {
        try HistoryPlans.id(db, WorkoutPlan.Key($0))?.rawValue
      }
      // Another copy may have ended a workout that is in progress here.
      if let id, fields.contains("status") {
        try ActiveWorkout.touchContents(db, of: HistoryWorkoutRow.ID(id))
      }
      return try write(
        db, object, id: id, changing: fields, fixed: ["key": object.key],
        references: ["plan": ("planId", plan)], user: user)
    case .historyExercise:
      let workout = try reference(db, object, "workout") {
        try rowId(db, .workoutHistory, key: $0, user: user)
      }
      let template = try reference(db, object, "template") {
        try HistoryCatalog.id(db, CatalogExercise.Key($0))?.rawValue
      }
      return try write(
        db, object, id: id, changing: fields,
        references: ["workout": ("workoutId", workout), "template": ("templateId", template)],
        user: user)
    case .historySet:
      let exercise = try reference(db, object, "exercise") {
        try historyExerciseId(db, $0, user: user)
      }
      let name = SetName(globalKey: object.key)
      let row = try write(
        db, object, id: id, changing: fields, fixed: ["sessionKey": name.session, "key": name.key],
        references: ["exercise": ("exerciseId", exercise)], user: user)
      if fields.contains("exercise") {
        // Processing the recording here must not change the exercise: a person may have assigned it there.
        try db.execute(
          cached: """
            UPDATE workout_set SET exerciseSource = (SELECT 'copy' FROM workout_exercise e
              WHERE e.id = workout_set.exerciseId AND e.key <> '')
            WHERE id = ? AND exerciseSource IS NULL
            """, arguments: [row])
      }
      return row
    case .deletedSamples:
      let row = try write(db, object, id: id, changing: fields, user: user)
      try cut(db, deletedSamples: row, user: user)
      return row
    case .user:
      let id = try write(
        db, object, id: user.rawValue, changing: fields.subtracting(["activePlan"]), user: user)
      if fields.contains("activePlan") {
        try db.execute(
          sql: "UPDATE sync_peer SET activePlan = ?1 WHERE userId = ?2",
          arguments: [object.value("activePlan").databaseValue, user])
        if object.value("activePlan") == .null {
          try setActivePlan(db, nil, user: user)
        }
      }
      return id
    }
  }

  /// Returns the row that a member refers to; nil for NULL or an unknown row.
  private static func reference(
    _ db: Database, _ object: SyncObject, _ member: String, _ find: (String) throws -> Int64?
  ) throws -> Int64? {
    guard case .text(let key) = object.value(member) else { return nil }
    return try find(key)
  }

  /// Writes the columns of the changed fields.
  ///
  /// - Parameters:
  ///   - fixed: Identifying columns of a new row.
  ///   - references: Members that refer to rows, with their columns and those rows.
  private static func write(
    _ db: Database, _ object: SyncObject, id: Int64?, changing fields: Set<String>,
    fixed: [String: String] = [:], references: [String: (column: String, row: Int64?)] = [:],
    user: HistoryUser.ID
  ) throws -> Int64 {
    let table = SyncTable.of(object.entity)
    var columns: [(name: String, value: DatabaseValue)] = []
    for field in table.fields where fields.contains(field.name) {
      for member in field.members {
        if let reference = references[member.name] {
          columns.append((reference.column, reference.row.databaseValue))
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
        cached: """
          UPDATE \(table.name) SET \(columns.map { "\"\($0.name)\" = ?" }.joined(separator: ", "))
          WHERE id = ?
          """, arguments: StatementArguments(columns.map(\.value) + [id.databaseValue]))
      return id
    }
    columns += fixed.sorted { $0.key < $1.key }.map { ($0.key, $0.value.databaseValue) }
    columns.append(("userId", user.databaseValue))
    let marks = [String](repeating: "?", count: columns.count).joined(separator: ", ")
    try db.execute(
      cached: """
        INSERT INTO \(table.name) (\(columns.map { "\"\($0.name)\"" }.joined(separator: ", ")))
        VALUES (\(marks))
        """, arguments: StatementArguments(columns.map(\.value)))
    return db.lastInsertedRowID
  }

  // MARK: - Catalogue and plans

  private static func write(
    _ db: Database, exercise object: SyncObject, user: HistoryUser.ID
  ) throws -> Int64 {
    let document = try MetadataObject(object)
    var exercise = try CatalogExercise(
      document, uuid: CatalogExercise.Key(object.key),
      user: document.integer("shared") == 1 ? nil : user)
    // Another exercise may already have this name of the shared library.
    if let templateId = exercise.templateId,
      let other = try CatalogExercise.Key.fetchOne(
        db, cached: "SELECT uuid FROM exercise WHERE templateId = ?",
        arguments: [templateId]), other != exercise.uuid
    {
      exercise.templateId = nil
    }
    let owner = try HistoryUser.ID.fetchOne(
      db, cached: "SELECT userId FROM exercise WHERE uuid = ?", arguments: [object.key])
    guard owner == nil || owner == user else {
      throw HistoryError.notFound(reference: "exercise \(object.key) of user \(user)")
    }
    let id = try HistoryCatalog.save(db, exercise: try exercise.checked())
    try db.execute(
      cached: "UPDATE exercise SET createdAt = ?, userId = ? WHERE id = ?",
      arguments: [document.number("createdAt"), exercise.userId, id])
    return id.rawValue
  }

  private static func write(
    _ db: Database, plan object: SyncObject, user: HistoryUser.ID
  ) throws -> Int64 {
    let document = try MetadataObject(object)
    let plan = try WorkoutPlan(db, document, uuid: WorkoutPlan.Key(object.key)).checked(
      limits: .none)
    let id = try HistoryPlans.save(db, plan: plan, user: user, limits: .none)
    try db.execute(
      cached: """
        UPDATE plan SET "order" = coalesce(?, "order"), createdAt = ? WHERE id = ?
        """, arguments: [document.integer("order"), document.number("createdAt"), id])
    return id.rawValue
  }

  /// Activates the plan that the person's row refers to, once it has been received.
  static func activateAwaitedPlan(_ db: Database, user: HistoryUser.ID) throws {
    let awaited = try WorkoutPlan.Key.fetchOne(
      db,
      sql: """
        SELECT activePlan FROM sync_peer WHERE userId = ?1
          AND EXISTS (SELECT 1 FROM plan WHERE uuid = activePlan AND userId = ?1)
        """, arguments: [user])
    guard let awaited else { return }
    try setActivePlan(db, awaited, user: user)
    try db.execute(
      sql: "UPDATE sync_peer SET activePlan = NULL WHERE userId = ?", arguments: [user])
  }

  private static func setActivePlan(
    _ db: Database, _ uuid: WorkoutPlan.Key?, user: HistoryUser.ID
  ) throws {
    try db.execute(
      sql: "UPDATE plan SET isActive = 0 WHERE userId = ? AND isActive = 1 AND uuid IS NOT ?",
      arguments: [user, uuid])
    try db.execute(
      sql: "UPDATE plan SET isActive = 1 WHERE userId = ? AND isActive = 0 AND uuid = ?",
      arguments: [user, uuid])
  }
}

extension MetadataObject {
  /// - Throws: ``HistoryError/invalidValue(reason:)`` if a JSON member is not JSON.
  fileprivate init(_ object: SyncObject) throws {
    var members: [String: Any] = [:]
    for member in SyncTable.of(object.entity).members {
      switch object.value(member.name) {
      case .null: break
      case .integer(let integer): members[member.name] = NSNumber(value: integer)
      case .real(let real): members[member.name] = NSNumber(value: real)
      case .text(let text):
        if member.kind != .json {
          members[member.name] = text
        } else if let value = try? JSONSerialization.jsonObject(with: Data(text.utf8)) {
          members[member.name] = value
        } else {
          throw HistoryError.invalidValue(reason: "\(member.name) of \(object.key) is no JSON")
        }
      }
    }
    self.init(members: members)
  }
}

extension CatalogExercise {
  init(_ object: MetadataObject, uuid: Key, user: HistoryUser.ID?) throws {
    let group = object.text("muscleGroup") ?? ""
    guard let muscleGroup = MuscleGroup(rawValue: group) ?? MuscleGroup(named: group) else {
      throw RuleViolation.unknownMuscleGroup(group)
    }
    self.init(uuid: uuid, name: object.text("name") ?? "", muscleGroup: muscleGroup)
    userId = user
    templateId = object.text("templateId").map(Key.init(_:))
    furtherMuscleGroups = object.texts("furtherMuscleGroups").compactMap(MuscleGroup.init(named:))
    muscleSubgroup = object.text("muscleSubgroup") ?? object.text("legSubgroup")
    muscles = object.texts("muscles")
    type = object.text("type")
    equipment = object.text("equipment")
    gripVariation = object.text("gripVariation")
    setup = object.text("setup")
    description = object.text("description")
    videoURL = object.text("videoURL")
    defaultSets = object.integer("defaultSets") ?? defaultSets
    defaultReps = object.integer("defaultReps") ?? defaultReps
    defaultRestTime = object.integer("defaultRestTime") ?? defaultRestTime
    defaultWeight = object.number("defaultWeight")
    createdAt = object.number("createdAt").map(Date.init(timeIntervalSince1970:))
  }
}

extension WorkoutPlan {
  fileprivate init(_ db: Database, _ object: MetadataObject, uuid: Key) throws {
    var items: [PlanItem] = []
    for (index, item) in object.objects("items").enumerated() {
      let id = PlanItem.Key(item.text("uuid") ?? "\(uuid)-\(index)")
      if item.text("kind") == "break" {
        items.append(PlanItem(uuid: id, .pause(duration: item.integer("duration") ?? 0)))
        continue
      }
      let exercise = try item.text("exercise").map(CatalogExercise.Key.init(_:)).flatMap {
        try HistoryCatalog.id(db, $0) == nil ? nil : $0
      }
      items.append(
        PlanItem(
          uuid: id,
          .exercise(
            PlannedExercise(
              exercise: exercise, name: item.text("name") ?? "",
              item.text("kind") == "time"
                ? .time(duration: item.integer("duration") ?? 0)
                : .repetitions(
                  sets: item.integer("sets") ?? 3, reps: item.integer("reps") ?? 12,
                  restTime: item.integer("restTime") ?? 60), weight: item.number("weight")))))
    }
    self.init(uuid: uuid, title: object.text("title"), items: items)
    description = object.text("description") ?? ""
    createdAt = object.number("createdAt").map(Date.init(timeIntervalSince1970:))
    if let split = object.text("split").map(TrainingSplit.Key.init(_:)),
      try Int64.fetchOne(db, sql: "SELECT id FROM split WHERE uuid = ?", arguments: [split]) != nil
    {
      self.split = split
    }
  }
}
