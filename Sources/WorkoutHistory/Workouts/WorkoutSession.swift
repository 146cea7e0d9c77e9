import Foundation
import GRDB
import Motion

/// A workout in progress, with the calls of its life cycle.
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
/// Each call is durable when it returns and may be repeated: a repeated call changes nothing. A workout that
/// was left open is found by ``HistoryWorkouts/allUnderWay()`` at the next launch; it can be continued with
/// these calls, closed or discarded. Dates are nil if the source gives none.
public struct WorkoutSession: Sendable {
  package let store: HistoryStore
  public let sessionId: HistoryWorkoutRow.Key
  package let user: HistoryUser.ID

  /// Returns the exercises of the workout so far, with their sets; none once it has ended.
  public func exercises() throws -> [HistoryExerciseRow] {
    try store.read { db in
      try ActiveWorkout.find(db, session: sessionId, user: user)
        .map { try HistoryWorkouts.exercises(db, ofWorkout: $0.id) } ?? []
    }
  }

  /// Starts an exercise. An exercise in progress is left.
  ///
  /// - Parameters:
  ///   - id: The exercise's id in this workout; starting it again resumes it.
  ///   - catalogExercise: The uuid or template id of the catalogue exercise. Defaults to the one with `id`, if
  ///     there is one.
  ///   - name: The exercise's name. Defaults to the catalogue's.
  public func startExercise(
    _ id: HistoryExerciseRow.Key, catalogExercise: CatalogExercise.Key? = nil,
    name: String? = nil, at date: Date? = nil
  ) throws {
    try perform(.startExercise(id, catalogExercise: catalogExercise, name: name), at: date)
  }

  /// Starts an exercise of the catalogue. An exercise in progress is left.
  public func startExercise(_ exercise: CatalogExercise, at date: Date? = nil) throws {
    try startExercise(
      HistoryExerciseRow.Key(exercise.uuid), catalogExercise: exercise.uuid, at: date)
  }

  /// Starts a set. A set in progress ends with it.
  ///
  /// - Parameters:
  ///   - id: The set's permanent id.
  ///   - exercise: The id of its exercise. Defaults to the exercise in progress.
  ///   - targetReps: The target. Defaults to the plan's.
  ///   - weight: The weight, in kilograms. Defaults to the plan's.
  public func startSet(
    _ id: HistorySetRow.Key, exercise: HistoryExerciseRow.Key? = nil, targetReps: Int? = nil,
    weight: Double? = nil, at date: Date? = nil
  ) throws {
    try perform(.startSet(id, exercise: exercise, targetReps: targetReps, weight: weight), at: date)
  }

  /// Ends a set. Its detected count comes with its recording, before or after this call
  /// (``HistoryStore/save(_:sets:precision:provenance:movementCurves:user:)``).
  ///
  /// - Parameters:
  ///   - id: The set's id. Defaults to the set in progress.
  ///   - reps: The person's count, if they give one.
  ///   - weight: The weight that was actually used, in kilograms.
  public func endSet(
    _ id: HistorySetRow.Key? = nil, reps: Int? = nil, weight: Double? = nil, at date: Date? = nil
  ) throws { try perform(.endSet(id, reps: reps, weight: weight), at: date) }

  /// Ends the exercise in progress, and its set in progress.
  ///
  /// - Parameter id: The exercise's id. Defaults to the exercise in progress.
  public func endExercise(_ id: HistoryExerciseRow.Key? = nil, at date: Date? = nil) throws {
    try perform(.endExercise(id), at: date)
  }

  /// Adds heart rate and calories to the set in progress, or else to the exercise, or else to the workout. A
  /// second reading of an instant is ignored.
  public func add(health readings: [HealthReading]) throws {
    try perform(.health(readings), at: nil)
  }

  /// Ends the workout, which moves it to the history.
  ///
  /// - Returns: The row of the workout in the history.
  @discardableResult
  public func end(at date: Date? = nil) throws -> HistoryWorkoutRow.ID {
    guard let id = try finish(at: date, status: .completed) else {
      throw HistoryError.damaged(reason: "a completed workout has no row")
    }
    return id
  }

  /// Closes a workout that was left open: its contents become history, and it is marked as interrupted. An
  /// empty workout leaves nothing.
  ///
  /// - Parameter date: The end of the workout. Defaults to the end of its last set.
  /// - Returns: The row of the workout in the history; nil if it left nothing.
  @discardableResult
  public func close(at date: Date? = nil) throws -> HistoryWorkoutRow.ID? {
    try finish(at: date, status: .interrupted)
  }

  private func finish(at date: Date?, status: WorkoutStatus) throws -> HistoryWorkoutRow.ID? {
    try HistoryRules.check(date: date, .endTime)
    return try write { db, workout in
      try workout.end(db, at: date?.timeIntervalSince1970, as: status) ? workout.id : nil
    }
  }

  /// Deletes the workout with all samples that arrived in it.
  public func discard() throws {
    try write { db, workout in
      try db.execute(sql: "DELETE FROM workout WHERE id = ?", arguments: [workout.id])
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
