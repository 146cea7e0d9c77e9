/// What a sync client gets of an object: its metadata as members of a JSON object, each with the
/// SQL that makes it from the row `t`. Names are those of the app that the data model comes from.
struct SyncDocument {
  struct Member {
    var name: String
    var expression: String
  }

  /// The SQL of the object's key.
  var key: String
  var members: [Member]

  private init(key: String, columns: [String], computed: [Member] = []) {
    self.key = key
    members =
      columns.map { Member(name: $0, expression: "t.\"\($0)\"") } + computed
      + [Member(name: "updatedAt", expression: "t.updatedAt")]
  }

  /// Whose members with these names are what copies exchange.
  private init(
    _ entity: SyncEntity, columns: [String], shared: [String], computed: [Member] = []
  ) {
    let table = SyncTable.of(entity)
    self.init(
      key: table.key(of: "t"), columns: columns,
      computed: shared.map { Member(name: $0, expression: table.expression(of: $0)) } + computed)
  }

  static func of(_ entity: HistoryEntity) -> SyncDocument {
    switch entity {
    case .user:
      SyncDocument(
        key: "t.uuid",
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
          "defaultRestTime", "defaultWeight", "createdAt",
        ], shared: ["type", "furtherMuscleGroups"],
        computed: [
          // In no order, which would have to be made for each row.
          Member(
            name: "muscles",
            expression: """
              (SELECT json_group_array(m.name) FROM exerciseMuscle e
                JOIN muscle m ON m.id = e.muscleId WHERE e.exerciseId = t.id)
              """)
        ])
    case .split:
      SyncDocument(.split, columns: ["uuid", "name", "intro"], shared: [])
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
      SyncDocument(.historySet, columns: SetColumn.sent.map(\.name), shared: ["exercise"])
    }
  }

  /// A plan's items belong to its document.
  private static let items = """
    (SELECT json_group_array(json_object('uuid', i.uuid, 'order', i.position, 'kind', i.kind,
        'exercise', x.uuid, 'templateId', x.templateId, 'name', i.exerciseName, 'sets', i.sets,
        'reps', i.reps, 'weight', i.weight, 'restTime', i.restTime, 'duration', i.duration))
      FROM (SELECT * FROM planItem WHERE planId = t.id ORDER BY position) i
      LEFT JOIN exerciseTemplate x ON x.id = i.exerciseId)
    """
}
