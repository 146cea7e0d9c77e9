import GRDB

extension HistoryStore {
  /// A history's catalogue of exercises.
  public var catalog: HistoryCatalog { HistoryCatalog(store: self) }
}

/// A history's catalogue of exercises.
public struct HistoryCatalog: Sendable {
  let store: HistoryStore

  /// Adds an exercise to the catalogue, or changes the one of its uuid (or else template id).
  ///
  /// - Returns: The exercise as it is stored.
  /// - Throws: ``RuleViolation``.
  @discardableResult
  public func save(_ exercise: CatalogExercise) throws -> CatalogExercise {
    let checked = try exercise.checked()
    return try store.write { db in
      let id = try Self.save(db, exercise: checked)
      guard let saved = try Self.exercise(db, id: id) else {
        throw HistoryError.notFound(reference: "exercise \(id)")
      }
      return saved
    }
  }

  static func save(_ db: Database, exercise: CatalogExercise) throws -> CatalogExercise.ID {
    let known = try CatalogExercise.ID.fetchOne(
      db,
      sql: """
        SELECT id FROM exerciseTemplate WHERE uuid = ?1
        UNION ALL SELECT id FROM exerciseTemplate WHERE templateId = ?2 LIMIT 1
        """, arguments: [exercise.uuid, exercise.templateId])
    if let templateId = exercise.templateId,
      let other = try CatalogExercise.ID.fetchOne(
        db, sql: "SELECT id FROM exerciseTemplate WHERE templateId = ?", arguments: [templateId]),
      other != known
    {
      throw RuleViolation.templateIdTaken(templateId)
    }
    var typeId: Int64?
    if let type = exercise.type {
      try db.execute(
        sql: "INSERT INTO exerciseType (name) VALUES (?) ON CONFLICT DO NOTHING",
        arguments: [type])
      typeId = try Int64.fetchOne(
        db, sql: "SELECT id FROM exerciseType WHERE name = ?", arguments: [type])
    }
    let arguments: StatementArguments = [
      "id": known, "userId": exercise.userId, "uuid": exercise.uuid,
      "templateId": exercise.templateId, "name": exercise.name,
      "foldedName": exercise.name.foldedForSearch, "muscleGroup": exercise.muscleGroup.rawValue,
      "muscleSubgroup": exercise.muscleSubgroup, "typeId": typeId,
      "equipment": exercise.equipment, "gripVariation": exercise.gripVariation,
      "setup": exercise.setup, "description": exercise.description,
      "videoURL": exercise.videoURL, "defaultSets": exercise.defaultSets,
      "defaultReps": exercise.defaultReps, "defaultRestTime": exercise.defaultRestTime,
      "defaultWeight": exercise.defaultWeight,
      "createdAt": exercise.createdAt?.timeIntervalSince1970,
    ]
    let id = try CatalogExercise.ID.fetchWritten(
      db,
      cached: """
        INSERT INTO exerciseTemplate (id, userId, uuid, templateId, name, foldedName, muscleGroup,
          muscleSubgroup, typeId, equipment, gripVariation, setup, description, videoURL,
          defaultSets, defaultReps, defaultRestTime, defaultWeight, createdAt)
        VALUES (:id, :userId, :uuid, :templateId, :name, :foldedName, :muscleGroup,
          :muscleSubgroup, :typeId, :equipment, :gripVariation, :setup, :description, :videoURL,
          :defaultSets, :defaultReps, :defaultRestTime, :defaultWeight, :createdAt)
        ON CONFLICT (id) DO UPDATE SET templateId = excluded.templateId, name = excluded.name,
          foldedName = excluded.foldedName, muscleGroup = excluded.muscleGroup,
          muscleSubgroup = excluded.muscleSubgroup, typeId = excluded.typeId,
          equipment = excluded.equipment, gripVariation = excluded.gripVariation,
          setup = excluded.setup, description = excluded.description,
          videoURL = excluded.videoURL, defaultSets = excluded.defaultSets,
          defaultReps = excluded.defaultReps, defaultRestTime = excluded.defaultRestTime,
          defaultWeight = excluded.defaultWeight,
          createdAt = coalesce(createdAt, excluded.createdAt)
        RETURNING id
        """, arguments: arguments)
    try saveMuscles(db, of: exercise, id: id)
    try db.execute(sql: "DELETE FROM exerciseSearch WHERE rowid = ?", arguments: [id])
    try db.execute(
      sql: "INSERT INTO exerciseSearch (rowid, name, keywords) VALUES (?, ?, ?)",
      arguments: [id, exercise.name, exercise.keywords])
    return id
  }

