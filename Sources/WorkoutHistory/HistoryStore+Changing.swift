import Foundation
import GRDB

extension HistoryStore {
  /// Records a person's correction of a set's count. The detected count is kept beside it.
  ///
  /// - Parameters:
  ///   - reps: The person's count; 0 means "not a set", and nil withdraws the correction.
  ///   - date: Time of the correction: the newer of two corrections wins.
  /// - Throws: ``HistoryError/notFound(reference:)``; ``RuleViolation`` for an impossible count.
  public func correct(set id: HistorySetRow.ID, reps: Int?, at date: Date? = nil) throws {
    try HistoryRules.check(reps, .actualReps, HistoryRules.actualReps)
    try HistoryRules.check(date: date, .endTime)
    try write { db in
      try Self.correct(db, set: id, reps: reps, date: date?.timeIntervalSince1970)
      guard db.changesCount == 1 else { throw HistoryError.notFound(reference: "set \(id)") }
    }
  }

  /// Records a person's correction of the set with a key, whether it is in the history or in the workout in
  /// progress.
  package func correct(
    set key: HistorySetRow.Key, reps: Int?, at date: Date? = nil,
    user: HistoryUser.ID = HistoryStore.localUser
  ) throws {
    try HistoryRules.check(reps, .actualReps, HistoryRules.actualReps)
    try HistoryRules.check(date: date, .endTime)
    try write {
      try Self.correct($0, set: key, reps: reps, date: date?.timeIntervalSince1970, user: user)
    }
  }

  /// - Parameters:
  ///   - session: The set's session; nil if only the set is known.
  ///   - reps: The person's count. Nil withdraws the correction if no exercise is given, and otherwise keeps
  ///     it.
  ///   - exercise: The id of the set's exercise; nil if only its name is known or the exercise is unchanged.
  static func correct(
    _ db: Database, set key: HistorySetRow.Key, session: HistoryWorkoutRow.Key? = nil, reps: Int?,
    exercise: HistoryExerciseRow.Key? = nil, exerciseName: String? = nil, date: Double?,
    user: HistoryUser.ID
  ) throws {
    let (exercise, exerciseName) = try HistoryRules.correction(
      reps: reps, exercise: exercise?.rawValue, exerciseName: exerciseName)
    let reference = exercise ?? exerciseName
    let isCounted = reps != nil || reference == nil
    guard let id = try setId(db, named: key, session: session, user: user) else {
      throw HistoryError.notFound(reference: "set \(key)")
    }
    if isCounted { try correct(db, set: id, reps: reps, date: date) }
    if let reference {
      try setExercise(
        db, reference, isId: exercise != nil, name: exercise == nil ? nil : exerciseName, ofSet: id)
    }
  }

  /// Corrects a set. Repeating a correction changes nothing: a new date alone would have to be synced.
  private static func correct(
    _ db: Database, set id: HistorySetRow.ID, reps: Int?, date: Double?
  ) throws {
    try db.execute(
      sql: """
        UPDATE workout_set SET correctedReps = ?1,
          correctedAt = CASE WHEN correctedReps IS ?1 THEN correctedAt
            ELSE coalesce(?2, (julianday('now') - 2440587.5) * 86400.0) END WHERE id = ?3
        """, arguments: [reps, date, id])
  }

  /// Updates a set's weight, target and notes. Nil keeps a value.
  ///
  /// - Parameter notes: At most 500 characters; an empty text removes the notes.
  public func update(
    set id: HistorySetRow.ID, weight: Double? = nil, targetReps: Int? = nil, notes: String? = nil
  ) throws {
    try HistoryRules.check(weight, .weight, HistoryRules.weight)
    try HistoryRules.check(targetReps, .targetReps, HistoryRules.targetReps)
    let notes = try notes.map { try HistoryRules.text($0, .notes, HistoryRules.description) }
    try write { db in
      try db.execute(
        sql: """
          UPDATE workout_set SET weight = coalesce(?, weight), targetReps = coalesce(?, targetReps),
            notes = nullif(coalesce(?, notes), '')
          WHERE id = ?
          """, arguments: [weight, targetReps, notes, id])
      guard db.changesCount == 1 else { throw HistoryError.notFound(reference: "set \(id)") }
    }
  }

  /// - Parameter weight: The weight, in kilograms; nil if unknown.
  package func setWeight(_ weight: Double?, ofSet id: HistorySetRow.ID) throws {
    try HistoryRules.check(weight, .weight, HistoryRules.weight)
    try write { db in
      try db.execute(
        sql: "UPDATE workout_set SET weight = ? WHERE id = ?", arguments: [weight, id])
    }
  }

