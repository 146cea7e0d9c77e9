import GRDB
import Motion

extension HistoryRecordingRow {
  /// Selects the recordings of workouts that are not in progress.
  static let query = """
    SELECT r.id, r.key, r.name, w.sessionId, r.sampleCount, r.clock, r.startTime,
      coalesce(r.lastTime - r.firstTime, 0) AS duration, r.isLossless,
      (SELECT CAST(total(byteCount) AS INTEGER) FROM segment WHERE recordingId = r.id) AS byteCount,
      (SELECT count(*) FROM workout_set WHERE recordingId = r.id AND position IS NOT NULL) AS setCount,
      \(ProtectedTable.named("recording").isDamaged(as: "r")) AS isDamaged
    FROM recording r JOIN workout w ON w.id = r.workoutId AND w.status IS NOT 'active'
    """

  init(_ row: Row) throws {
    try ProtectedTable.named("recording").requireIntact(row)
    try self.init(
      id: row.value("id"), key: row.value("key"), name: row.value("name"),
      sessionId: row.value("sessionId"), sampleCount: row.value("sampleCount"),
      byteCount: row.value("byteCount"), setCount: row.value("setCount"),
      clock: MotionClock(rawValue: row.value("clock")) ?? .device, startTime: row.date("startTime"),
      duration: row.value("duration"), isLossless: row.value("isLossless") == 1)
  }
}
