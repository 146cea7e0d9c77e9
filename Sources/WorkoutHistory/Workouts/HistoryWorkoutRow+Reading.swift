import GRDB

extension HistoryWorkoutRow {
  public var cursor: WorkoutCursor { WorkoutCursor(sortDate: sortDate, id: id) }

  static let columns = """
    w.id, w.userId, w.key, w.sessionId, w.date, w.endTime, w.planTitle, w.focus, w.intensity,
    w.status, w.sortDate,
    (SELECT isPending FROM stamp WHERE entity = \(SyncEntity.workoutHistory.rawValue) AND row = w.id)
      AS isPending,
    (SELECT uuid FROM plan p WHERE p.id = w.planId) AS plan,
    (SELECT count(*) FROM workout_exercise e WHERE e.workoutId = w.id) AS exerciseCount
    """

  /// Totals over the sets in one pass. Unlike `sum`, `total` does not fail for absurd counts in a damaged
  /// store; the cast keeps the result within 64 bits.
  static let sums = """
    SELECT count(*) AS setCount,
      CAST(total(coalesce(s.correctedReps, s.detectedReps)) AS INTEGER) AS reps,
      coalesce(sum(coalesce(s.correctedReps, s.detectedReps) * s.weight), 0) AS volume
    FROM workout_exercise e JOIN workout_set s ON s.exerciseId = e.id WHERE e.workoutId = ?
    """

  init(_ db: Database, _ row: Row) throws {
    let sums = try db.row(Self.sums, try row.value("id") as Int64)
    try self.init(
      id: row.value("id"), user: row.value("userId"), key: row.value("key"),
      sessionId: row.value("sessionId"), date: row.date("date"), endTime: row.date("endTime"),
      plan: row.value("plan"), planTitle: row.value("planTitle"), focus: row.value("focus"),
      intensity: row.value("intensity"),
      status: (row.value("status") as String?).flatMap(WorkoutStatus.init(rawValue:)),
      exerciseCount: row.value("exerciseCount"), setCount: sums.value("setCount") ?? 0,
      reps: sums.value("reps") ?? 0, volume: sums.value("volume") ?? 0,
      isSynced: row.value("isPending") == 0, sortDate: row.value("sortDate"))
  }
}
