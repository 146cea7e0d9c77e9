/// A workout in a list. Timelines are not read.
public struct HistoryWorkoutRow: Sendable, Hashable, Identifiable {
  public typealias ID = RowID<HistoryWorkoutRow>
  /// The permanent key: the session's id, or else the key of its first recording.
  public typealias Key = RecordKey<HistoryWorkoutRow>

  public var id: ID
  package var user: HistoryUser.ID
  public var key: Key
  public var sessionId: Key?
  public var date: Date?
  public var endTime: Date?
  /// The uuid of the plan; nil if there was none or it was deleted.
  public var plan: WorkoutPlan.Key?
  package var planTitle: String?
  package var focus: String?
  package var intensity: String?
  /// The way in which the workout ended; nil if nobody started it and its recordings were only processed.
  public var status: WorkoutStatus?
  package var exerciseCount: Int
  public var setCount: Int
  public var reps: Int
  /// Total weight times reps, in kilograms.
  public var volume: Double
  package var isSynced: Bool
  var sortDate: Double

  /// Duration, in minutes; nil if start or end has no date.
  package var durationMinutes: Double? {
    guard let date, let endTime, endTime >= date else { return nil }
    return endTime.timeIntervalSince(date) / 60
  }
}

/// An exercise of a workout with its sets.
public struct HistoryExerciseRow: Sendable, Hashable, Identifiable {
  public typealias ID = RowID<HistoryExerciseRow>
  /// The source's id of the exercise in its workout, or a person's name for it; empty without either.
  public typealias Key = RecordKey<HistoryExerciseRow>

  public var id: ID
  public var key: Key
  /// The uuid of the catalog exercise; nil if the catalog does not contain it.
  public var catalogExercise: CatalogExercise.Key?
  public var name: String?
  package var order: Int
  package var startTime: Date?
  package var endTime: Date?
  /// True if the exercise was ended explicitly; nil if nobody started it.
  package var isCompleted: Bool?
  public var isActive: Bool
  public var sets: [HistorySetRow]
}

public enum WorkoutStatus: String, Sendable, Hashable, CaseIterable, Codable {
  case completed
  /// Left open and closed later.
  case interrupted
  /// Planned but not done.
  case skipped
}
