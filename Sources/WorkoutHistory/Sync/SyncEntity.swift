/// A kind of object that copies of a history exchange with their centre.
///
/// The numbers stand in histories and never change. In this order, what an object refers to comes
/// before it.
public enum SyncEntity: Int, Sendable, Hashable, CaseIterable, Codable, Comparable {
  case exerciseTemplate = 1
  case split
  case workoutPlan
  case workoutHistory
  case historyExercise
  case historySet
  case recording
  case deletedSamples
  case user

  public static func < (a: SyncEntity, b: SyncEntity) -> Bool { a.rawValue < b.rawValue }
}

/// A value of an object: what a column can hold.
public enum SyncValue: Sendable, Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)

  /// Texts are the same where their bytes are: Swift alone takes an "é" of one letter for one of two.
  public static func == (a: SyncValue, b: SyncValue) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.integer(let a), .integer(let b)): a == b
    case (.real(let a), .real(let b)): a == b
    case (.text(let a), .text(let b)): a.utf8.elementsEqual(b.utf8)
    default: false
    }
  }
}

/// A member of an object: a column here and at the centre.
public struct SyncMember: Sendable, Hashable {
  public enum Kind: Sendable, Hashable {
    case integer, real, text
    /// A text that holds JSON.
    case json
  }

  public var name: String
  public var kind: Kind
  /// The SQL that makes it from the row `t`.
  var expression: String

  init(_ name: String, _ kind: Kind, _ expression: String? = nil) {
    self.name = name
    self.kind = kind
    self.expression = expression ?? "t.\"\(name)\""
  }
}

/// What merges as a whole: members whose values only make sense together, and the columns whose
/// changes are changes of it.
public struct SyncField: Sendable, Hashable {
  public var name: String
  /// Where the first is NULL and nobody has emptied it, the field says nothing.
  public var members: [SyncMember]
  /// They are among those whose changes are changes of the row.
  var columns: [String]

  init(_ name: String, _ members: [SyncMember], columns: [String]? = nil) {
    self.name = name
    self.members = members
    self.columns = columns ?? members.map(\.name)
  }

  /// A field of one column.
  init(_ name: String, _ kind: SyncMember.Kind) { self.init(name, [SyncMember(name, kind)]) }
}

/// How objects of an entity are kept here: the one description from which the triggers, what is
/// sent, what merges, and the central schema follow.
public struct SyncTable: Sendable, Hashable {
  public var entity: SyncEntity
  public var name: String
  /// The SQL of the object's key from a row; `ROW` stands for `t`, `NEW` or `OLD`.
  var key: String
  /// The columns that the key is made from, where they can change.
  var keyColumns: [String] = []
  public var fields: [SyncField]
  /// Whether its end is a person's decision, which no other copy can overrule. Else the machine's,
  /// unless a person says so (``HistoryStore``'s `delete`).
  var endsByPerson = false
  /// A condition on `t` for being an object.
  var condition = "1"

  public var members: [SyncMember] { fields.flatMap(\.members) }

  /// The SQL that makes a member from the row `t`.
  func expression(of name: String) -> String {
    guard let member = members.first(where: { $0.name == name }) else {
      preconditionFailure("\(self.name) has no member \(name)")
    }
    return member.expression
  }

  func key(of row: String) -> String { key.replacing("ROW", with: row) }

  /// The SQL of the owner's row.
  func owner(of row: String) -> String { entity == .user ? "\(row).id" : "\(row).userId" }

  public static func of(_ entity: SyncEntity) -> SyncTable { all[entity.rawValue - 1] }

