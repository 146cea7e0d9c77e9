import Foundation
import GRDB
import Motion

/// A workout in progress, with the operations of its life cycle.
///
/// ```swift
/// let workout = try store.workouts.start("4F0C…", at: now, plan: plan.uuid)
/// try workout.startExercise("A1B2…", name: "Supino Reto", at: now)
/// try workout.startSet("C3D4…", targetReps: 12, weight: 60, at: now)
/// try workout.add(health: readings)
/// try store.save(recording, sets: [counted])  // with the setId C3D4…
/// try workout.endSet(at: now)
/// try workout.end(at: now)                    // moves to the history
/// ```
///
/// Each call is durable when it returns. Repeating it changes nothing. ``HistoryWorkouts/allInProgress()``
/// finds a workout that was left open at the next launch; it can then be continued, closed or discarded.
/// Dates are nil if the source gives none.
public struct WorkoutSession: Sendable {
  package let store: HistoryStore
  public let sessionId: HistoryWorkoutRow.Key
  package let user: HistoryUser.ID

  public func exercises() throws -> [HistoryExerciseRow] {
    try store.read { db in
      try ActiveWorkout.find(db, session: sessionId, user: user)
        .map { try HistoryWorkouts.exercises(db, ofWorkout: $0.id) } ?? []
    }
  }

  /// Starts or resumes an exercise, and leaves the one in progress.
  ///
  /// - Parameter catalogExercise: Defaults to the catalog exercise with `id`, if there is one.
  public func startExercise(
    _ id: HistoryExerciseRow.Key, catalogExercise: CatalogExercise.Key? = nil,
    name: String? = nil, at date: Date? = nil
  ) throws {
    try perform(.startExercise(id, catalogExercise: catalogExercise, name: name), at: date)
  }

  public func startExercise(_ exercise: CatalogExercise, at date: Date? = nil) throws {
    try startExercise(
      HistoryExerciseRow.Key(exercise.uuid), catalogExercise: exercise.uuid, at: date)
  }

  /// Starts a set and ends the one in progress. Defaults come from the exercise in progress and the plan.
  public func startSet(
    _ id: HistorySetRow.Key, exercise: HistoryExerciseRow.Key? = nil, targetReps: Int? = nil,
    weight: Double? = nil, at date: Date? = nil
  ) throws {
    try perform(.startSet(id, exercise: exercise, targetReps: targetReps, weight: weight), at: date)
  }

  /// Ends a set, by default the one in progress. Its recording may be saved before or after.
  ///
  /// - Parameter reps: The person's count, if they give one.
  public func endSet(
    _ id: HistorySetRow.Key? = nil, reps: Int? = nil, weight: Double? = nil, at date: Date? = nil
  ) throws { try perform(.endSet(id, reps: reps, weight: weight), at: date) }

  public func endExercise(_ id: HistoryExerciseRow.Key? = nil, at date: Date? = nil) throws {
    try perform(.endExercise(id), at: date)
  }

  /// Adds heart rate and calories to the set in progress, or else to the exercise, or else to the workout.
  public func add(health readings: [HealthReading]) throws {
    try perform(.health(readings), at: nil)
  }

  @discardableResult
  public func end(at date: Date? = nil) throws -> HistoryWorkoutRow.ID {
    guard let id = try finish(at: date, status: .completed) else {
      throw HistoryError.damaged(reason: "a completed workout has no row")
    }
    return id
  }

  /// Closes a workout that was left open: marks it as interrupted, or removes it if it is empty. The date
  /// defaults to the end of the last set.
  @discardableResult
  public func close(at date: Date? = nil) throws -> HistoryWorkoutRow.ID? {
    try finish(at: date, status: .interrupted)
  }

  private func finish(at date: Date?, status: WorkoutStatus) throws -> HistoryWorkoutRow.ID? {
    try HistoryRules.check(date: date, .endTime)
    return try write { db, workout in
      try workout.end(at: date?.timeIntervalSince1970, as: status) ? workout.id : nil
    }
  }

  public func discard() throws {
    try write { db, workout in
      try db.execute("DELETE FROM workout WHERE id = ?", workout.id)
    }
    try store.reclaimSpace()
  }

  private func perform(_ step: WorkoutAction.Step, at date: Date?) throws {
    try store.write {
      try HistoryWorkouts.perform(
        $0, .init(session: sessionId, step, date: date?.timeIntervalSince1970, user: user))
    }
  }

  @discardableResult
  private func write<T>(_ body: (Database, ActiveWorkout) throws -> T) throws -> T {
    try store.write { db in
      guard let workout = try ActiveWorkout.find(db, session: sessionId, user: user) else {
        throw RuleViolation.noWorkoutUnderWay
      }
      return try body(db, workout)
    }
  }
}