  private static func saveMuscles(
    _ db: Database, of exercise: CatalogExercise, id: CatalogExercise.ID
  ) throws {
    guard let known = try Self.exercise(db, id: id) else { return }
    guard
      known.muscles != exercise.muscles.sorted()
        || known.furtherMuscleGroups != exercise.furtherMuscleGroups
    else { return }
    try db.execute(sql: "DELETE FROM exerciseMuscleGroup WHERE exerciseId = ?", arguments: [id])
    for group in exercise.furtherMuscleGroups {
      try db.execute(
        sql: "INSERT INTO exerciseMuscleGroup (exerciseId, muscleGroup) VALUES (?, ?)",
        arguments: [id, group.rawValue])
    }
    try db.execute(sql: "DELETE FROM exerciseMuscle WHERE exerciseId = ?", arguments: [id])
    for muscle in exercise.muscles {
      try db.execute(
        sql: "INSERT INTO muscle (name, muscleGroup) VALUES (?, ?) ON CONFLICT DO NOTHING",
        arguments: [muscle, exercise.muscleGroup.rawValue])
      try db.execute(
        sql: """
          INSERT INTO exerciseMuscle (exerciseId, muscleId) SELECT ?, id FROM muscle WHERE name = ?
          """,
        arguments: [id, muscle])
    }
    try db.execute(
      sql: "UPDATE exerciseTemplate SET musclesVersion = musclesVersion + 1 WHERE id = ?",
      arguments: [id])
  }

  /// An exercise of the catalogue by its uuid or template id, nil where there is none.
  public func exercise(_ reference: CatalogExercise.Key) throws -> CatalogExercise? {
    try store.read { db in
      guard let id = try Self.id(db, reference) else { return nil }
      return try Self.exercise(db, id: id)
    }
  }

  static func id(_ db: Database, _ reference: CatalogExercise.Key) throws -> CatalogExercise.ID? {
    try CatalogExercise.ID.fetchOne(
      db,
      cached: """
        SELECT id FROM exerciseTemplate WHERE uuid = ?1
        UNION ALL SELECT id FROM exerciseTemplate WHERE templateId = ?1 LIMIT 1
        """, arguments: [reference])
  }

  /// The catalogue in the order of names: the shared exercises, and a person's own.
  ///
  /// - Parameters:
  ///   - group: Only those that train it, first or further.
  public func exercises(
    of user: HistoryUser.ID = HistoryStore.localUser, group: MuscleGroup? = nil, limit: Int = .max,
    offset: Int = 0
  ) throws -> [CatalogExercise] {
    try store.read { db in
      // A negative limit is none for SQLite.
      var arguments: StatementArguments = [
        "user": user, "limit": max(0, limit), "offset": offset,
      ]
      if let group { arguments += ["group": group.rawValue] }
      let ids = try CatalogExercise.ID.fetchAll(
        db, sql: group == nil ? Self.listQuery : Self.groupQuery, arguments: arguments)
      return try ids.compactMap { try Self.exercise(db, id: $0) }
    }
  }

  static let listQuery = """
    SELECT id FROM exerciseTemplate WHERE userId IS NULL OR userId = :user
    ORDER BY foldedName, id LIMIT :limit OFFSET :offset
    """
  static let groupQuery = """
    SELECT id FROM exerciseTemplate WHERE (userId IS NULL OR userId = :user)
      AND (muscleGroup = :group OR EXISTS (SELECT 1 FROM exerciseMuscleGroup
        WHERE exerciseId = exerciseTemplate.id AND muscleGroup = :group))
    ORDER BY foldedName, id LIMIT :limit OFFSET :offset
    """

