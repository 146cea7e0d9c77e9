import GRDB

/// What became of a change that another copy of the history sent.
public enum MergeOutcome: String, Sendable, Hashable {
  /// The history is now as the other copy says.
  case applied
  /// What was here is newer, or a person's word: it stays, and waits to be sent.
  case keptLocal
  /// Of both sides the better half: it waits to be sent.
  case merged
  /// It was deleted here, or belongs to something that is not here.
  case ignored
}

extension HistoryStore {
  /// Takes over a change that another copy of the history sent.
  ///
  /// Conflicts are resolved by rules that do not depend on who sends first:
  ///
  /// 1. A deletion wins over every change, however new: what a person deleted stays deleted.
  /// 2. Of a set, a person's count beats its absence, and of two the newer one wins
  ///    (`correctedAt`), whatever else of the set is newer. A machine's count therefore never
  ///    takes a person's place.
  /// 3. Else the newer wins (`updatedAt`); of two of the same age, what is here.
  ///
  /// - Parameters:
  ///   - change: Its number is the sender's and means nothing here.
  ///   - user: The owner's row here.
  /// - Throws: ``RuleViolation``, ``HistoryError/invalidValue(reason:)`` for a change that the
  ///   rules forbid. Nothing was changed then.
  @discardableResult
  public func merge(
    _ change: HistoryChange, user: Int64 = HistoryStore.localUser
  ) throws -> MergeOutcome {
    let outcome = try write { db -> MergeOutcome in
      if change.isDeletion { return try mergeDeletion(db, change, user: user) }
      guard let json = change.metadata else { return .ignored }
      let object = try MetadataObject(json: json)
      let isDeletedHere =
        try Bool.fetchOne(
          db,
          sql: """
            SELECT EXISTS (SELECT 1 FROM deletion
              WHERE entity = ? AND key = ? AND (userId = ? OR userId IS NULL))
            """,
          arguments: [
            change.entity.rawValue,
            change.entity == .user ? DeletedUser.key(of: change.key) : change.key, user,
          ]) ?? false
      if isDeletedHere { return .ignored }
      let id = try rowId(db, of: change, object, user: user)
      if let id, change.entity == .historySet {
        return try mergeSet(db, id: id, change, object)
      }
      if let id {
        let local = try Double.fetchOne(
          db, sql: "SELECT updatedAt FROM \(change.entity.rawValue) WHERE id = ?",
          arguments: [id])
        guard change.changedAt > local ?? -.infinity else { return .keptLocal }
      }
      guard let merged = try write(db, change, object, id: id, user: user) else {
        return .ignored
      }
      try settle(db, change.entity, id: merged, changedAt: change.changedAt)
      return .applied
    }
    if change.isDeletion, outcome == .applied { try reclaimSpace() }
    return outcome
  }

  /// The row is now what the other side has.
  private func settle(
    _ db: Database, _ entity: HistoryEntity, id: Int64, changedAt: Double
  ) throws {
    try db.execute(
      sql: "UPDATE \(entity.rawValue) SET cloudSyncStatus = 1, updatedAt = ? WHERE id = ?",
      arguments: [changedAt, id])
  }

  private func rowId(
    _ db: Database, of change: HistoryChange, _ object: MetadataObject? = nil, user: Int64
  ) throws -> Int64? {
    switch change.entity {
    case .user:
      let known = try Int64.fetchOne(
        db, sql: "SELECT id FROM user WHERE uuid = ?", arguments: [change.key])
      if known != nil || !change.isDeletion { return known }
      return try Row.fetchAll(db, sql: "SELECT id, uuid FROM user").first {
        DeletedUser.key(of: try $0.value("uuid")) == change.key
      }?.value("id")
    case .exerciseTemplate:
      return try Int64.fetchOne(
        db, sql: "SELECT id FROM \(change.entity.rawValue) WHERE uuid = ?",
        arguments: [change.key])
    case .split, .workoutPlan:
      return try Int64.fetchOne(
        db, sql: "SELECT id FROM \(change.entity.rawValue) WHERE uuid = ? AND userId = ?",
        arguments: [change.key, user])
    case .workoutHistory:
      return try Int64.fetchOne(
        db, sql: "SELECT id FROM workoutHistory WHERE userId = ? AND key = ?",
        arguments: [user, change.key])
    case .historySet:
      let known = try Self.setId(db, SetName(globalKey: change.key), user: user)
      if known != nil || object?.contains("sessionKey") ?? true { return known }
      // Programs before version 5 of the schema name sets without their session.
      return try Self.setId(db, named: change.key, user: user)
    case .historyExercise:
      return try Self.historyExerciseId(db, change.key, user: user)
    }
  }

