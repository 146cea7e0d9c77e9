import GRDB

/// A workout as lists show it. Reading it touches no timeline.
public struct HistoryWorkoutRow: Sendable, Hashable {
  public var id: Int64
  public var user: Int64
  /// The session's id, or else the key of its only recording.
  public var key: String
  public var sessionId: String?
  /// Seconds since 1970 at its begin, where the source gave a date.
  public var date: Double?
  public var endTime: Double?
  /// The plan that it followed, by its uuid; nil where there was none, or it was deleted.
  public var plan: String?
  /// The title that the plan had.
  public var planTitle: String?
  public var focus: String?
  public var intensity: String?
  /// Nil where nobody started it: its recordings were processed.
  public var status: WorkoutStatus?
  public var exerciseCount: Int
  public var setCount: Int
  /// Of all its sets.
  public var reps: Int
  /// Kilograms lifted in all: weight times reps.
  public var volume: Double
  public var isSynced: Bool
  var sortDate: Double

  /// Minutes, nil where begin or end has no date.
  public var durationMinutes: Double? {
    guard let date, let endTime, endTime >= date else { return nil }
    return (endTime - date) / 60
  }

  public var cursor: WorkoutCursor { WorkoutCursor(sortDate: sortDate, id: id) }
}

extension HistoryWorkoutRow {
  static let columns = """
    w.id, w.userId, w.key, w.sessionId, w.date, w.endTime, w.planTitle, w.focus, w.intensity,
    w.status, w.cloudSyncStatus, w.sortDate,
    (SELECT uuid FROM workoutPlan p WHERE p.id = w.planId) AS plan,
    (SELECT count(*) FROM historyExercise e WHERE e.workoutId = w.id) AS exerciseCount
    """

  /// The sums over the sets, one look at each.
  static let sums = """
    SELECT count(*) AS setCount,
      coalesce(sum(coalesce(s.correctedReps, s.detectedReps)), 0) AS reps,
      coalesce(sum(coalesce(s.correctedReps, s.detectedReps) * s.weight), 0) AS volume
    FROM historyExercise e JOIN historySet s ON s.exerciseId = e.id WHERE e.workoutId = ?
    """

  init(_ row: Row, sums: Row?) {
    self.init(
      id: row["id"], user: row["userId"], key: row["key"], sessionId: row["sessionId"],
      date: row["date"], endTime: row["endTime"], plan: row["plan"],
      planTitle: row["planTitle"], focus: row["focus"], intensity: row["intensity"],
      status: (row["status"] as String?).flatMap(WorkoutStatus.init(rawValue:)),
      exerciseCount: row["exerciseCount"], setCount: sums?["setCount"] ?? 0,
      reps: sums?["reps"] ?? 0, volume: sums?["volume"] ?? 0,
      isSynced: row["cloudSyncStatus"] == 1, sortDate: row["sortDate"])
  }
}

/// An exercise of a workout with its sets, as the history shows them.
public struct HistoryExerciseRow: Sendable, Hashable {
  public var id: Int64
  public var key: String
  /// The exercise of the catalogue, by its uuid; nil where it is not in it, or no more.
  public var catalogExercise: String?
  public var name: String?
  /// From 0, in the workout.
  public var order: Int
  public var startTime: Double?
  public var endTime: Double?
  /// Whether it was ended, rather than left; nil where nobody started it.
  public var isCompleted: Bool?
  public var isSynced: Bool
  public var sets: [HistorySetRow]
}
