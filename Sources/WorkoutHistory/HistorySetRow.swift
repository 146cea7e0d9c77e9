import Foundation
import GRDB
import Motion

/// A set as lists show it. Reading it touches no timeline.
public struct HistorySetRow: Sendable, Hashable, Identifiable {
  /// The number of its row.
  public typealias ID = RowID<HistorySetRow>
  /// The name for ever: the id that its source gave it, or else its recording's digest and its position.
  /// Two sessions may each have a set of that name; where a set is asked for, `SESSION/KEY` says which.
  public typealias Key = RecordKey<HistorySetRow>

  /// Its place in the list of all sets, from 1.
  public var number: Int
  public var id: ID
  /// The owner's row.
  public var user: HistoryUser.ID
  /// The name by which it can be asked for: its id, or the recording's digest and its position.
  public var key: Key
  /// The name among the sets of its owner: ``key``, or `SESSION/KEY`.
  public var globalKey: Key
  /// The id that its source gave it.
  public var setId: Key?
  public var sessionId: HistoryWorkoutRow.Key?
  public var exerciseId: HistoryExerciseRow.Key?
  public var exerciseName: String?
  public var recordingId: HistoryRecordingRow.ID?
  public var recordingName: String?
  /// From 1, in its recording. Nil where today's detector no longer finds it there.
  public var position: Int?
  /// From 0, in its exercise.
  public var order: Int
  public var cause: SetCause
  /// The machine's count; nil where no machine counted.
  public var detectedReps: Int?
  /// The person's.
  public var correctedReps: Int?
  /// The count in the recording's label, such as its file name.
  public var labelledReps: Int?
  public var targetReps: Int?
  /// The probability that ``detectedReps`` is exactly right, 0 to 1.
  public var confidence: Double?
  /// Kilograms.
  public var weight: Double?
  /// A person's remarks.
  public var notes: String?
  /// Nil where the source gave no date.
  public var startTime: Date?
  /// Nil where the source gave no date.
  public var endTime: Date?
  /// Seconds on the samples' clock.
  public var clockStart: Double?
  /// Seconds on the samples' clock.
  public var clockEnd: Double?
  /// Seconds from its end to the next set of its recording.
  public var restTime: Double?
  /// The detector that counted, with its version.
  public var detector: String
  /// Of its timeline.
  public var sampleCount: Int
  /// Of its timeline, compressed.
  public var byteCount: Int

  /// The person's count where there is one, else the machine's; 0 where nobody counted.
  public var reps: Int { correctedReps ?? detectedReps ?? 0 }
}

extension HistorySetRow {
  /// With whether the row is not what was written.
  static let columns = """
    s.id, s.userId, s.key, s.globalKey, s.setId, w.sessionId, e.exerciseId, e.name AS exerciseName, s.recordingId,
    r.name AS recordingName, s.position, s."order", s.cause, s.detectedReps, s.correctedReps, s.labelledReps,
    s.targetReps, s.confidence, s.weight, s.notes, s.startTime, s.endTime, s.clockStart, s.clockEnd,
    s.restTime, s.detector, g.sampleCount, g.byteCount,
    \(ProtectedTable.named("workout_set").isDamaged(as: "s")) AS isDamaged
    """

  /// Sets of workouts that are not in progress.
  static let tables = """
    workout_set s
    JOIN workout_exercise e ON e.id = s.exerciseId
    JOIN workout w ON w.id = e.workoutId AND w.status IS NOT 'active'
    LEFT JOIN recording r ON r.id = s.recordingId
    LEFT JOIN segment g ON g.setId = s.id
    """

  /// The SQL that is true for sets, by the number of their exercise, of workouts in progress. Few, which are looked
  /// up once.
  static func isInProgress(_ exercise: String) -> String {
    """
    \(exercise) IN (SELECT x.id FROM workout v INDEXED BY workout_active
      JOIN workout_exercise x ON x.workoutId = v.id
      WHERE v.status = 'active')
    """
  }

  /// The number of listed sets up to the row `s`.
  static let number = """
    (SELECT count(*) FROM workout_set WHERE id <= s.id)
      - (SELECT count(*) FROM workout v INDEXED BY workout_active
        JOIN workout_exercise x ON x.workoutId = v.id
        JOIN workout_set o ON o.exerciseId = x.id WHERE v.status = 'active' AND o.id <= s.id) AS number
    """

  /// - Throws: ``HistoryError/damaged(path:reason:)`` where the row is not what was written, unless that
  ///   does not matter.
  init(_ row: Row, number: Int, checksRow: Bool = true) throws {
    if checksRow { try ProtectedTable.named("workout_set").requireIntact(row) }
    self.init(
      number: number, id: try row.value("id"), user: try row.value("userId"),
      key: try row.value("key"), globalKey: try row.value("globalKey"),
      setId: try row.value("setId"),
      sessionId: try row.value("sessionId"), exerciseId: try row.value("exerciseId"),
      exerciseName: try row.value("exerciseName"), recordingId: try row.value("recordingId"),
      recordingName: try row.value("recordingName"), position: try row.value("position"),
      order: try row.value("order"),
      cause: SetCause(rawValue: try row.value("cause")) ?? .detected,
      detectedReps: try row.value("detectedReps"),
      correctedReps: try row.value("correctedReps"), labelledReps: try row.value("labelledReps"),
      targetReps: try row.value("targetReps"),
      confidence: try row.value("confidence"), weight: try row.value("weight"),
      notes: try row.value("notes"),
      startTime: try row.date("startTime"),
      endTime: try row.date("endTime"), clockStart: try row.value("clockStart"),
      clockEnd: try row.value("clockEnd"),
      restTime: try row.value("restTime"), detector: try row.value("detector"),
      sampleCount: try row.value("sampleCount") ?? 0,
      byteCount: try row.value("byteCount") ?? 0)
  }
}
