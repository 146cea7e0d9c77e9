import GRDB
import Motion

extension HistorySetRow {
  /// Columns of a set, including `isDamaged`, which is true if the row fails its checksum.
  static let columns = """
    s.id, s.userId, s.key, s.globalKey, s.setId, w.sessionId, e.exerciseId, e.name AS exerciseName, s.recordingId,
    r.name AS recordingName, s.position, s."order", s.cause, s.detectedReps, s.correctedReps, s.labelledReps,
    s.targetReps, s.confidence, s.weight, s.notes, s.startTime, s.endTime, s.clockStart, s.clockEnd,
    s.restTime, s.detector, s.isActive, g.sampleCount, g.byteCount,
    \(ProtectedTable.named("workout_set").isDamaged(as: "s")) AS isDamaged
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

  /// Returns an SQL condition that is true for exercise rows of workouts in progress. These are few, and are
  /// looked up once.
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

  /// - Throws: ``HistoryError/damaged(path:reason:)`` if the row fails its checksum and `checksRow` is true.
  init(_ row: Row, number: Int, checksRow: Bool = true) throws {
    if checksRow { try ProtectedTable.named("workout_set").requireIntact(row) }
    self.init(
      number: number, id: try row.value("id"), user: try row.value("userId"),
      key: try row.value("key"), globalKey: try row.value("globalKey"),
      setId: try row.value("setId"), sessionId: try row.value("sessionId"),
      exerciseId: try row.value("exerciseId"), exerciseName: try row.value("exerciseName"),
      recordingId: try row.value("recordingId"), recordingName: try row.value("recordingName"),
      position: try row.value("position"), order: try row.value("order"),
      cause: SetCause(rawValue: try row.value("cause")) ?? .detected,
      detectedReps: try row.value("detectedReps"), correctedReps: try row.value("correctedReps"),
      labelledReps: try row.value("labelledReps"), targetReps: try row.value("targetReps"),
      confidence: try row.value("confidence"), weight: try row.value("weight"),
      notes: try row.value("notes"), startTime: try row.date("startTime"),
      endTime: try row.date("endTime"), clockStart: try row.value("clockStart"),
      clockEnd: try row.value("clockEnd"), restTime: try row.value("restTime"),
      detector: try row.value("detector"), isActive: try row.value("isActive"),
      sampleCount: try row.value("sampleCount") ?? 0, byteCount: try row.value("byteCount") ?? 0)
  }
}