  /// In the order of their entities' numbers.
  public static let all: [SyncTable] = [
    SyncTable(
      entity: .exerciseTemplate, name: "exerciseTemplate", key: "ROW.uuid",
      fields: [
        SyncField(
          "shared", [SyncMember("shared", .integer, "(t.userId IS NULL)")], columns: ["userId"]),
        SyncField("templateId", .text), SyncField("name", .text),
        SyncField(
          "muscles",
          [
            SyncMember("muscleGroup", .text), SyncMember("muscleSubgroup", .text),
            SyncMember(
              "furtherMuscleGroups", .json,
              """
              (SELECT json_group_array(g.muscleGroup) FROM exerciseMuscleGroup g
                WHERE g.exerciseId = t.id)
              """),
            SyncMember(
              "muscles", .json,
              """
              (SELECT json_group_array(name) FROM (SELECT m.name FROM exerciseMuscle e
                JOIN muscle m ON m.id = e.muscleId WHERE e.exerciseId = t.id ORDER BY m.name))
              """),
          ], columns: ["muscleGroup", "muscleSubgroup", "musclesVersion"]),
        SyncField(
          "type",
          [
            SyncMember("type", .text, "(SELECT name FROM exerciseType y WHERE y.id = t.typeId)")
          ], columns: ["typeId"]),
        SyncField("equipment", .text), SyncField("gripVariation", .text),
        SyncField("setup", .text), SyncField("description", .text), SyncField("videoURL", .text),
        SyncField("defaultSets", .integer), SyncField("defaultReps", .integer),
        SyncField("defaultRestTime", .integer), SyncField("defaultWeight", .real),
        SyncField("createdAt", [SyncMember("createdAt", .real)], columns: []),
      ], endsByPerson: true),
    SyncTable(
      entity: .split, name: "split", key: "ROW.uuid",
      fields: [SyncField("name", .text), SyncField("intro", .text)], endsByPerson: true),
    SyncTable(
      entity: .workoutPlan, name: "workoutPlan", key: "ROW.uuid",
      fields: [
        SyncField("title", .text), SyncField("description", .text), SyncField("order", .integer),
        SyncField(
          "split",
          [SyncMember("split", .text, "(SELECT uuid FROM split s WHERE s.id = t.splitId)")],
          columns: ["splitId"]),
        SyncField(
          "items",
          [
            SyncMember(
              "items", .json,
              """
              (SELECT json_group_array(json_object('uuid', i.uuid, 'kind', i.kind, 'exercise',
                  x.uuid, 'name', i.exerciseName, 'sets', i.sets, 'reps', i.reps, 'weight',
                  i.weight, 'restTime', i.restTime, 'duration', i.duration))
                FROM (SELECT * FROM planItem WHERE planId = t.id ORDER BY position) i
                LEFT JOIN exerciseTemplate x ON x.id = i.exerciseId)
              """)
          ], columns: ["itemsVersion"]),
        SyncField("createdAt", [SyncMember("createdAt", .real)], columns: []),
      ], endsByPerson: true),
    SyncTable(
      entity: .workoutHistory, name: "workoutHistory", key: "ROW.key", keyColumns: ["key"],
      fields: [
        SyncField("sessionId", .text), SyncField("date", .real), SyncField("endTime", .real),
        SyncField(
          "plan",
          [SyncMember("plan", .text, "(SELECT uuid FROM workoutPlan p WHERE p.id = t.planId)")],
          columns: ["planId"]),
        SyncField("planTitle", .text), SyncField("focus", .text), SyncField("intensity", .text),
        SyncField("status", .text),
      ]),
    SyncTable(
      entity: .historyExercise, name: "historyExercise",
      key: "(SELECT w.key FROM workoutHistory w WHERE w.id = ROW.workoutId) || '/' || ROW.key",
      keyColumns: ["workoutId", "key"],
      fields: [
        SyncField(
          "workout",
          [
            SyncMember(
              "workout", .text, "(SELECT w.key FROM workoutHistory w WHERE w.id = t.workoutId)"),
            SyncMember("key", .text),
          ], columns: ["workoutId", "key"]),
        SyncField("exerciseId", .text), SyncField("name", .text), SyncField("order", .integer),
        SyncField(
          "template",
          [
            SyncMember(
              "template", .text,
              "(SELECT x.uuid FROM exerciseTemplate x WHERE x.id = t.templateId)")
          ], columns: ["templateId"]),
        SyncField("startTime", .real), SyncField("endTime", .real),
        SyncField("completed", .integer),
      ]),
    SyncTable(
      entity: .historySet, name: "historySet", key: "ROW.globalKey",
      keyColumns: ["sessionKey", "key"],
      fields: [
        SyncField(
          "exercise",
          [
            SyncMember(
              "exercise", .text,
              """
              (SELECT w.key || '/' || e.key FROM historyExercise e
                JOIN workoutHistory w ON w.id = e.workoutId WHERE e.id = t.exerciseId)
              """)
          ], columns: ["exerciseId"]),
        SyncField("setId", [SyncMember("setId", .text)], columns: []), SyncField("order", .integer),
        SyncField("cause", .text),
        SyncField("targetReps", .integer),
        SyncField(
          "count",
          [
            SyncMember("detectedReps", .integer), SyncMember("confidence", .real),
            SyncMember("detector", .text),
          ], columns: ["detectedReps", "confidence"]),
        SyncField(
          "correction",
          [SyncMember("correctedReps", .integer), SyncMember("correctedAt", .real)],
          columns: ["correctedReps"]),
        SyncField("weight", .real),
        SyncField(
          "time",
          [
            SyncMember("startTime", .real), SyncMember("endTime", .real),
            SyncMember("timestamp", .real),
          ], columns: ["startTime", "endTime"]),
        SyncField("restTime", .real),
      ]),
    SyncTable(
      entity: .recording, name: "recording", key: "ROW.globalKey",
      keyColumns: ["sessionKey", "key"],
      fields: [
        SyncField(
          "workout",
          [
            SyncMember(
              "workout", .text, "(SELECT w.key FROM workoutHistory w WHERE w.id = t.workoutId)")
          ], columns: ["workoutId"]),
        SyncField(
          "samples",
          [
            SyncMember("digest", .text, "lower(hex(t.digest))"), SyncMember("name", .text),
            SyncMember("sampleCount", .integer), SyncMember("deletedSampleCount", .integer),
            SyncMember("clock", .integer), SyncMember("firstTime", .real),
            SyncMember("lastTime", .real), SyncMember("startTime", .real),
            SyncMember("isLossless", .integer),
            // Its digests are computed when it is sent.
            SyncMember("segments", .json, "NULL"),
          ],
          columns: [
            "digest", "name", "sampleCount", "deletedSampleCount", "clock", "firstTime", "lastTime",
            "startTime", "isLossless", "segmentsVersion",
          ]),
      ], condition: "t.workoutId IS NOT NULL"),
    SyncTable(
      entity: .deletedSamples, name: "deletedSamples",
      // The functions of JSON are none that a trigger may call.
      key: """
        quote(ROW.recordingKey) || ' ' || quote(ROW.sessionKey) || ' ' || quote(ROW.setKey) || ' '
          || ROW.firstSample || ' ' || quote(ROW.endSample)
        """,
      fields: [
        SyncField(
          "samples",
          [
            SyncMember("recordingKey", .text), SyncMember("sessionKey", .text),
            SyncMember("setKey", .text), SyncMember("firstSample", .integer),
            SyncMember("endSample", .integer),
          ])
      ]),
    SyncTable(
      entity: .user, name: "user", key: "''",
      fields: [
        SyncField("name", .text), SyncField("email", .text), SyncField("providerId", .text),
        SyncField("birthDate", .real), SyncField("gender", .text), SyncField("height", .real),
        SyncField("weight", .real), SyncField("locale", .text),
        SyncField(
          "activePlan",
          [
            SyncMember(
              "activePlan", .text,
              "(SELECT uuid FROM workoutPlan p WHERE p.userId = t.id AND p.isActive = 1)")
          ], columns: []),
      ]),
  ]
}
