import Foundation
import GRDB
import Motion

/// Groups a person's recordings without a session into workouts, with less than two hours in between.
extension HistoryStore {
  /// Maximum pause between two recordings of one workout, in seconds.
  static let longestPause = 7200.0
  /// Maximum time from the start of a workout to that of its last recording, in seconds.
  private static let longestWorkout = 86_400.0

  /// Returns the key of the workout for a recording without a session: one at about that time, or a new one.
  static func dayKey(
    _ db: Database, of prepared: PreparedRecording, previous: HistoryWorkoutRow.ID?,
    user: HistoryUser.ID
  ) throws -> HistoryWorkoutRow.Key {
    if let previous,
      let key = try db.value(
        """
        SELECT key FROM workout WHERE id = ? AND sessionId IS NULL AND status IS NULL
        """, previous, as: HistoryWorkoutRow.Key.self)
    {
      return key
    }
    let key = try prepared.recording.dates.flatMap {
      try dayKey(db, start: $0.first, end: $0.last, user: user)
    }
    return key ?? HistoryWorkoutRow.Key(prepared.key)
  }

  /// Returns the key of a workout without a session that has a recording at about that time.
  static func dayKey(
    _ db: Database, start: Double, end: Double, user: HistoryUser.ID,
    except recording: HistoryRecordingRow.ID? = nil
  ) throws -> HistoryWorkoutRow.Key? {
    try db.value(
      """
      SELECT w.key FROM workout w JOIN recording r ON r.workoutId = w.id
      WHERE w.userId = ?1 AND w.sortDate BETWEEN ?2 - \(longestWorkout) AND ?3 + \(longestPause)
        AND w.sessionId IS NULL AND w.status IS NULL AND r.startTime < ?3 + \(longestPause)
        AND r.id IS NOT ?4
        AND r.startTime + coalesce(r.lastTime - r.firstTime, 0) > ?2 - \(longestPause)
      ORDER BY w.id LIMIT 1
      """, user, start, end, recording, as: HistoryWorkoutRow.Key.self)
  }
}

extension HistoryStore {
  /// Sets the date at which a set began. Its recording moves with its other sets, and joins the workout of
  /// that time if it has no session. Throws if the samples have their own dates.
  public func setDate(_ date: Date, ofSet id: HistorySetRow.ID) throws {
    try HistoryRules.check(date: date, .startTime)
    try write { db in
      let row = try db.row(
        """
        SELECT s.userId, s.recordingId, e.workoutId, r.clock, r.key, r.lastTime - r.firstTime AS duration,
          w.sessionId IS NULL AND w.status IS NULL AS isWithoutSession,
          coalesce(s.clockStart - r.firstTime, 0) AS offset
        FROM workout_set s JOIN workout_exercise e ON e.id = s.exerciseId
        JOIN workout w ON w.id = e.workoutId LEFT JOIN recording r ON r.id = s.recordingId
        WHERE s.id = ?
        """, id
      ).orNotFound("set \(id)")
      let time = date.timeIntervalSince1970
      guard let recording: HistoryRecordingRow.ID = try row.value("recordingId") else {
        try db.execute(
          """
          UPDATE workout_set SET startTime = ?1, endTime = endTime + (?1 - startTime),
            timestamp = timestamp + (?1 - startTime) WHERE id = ?2
          """, time, id)
        return
      }
      guard try row.value("clock") as Int != Int(MotionClock.unix.rawValue) else {
        throw HistoryError.invalidValue(reason: "the samples of set \(id) have dates of their own")
      }
      let start = try time - row.value("offset")
      try db.execute(
        """
        UPDATE workout_set SET startTime = ?1 + clockStart - r.firstTime,
          endTime = ?1 + clockEnd - r.firstTime, timestamp = ?1 + clockEnd - r.firstTime
        FROM recording r WHERE r.id = ?2 AND workout_set.recordingId = r.id
        """, start, recording)
      try db.execute("UPDATE recording SET startTime = ? WHERE id = ?", start, recording)
      guard try row.value("isWithoutSession") else { return }
      try place(
        db, recording, key: try row.value("key"), start: start,
        end: start + (try row.value("duration") ?? 0), of: try row.value("userId"),
        from: try row.value("workoutId"))
    }
  }

  private func place(
    _ db: Database, _ recording: HistoryRecordingRow.ID, key: String, start: Double, end: Double,
    of user: HistoryUser.ID, from workout: HistoryWorkoutRow.ID
  ) throws {
    let isAlone =
      try db.value(
        "SELECT NOT EXISTS (SELECT 1 FROM recording WHERE workoutId = ? AND id <> ?)", workout,
        recording, as: Bool.self) ?? false
    var target = try Self.dayKey(db, start: start, end: end, user: user, except: recording)
    if target == nil, !isAlone {
      // A workout keeps the key of its first recording, even without that recording.
      let isTaken = try db.exists("SELECT 1 FROM workout WHERE userId = ? AND key = ?", user, key)
      target = HistoryWorkoutRow.Key(isTaken ? "\(key)-\(Int(start))" : key)
    }
    var place = workout
    if let target {
      place = try db.written(
        """
        INSERT INTO workout (userId, key, date) VALUES (?, ?, ?)
        ON CONFLICT (userId, key) DO UPDATE SET date = coalesce(date, excluded.date) RETURNING id
        """, user, target, start, as: HistoryWorkoutRow.ID.self)
    }
    if place != workout {
      let exercises = try db.values(
        "SELECT DISTINCT exerciseId FROM workout_set WHERE recordingId = ?", recording,
        as: HistoryExerciseRow.ID.self)
      for exercise in exercises {
        try db.execute(
          "UPDATE workout_set SET exerciseId = ? WHERE recordingId = ? AND exerciseId = ?",
          try Self.copyExercise(db, exercise, to: place), recording, exercise)
      }
      try db.execute("UPDATE recording SET workoutId = ? WHERE id = ?", place, recording)
    }
    try db.execute(
      """
      UPDATE workout SET date =
        (SELECT min(startTime) FROM recording WHERE workoutId = workout.id)
      WHERE id IN (?, ?)
      """, workout, place)
    try Self.removeEmptyParents(db, workout: workout)
  }
}
