#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

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

/// How a workout came to its end.
public enum WorkoutStatus: String, Sendable, Hashable, CaseIterable, Codable {
  case completed
  /// It was left open, and closed later.
  case interrupted
  /// It was planned, and not done.
  case skipped
}
