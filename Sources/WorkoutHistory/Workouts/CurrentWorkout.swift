import Foundation

/// A workout under way, as it stands: light, without sensor data.
public struct CurrentWorkout: Sendable, Hashable {
  /// The session's id.
  public var sessionId: HistoryWorkoutRow.Key
  /// Its owner's row.
  public var user: HistoryUser.ID
  /// The plan that it follows, by its uuid; nil where there is none, or where it was deleted.
  public var plan: WorkoutPlan.Key?
  public var planTitle: String?
  public var focus: String?
  public var intensity: String?
  /// Nil where the source gave no date.
  public var startTime: Date?
  public var exercises: [CurrentExercise]

  /// Which of ``exercises`` is in progress, or else was left last, from 0.
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

/// An exercise of a workout under way.
public struct CurrentExercise: Sendable, Hashable {
  /// The exercise's id, empty where the source names none.
  public var key: HistoryExerciseRow.Key
  /// The exercise of the catalogue, by its uuid.
  public var catalogExercise: CatalogExercise.Key?
  public var name: String?
  /// From 0, in the workout.
  public var order: Int
  public var startTime: Date?
  public var endTime: Date?
  /// Whether it was ended, rather than left for another or broken off.
  public var isCompleted: Bool
  public var isActive: Bool
  public var sets: [CurrentSet]

  /// Which of ``sets`` is in progress, or else was the last, from 0.
  public var currentSetIndex: Int { sets.firstIndex(where: \.isActive) ?? max(0, sets.count - 1) }
}

/// A set of a workout under way.
public struct CurrentSet: Sendable, Hashable {
  /// The set's id.
  public var key: HistorySetRow.Key
  /// From 0, in the exercise.
  public var order: Int
  public var targetReps: Int?
  /// The machine's count, nil before it has counted.
  public var detectedReps: Int?
  /// The person's.
  public var correctedReps: Int?
  /// The probability that ``detectedReps`` is exactly right, 0 to 1.
  public var confidence: Double?
  /// Kilograms.
  public var weight: Double?
  public var startTime: Date?
  public var endTime: Date?
  /// Seconds until the next set began.
  public var restTime: Double?
  public var isActive: Bool

  /// The person's count where there is one, else the machine's.
  public var actualReps: Int? { correctedReps ?? detectedReps }
}
