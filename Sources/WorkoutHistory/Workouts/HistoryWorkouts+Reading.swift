import GRDB

extension HistoryWorkouts {
  /// Returns a page of workouts, newest first. The cost does not depend on the page's position. Workouts
  /// without a date come last. Does not touch timelines.
  ///
  /// - Parameter last: The cursor of the last workout on the previous page; nil for the first page.
  public func page(
    _ filter: HistoryFilter = HistoryFilter(), after last: WorkoutCursor? = nil, limit: Int = 20
  ) throws -> [HistoryWorkoutRow] { try page(filter, after: last, limit: limit, offset: 0) }

  /// Returns a page of workouts by its offset, newest first. The cost grows with the offset; prefer the cursor
  /// of ``page(_:after:limit:)``.
  package func page(
    _ filter: HistoryFilter = HistoryFilter(), offset: Int, limit: Int = 20
  ) throws -> [HistoryWorkoutRow] {
    try page(filter, after: nil, limit: limit, offset: max(0, offset))
  }

  private func page(
    _ filter: HistoryFilter, after last: WorkoutCursor?, limit: Int, offset: Int
  ) throws -> [HistoryWorkoutRow] {
    try store.read { db in
      guard
        let (template, names) = try HistoryExerciseReference.resolve(
          db, filter.exercise, user: filter.user)
      else {
        return []
      }
      let query = WorkoutQuery(
        filter, template: template, names: names, after: last, limit: limit, offset: offset)
      let sums = try db.cachedStatement(sql: HistoryWorkoutRow.sums)
      return try Row.fetchAll(db.cachedStatement(sql: query.sql), arguments: query.arguments).map {
        try HistoryWorkoutRow(
          $0, sums: try Row.fetchOne(sums, arguments: [try $0.value("id") as Int64]))
      }
    }
  }

  /// Returns the number of workouts that match a filter.
  package func count(_ filter: HistoryFilter = HistoryFilter()) throws -> Int {
    try store.read { db in
      guard
        let (template, names) = try HistoryExerciseReference.resolve(
          db, filter.exercise, user: filter.user)
      else {
        return 0
      }
      let (sql, arguments) = WorkoutQuery.count(filter, template: template, names: names)
      return try Int.fetchOne(db, sql: sql, arguments: arguments) ?? 0
    }
  }

  /// Returns a workout by its key: the session's id, or the key of its first recording.
  public func workout(
    _ key: HistoryWorkoutRow.Key, user: HistoryUser.ID = HistoryStore.localUser
  ) throws -> HistoryWorkoutRow? {
    try store.read { db in
      guard
        let row = try Row.fetchOne(
          db,
          sql: """
            SELECT \(HistoryWorkoutRow.columns) FROM workout w
            WHERE w.userId = ? AND w.key = ? AND w.status IS NOT 'active'
            """, arguments: [user, key])
      else { return nil }
      return try HistoryWorkoutRow(
        row,
        sums: try Row.fetchOne(
          db, sql: HistoryWorkoutRow.sums, arguments: [try row.value("id") as Int64]))
    }
  }

  /// Returns the exercises of a workout in order, with their sets. Does not touch timelines.
  public func exercises(ofWorkout id: HistoryWorkoutRow.ID) throws -> [HistoryExerciseRow] {
    try store.read { try Self.exercises($0, ofWorkout: id) }
  }

  static func exercises(
    _ db: Database, ofWorkout id: HistoryWorkoutRow.ID
  ) throws -> [HistoryExerciseRow] {
    try Row.fetchAll(
      db,
      sql: """
        SELECT e.*, t.uuid AS catalogExercise FROM workout_exercise e
        LEFT JOIN exercise t ON t.id = e.templateId
        WHERE e.workoutId = ? ORDER BY e."order", e.id
        """, arguments: [id]
    ).map { row in
      HistoryExerciseRow(
        id: try row.value("id"), key: try row.value("key"),
        catalogExercise: try row.value("catalogExercise"),
        name: try row.value("name"), order: try row.value("order"),
        startTime: try row.date("startTime"), endTime: try row.date("endTime"),
        isCompleted: (try row.value("completed") as Int?).map { $0 == 1 },
        isActive: try row.value("isActive"),
        sets: try Row.fetchAll(
          db,
          cached: """
            SELECT \(HistorySetRow.columns) FROM \(HistorySetRow.allTables)
            WHERE s.exerciseId = ? ORDER BY s."order", s.id
            """, arguments: [try row.value("id") as Int64]
        ).map { try HistorySetRow($0, number: 0) })
    }
  }
}
