import Foundation
import GRDB

extension HistoryStore {
  /// A history's catalogue of exercises.
  public var catalog: HistoryCatalog { HistoryCatalog(store: self) }
}

/// A history's catalogue of exercises.
public struct HistoryCatalog: Sendable {
  let store: HistoryStore

  /// Adds an exercise to the catalogue, or updates the one with its uuid (or else its template id).
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
        SELECT id FROM exercise WHERE uuid = ?1
        UNION ALL SELECT id FROM exercise WHERE templateId = ?2 LIMIT 1
        """, arguments: [exercise.uuid, exercise.templateId])
    if let templateId = exercise.templateId,
      let other = try CatalogExercise.ID.fetchOne(
        db, sql: "SELECT id FROM exercise WHERE templateId = ?", arguments: [templateId]),
      other != known
    {
      throw RuleViolation.templateIdTaken(templateId)
    }
    let columns: KeyValuePairs<String, (any DatabaseValueConvertible)?> = [
      "templateId": exercise.templateId, "name": exercise.name,
      "foldedName": exercise.name.foldedForSearch, "muscleGroup": exercise.muscleGroup.rawValue,
      "muscleSubgroup": exercise.muscleSubgroup,
      "furtherMuscleGroups": try json(exercise.furtherMuscleGroups.map(\.rawValue)),
      "muscles": try json(exercise.muscles.sorted()), "type": exercise.type,
      "equipment": exercise.equipment, "gripVariation": exercise.gripVariation,
      "setup": exercise.setup, "description": exercise.description, "videoURL": exercise.videoURL,
      "defaultSets": exercise.defaultSets, "defaultReps": exercise.defaultReps,
      "defaultRestTime": exercise.defaultRestTime, "defaultWeight": exercise.defaultWeight,
    ]
    let names = columns.map(\.key)
    return try CatalogExercise.ID.fetchWritten(
      db,
      cached: """
        INSERT INTO exercise (id, userId, uuid, createdAt, \(names.joined(separator: ", ")))
        VALUES (?, ?, ?, ?, \(names.map { _ in "?" }.joined(separator: ", ")))
        ON CONFLICT (id) DO UPDATE SET createdAt = coalesce(createdAt, excluded.createdAt),
          \(names.map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
        RETURNING id
        """,
      arguments: [known, exercise.userId, exercise.uuid, exercise.createdAt?.timeIntervalSince1970]
        + StatementArguments(columns.map(\.value)))
  }

  private static func json(_ texts: [String]) throws -> String {
    String(decoding: try JSONEncoder().encode(texts), as: UTF8.self)
  }

  /// Returns the exercise with a uuid or template id; nil if there is none.
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
        SELECT id FROM exercise WHERE uuid = ?1
        UNION ALL SELECT id FROM exercise WHERE templateId = ?1 LIMIT 1
        """, arguments: [reference])
  }

  /// Returns the shared exercises and a person's own, ordered by name.
  ///
  /// - Parameter group: Restricts the result to exercises that train this group, as primary or further group.
  public func exercises(
    of user: HistoryUser.ID = HistoryStore.localUser, group: MuscleGroup? = nil, limit: Int = .max,
    offset: Int = 0
  ) throws -> [CatalogExercise] {
    try store.read { db in
      // A negative limit means no limit to SQLite.
      var arguments: StatementArguments = ["user": user, "limit": max(0, limit), "offset": offset]
      if let group { arguments += ["group": group.rawValue] }
      return try Row.fetchAll(
        db, sql: group == nil ? Self.listQuery : Self.groupQuery, arguments: arguments
      ).compactMap(CatalogExercise.init)
    }
  }

  static let listQuery = """
    SELECT * FROM exercise WHERE userId IS NULL OR userId = :user
    ORDER BY foldedName, id LIMIT :limit OFFSET :offset
    """
  static let groupQuery = """
    SELECT * FROM exercise WHERE (userId IS NULL OR userId = :user)
      AND (muscleGroup = :group
        OR EXISTS (SELECT 1 FROM json_each(furtherMuscleGroups) WHERE value = :group))
    ORDER BY foldedName, id LIMIT :limit OFFSET :offset
    """

  /// Returns the exercises whose name, muscles, equipment or description contain words with all of the given
  /// prefixes. Exercises with more matches in their names come first. Accents and case are ignored.
  public func search(
    _ text: String, of user: HistoryUser.ID = HistoryStore.localUser, limit: Int = 50
  ) throws -> [CatalogExercise] {
    let words = text.foldedForSearch.split(separator: " ")
    guard !words.isEmpty else { return [] }
    func isIn(_ text: String) -> (Substring) -> Bool {
      let known = text.foldedForSearch.split(separator: " ")
      return { word in known.contains { $0.hasPrefix(word) } }
    }
    // Exercises arrive in the order of their names; a stable sort keeps it among equals.
    let found = try exercises(of: user).compactMap { exercise -> (Int, CatalogExercise)? in
      let named = words.count(where: isIn(exercise.name))
      guard words.allSatisfy(isIn("\(exercise.name) \(exercise.keywords)")) else { return nil }
      return (named, exercise)
    }
    return found.enumerated().sorted { a, b in (b.element.0, a.offset) < (a.element.0, b.offset) }
      .prefix(max(0, limit)).map(\.element.1)
  }

  /// Removes an exercise from the catalogue. Plans keep its name, and the history keeps all its sets.
  ///
  /// - Parameter confirmed: Whether to delete the exercise even if plans use it.
  /// - Throws: ``RuleViolation`` if plans use it, ``HistoryError/notFound(reference:)``.
  public func delete(_ reference: CatalogExercise.Key, confirmed: Bool = false) throws {
    try store.write { db in
      guard let id = try Self.id(db, reference) else {
        throw HistoryError.notFound(reference: "exercise \(reference)")
      }
      let plans =
        try Int.fetchOne(
          db, sql: "SELECT count(DISTINCT planId) FROM plan_item WHERE exerciseId = ?",
          arguments: [id]) ?? 0
      guard plans == 0 || confirmed else { throw RuleViolation.exerciseInUse(plans: plans) }
      try db.execute(sql: "DELETE FROM exercise WHERE id = ?", arguments: [id])
    }
  }

  static func exercise(_ db: Database, id: CatalogExercise.ID) throws -> CatalogExercise? {
    try Row.fetchOne(db, cached: "SELECT * FROM exercise WHERE id = ?", arguments: [id])
      .flatMap(CatalogExercise.init)
  }
}