  /// What a set that the other side sent is known by. Programs before version 5 of the schema name
  /// sets without their session.
  private static func name(
    _ db: Database, of change: HistoryChange, _ object: MetadataObject, exercise: Int64
  ) throws -> SetName {
    var name = SetName(globalKey: change.key)
    if name.session.isEmpty, object.text("setId") != nil {
      name.session =
        try String.fetchOne(
          db,
          sql: """
            SELECT w.sessionId FROM historyExercise e JOIN workoutHistory w ON w.id = e.workoutId
            WHERE e.id = ?
            """, arguments: [exercise]) ?? ""
    }
    return name
  }

  /// An exercise of the history by "workout/exercise".
  private static func historyExerciseId(
    _ db: Database, _ key: String, user: Int64
  ) throws -> Int64? {
    guard let slash = key.lastIndex(of: "/") else { return nil }
    return try Int64.fetchOne(
      db,
      sql: """
        SELECT e.id FROM workoutHistory w JOIN historyExercise e ON e.workoutId = w.id
        WHERE w.userId = ? AND w.key = ? AND e.key = ?
        """,
      arguments: [user, String(key[..<slash]), String(key[key.index(after: slash)...])])
  }

  private func mergeDeletion(
    _ db: Database, _ change: HistoryChange, user: Int64
  ) throws -> MergeOutcome {
    guard let id = try rowId(db, of: change, user: user) else { return .ignored }
    try db.execute(
      sql: "DELETE FROM \(change.entity.rawValue) WHERE id = ?", arguments: [id])
    if change.entity == .exerciseTemplate || change.entity == .user {
      try Self.purgeSearchIndex(db)
    }
    if change.entity == .historySet {
      // Nobody shall see the samples of a deleted set as rest.
      try db.execute(
        sql: """
          DELETE FROM recording WHERE userId = ?
            AND NOT EXISTS (SELECT 1 FROM timelineSegment WHERE recordingId = recording.id)
          """, arguments: [user])
    }
    return .applied
  }

  private func mergeSet(
    _ db: Database, id: Int64, _ change: HistoryChange, _ object: MetadataObject
  ) throws -> MergeOutcome {
    guard
      let local = try Row.fetchOne(
        db, sql: "SELECT updatedAt, correctedAt, correctedReps FROM historySet WHERE id = ?",
        arguments: [id])
    else { return .ignored }
    let isNewer = change.changedAt > (try local.value("updatedAt") ?? -.infinity)
    let localWord: Double = try local.value("correctedAt") ?? -.infinity
    let remoteWord = object.number("correctedAt") ?? -.infinity
    if isNewer {
      let columns = SetColumn.sent.filter { $0.merging == .newer }
      try db.execute(
        sql: """
          UPDATE historySet SET \(columns.map { "\($0.quoted) = ?" }.joined(separator: ", "))
          WHERE id = ?
          """,
        arguments: StatementArguments(
          columns.map { $0.value(in: object) } + [id.databaseValue]))
    }
    if remoteWord > localWord {
      try db.execute(
        sql: "UPDATE historySet SET correctedReps = ?, correctedAt = ? WHERE id = ?",
        arguments: [object.integer("correctedReps"), remoteWord, id])
    }
    if isNewer, remoteWord >= localWord {
      try settle(db, .historySet, id: id, changedAt: change.changedAt)
      return .applied
    }
    guard isNewer || remoteWord > localWord else { return .keptLocal }
    // What is here now is as old as its newer half: else an older change could still win.
    let age = isNewer ? change.changedAt : try local.value("updatedAt") as Double?
    try db.execute(
      sql: "UPDATE historySet SET updatedAt = ? WHERE id = ?", arguments: [age, id])
    return .merged
  }

