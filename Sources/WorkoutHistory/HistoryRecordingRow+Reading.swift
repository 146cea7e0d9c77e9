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

  /// - Throws: ``HistoryError/damaged(path:reason:)`` if the row fails its checksum.
  init(_ row: Row) throws {
    try ProtectedTable.named("recording").requireIntact(row)
    self.init(
      id: try row.value("id"), key: try row.value("key"), name: try row.value("name"),
      sessionId: try row.value("sessionId"), sampleCount: try row.value("sampleCount"),
      byteCount: try row.value("byteCount"), setCount: try row.value("setCount"),
      clock: MotionClock(rawValue: try row.value("clock")) ?? .device,
      startTime: try row.date("startTime"),
      duration: try row.value("duration"), isLossless: try row.value("isLossless") == 1)
  }
}
