import GRDB

extension HistoryWorkouts {
  /// Returns a page of workouts, newest first, then those without a date. Any page costs the same.
  public func page(
    _ filter: HistoryFilter = HistoryFilter(), after last: WorkoutCursor? = nil, limit: Int = 20
  ) throws -> [HistoryWorkoutRow] { try page(filter, after: last, limit: limit, offset: 0) }

  /// Returns a page of workouts. The cost grows with the offset; prefer ``page(_:after:limit:)``.
  package func page(
    _ filter: HistoryFilter = HistoryFilter(), offset: Int, limit: Int = 20
  ) throws -> [HistoryWorkoutRow] {
    try page(filter, after: nil, limit: limit, offset: max(0, offset))
  }

  private func page(
    _ filter: HistoryFilter, after last: WorkoutCursor?, limit: Int, offset: Int
  ) throws -> [HistoryWorkoutRow] {
    try store.read { db in
      let exercise = try filter.exercise?.find(db, user: filter.user)
      if filter.exercise != nil, exercise == nil { return [] }
      let query = WorkoutQuery(filter, exercise, after: last, limit: limit, offset: offset)
      return try db.rows(query.sql, query.arguments).map { try HistoryWorkoutRow(db, $0) }
    }
  }

  package func count(_ filter: HistoryFilter = HistoryFilter()) throws -> Int {
    try store.read { db in
      let exercise = try filter.exercise?.find(db, user: filter.user)
      if filter.exercise != nil, exercise == nil { return 0 }
      let (sql, arguments) = WorkoutQuery.count(filter, exercise)
      return try Int.fetchOne(db, sql: sql, arguments: arguments) ?? 0
    }
  }

  public func workout(
    _ key: HistoryWorkoutRow.Key, user: HistoryUser.ID = .local
  ) throws -> HistoryWorkoutRow? {
    try store.read { db in
      try db.row(
        """
        SELECT \(HistoryWorkoutRow.columns) FROM workout w
        WHERE w.userId = ? AND w.key = ? AND w.status IS NOT 'active'
        """, user, key
      ).map { try HistoryWorkoutRow(db, $0) }
    }
  }

  public func exercises(ofWorkout id: HistoryWorkoutRow.ID) throws -> [HistoryExerciseRow] {
    try store.read { try Self.exercises($0, ofWorkout: id) }
  }

  static func exercises(
    _ db: Database, ofWorkout id: HistoryWorkoutRow.ID
  ) throws -> [HistoryExerciseRow] {
    try db.rows(
      """
      SELECT e.*, t.uuid AS catalogExercise FROM workout_exercise e
      LEFT JOIN exercise t ON t.id = e.templateId
      WHERE e.workoutId = ? ORDER BY e."order", e.id
      """, id
    ).map { row in
      try HistoryExerciseRow(
        id: row.value("id"), key: row.value("key"), catalogExercise: row.value("catalogExercise"),
        name: row.value("name"), order: row.value("order"), startTime: row.date("startTime"),
        endTime: row.date("endTime"), isCompleted: (row.value("completed") as Int?).map { $0 == 1 },
        isActive: row.value("isActive"),
        sets: HistorySetRow.fetchAll(
          db, from: HistorySetRow.allTables, "WHERE s.exerciseId = ? ORDER BY s.\"order\", s.id",
          [row.value("id") as Int64]))
    }
  }
}
