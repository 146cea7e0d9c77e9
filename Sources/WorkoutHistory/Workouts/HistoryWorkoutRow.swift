#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A workout as listed. Reading it does not touch timelines.
public struct HistoryWorkoutRow: Sendable, Hashable, Identifiable {
  /// The row number.
  public typealias ID = RowID<HistoryWorkoutRow>
  /// The permanent key: the session's id, or else the key of its first recording.
  public typealias Key = RecordKey<HistoryWorkoutRow>

  public var id: ID
  package var user: HistoryUser.ID
  public var key: Key
  public var sessionId: Key?
  /// Begin of the workout; nil if the source gave no date.
  public var date: Date?
  public var endTime: Date?
  /// The uuid of the plan; nil if there was none or it was deleted.
  public var plan: WorkoutPlan.Key?
  /// The plan's title at that time.
  package var planTitle: String?
  package var focus: String?
  package var intensity: String?
  /// How the workout ended; nil if nobody started it and its recordings were only processed.
  public var status: WorkoutStatus?
  package var exerciseCount: Int
  public var setCount: Int
  /// Total reps of all sets.
  public var reps: Int
  /// Total weight times reps, in kilograms.
  public var volume: Double
  package var isSynced: Bool
  /// Date for sorting, in seconds since 1970.
  var sortDate: Double

  /// Duration, in minutes; nil if begin or end has no date.
  package var durationMinutes: Double? {
    guard let date, let endTime, endTime >= date else { return nil }
    return endTime.timeIntervalSince(date) / 60
  }
}

/// An exercise of a workout with its sets.
public struct HistoryExerciseRow: Sendable, Hashable, Identifiable {
  /// The row number.
  public typealias ID = RowID<HistoryExerciseRow>
  /// The key within its workout: the id that its source gave it, or the name that a person gave it; empty
  /// without either.
  public typealias Key = RecordKey<HistoryExerciseRow>

  public var id: ID
  public var key: Key
  /// The uuid of the catalogue exercise; nil if it is not or no longer in the catalogue.
  public var catalogExercise: CatalogExercise.Key?
  public var name: String?
  /// The position in the workout, from 0.
  package var order: Int
  package var startTime: Date?
  package var endTime: Date?
  /// True if the exercise was ended explicitly, rather than left; nil if nobody started it.
  package var isCompleted: Bool?
  /// True if the exercise was started and has not ended.
  public var isActive: Bool
  public var sets: [HistorySetRow]
}

/// The way in which a workout ended.
public enum WorkoutStatus: String, Sendable, Hashable, CaseIterable, Codable {
  case completed
  /// Left open, and closed later.
  case interrupted
  /// Planned, but not done.
  case skipped
}
