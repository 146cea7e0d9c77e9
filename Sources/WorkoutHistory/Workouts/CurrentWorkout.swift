import Foundation

/// The state of a workout in progress, without sensor data.
public struct CurrentWorkout: Sendable, Hashable {
  /// The session's id.
  public var sessionId: HistoryWorkoutRow.Key
  /// The owner's row.
  public var user: HistoryUser.ID
  /// The uuid of the plan; nil if there is none or it was deleted.
  public var plan: WorkoutPlan.Key?
  public var planTitle: String?
  public var focus: String?
  public var intensity: String?
  /// Nil if the source gave no date.
  public var startTime: Date?
  public var exercises: [CurrentExercise]

  /// The index in ``exercises`` of the exercise in progress, or else of the one that was left last.
  public var currentExerciseIndex: Int {
    if let active = exercises.firstIndex(where: \.isActive) { return active }
    let last = exercises.indices.max {
      (exercises[$0].endTime ?? .distantPast, $0) < (exercises[$1].endTime ?? .distantPast, $1)
    }
    return last ?? 0
  }

  /// The exercise that was started and has not ended.
  public var activeExercise: CurrentExercise? { exercises.first(where: \.isActive) }
  /// The set that was started and has not ended.
  public var activeSet: CurrentSet? { activeExercise?.sets.first(where: \.isActive) }
}

/// An exercise of a workout in progress.
public struct CurrentExercise: Sendable, Hashable {
  /// The exercise's id; empty if the source gives none.
  public var key: HistoryExerciseRow.Key
  /// The uuid of the catalogue exercise.
  public var catalogExercise: CatalogExercise.Key?
  public var name: String?
  /// The position in the workout, from 0.
  public var order: Int
  public var startTime: Date?
  public var endTime: Date?
  /// True if the exercise was ended explicitly, rather than left for another or interrupted.
  public var isCompleted: Bool
  public var isActive: Bool
  public var sets: [CurrentSet]

  /// The index in ``sets`` of the set in progress, or else of the last one.
  public var currentSetIndex: Int { sets.firstIndex(where: \.isActive) ?? max(0, sets.count - 1) }
}

/// A set of a workout in progress.
public struct CurrentSet: Sendable, Hashable {
  /// The set's id.
  public var key: HistorySetRow.Key
  /// The position in the exercise, from 0.
  public var order: Int
  public var targetReps: Int?
  /// The detector's count; nil before it has counted.
  public var detectedReps: Int?
  /// The person's correction.
  public var correctedReps: Int?
  /// Probability that ``detectedReps`` is exactly right, 0 to 1.
  public var confidence: Double?
  /// The weight, in kilograms.
  public var weight: Double?
  public var startTime: Date?
  public var endTime: Date?
  /// Rest until the next set, in seconds.
  public var restTime: Double?
  public var isActive: Bool

  /// The corrected count, or else the detected one.
  public var actualReps: Int? { correctedReps ?? detectedReps }
}
