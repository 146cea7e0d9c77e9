import GRDB

/// The SQL of a page of workouts, newest first. The filter determines the index.
struct WorkoutQuery {
  var sql: String
  var arguments: StatementArguments

  init(
    _ filter: HistoryFilter, _ exercise: FoundExercise?, after: WorkoutCursor?, limit: Int,
    offset: Int = 0
  ) {
    let (from, conditions, arguments, order) = Self.parts(filter, exercise, after: after)
    sql = """
      SELECT \(HistoryWorkoutRow.columns) FROM \(from)
      WHERE \(conditions.joined(separator: " AND "))
      \(order) LIMIT :limit OFFSET :offset
      """
    // SQLite treats a negative limit as no limit.
    self.arguments = arguments + ["limit": max(0, limit), "offset": offset]
  }

  static func count(
    _ filter: HistoryFilter, _ exercise: FoundExercise?
  ) -> (sql: String, arguments: StatementArguments) {
    let (from, conditions, arguments, _) = parts(filter, exercise, after: nil)
    return (
      "SELECT count(DISTINCT w.id) FROM \(from) WHERE \(conditions.joined(separator: " AND "))",
      arguments
    )
  }

  private static func parts(
    _ filter: HistoryFilter, _ exercise: FoundExercise?, after: WorkoutCursor?
  ) -> (String, [String], StatementArguments, String) {
    var conditions = ["w.status IS NOT 'active'"]
    var arguments: StatementArguments = [:]
    let byExercise = exercise != nil
    let (date, id) = byExercise ? ("x.workoutDate", "x.workoutId") : ("w.sortDate", "w.id")
    if let exercise {
      let condition = exercise.condition(on: "x")
      conditions.append(condition.sql)
      arguments += condition.arguments
    }
    if let user = filter.user {
      conditions.append("\(byExercise ? "x" : "w").userId = :user")
      arguments += ["user": user]
    }
    if let dates = filter.dates {
      conditions.append("\(date) >= :from AND \(date) < :to")
      arguments += [
        "from": dates.lowerBound.timeIntervalSince1970,
        "to": dates.upperBound.timeIntervalSince1970,
      ]
    }
    if let after {
      conditions.append("(\(date), \(id)) < (:afterDate, :afterId)")
      arguments += ["afterDate": after.sortDate, "afterId": after.id]
    }
    if let isSynced = filter.isSynced {
      conditions.append(
        """
        (SELECT isPending = 0 FROM stamp
          WHERE entity = \(SyncEntity.workoutHistory.rawValue) AND row = w.id) = :synced
        """)
      arguments += ["synced": isSynced ? 1 : 0]
    }
    if let status = filter.status {
      conditions.append("w.status = :status")
      arguments += ["status": status.rawValue]
    }
    // A workout may contain the exercise twice.
    let order =
      byExercise
      ? "GROUP BY x.workoutDate, x.workoutId ORDER BY x.workoutDate DESC, x.workoutId DESC"
      : "ORDER BY w.sortDate DESC, w.id DESC"
    return (
      byExercise ? "workout_exercise x CROSS JOIN workout w ON w.id = x.workoutId" : "workout w",
      conditions, arguments, order
    )
  }
}