extension CatalogExercise {
  /// Fails if the row's muscle group is unknown.
  fileprivate init?(_ row: Row) throws {
    guard let group = MuscleGroup(rawValue: try row.value("muscleGroup")) else { return nil }
    func texts(_ column: String) throws -> [String] {
      let text: String = try row.value(column)
      return (try? JSONDecoder().decode([String].self, from: Data(text.utf8))) ?? []
    }
    self.init(uuid: try row.value("uuid"), name: try row.value("name"), muscleGroup: group)
    id = try row.value("id")
    userId = try row.value("userId")
    templateId = try row.value("templateId")
    let further = try texts("furtherMuscleGroups")
    furtherMuscleGroups = MuscleGroup.allCases.filter { further.contains($0.rawValue) }
    muscles = try texts("muscles")
    muscleSubgroup = try row.value("muscleSubgroup")
    type = try row.value("type")
    equipment = try row.value("equipment")
    gripVariation = try row.value("gripVariation")
    setup = try row.value("setup")
    description = try row.value("description")
    videoURL = try row.value("videoURL")
    defaultSets = try row.value("defaultSets")
    defaultReps = try row.value("defaultReps")
    defaultRestTime = try row.value("defaultRestTime")
    defaultWeight = try row.value("defaultWeight")
    createdAt = try row.date("createdAt")
  }
}
