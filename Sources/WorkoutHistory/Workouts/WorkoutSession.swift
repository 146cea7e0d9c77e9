import Foundation
import GRDB
import Motion

/// A workout under way in a history: the calls that make up its life.
///
/// ```swift
/// let workout = try store.workouts.start("4F0C…", at: now, plan: plan.uuid)
/// try workout.startExercise("A1B2…", name: "Supino Reto", at: now)
/// try workout.startSet("C3D4…", targetReps: 12, weight: 60, at: now)
/// try workout.add(health: readings)
/// try store.save(recording, sets: [counted])  // whose setId is the set's: waits with it
/// try workout.endSet(at: now)
/// try workout.end(at: now)                    // from now on lists show it
/// ```
///
/// Each call is durable when it returns and may be repeated: what has been done already changes
/// nothing. A workout that was left open is found by ``HistoryWorkouts/allUnderWay()`` at the next
/// start, and goes on with the same calls, or is closed or discarded. Dates are nil where
/// the source gives none.
public struct WorkoutSession: Sendable {
  public let store: HistoryStore
  public let sessionId: HistoryWorkoutRow.Key
  public let user: HistoryUser.ID

  /// The workout as it stands; nil once it has ended.
  public func current() throws -> CurrentWorkout? {
    try store.workouts.current(session: sessionId, user: user)
  }

  /// Starts an exercise; one that is under way is left for it.
  ///
  /// - Parameters:
  ///   - id: The exercise's id in this workout; starting it again goes on with it.
  ///   - catalogExercise: The exercise of the catalogue, by its uuid or template id; where left
  ///     out, the one that `id` names, if there is one.
  ///   - name: Its name; where left out, that of the catalogue.
  public func startExercise(
    _ id: HistoryExerciseRow.Key, catalogExercise: CatalogExercise.Key? = nil,
    name: String? = nil, at date: Date? = nil
  ) throws {
    try perform(.startExercise(id, catalogExercise: catalogExercise, name: name), at: date)
  }

  /// Starts an exercise of the catalogue; one that is under way is left for it.
  public func startExercise(_ exercise: CatalogExercise, at date: Date? = nil) throws {
    try startExercise(
      HistoryExerciseRow.Key(exercise.uuid), catalogExercise: exercise.uuid, at: date)
  }

  /// Starts a set; one that is under way ends with it.
  ///
  /// - Parameters:
  ///   - id: The set's id, for ever.
  ///   - exercise: Its exercise's id; where left out, the exercise under way.
  ///   - targetReps: Where left out, what the plan says.
  ///   - weight: Kilograms; where left out, what the plan says.
  /// - Throws: ``RuleViolation``.
  public func startSet(
    _ id: HistorySetRow.Key, exercise: HistoryExerciseRow.Key? = nil, targetReps: Int? = nil,
    weight: Double? = nil, at date: Date? = nil
  ) throws {
    try perform(
      .startSet(id, exercise: exercise, targetReps: targetReps, weight: weight), at: date)
  }

  /// Ends a set. Its machine's count comes with its recording, before or after
  /// (``HistoryStore/save(_:sets:precision:provenance:movementCurves:user:)``).
  ///
  /// - Parameters:
  ///   - id: The set's id; where left out, the set under way.
  ///   - reps: What the person says was done, if they say it.
  ///   - weight: Kilograms that were really used.
  /// - Throws: ``RuleViolation``.
  public func endSet(
    _ id: HistorySetRow.Key? = nil, reps: Int? = nil, weight: Double? = nil,
    at date: Date? = nil
  ) throws {
    try perform(.endSet(id, reps: reps, weight: weight), at: date)
  }

  /// Ends the exercise under way, and a set with it.
  ///
  /// - Parameter id: The exercise's id; where left out, the one under way.
  public func endExercise(_ id: HistoryExerciseRow.Key? = nil, at date: Date? = nil) throws {
    try perform(.endExercise(id), at: date)
  }

  /// Adds heart rate and calories to the set under way, or else to the exercise, or else to the
  /// workout. A reading of an instant that was there already is left out.
  public func add(health readings: [HealthReading]) throws {
    try perform(.health(readings), at: nil)
  }

  /// Ends the workout: from now on all of it is history.
  ///
  /// - Returns: The row of the workout in the history.
  @discardableResult
  public func end(at date: Date? = nil) throws -> HistoryWorkoutRow.ID {
    guard let id = try finish(at: date, status: .completed) else {
      throw HistoryError.damaged(reason: "a completed workout has no row")
    }
    return id
  }

  /// Closes a workout that was left open: what was done becomes history, and says that it was
  /// interrupted. A workout in which nothing was done leaves nothing.
  ///
  /// - Parameter date: When it ended; where left out, when the last of its sets did.
  /// - Returns: The row of the workout in the history, nil where it left nothing.
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

  /// Throws the workout away with all samples that came in it.
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
