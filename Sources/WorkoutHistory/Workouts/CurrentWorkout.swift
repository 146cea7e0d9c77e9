import Foundation

/// The state of a workout in progress, without sensor data.
package struct CurrentWorkout: Sendable, Hashable {
  /// The session's id.
  package var sessionId: HistoryWorkoutRow.Key
  /// The owner's row.
  package var user: HistoryUser.ID
  /// The uuid of the plan; nil if there is none or it was deleted.
  package var plan: WorkoutPlan.Key?
  package var planTitle: String?
  package var focus: String?
  package var intensity: String?
  /// Nil if the source gave no date.
  package var startTime: Date?
  package var exercises: [CurrentExercise]

  /// The index in ``exercises`` of the exercise in progress, or else of the one that was left last.
  package var currentExerciseIndex: Int {
    if let active = exercises.firstIndex(where: \.isActive) { return active }
    let last = exercises.indices.max {
      (exercises[$0].endTime ?? .distantPast, $0) < (exercises[$1].endTime ?? .distantPast, $1)
    }
    return last ?? 0
  }

  /// The exercise that was started and has not ended.
  package var activeExercise: CurrentExercise? { exercises.first(where: \.isActive) }
  /// The set that was started and has not ended.
  package var activeSet: CurrentSet? { activeExercise?.sets.first(where: \.isActive) }
}

/// An exercise of a workout in progress.
package struct CurrentExercise: Sendable, Hashable {
  /// The exercise's id; empty if the source gives none.
  package var key: HistoryExerciseRow.Key
  /// The uuid of the catalogue exercise.
  package var catalogExercise: CatalogExercise.Key?
  package var name: String?
  /// The position in the workout, from 0.
  package var order: Int
  package var startTime: Date?
  package var endTime: Date?
  /// True if the exercise was ended explicitly, rather than left for another or interrupted.
  package var isCompleted: Bool
  package var isActive: Bool
  package var sets: [CurrentSet]

  /// The index in ``sets`` of the set in progress, or else of the last one.
  package var currentSetIndex: Int { sets.firstIndex(where: \.isActive) ?? max(0, sets.count - 1) }
}

/// A set of a workout in progress.
package struct CurrentSet: Sendable, Hashable {
  /// The set's id.
  package var key: HistorySetRow.Key
  /// The position in the exercise, from 0.
  package var order: Int
  package var targetReps: Int?
  /// The detector's count; nil before it has counted.
  package var detectedReps: Int?
  /// The person's correction.
  package var correctedReps: Int?
  /// Probability that ``detectedReps`` is exactly right, 0 to 1.
  package var confidence: Double?
  /// The weight, in kilograms.
  package var weight: Double?
  package var startTime: Date?
  package var endTime: Date?
  /// Rest until the next set, in seconds.
  package var restTime: Double?
  package var isActive: Bool

  /// The corrected count, or else the detected one.
  package var actualReps: Int? { correctedReps ?? detectedReps }
}
