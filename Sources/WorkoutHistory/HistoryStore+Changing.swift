import Foundation
import GRDB

extension HistoryStore {
  /// Records a person's correction of a set's count in addition to the detected one: 0 means "not a set", and
  /// nil revokes the correction. The newer of two corrections wins.
  public func correct(set id: HistorySetRow.ID, reps: Int?, at date: Date? = nil) throws {
    try HistoryRules.check(reps, .actualReps, HistoryRules.actualReps)
    try HistoryRules.check(date: date, .endTime)
    try write { db in
      try Self.correct(db, set: id, reps: reps, date: date?.timeIntervalSince1970)
      guard db.changesCount == 1 else { throw HistoryError.notFound(reference: "set \(id)") }
    }
  }

  /// Corrects the set with a key, in the history or the workout in progress.
  package func correct(
    set key: HistorySetRow.Key, reps: Int?, at date: Date? = nil,
    user: HistoryUser.ID = .local
  ) throws {
    try HistoryRules.check(reps, .actualReps, HistoryRules.actualReps)
    try HistoryRules.check(date: date, .endTime)
    try write {
      try Self.correct($0, set: key, reps: reps, date: date?.timeIntervalSince1970, user: user)
    }
  }

  /// Corrects a set's count and exercise.
  ///
  /// - Parameter reps: Nil revokes the correction if no exercise is given, and otherwise keeps it.
  static func correct(
    _ db: Database, set key: HistorySetRow.Key, session: HistoryWorkoutRow.Key? = nil, reps: Int?,
    exercise: HistoryExerciseRow.Key? = nil, exerciseName: String? = nil, date: Double?,
    user: HistoryUser.ID
  ) throws {
    let (exercise, exerciseName) = try HistoryRules.correction(
      reps: reps, exercise: exercise?.rawValue, exerciseName: exerciseName)
    let reference = exercise ?? exerciseName
    let isCounted = reps != nil || reference == nil
    let id = try setId(db, named: key, session: session, user: user).orNotFound("set \(key)")
    if isCounted { try correct(db, set: id, reps: reps, date: date) }
    if let reference {
      try setExercise(
        db, reference, isId: exercise != nil, name: exercise == nil ? nil : exerciseName, ofSet: id)
    }
  }

  /// Corrects a set. A repeated correction changes nothing, since even a new date would have to be synced.
  private static func correct(
    _ db: Database, set id: HistorySetRow.ID, reps: Int?, date: Double?
  ) throws {
    try db.execute(
      """
      UPDATE workout_set SET correctedReps = ?1,
        correctedAt = CASE WHEN correctedReps IS ?1 THEN correctedAt
          ELSE coalesce(?2, (julianday('now') - 2440587.5) * 86400.0) END WHERE id = ?3
      """, reps, date, id)
  }

  /// Updates a set's weight, target and notes. Nil keeps a value; an empty text removes the notes.
  public func update(
    set id: HistorySetRow.ID, weight: Double? = nil, targetReps: Int? = nil, notes: String? = nil
  ) throws {
    try HistoryRules.check(weight, .weight, HistoryRules.weight)
    try HistoryRules.check(targetReps, .targetReps, HistoryRules.targetReps)
    let notes = try notes.map { try HistoryRules.text($0, .notes, HistoryRules.description) }
    try write { db in
      try db.execute(
        """
        UPDATE workout_set SET weight = coalesce(?, weight), targetReps = coalesce(?, targetReps),
          notes = nullif(coalesce(?, notes), '')
        WHERE id = ?
        """, weight, targetReps, notes, id)
      guard db.changesCount == 1 else { throw HistoryError.notFound(reference: "set \(id)") }
    }
  }

  package func setWeight(_ weight: Double?, ofSet id: HistorySetRow.ID) throws {
    try HistoryRules.check(weight, .weight, HistoryRules.weight)
    try write { try $0.execute("UPDATE workout_set SET weight = ? WHERE id = ?", weight, id) }
  }

  /// Labels sets whose source did not state the exercise or the weight. A known exercise is kept.
  ///
  /// - Parameter number: The position of a single set in its exercise, from 1.
  package func label(
    sets: [HistorySetRow.ID], exercise: String? = nil, weight: Double? = nil, number: Int? = nil,
    reps: Int? = nil
  ) throws {
    try HistoryRules.check(weight, .weight, HistoryRules.weight)
    try HistoryRules.check(reps, .actualReps, HistoryRules.actualReps)
    let isSingle = sets.count == 1
    try write { db in
      for id in sets {
        try db.execute(
          """
          UPDATE workout_exercise SET name = ?1
          WHERE id = (SELECT exerciseId FROM workout_set WHERE id = ?2) AND name IS NULL
            AND ?1 IS NOT NULL
          """, exercise, id)
        try db.execute(
          """
          UPDATE workout_set SET weight = coalesce(?1, weight), "order" = coalesce(?2, "order"),
            labelledReps = coalesce(?3, labelledReps)
          WHERE id = ?4 AND coalesce(?1, ?2, ?3) IS NOT NULL
          """, weight, isSingle ? number.flatMap { $0 > 0 ? $0 - 1 : nil } : nil,
          isSingle ? reps : nil, id)
      }
    }
  }