  /// Labels sets whose source did not give the exercise or the weight. Known values are kept, except for the
  /// weight.
  ///
  /// - Parameters:
  ///   - weight: The weight, in kilograms; nil keeps it.
  ///   - number: The position of a single set in its exercise, from 1; nil keeps it.
  ///   - reps: The labelled count of a single set; nil keeps it.
  package func label(
    sets: [HistorySetRow.ID], exercise: String? = nil, weight: Double? = nil, number: Int? = nil,
    reps: Int? = nil
  ) throws {
    guard !sets.isEmpty, exercise != nil || weight != nil || number != nil || reps != nil else {
      return
    }
    try HistoryRules.check(weight, .weight, HistoryRules.weight)
    try HistoryRules.check(reps, .actualReps, HistoryRules.actualReps)
    try write { db in
      for id in sets {
        if let exercise {
          try db.execute(
            cached: """
              UPDATE workout_exercise SET name = ?
              WHERE id = (SELECT exerciseId FROM workout_set WHERE id = ?) AND name IS NULL
              """, arguments: [exercise, id])
        }
        if let weight {
          try db.execute(
            cached: "UPDATE workout_set SET weight = ? WHERE id = ? AND weight IS NOT ?",
            arguments: [weight, id, weight])
        }
        if let number, number > 0, sets.count == 1 {
          try db.execute(
            cached: "UPDATE workout_set SET \"order\" = ? WHERE id = ? AND \"order\" <> ?",
            arguments: [number - 1, id, number - 1])
        }
        if let reps, sets.count == 1 {
          try db.execute(
            cached:
              "UPDATE workout_set SET labelledReps = ?1 WHERE id = ?2 AND labelledReps IS NOT ?1",
            arguments: [reps, id])
        }
      }
    }
  }

  /// Assigns a set to an exercise. The set moves to that exercise of its workout, and stays there when its
  /// recording is saved again.
  ///
  /// - Parameter exercise: The id or name of an exercise of the history or the catalogue, or else a new name.
  public func setExercise(_ exercise: String, ofSet id: HistorySetRow.ID) throws {
    try setExercise(exercise, ofSets: [id])
  }

  /// Assigns several sets to an exercise, like ``setExercise(_:ofSet:)``.
  package func setExercise(_ exercise: String, ofSets ids: [HistorySetRow.ID]) throws {
    let exercise = try HistoryRules.text(exercise, .exerciseName, 1...256)
    try write { db in
      for id in ids { try Self.setExercise(db, exercise, isId: false, name: nil, ofSet: id) }
    }
  }

  /// - Parameters:
  ///   - isId: Whether `exercise` is an id. If so, a new exercise gets this id; otherwise it has a name alone.
  ///   - name: The exercise's name in this workout; nil keeps it.
  private static func setExercise(
    _ db: Database, _ exercise: String, isId: Bool, name: String?, ofSet id: HistorySetRow.ID
  ) throws {
    let row = try Row.fetchOne(
      db,
      sql: """
        SELECT e.userId, e.workoutId FROM workout_set s JOIN workout_exercise e ON e.id = s.exerciseId
        WHERE s.id = ?
        """, arguments: [id])
    guard let row else { throw HistoryError.notFound(reference: "set \(id)") }
    let user: HistoryUser.ID = try row.value("userId")
    let workout: HistoryWorkoutRow.ID = try row.value("workoutId")
    let target = try Self.exercise(db, exercise, isId: isId, workout: workout, user: user)
    if let name {
      try db.execute(
        sql: "UPDATE workout_exercise SET name = ?1 WHERE id = ?2 AND name IS NOT ?1",
        arguments: [name, target])
    }
    try db.execute(
      sql: """
        UPDATE workout_set SET exerciseId = ?1, exerciseSource = 'person',
          "order" = CASE exerciseId WHEN ?1 THEN "order" ELSE
            (SELECT coalesce(max("order") + 1, 0) FROM workout_set WHERE exerciseId = ?1) END
        WHERE id = ?2
        """, arguments: [target, id])
    try removeEmptyParents(db, workout: workout)
  }

  /// Returns the exercise of a workout with an id or name, adding it if there is none.
  private static func exercise(
    _ db: Database, _ reference: String, isId: Bool, workout: HistoryWorkoutRow.ID,
    user: HistoryUser.ID
  ) throws -> Int64 {
    if let known = try Int64.fetchOne(
      db,
      sql: """
        SELECT id FROM workout_exercise
        WHERE workoutId = ?1 AND (exerciseId = ?2 OR name = ?2 OR key = ?2)
        ORDER BY exerciseId IS NULL, id LIMIT 1
        """, arguments: [workout, reference])
    {
      return known
    }
    let (known, template, name) = try knownExercise(db, reference, user: user)
    let exerciseId = known ?? (isId ? HistoryExerciseRow.Key(reference) : nil)
    return try Int64.fetchWritten(
      db,
      cached: """
        INSERT INTO workout_exercise (userId, workoutId, key, exerciseId, "order", templateId, name,
          completed)
        VALUES (?1, ?2, coalesce(?3, ?6), ?3,
          (SELECT coalesce(max("order") + 1, 0) FROM workout_exercise WHERE workoutId = ?2), ?4,
          coalesce(?5, (SELECT name FROM exercise WHERE id = ?4), ?6),
          (SELECT 0 FROM workout WHERE id = ?2 AND status = 'active'))
        RETURNING id
        """, arguments: [user, workout, exerciseId, template, name, reference])
  }

  /// Returns an exercise by its id or name, from the person's workouts or else from the catalogue.
  static func knownExercise(
    _ db: Database, _ reference: String, user: HistoryUser.ID
  ) throws -> (id: HistoryExerciseRow.Key?, template: CatalogExercise.ID?, name: String?) {
    let known = try Row.fetchOne(
      db,
      sql: """
        SELECT exerciseId, templateId, name FROM workout_exercise
        WHERE userId = ?1 AND (exerciseId = ?2 OR name = ?2)
        ORDER BY exerciseId IS NULL, workoutDate DESC, id LIMIT 1
        """, arguments: [user, reference])
    let template =
      try known.value("templateId") ?? HistoryCatalog.id(db, CatalogExercise.Key(reference))
    return (try known.value("exerciseId"), template, try known.value("name"))
  }
}
