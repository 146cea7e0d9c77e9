import GRDB
import Motion

extension HistorySetRow {
  /// Columns of a set, including `isDamaged`, which is true if the row fails its checksum. Of two columns
  /// with equal names, the first is used.
  static let columns = """
    s.userId AS user, w.sessionId, e.exerciseId, e.name AS exerciseName, r.name AS recordingName,
    coalesce(g.sampleCount, 0) AS sampleCount, coalesce(g.byteCount, 0) AS byteCount,
    \(ProtectedTable.named("workout_set").isDamaged(as: "s")) AS isDamaged, s.*
    """

  /// Selects sets, including those of workouts in progress.
  static let allTables = """
    workout_set s
    JOIN workout_exercise e ON e.id = s.exerciseId
    LEFT JOIN recording r ON r.id = s.recordingId
    LEFT JOIN segment g ON g.setId = s.id
    JOIN workout w ON w.id = e.workoutId
    """

  /// Selects the sets of workouts that are not in progress.
  static let tables = allTables + " AND w.status IS NOT 'active'"

  /// Returns an SQL condition for exercise rows of workouts in progress. These are few and looked up once.
  static func isInProgress(_ exercise: String) -> String {
    """
    \(exercise) IN (SELECT x.id FROM workout v INDEXED BY workout_active
      JOIN workout_exercise x ON x.workoutId = v.id
      WHERE v.status = 'active')
    """
  }

  /// SQL of the number of listed sets up to and including the row `s`.
  static let number = """
    (SELECT count(*) FROM workout_set WHERE id <= s.id)
      - (SELECT count(*) FROM workout v INDEXED BY workout_active
        JOIN workout_exercise x ON x.workoutId = v.id
        JOIN workout_set o ON o.exerciseId = x.id WHERE v.status = 'active' AND o.id <= s.id) AS number
    """

  static func fetchAll(
    _ db: Database, from tables: String = tables, _ rest: String, _ arguments: StatementArguments,
    isNumbered: Bool = false, checksRows: Bool = true
  ) throws -> [HistorySetRow] {
    try db.rows(
      "SELECT \(isNumbered ? number : "0 AS number"), \(columns) FROM \(tables) \(rest)", arguments
    ).map { try HistorySetRow($0, checksRow: checksRows) }
  }

  init(_ row: Row, checksRow: Bool = true) throws {
    if checksRow { try ProtectedTable.named("workout_set").requireIntact(row) }
    // Lists read many rows; decoding them as HistoryUser would take half as long again.
    try self.init(
      number: row.value("number"), id: row.value("id"), user: row.value("user"),
      key: row.value("key"), globalKey: row.value("globalKey"), setId: row.value("setId"),
      sessionId: row.value("sessionId"), exerciseId: row.value("exerciseId"),
      exerciseName: row.value("exerciseName"), recordingId: row.value("recordingId"),
      recordingName: row.value("recordingName"), position: row.value("position"),
      order: row.value("order"), cause: SetCause(rawValue: row.value("cause")) ?? .detected,
      detectedReps: row.value("detectedReps"), correctedReps: row.value("correctedReps"),
      labelledReps: row.value("labelledReps"), targetReps: row.value("targetReps"),
      confidence: row.value("confidence"), weight: row.value("weight"), notes: row.value("notes"),
      startTime: row.date("startTime"), endTime: row.date("endTime"),
      clockStart: row.value("clockStart"), clockEnd: row.value("clockEnd"),
      restTime: row.value("restTime"), detector: row.value("detector"),
      isActive: row.value("isActive"), sampleCount: row.value("sampleCount"),
      byteCount: row.value("byteCount"))
  }
}
