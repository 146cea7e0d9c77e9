import Foundation
import GRDB

/// A workout as lists show it. Reading it touches no timeline.
public struct HistoryWorkoutRow: Sendable, Hashable, Identifiable {
  /// The number of its row.
  public typealias ID = RowID<HistoryWorkoutRow>
  /// The name for ever: the session's id, or else the key of its only recording.
  public typealias Key = RecordKey<HistoryWorkoutRow>

  public var id: ID
  public var user: HistoryUser.ID
  public var key: Key
  public var sessionId: Key?
  /// Of its begin; nil where the source gave none.
  public var date: Date?
  public var endTime: Date?
  /// The plan that it followed, by its uuid; nil where there was none, or it was deleted.
  public var plan: WorkoutPlan.Key?
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
  /// Seconds since 1970.
  var sortDate: Double

  /// Minutes, nil where begin or end has no date.
  public var durationMinutes: Double? {
    guard let date, let endTime, endTime >= date else { return nil }
    return endTime.timeIntervalSince(date) / 60
  }

  public var cursor: WorkoutCursor { WorkoutCursor(sortDate: sortDate, id: id) }
}

extension HistoryWorkoutRow {
  static let columns = """
    w.id, w.userId, w.key, w.sessionId, w.date, w.endTime, w.planTitle, w.focus, w.intensity,
    w.status, w.sortDate,
    (SELECT isPending FROM stamp WHERE entity = \(SyncEntity.workoutHistory.rawValue) AND row = w.id)
      AS isPending,
    (SELECT uuid FROM plan p WHERE p.id = w.planId) AS plan,
    (SELECT count(*) FROM workout_exercise e WHERE e.workoutId = w.id) AS exerciseCount
    """

  /// The sums over the sets, one look at each. Unlike `sum`, `total` does not fail where a store holds
  /// absurd counts, and the cast keeps it within 64 bits.
  static let sums = """
    SELECT count(*) AS setCount,
      CAST(total(coalesce(s.correctedReps, s.detectedReps)) AS INTEGER) AS reps,
      coalesce(sum(coalesce(s.correctedReps, s.detectedReps) * s.weight), 0) AS volume
    FROM workout_exercise e JOIN workout_set s ON s.exerciseId = e.id WHERE e.workoutId = ?
    """

  init(_ row: Row, sums: Row?) throws {
    self.init(
      id: try row.value("id"), user: try row.value("userId"), key: try row.value("key"),
      sessionId: try row.value("sessionId"),
      date: try row.date("date"), endTime: try row.date("endTime"), plan: try row.value("plan"),
      planTitle: try row.value("planTitle"), focus: try row.value("focus"),
      intensity: try row.value("intensity"),
      status: (try row.value("status") as String?).flatMap(WorkoutStatus.init(rawValue:)),
      exerciseCount: try row.value("exerciseCount"), setCount: try sums.value("setCount") ?? 0,
      reps: try sums.value("reps") ?? 0, volume: try sums.value("volume") ?? 0,
      isSynced: try row.value("isPending") == 0, sortDate: try row.value("sortDate"))
  }
}

/// An exercise of a workout with its sets, as the history shows them.
public struct HistoryExerciseRow: Sendable, Hashable, Identifiable {
  /// The number of its row.
  public typealias ID = RowID<HistoryExerciseRow>
  /// The name in its workout: the id that its source gave it, or what a person called it; empty where
  /// neither did.
  public typealias Key = RecordKey<HistoryExerciseRow>

  public var id: ID
  public var key: Key
  /// The exercise of the catalogue, by its uuid; nil where it is not in it, or no more.
  public var catalogExercise: CatalogExercise.Key?
  public var name: String?
  /// From 0, in the workout.
  public var order: Int
  public var startTime: Date?
  public var endTime: Date?
  /// Whether it was ended, rather than left; nil where nobody started it.
  public var isCompleted: Bool?
  public var sets: [HistorySetRow]
}