  /// Moves a set to an exercise of its workout, where it stays when its recording is saved again.
  ///
  /// - Parameter exercise: The id or name of an exercise of the history or the catalog, or else a new name.
  public func setExercise(_ exercise: String, ofSet id: HistorySetRow.ID) throws {
    try setExercise(exercise, ofSets: [id])
  }

  package func setExercise(_ exercise: String, ofSets ids: [HistorySetRow.ID]) throws {
    let exercise = try HistoryRules.text(exercise, .exerciseName, 1...256)
    try write { db in
      for id in ids { try Self.setExercise(db, exercise, isId: false, name: nil, ofSet: id) }
    }
  }

  /// Assigns a set to an exercise.
  ///
  /// - Parameter isId: True if `exercise` is an id, which a new exercise gets; otherwise it is a name.
  private static func setExercise(
    _ db: Database, _ exercise: String, isId: Bool, name: String?, ofSet id: HistorySetRow.ID
  ) throws {
    let row = try db.row(
      """
      SELECT e.userId, e.workoutId FROM workout_set s JOIN workout_exercise e ON e.id = s.exerciseId
      WHERE s.id = ?
      """, id
    ).orNotFound("set \(id)")
    let user: HistoryUser.ID = try row.value("userId")
    let workout: HistoryWorkoutRow.ID = try row.value("workoutId")
    let target = try Self.exercise(db, exercise, isId: isId, workout: workout, user: user)
    if let name {
      try db.execute(
        "UPDATE workout_exercise SET name = ?1 WHERE id = ?2 AND name IS NOT ?1", name, target)
    }
    try db.execute(
      """
      UPDATE workout_set SET exerciseId = ?1, exerciseSource = 'person',
        "order" = CASE exerciseId WHEN ?1 THEN "order" ELSE
          (SELECT coalesce(max("order") + 1, 0) FROM workout_set WHERE exerciseId = ?1) END
      WHERE id = ?2
      """, target, id)
    try removeEmptyParents(db, workout: workout)
  }

  private static func exercise(
    _ db: Database, _ reference: String, isId: Bool, workout: HistoryWorkoutRow.ID,
    user: HistoryUser.ID
  ) throws -> Int64 {
    if let known = try db.value(
      """
      SELECT id FROM workout_exercise
      WHERE workoutId = ?1 AND (exerciseId = ?2 OR name = ?2 OR key = ?2)
      ORDER BY exerciseId IS NULL, id LIMIT 1
      """, workout, reference, as: Int64.self)
    {
      return known
    }
    let (known, template, name) = try knownExercise(db, reference, user: user)
    let exerciseId = known ?? (isId ? HistoryExerciseRow.Key(reference) : nil)
    return try db.written(
      """
      INSERT INTO workout_exercise (userId, workoutId, key, exerciseId, "order", templateId, name,
        completed)
      VALUES (?1, ?2, coalesce(?3, ?6), ?3,
        (SELECT coalesce(max("order") + 1, 0) FROM workout_exercise WHERE workoutId = ?2), ?4,
        coalesce(?5, (SELECT name FROM exercise WHERE id = ?4), ?6),
        (SELECT 0 FROM workout WHERE id = ?2 AND status = 'active'))
      RETURNING id
      """, user, workout, exerciseId, template, name, reference, as: Int64.self)
  }

  static func knownExercise(
    _ db: Database, _ reference: String, user: HistoryUser.ID
  ) throws -> (id: HistoryExerciseRow.Key?, template: CatalogExercise.ID?, name: String?) {
    let known = try db.row(
      """
      SELECT exerciseId, templateId, name FROM workout_exercise
      WHERE userId = ?1 AND (exerciseId = ?2 OR name = ?2)
      ORDER BY exerciseId IS NULL, workoutDate DESC, id LIMIT 1
      """, user, reference)
    let template =
      try known.value("templateId") ?? HistoryCatalog.id(db, CatalogExercise.Key(reference))
    return (try known.value("exerciseId"), template, try known.value("name"))
  }
}
