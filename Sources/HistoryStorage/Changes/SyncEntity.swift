import GRDB

/// A kind of object that copies of a history exchange with their center. The numbers are stored, and ordered
/// so that referenced objects come first.
package enum SyncEntity: Int, Sendable, Hashable, CaseIterable, Codable, Comparable {
  case exerciseTemplate = 1
  case split
  case workoutPlan
  case workoutHistory
  case historyExercise
  case historySet
  case recording
  case deletedSamples
  case user

  package static func < (a: SyncEntity, b: SyncEntity) -> Bool { a.rawValue < b.rawValue }
}

/// A value of an object's member, as in a column.
package enum SyncValue: Sendable, Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)

  /// Compares texts by bytes, like databases; Swift considers precomposed and decomposed "é" equal.
  package static func == (a: SyncValue, b: SyncValue) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.integer(let a), .integer(let b)): a == b
    case (.real(let a), .real(let b)): a == b
    case (.text(let a), .text(let b)): a.utf8.elementsEqual(b.utf8)
    default: false
    }
  }
}

/// A member of an object: a column in histories and at the center.
package struct SyncMember: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case integer, real, text
    /// JSON as text.
    case json
  }

  package var name: String
  package var kind: Kind
  /// The SQL that computes the member from the row `t`.
  package var expression: String

  init(_ name: String, _ kind: Kind, _ expression: String? = nil) {
    self.name = name
    self.kind = kind
    self.expression = expression ?? "t.\"\(name)\""
  }
}

/// A unit of merging: members that are meaningful only together, and the columns whose changes count.
package struct SyncField: Sendable, Hashable {
  package var name: String
  /// The members. If the first is NULL and was never cleared, the field is unset.
  package var members: [SyncMember]
  /// SQL expressions of the row `t` whose changes count as changes of the field.
  var watched: [String]

  init(_ name: String, _ members: [SyncMember], watched: [String]? = nil) {
    self.name = name
    self.members = members
    self.watched = watched ?? members.map(\.expression)
  }

  init(_ name: String, _ kind: SyncMember.Kind) { self.init(name, [SyncMember(name, kind)]) }

  /// Returns a reference to an object by its key, computed from the row `t`. Only the column is watched.
  static func reference(_ name: String, by column: String, _ key: String) -> SyncField {
    SyncField(name, [SyncMember(name, .text, "(\(key))")], watched: ["t.\(column)"])
  }

  /// Returns a field that is written once.
  static func constant(_ name: String, _ kind: SyncMember.Kind) -> SyncField {
    SyncField(name, [SyncMember(name, kind)], watched: [])
  }

  /// Returns one field per column.
  static func columns(_ kind: SyncMember.Kind, _ names: String...) -> [SyncField] {
    names.map { SyncField($0, kind) }
  }
}

