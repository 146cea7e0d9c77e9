import Foundation
import GRDB

extension HistoryStore {
  public var catalog: HistoryCatalog { HistoryCatalog(store: self) }
}

public struct HistoryCatalog: Sendable {
  let store: HistoryStore

  /// Adds an exercise to the catalog, or updates the one with its uuid (or else its template id).
  @discardableResult
  public func save(_ exercise: CatalogExercise) throws -> CatalogExercise {
    let checked = try exercise.checked()
    return try store.write { db in
      let id = try Self.save(db, exercise: checked)
      return try Self.exercise(db, id: id).orNotFound("exercise \(id)")
    }
  }

  package static func save(_ db: Database, exercise: CatalogExercise) throws -> CatalogExercise.ID {
    let known = try db.value(
      """
      SELECT id FROM exercise WHERE uuid = ?1
      UNION ALL SELECT id FROM exercise WHERE templateId = ?2 LIMIT 1
      """, exercise.uuid, exercise.templateId, as: CatalogExercise.ID.self)
    if let templateId = exercise.templateId,
      let other = try db.value(
        "SELECT id FROM exercise WHERE templateId = ?", templateId, as: CatalogExercise.ID.self),
      other != known
    {
      throw RuleViolation.templateIdTaken(templateId)
    }
    return try db.upsert(
      "exercise", by: ["id"], fixed: ["userId", "uuid"], keeping: ["createdAt"],
      [
        "id": known, "userId": exercise.userId, "uuid": exercise.uuid,
        "createdAt": exercise.createdAt?.timeIntervalSince1970, "templateId": exercise.templateId,
        "name": exercise.name, "foldedName": exercise.name.foldedForSearch,
        "muscleGroup": exercise.muscleGroup.rawValue, "muscleSubgroup": exercise.muscleSubgroup,
        "furtherMuscleGroups": try exercise.furtherMuscleGroups.json(),
        "muscles": try exercise.muscles.sorted().json(), "type": exercise.type,
        "equipment": exercise.equipment, "gripVariation": exercise.gripVariation,
        "setup": exercise.setup, "description": exercise.description, "videoURL": exercise.videoURL,
        "defaultSets": exercise.defaultSets, "defaultReps": exercise.defaultReps,
        "defaultRestTime": exercise.defaultRestTime, "defaultWeight": exercise.defaultWeight,
      ])
  }

  public func exercise(_ reference: CatalogExercise.Key) throws -> CatalogExercise? {
    try store.read { db in try Self.id(db, reference).flatMap { try Self.exercise(db, id: $0) } }
  }

  package static func id(_ db: Database, _ reference: CatalogExercise.Key) throws -> CatalogExercise
    .ID?
  {
    try db.value(
      """
      SELECT id FROM exercise WHERE uuid = ?1
      UNION ALL SELECT id FROM exercise WHERE templateId = ?1 LIMIT 1
      """, reference, as: CatalogExercise.ID.self)
  }

  /// Returns the shared exercises and a person's own, ordered by name.
  public func exercises(
    of user: HistoryUser.ID = .local, group: MuscleGroup? = nil, limit: Int = .max,
    offset: Int = 0
  ) throws -> [CatalogExercise] {
    try store.read { db in
      // SQLite treats a negative limit as no limit.
      var arguments: StatementArguments = ["user": user, "limit": max(0, limit), "offset": offset]
      if let group { arguments += ["group": group.rawValue] }
      let isInGroup = """
        AND (muscleGroup = :group
          OR EXISTS (SELECT 1 FROM json_each(furtherMuscleGroups) WHERE value = :group))
        """
      return try db.rows(
        """
        SELECT * FROM exercise WHERE (userId IS NULL OR userId = :user) \(group == nil ? "" : isInGroup)
        ORDER BY foldedName, id LIMIT :limit OFFSET :offset
        """, arguments
      ).map(CatalogExercise.init)
    }
  }

  /// Returns the exercises whose name, muscles, equipment or description contain words with all given
  /// prefixes. More matches in the name come first. Accents and case are ignored.
  public func search(
    _ text: String, of user: HistoryUser.ID = .local, limit: Int = 50
  ) throws -> [CatalogExercise] {
    let words = text.foldedForSearch.split(separator: " ")
    guard !words.isEmpty else { return [] }
    func isIn(_ text: String) -> (Substring) -> Bool {
      let known = text.foldedForSearch.split(separator: " ")
      return { word in known.contains { $0.hasPrefix(word) } }
    }
    // Exercises are in order of their names, which a stable sort keeps for equal matches.
    let found = try exercises(of: user).compactMap { exercise -> (Int, CatalogExercise)? in
      let named = words.count(where: isIn(exercise.name))
      guard words.allSatisfy(isIn("\(exercise.name) \(exercise.keywords)")) else { return nil }
      return (named, exercise)
    }
    return found.enumerated().sorted { a, b in (b.element.0, a.offset) < (a.element.0, b.offset) }
      .prefix(max(0, limit)).map(\.element.1)
  }

  /// Removes an exercise from the catalog. Plans keep its name, and the history keeps all its sets.
  public func delete(_ reference: CatalogExercise.Key, confirmed: Bool = false) throws {
    try store.write { db in
      let id = try Self.id(db, reference).orNotFound("exercise \(reference)")
      let plans =
        try db.value(
          "SELECT count(DISTINCT planId) FROM plan_item WHERE exerciseId = ?", id, as: Int.self)
        ?? 0
      guard plans == 0 || confirmed else { throw RuleViolation.exerciseInUse(plans: plans) }
      try db.execute("DELETE FROM exercise WHERE id = ?", id)
    }
  }

  static func exercise(_ db: Database, id: CatalogExercise.ID) throws -> CatalogExercise? {
    try db.row("SELECT * FROM exercise WHERE id = ?", id).map(CatalogExercise.init)
  }
}

extension CatalogExercise {
  package init(_ object: MetadataObject, uuid: Key, user: HistoryUser.ID?) throws {
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

  fileprivate init(_ row: Row) throws {
    let object = try MetadataObject(row, json: ["furtherMuscleGroups", "muscles"])
    try self.init(object, uuid: row.value("uuid"), user: row.value("userId"))
    id = try row.value("id")
  }
}