  /// Exercises whose name, muscles, equipment or description have words that begin like those
  /// given, best first. Accents and case do not matter.
  public func search(
    _ text: String, of user: HistoryUser.ID = HistoryStore.localUser, limit: Int = 50
  ) throws -> [CatalogExercise] {
    let words = text.foldedForSearch.split(separator: " ")
    guard !words.isEmpty else { return [] }
    let pattern = words.map { "\"\($0)\"*" }.joined(separator: " ")
    return try store.read { db in
      try CatalogExercise.ID.fetchAll(
        db, sql: Self.searchQuery, arguments: [pattern, user, max(0, limit)]
      ).compactMap {
        try Self.exercise(db, id: $0)
      }
    }
  }

  static let searchQuery = """
    SELECT t.id FROM exerciseSearch s JOIN exerciseTemplate t ON t.id = s.rowid
    WHERE exerciseSearch MATCH ? AND (t.userId IS NULL OR t.userId = ?)
    ORDER BY bm25(exerciseSearch, 10, 1), t.foldedName LIMIT ?
    """

  /// Removes an exercise from the catalogue. Plans keep its name in its place, the history keeps
  /// everything.
  ///
  /// - Parameter confirmed: Whether it may go though plans use it.
  /// - Throws: ``RuleViolation/exerciseInUse(plans:)``, ``HistoryError/notFound(reference:)``.
  public func delete(_ reference: CatalogExercise.Key, confirmed: Bool = false) throws {
    try store.write { db in
      guard let id = try Self.id(db, reference) else {
        throw HistoryError.notFound(reference: "exercise \(reference)")
      }
      let plans =
        try Int.fetchOne(
          db, sql: "SELECT count(DISTINCT planId) FROM planItem WHERE exerciseId = ?",
          arguments: [id]) ?? 0
      guard plans == 0 || confirmed else { throw RuleViolation.exerciseInUse(plans: plans) }
      try db.execute(sql: "DELETE FROM exerciseTemplate WHERE id = ?", arguments: [id])
      try Self.purgeSearchIndex(db)
    }
  }

  /// Removes from the search index, and overwrites, what it knows of exercises that are gone. (A
  /// trigger cannot: in them SQLite trusts no virtual table.)
  static func purgeSearchIndex(_ db: Database) throws {
    try db.execute(
      sql: "DELETE FROM exerciseSearch WHERE rowid NOT IN (SELECT id FROM exerciseTemplate)")
    try db.execute(sql: "INSERT INTO exerciseSearch (exerciseSearch) VALUES ('optimize')")
  }

  static func exercise(_ db: Database, id: CatalogExercise.ID) throws -> CatalogExercise? {
    guard
      let row = try Row.fetchOne(
        db,
        sql: """
          SELECT t.*, y.name AS type FROM exerciseTemplate t
          LEFT JOIN exerciseType y ON y.id = t.typeId WHERE t.id = ?
          """, arguments: [id]),
      let group = MuscleGroup(rawValue: try row.value("muscleGroup"))
    else { return nil }
    var exercise = CatalogExercise(
      uuid: try row.value("uuid"), name: try row.value("name"), muscleGroup: group)
    exercise.id = try row.value("id")
    exercise.userId = try row.value("userId")
    exercise.templateId = try row.value("templateId")
    exercise.muscleSubgroup = try row.value("muscleSubgroup")
    exercise.type = try row.value("type")
    exercise.equipment = try row.value("equipment")
    exercise.gripVariation = try row.value("gripVariation")
    exercise.setup = try row.value("setup")
    exercise.description = try row.value("description")
    exercise.videoURL = try row.value("videoURL")
    exercise.defaultSets = try row.value("defaultSets")
    exercise.defaultReps = try row.value("defaultReps")
    exercise.defaultRestTime = try row.value("defaultRestTime")
    exercise.defaultWeight = try row.value("defaultWeight")
    exercise.createdAt = try row.date("createdAt")
    exercise.updatedAt = try row.date("updatedAt")
    exercise.isSynced = try row.value("cloudSyncStatus") == 1
    let further = try String.fetchSet(
      db, sql: "SELECT muscleGroup FROM exerciseMuscleGroup WHERE exerciseId = ?",
      arguments: [id])
    exercise.furtherMuscleGroups = MuscleGroup.allCases.filter { further.contains($0.rawValue) }
    exercise.muscles = try String.fetchAll(
      db,
      sql: """
        SELECT m.name FROM exerciseMuscle e JOIN muscle m ON m.id = e.muscleId
        WHERE e.exerciseId = ? ORDER BY m.name
        """, arguments: [id])
    return exercise
  }
}
