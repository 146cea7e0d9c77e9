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
        key: "t.uuid",
        columns: [
          "uuid", "templateId", "name", "muscleGroup", "muscleSubgroup", "equipment",
          "gripVariation", "setup", "description", "videoURL", "defaultSets", "defaultReps",
          "defaultRestTime", "defaultWeight", "createdAt",
        ],
        computed: [
          Member(
            name: "type",
            expression: "(SELECT name FROM exerciseType y WHERE y.id = t.typeId)"),
          Member(
            name: "furtherMuscleGroups",
            expression: """
              (SELECT json_group_array(g.muscleGroup) FROM exerciseMuscleGroup g
                WHERE g.exerciseId = t.id)
              """),
          Member(
            name: "muscles",
            expression: """
              (SELECT json_group_array(m.name) FROM exerciseMuscle e
                JOIN muscle m ON m.id = e.muscleId WHERE e.exerciseId = t.id)
              """),
        ])
    case .split:
      SyncDocument(key: "t.uuid", columns: ["uuid", "name", "intro"])
    case .workoutPlan:
      SyncDocument(
        key: "t.uuid",
        columns: ["uuid", "autoTitle", "title", "description", "order", "isActive", "createdAt"],
        computed: [
          Member(name: "split", expression: "(SELECT uuid FROM split s WHERE s.id = t.splitId)"),
          Member(name: "exercises", expression: items),
        ])
    case .workoutHistory:
      SyncDocument(
        key: "t.key",
        columns: [
          "key", "sessionId", "date", "endTime", "planTitle", "focus", "intensity", "status",
        ],
        computed: [
          Member(
            name: "plan", expression: "(SELECT uuid FROM workoutPlan p WHERE p.id = t.planId)")
        ])
    case .historyExercise:
      SyncDocument(
        key: "(SELECT w.key FROM workoutHistory w WHERE w.id = t.workoutId) || '/' || t.key",
        columns: ["key", "exerciseId", "name", "order", "startTime", "endTime", "completed"],
        computed: [
          Member(
            name: "workout",
            expression: "(SELECT w.key FROM workoutHistory w WHERE w.id = t.workoutId)"),
          Member(
            name: "template",
            expression: "(SELECT x.uuid FROM exerciseTemplate x WHERE x.id = t.templateId)"),
        ])
    case .historySet:
      SyncDocument(
        key: "t.globalKey",
        columns: SetColumn.sent.map(\.name),
        computed: [
          Member(
            name: "exercise",
            expression: """
              (SELECT w.key || '/' || e.key FROM historyExercise e
                JOIN workoutHistory w ON w.id = e.workoutId WHERE e.id = t.exerciseId)
              """)
        ])
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
