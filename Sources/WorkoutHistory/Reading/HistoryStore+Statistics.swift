import Foundation
import GRDB

extension HistoryStore {
  /// Volume, best set, estimated one-rep maximum and trend of an exercise. Reads an index, and no
  /// timeline.
  ///
  /// - Parameters:
  ///   - user: Of a person; nil: of everybody.
  ///   - dates: Of workouts in a span of time.
  public func statistics(
    of exercise: HistoryExerciseReference, user: HistoryUser.ID? = HistoryStore.localUser,
    dates: Range<Date>? = nil
  ) throws -> ExerciseStatistics {
    try read { db in
      var accumulator = ExerciseStatistics.Accumulator()
      guard let (template, name) = try HistoryExerciseReference.resolve(db, exercise) else {
        return accumulator.finish()
      }
      let query = Self.statisticsQuery(
        template: template, name: name, user: user, dates: dates)
      let rows = try Row.fetchCursor(
        db.cachedStatement(sql: query.sql), arguments: query.arguments)
      while let row = try rows.next() {
        accumulator.add(
          .init(
            set: try row.value(at: 0), workout: try row.value(at: 1), reps: try row.value(at: 2),
            weight: try row.value(at: 3), date: try row.value(at: 4)))
      }
      return accumulator.finish()
    }
  }

  static func statisticsQuery(
    template: CatalogExercise.ID?, name: String?, user: HistoryUser.ID?, dates: Range<Date>?
  ) -> (sql: String, arguments: StatementArguments) {
    var conditions: [String] = []
    var arguments: StatementArguments = [:]
    if let template {
      conditions.append("e.templateId = :template")
      arguments += ["template": template]
    } else {
      conditions.append("e.name = :name")
      arguments += ["name": name]
    }
    if let user {
      conditions.append("e.userId = :user")
      arguments += ["user": user]
    }
    if let dates {
      conditions.append("e.workoutDate >= :from AND e.workoutDate < :to")
      arguments += [
        "from": dates.lowerBound.timeIntervalSince1970,
        "to": dates.upperBound.timeIntervalSince1970,
      ]
    }
    return (
      """
      SELECT s.id, e.workoutId, coalesce(s.correctedReps, s.detectedReps), s.weight, s.timestamp
      FROM historyExercise e CROSS JOIN historySet s ON s.exerciseId = e.id
      WHERE \(conditions.joined(separator: " AND "))
      """, arguments
    )
  }
}
