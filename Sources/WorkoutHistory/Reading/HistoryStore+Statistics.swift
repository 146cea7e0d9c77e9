import Foundation
import GRDB

extension HistoryStore {
  /// Returns volume, best set, estimated one-rep maximum and trend of an exercise. Does not read timelines.
  public func statistics(
    of exercise: HistoryExerciseReference, user: HistoryUser.ID? = .local,
    dates: Range<Date>? = nil
  ) throws -> ExerciseStatistics {
    try read { db in
      var accumulator = ExerciseStatistics.Accumulator()
      guard let found = try exercise.find(db, user: user) else { return accumulator.finish() }
      let query = Self.statisticsQuery(found, user: user, dates: dates)
      let rows = try Row.fetchCursor(db.cachedStatement(sql: query.sql), arguments: query.arguments)
      while let row = try rows.next() {
        // By position, since looking up a name takes time in each row.
        if try row.value(at: 6) == true || row.value(at: 7) == true {
          try ProtectedTable.named("workout_exercise").requireIntact(
            row, id: try row.value("exercise"), by: "isExerciseDamaged")
          try ProtectedTable.named("workout_set").requireIntact(row)
        }
        try accumulator.add(
          set: row.value(at: 0), workout: row.value(at: 1), reps: row.value(at: 2) ?? 0,
          weight: row.value(at: 3) ?? 0, date: row.value(at: 4))
      }
      return accumulator.finish()
    }
  }

  /// Returns the query of an exercise's sets. Indexes have no checksums, so they only find the rows; the
  /// values come from the rows, which must agree with the index.
  static func statisticsQuery(
    _ exercise: FoundExercise, user: HistoryUser.ID?, dates: Range<Date>?
  ) -> (sql: String, arguments: StatementArguments) {
    let (condition, found) = exercise.condition(on: "i")
    var arguments = found
    var conditions = ["NOT \(HistorySetRow.isInProgress("i.id"))", condition]
    var indexed = [exercise.column, "workoutDate"]
    if let user {
      indexed.append("userId")
      conditions.append("i.userId = :user")
      arguments += ["user": user]
    }
    if let dates {
      conditions.append("i.workoutDate >= :from AND i.workoutDate < :to")
      arguments += [
        "from": dates.lowerBound.timeIntervalSince1970,
        "to": dates.upperBound.timeIntervalSince1970,
      ]
    }
    return (
      """
      WITH e AS MATERIALIZED (
        SELECT i.id, e.workoutId, \(ProtectedTable.named("workout_exercise").isDamaged(as: "e"))
          OR \(indexed.map { "e.\($0) IS NOT i.\($0)" }.joined(separator: " OR ")) AS isDamaged
        FROM workout_exercise i CROSS JOIN workout_exercise e ON e.id = i.id
        WHERE \(conditions.joined(separator: " AND ")))
      SELECT s.id, e.workoutId, coalesce(s.correctedReps, s.detectedReps), s.weight, s.timestamp,
        e.id AS exercise, e.isDamaged AS isExerciseDamaged,
        \(ProtectedTable.named("workout_set").isDamaged(as: "s"))
          OR s.exerciseId IS NOT j.exerciseId AS isDamaged
      FROM e CROSS JOIN workout_set j ON j.exerciseId = e.id CROSS JOIN workout_set s ON s.id = j.id
      """, arguments
    )
  }
}