  /// Writes what the other side says of anything but a set that is here already.
  ///
  /// - Returns: Its row; nil where what it belongs to is not here.
  private func write(
    _ db: Database, _ change: HistoryChange, _ object: MetadataObject, id: Int64?, user: Int64
  ) throws -> Int64? {
    switch change.entity {
    case .exerciseTemplate:
      return try Self.save(
        db,
        exercise: try CatalogExercise(
          object, uuid: change.key, user: change.user == nil ? nil : user
        )
        .checked())
    case .workoutPlan:
      let plan = try WorkoutPlan(db, object, uuid: change.key).checked(limits: .none)
      let id = try Self.save(db, plan: plan, user: user, limits: .none)
      try db.execute(
        sql: "UPDATE workoutPlan SET \"order\" = coalesce(?, \"order\") WHERE id = ?",
        arguments: [object.integer("order"), id])
      return id
    case .user:
      return try write(
        db, change, object, id: id,
        columns: [
          "name", "email", "providerId", "birthDate", "gender", "height", "weight", "locale",
          "subscriptionType", "subscriptionStartDate", "subscriptionValidUntil",
        ], fixed: ["uuid": change.key.databaseValue])
    case .split:
      return try write(
        db, change, object, id: id, columns: ["name", "intro"],
        fixed: ["uuid": change.key.databaseValue, "userId": user.databaseValue])
    case .workoutHistory:
      let plan = try object.text("plan").flatMap { try Self.planId(db, $0) }
      return try write(
        db, change, object, id: id,
        columns: ["sessionId", "date", "endTime", "planTitle", "focus", "intensity", "status"],
        fixed: [
          "key": change.key.databaseValue, "userId": user.databaseValue,
          "planId": plan.databaseValue,
        ])
    case .historyExercise:
      guard let key = object.text("key"),
        let workout = try object.text("workout").flatMap({
          try Int64.fetchOne(
            db, sql: "SELECT id FROM workoutHistory WHERE userId = ? AND key = ?",
            arguments: [user, $0])
        })
      else { return nil }
      let template = try object.text("template").flatMap { try Self.catalogExerciseId(db, $0) }
      return try write(
        db, change, object, id: id,
        columns: ["exerciseId", "name", "order", "startTime", "endTime", "completed"],
        fixed: [
          "key": key.databaseValue, "userId": user.databaseValue,
          "workoutId": workout.databaseValue, "templateId": template.databaseValue,
        ])
    case .historySet:
      guard
        let exercise = try object.text("exercise").flatMap({
          try Self.historyExerciseId(db, $0, user: user)
        })
      else { return nil }
      let name = try Self.name(db, of: change, object, exercise: exercise)
      return try write(
        db, change, object, id: id,
        columns: SetColumn.sent.filter {
          $0.merging != .computed && !["key", "sessionKey"].contains($0.name)
        }.map(\.name),
        fixed: [
          "sessionKey": name.session.databaseValue, "key": name.key.databaseValue,
          "userId": user.databaseValue, "exerciseId": exercise.databaseValue,
        ])
    }
  }

  private func write(
    _ db: Database, _ change: HistoryChange, _ object: MetadataObject, id: Int64?,
    columns: [String], fixed: KeyValuePairs<String, DatabaseValue>
  ) throws -> Int64 {
    let table = change.entity.rawValue
    let names = columns.map { "\"\($0)\"" } + fixed.map { "\"\($0.key)\"" }
    let values = columns.map { object.value($0) } + fixed.map(\.value)
    if let id {
      try db.execute(
        sql: """
          UPDATE \(table) SET \(names.map { "\($0) = ?" }.joined(separator: ", ")) WHERE id = ?
          """, arguments: StatementArguments(values + [id.databaseValue]))
      return id
    }
    let marks = [String](repeating: "?", count: names.count).joined(separator: ", ")
    try db.execute(
      sql: "INSERT INTO \(table) (\(names.joined(separator: ", "))) VALUES (\(marks))",
      arguments: StatementArguments(values))
    return db.lastInsertedRowID
  }
}

extension CatalogExercise {
  init(_ object: MetadataObject, uuid: String, user: Int64?) throws {
    let group = object.text("muscleGroup") ?? ""
    guard let muscleGroup = MuscleGroup(rawValue: group) ?? MuscleGroup(named: group) else {
      throw RuleViolation.unknownMuscleGroup(group)
    }
    self.init(uuid: uuid, name: object.text("name") ?? "", muscleGroup: muscleGroup)
    userId = user
    templateId = object.text("templateId")
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
    createdAt = object.number("createdAt")
  }
}

extension WorkoutPlan {
  fileprivate init(_ db: Database, _ object: MetadataObject, uuid: String) throws {
    var items: [PlanItem] = []
    for (index, item) in object.objects("exercises").enumerated() {
      let id = item.text("uuid") ?? "\(uuid)-\(index)"
      if item.text("kind") == "break" {
        items.append(PlanItem(uuid: id, .pause(duration: item.integer("duration") ?? 0)))
        continue
      }
      var exercise: String?
      for reference in [item.text("exercise"), item.text("templateId")].compactMap({ $0 })
      where exercise == nil {
        if try HistoryStore.catalogExerciseId(db, reference) != nil { exercise = reference }
      }
      items.append(
        PlanItem(
          uuid: id,
          .exercise(
            PlannedExercise(
              exercise: exercise, name: item.text("name") ?? item.text("templateId") ?? "",
              item.text("kind") == "time"
                ? .time(duration: item.integer("duration") ?? 0)
                : .repetitions(
                  sets: item.integer("sets") ?? 3, reps: item.integer("reps") ?? 12,
                  restTime: item.integer("restTime") ?? 60),
              weight: item.number("weight")))))
    }
    self.init(uuid: uuid, title: object.text("title"), items: items)
    description = object.text("description") ?? ""
    createdAt = object.number("createdAt")
    if let split = object.text("split"),
      try Int64.fetchOne(db, sql: "SELECT id FROM split WHERE uuid = ?", arguments: [split]) != nil
    {
      self.split = split
    }
  }
}