/// The mapping of an entity to its table. The record of changes, the exchanged data, merging and the central
/// schema are all derived from it.
package struct SyncTable: Sendable, Hashable {
  package var entity: SyncEntity
  package var name: String
  /// The SQL that computes the object's key from the row `t`.
  package var key: String
  package var fields: [SyncField]
  /// True if every deletion is a person's decision, which no other copy can overrule. Otherwise the detector
  /// deletes, except in an explicit deletion (``HistoryStore``'s `delete`).
  var endsByPerson = false
  /// An SQL condition on `t` for rows that are objects, unlike contents of a workout in progress.
  package var condition = "1"

  /// SQL expressions of the row `t` that are not exchanged but whose changes count as changes of the object.
  var local: [String] = []

  package var members: [SyncMember] { fields.flatMap(\.members) }

  var owner: String { entity == .user ? "t.id" : "t.userId" }

  package func isOwned(by user: String) -> String {
    entity == .exerciseTemplate
      ? "(t.userId = \(user) OR t.userId IS NULL)" : "\(owner) = \(user)"
  }

  var recordedKey: String { entity == .user ? "t.uuid" : key }

  package static func of(_ entity: SyncEntity) -> SyncTable { all[entity.rawValue - 1] }

  private static let byTable = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  static func named(_ name: String) -> SyncTable? { byTable[name] }

  /// Returns the query for the state of a row, used by ``ChangeSealer``. Argument: the row number.
  func stateQuery(_ table: ProtectedTable) -> String {
    let sums = (fields.map(\.watched) + [local]).enumerated().map { index, watched in
      "\(RowChecksum.functionName)(\((["''"] + watched).joined(separator: ", "))) AS f\(index)"
    }
    return """
      SELECT t.checksum IS \(table.checksum(as: "t")) AS isSealed, \(owner) AS userId,
        \(recordedKey) AS key, \(condition) AS isObject, x.userId AS oldUser, x.key AS oldKey, x.fields,
        x.fieldChecksums, \(sums.joined(separator: ", "))
      FROM \(name) t LEFT JOIN stamp x ON x.entity = \(entity.rawValue) AND x.row = t.id
      WHERE t.id = ?
      """
  }

  private static func isOver(_ workout: String) -> String {
    "(SELECT w.status FROM workout w WHERE w.id = \(workout)) IS NOT 'active'"
  }

  private static let workoutKey = "SELECT w.key FROM workout w WHERE w.id = t.workoutId"

  package static let all: [SyncTable] = [
    SyncTable(
      entity: .exerciseTemplate, name: "exercise", key: "t.uuid",
      fields: [
        SyncField(
          "shared", [SyncMember("shared", .integer, "(t.userId IS NULL)")], watched: ["t.userId"]),
        SyncField(
          "muscles",
          [
            SyncMember("muscleGroup", .text), SyncMember("muscleSubgroup", .text),
            SyncMember("furtherMuscleGroups", .json), SyncMember("muscles", .json),
          ]), .constant("createdAt", .real), SyncField("defaultWeight", .real),
      ]
        + SyncField.columns(
          .text, "templateId", "name", "type", "equipment", "gripVariation", "setup", "description",
          "videoURL")
        + SyncField.columns(.integer, "defaultSets", "defaultReps", "defaultRestTime"),
      endsByPerson: true),
    SyncTable(
      entity: .split, name: "split", key: "t.uuid",
      fields: SyncField.columns(.text, "name", "intro"),
      endsByPerson: true),
    SyncTable(
      entity: .workoutPlan, name: "plan", key: "t.uuid",
      fields: [
        SyncField("title", .text), SyncField("description", .text), SyncField("order", .integer),
        .reference("split", by: "splitId", "SELECT uuid FROM split s WHERE s.id = t.splitId"),
        .constant("createdAt", .real),
        SyncField(
          "items",
          [
            SyncMember(
              "items", .json,
              """
              (SELECT json_group_array(json_object('uuid', i.uuid, 'kind', i.kind, 'exercise',
                  x.uuid, 'name', i.exerciseName, 'sets', i.sets, 'reps', i.reps, 'weight',
                  i.weight, 'restTime', i.restTime, 'duration', i.duration))
                FROM (SELECT * FROM plan_item WHERE planId = t.id ORDER BY position) i
                LEFT JOIN exercise x ON x.id = i.exerciseId)
              """)
          ]),
      ], endsByPerson: true, local: ["t.autoTitle", "t.isActive"]),
    SyncTable(
      entity: .workoutHistory, name: "workout", key: "t.key",
      fields: [.reference("plan", by: "planId", "SELECT uuid FROM plan p WHERE p.id = t.planId")]
        + SyncField.columns(.text, "sessionId", "planTitle", "focus", "intensity", "status")
        + SyncField.columns(.real, "date", "endTime"), condition: "t.status IS NOT 'active'"),
    SyncTable(
      entity: .historyExercise, name: "workout_exercise", key: "(\(workoutKey)) || '/' || t.key",
      fields: [
        SyncField(
          "workout",
          [SyncMember("workout", .text, "(\(workoutKey))"), SyncMember("key", .text)],
          watched: ["t.workoutId", "t.key"]), SyncField("exerciseId", .text),
        SyncField("name", .text), SyncField("order", .integer), SyncField("completed", .integer),
        .reference(
          "template", by: "templateId", "SELECT x.uuid FROM exercise x WHERE x.id = t.templateId"),
        SyncField("startTime", .real), SyncField("endTime", .real),
      ], condition: isOver("t.workoutId")),
    SyncTable(
      entity: .historySet, name: "workout_set", key: "t.globalKey",
      fields: [
        SyncField(
          "exercise",
          [
            SyncMember(
              "exercise", .text,
              """
              (SELECT w.key || '/' || e.key FROM workout_exercise e
                JOIN workout w ON w.id = e.workoutId WHERE e.id = t.exerciseId)
              """),
            // Sent only if a person named the exercise. A receiving copy marks other exercises itself.
            SyncMember("exerciseSource", .text, "nullif(t.exerciseSource, 'copy')"),
          ], watched: ["t.exerciseId", "t.exerciseSource IS 'person'"]),
        SyncField(
          "count",
          [
            SyncMember("detectedReps", .integer), SyncMember("confidence", .real),
            SyncMember("detector", .text),
          ], watched: ["t.detectedReps", "t.confidence"]),
        SyncField(
          "correction", [SyncMember("correctedReps", .integer), SyncMember("correctedAt", .real)],
          watched: ["t.correctedReps"]),
        SyncField(
          "time",
          [
            SyncMember("startTime", .real), SyncMember("endTime", .real),
            SyncMember("timestamp", .real),
          ], watched: ["t.startTime", "t.endTime"]), .constant("setId", .text),
        SyncField("cause", .text), SyncField("notes", .text), SyncField("weight", .real),
        SyncField("restTime", .real),
      ] + SyncField.columns(.integer, "order", "targetReps", "labelledReps"),
      condition: isOver("(SELECT e.workoutId FROM workout_exercise e WHERE e.id = t.exerciseId)")),
    SyncTable(
      entity: .recording, name: "recording", key: "t.globalKey",
      fields: [
        .reference("workout", by: "workoutId", workoutKey),
        SyncField(
          "samples",
          [
            SyncMember("digest", .text, "lower(hex(t.digest))"), SyncMember("name", .text),
            SyncMember("sampleCount", .integer), SyncMember("deletedSampleCount", .integer),
            SyncMember("clock", .integer), SyncMember("firstTime", .real),
            SyncMember("lastTime", .real), SyncMember("startTime", .real),
            SyncMember("isLossless", .integer),
            // The segments' digests are computed when a recording is sent.
            SyncMember("segments", .json, "NULL"),
          ],
          watched: [
            "digest", "name", "sampleCount", "deletedSampleCount", "clock", "firstTime", "lastTime",
            "startTime", "isLossless",
          ].map { "t.\($0)" } + [
            """
            (SELECT group_concat(place, ' ') FROM (SELECT hex(g.digest) || ':' || g.firstSample AS place
              FROM segment g WHERE g.recordingId = t.id ORDER BY g.position))
            """
          ]),
      ], condition: isOver("t.workoutId")),
    SyncTable(
      entity: .deletedSamples, name: "deleted_samples",
      key: """
        quote(t.recordingKey) || ' ' || quote(t.sessionKey) || ' ' || quote(t.setKey) || ' '
          || t.firstSample || ' ' || quote(t.endSample)
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
        SyncField("birthDate", .real), SyncField("height", .real), SyncField("weight", .real),
        SyncField(
          "activePlan",
          [
            SyncMember(
              "activePlan", .text,
              "(SELECT uuid FROM plan p WHERE p.userId = t.id AND p.isActive = 1)")
          ]),
      ] + SyncField.columns(.text, "name", "email", "providerId", "gender", "locale"),
      local: ["t.subscriptionType", "t.subscriptionStartDate", "t.subscriptionValidUntil"]),
  ]
}

extension SyncValue {
  package init(_ value: DatabaseValue) {
    switch value.storage {
    case .null, .blob: self = .null
    case .int64(let integer): self = .integer(integer)
    // Another program may have stored an infinity, which messages cannot express.
    case .double(let real): self = real.isFinite ? .real(real) : .null
    case .string(let text): self = .text(text)
    }
  }

  package var databaseValue: DatabaseValue {
    switch self {
    case .null: .null
    case .integer(let integer): integer.databaseValue
    case .real(let real): real.databaseValue
    case .text(let text): text.databaseValue
    }
  }
}
