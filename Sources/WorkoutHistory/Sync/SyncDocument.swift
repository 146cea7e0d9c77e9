/// The metadata of an object as JSON, as clients of the record of changes get it. Names are those of the app
/// that the data model comes from.
struct SyncDocument {
  private struct Member {
    var name: String
    /// The SQL that computes the member from the row `t`.
    var expression: String
  }

  private let table: SyncTable
  private let members: [Member]

  /// - Parameters:
  ///   - columns: Columns of the table.
  ///   - shared: Members that copies exchange.
  private init(
    _ entity: SyncEntity, columns: [String], shared: [String] = [], computed: [Member] = []
  ) {
    let table = SyncTable.of(entity)
    self.table = table
    members =
      columns.map { Member(name: $0, expression: "t.\"\($0)\"") }
      + shared.map { name in
        let expression = table.expression(of: name)
        let isJSON = table.members.contains { $0.name == name && $0.kind == .json }
        return Member(
          name: name,
          expression: isJSON
            ? "CASE WHEN json_valid(\(expression)) THEN json(\(expression)) END" : expression)
      } + computed
  }

  /// The SQL that computes a row's object. Arguments: the row number, and the date of the change.
  var query: String {
    let parts = members.map { "'\($0.name)', \($0.expression)" }.joined(separator: ", ")
    return "SELECT json_object(\(parts), 'updatedAt', ?2) FROM \(table.name) t WHERE t.id = ?1"
  }

  static func of(_ entity: HistoryEntity) -> SyncDocument {
    switch entity {
    case .user:
      SyncDocument(
        .user,
        columns: [
          "uuid", "name", "email", "providerId", "birthDate", "gender", "height", "weight",
          "locale", "createdAt", "subscriptionType", "subscriptionStartDate",
          "subscriptionValidUntil",
        ])
    case .exerciseTemplate:
      SyncDocument(
        .exerciseTemplate,
        columns: [
          "uuid", "templateId", "name", "muscleGroup", "muscleSubgroup", "equipment",
          "gripVariation", "setup", "description", "videoURL", "defaultSets", "defaultReps",
          "defaultRestTime", "defaultWeight", "createdAt", "type",
        ], shared: ["furtherMuscleGroups", "muscles"])
    case .split:
      SyncDocument(.split, columns: ["uuid", "name", "intro"])
    case .workoutPlan:
      SyncDocument(
        .workoutPlan,
        columns: ["uuid", "autoTitle", "title", "description", "order", "isActive", "createdAt"],
        shared: ["split"], computed: [Member(name: "exercises", expression: items)])
    case .workoutHistory:
      SyncDocument(
        .workoutHistory,
        columns: [
          "key", "sessionId", "date", "endTime", "planTitle", "focus", "intensity", "status",
        ], shared: ["plan"])
    case .historyExercise:
      SyncDocument(
        .historyExercise,
        columns: ["key", "exerciseId", "name", "order", "startTime", "endTime", "completed"],
        shared: ["workout", "template"])
    case .historySet:
      SyncDocument(
        .historySet,
        columns: [
          "key", "sessionKey", "setId", "order", "cause", "targetReps", "actualReps",
          "detectedReps",
          "confidence", "correctedReps", "correctedAt", "labelledReps", "weight", "notes",
          "startTime", "endTime",
          "timestamp",
          "restTime", "detector",
        ], shared: ["exercise"])
    }
  }

  /// A plan's items, which are part of its document.
  private static let items = """
    (SELECT json_group_array(json_object('uuid', i.uuid, 'order', i.position, 'kind', i.kind,
        'exercise', x.uuid, 'templateId', x.templateId, 'name', i.exerciseName, 'sets', i.sets,
        'reps', i.reps, 'weight', i.weight, 'restTime', i.restTime, 'duration', i.duration))
      FROM (SELECT * FROM plan_item WHERE planId = t.id ORDER BY position) i
      LEFT JOIN exercise x ON x.id = i.exerciseId)
    """
}
