import Digests
import Foundation
import GRDB
import Motion
import TimelineFormat

extension HistoryStore {
  /// Replaces the detected count of a set. Keeps its samples, its row and the person's corrections.
  package func replaceMachineCount(
    ofSet id: HistorySetRow.ID, with counted: CountedSet, movementCurve: [MovementPoint] = [],
    provenance: TimelineProvenance? = nil
  ) throws {
    let bytes = try timelineBytes(ofSet: id)
    let isLossless =
      try read {
        try $0.value(
          """
          SELECT r.isLossless FROM workout_set s JOIN recording r ON r.id = s.recordingId
          WHERE s.id = ?
          """, id, as: Bool.self)
      } ?? true
    let replaced = try TimelineEncoder.replacingCount(
      in: bytes, with: counted, movementCurve: movementCurve, provenance: provenance,
      isLossless: isLossless)
    try write { db in
      let segment = try db.value(
        """
        SELECT g.id FROM segment g JOIN blob b ON b.segmentId = g.id
        WHERE g.setId = ? AND b.data = ?
        """, id, Data(bytes), as: Int64.self)
      // The recording was saved again in the meantime, which is newer than this count.
      guard let segment else { return }
      try db.execute("UPDATE blob SET data = ? WHERE segmentId = ?", Data(replaced), segment)
      try db.execute(
        "UPDATE segment SET byteCount = ?, digest = ? WHERE id = ?", replaced.count,
        Data(SHA256.hash(replaced)), segment)
      try Self.saveReps(db, counted.reps, segment: segment)
      // Dates derived from the samples move with the set.
      let isStarted = Self.isStarted(exercise: "workout_set.exerciseId")
      func moved(_ date: String, _ clock: String, _ new: String) -> String {
        "\(date) = CASE WHEN \(isStarted) OR \(clock) IS NULL THEN \(date) ELSE \(date) + (\(new) - \(clock)) END"
      }
      try db.execute(
        """
        UPDATE workout_set SET detectedReps = ?1, confidence = ?2, clockStart = ?3, clockEnd = ?4,
          \(moved("startTime", "clockStart", "?3")), \(moved("endTime", "clockEnd", "?4")),
          \(moved("timestamp", "clockEnd", "?4")), detector = ?5 WHERE id = ?6
        """, counted.reps.count, counted.confidence.storedConfidence, counted.start, counted.end,
        provenance?.detector ?? "", id)
      // So do the rests before and after the set.
      try db.execute(
        """
        UPDATE workout_set AS s SET restTime = max(0, next.clockStart - s.clockEnd)
        FROM workout_set next, workout_set changed
        WHERE changed.id = ? AND s.recordingId = changed.recordingId
          AND s.position IN (changed.position - 1, changed.position)
          AND next.recordingId = s.recordingId AND next.position = s.position + 1
          AND NOT \(Self.isStarted(exercise: "s.exerciseId"))
        """, id)
    }
  }

  /// Returns recordings to search: without a set or deleted samples, in a session without declared sets.
  package func recordingsWithoutSets() throws -> [HistoryRecordingRow.ID] {
    try read { db in
      try db.values(
        """
        SELECT r.id FROM recording r
        JOIN workout w ON w.id = r.workoutId AND w.status IS NOT 'active'
        WHERE r.deletedSampleCount = 0 AND r.sampleCount > 0
          AND NOT EXISTS (SELECT 1 FROM workout_set s WHERE s.recordingId = r.id)
          AND NOT EXISTS (SELECT 1 FROM workout_exercise e JOIN workout_set s ON s.exerciseId = e.id
            WHERE e.workoutId = r.workoutId AND s.cause = 'declared')
        ORDER BY r.id
        """, as: HistoryRecordingRow.ID.self)
    }
  }

  /// Adds detected sets to a recording that has none. Keeps its samples.
  @discardableResult
  package func addSets(
    _ sets: [CountedSet], toRecording id: HistoryRecordingRow.ID,
    provenance: TimelineProvenance? = nil, movementCurves: [[MovementPoint]] = []
  ) throws -> [HistorySetRow.Key] {
    let row = try read { db in
      try db.row("SELECT userId, digest, isLossless FROM recording WHERE id = ?", id)
        .orNotFound("recording \(id)")
    }
    let digest: Data = try row.value("digest")
    let isLossless: Bool = try row.value("isLossless")
    let prepared = try PreparedRecording(
      try recording(id), digest: [UInt8](digest), sets: sets,
      precision: isLossless ? .lossless : .bounded(), provenance: provenance,
      movementCurves: movementCurves)
    let user: HistoryUser.ID = try row.value("userId")
    return try write { db in
      // If the recording was saved again in the meantime, that is newer than these sets.
      let isUnchanged = try db.value(
        """
        SELECT digest = ?2 AND NOT EXISTS (SELECT 1 FROM workout_set WHERE recordingId = ?1)
        FROM recording WHERE id = ?1
        """, id, digest, as: Bool.self)
      guard isUnchanged == true else { return [] }
      return try Self.save(db, prepared, user: user).sets.map(\.key)
    }
  }
}
