import Foundation
import GRDB

public struct HistoryFilter: Sendable, Hashable {
  /// The person's row; nil for everybody.
  package var user: HistoryUser.ID?
  package var exercise: HistoryExerciseReference?
  /// Range of start dates, excluding the upper bound.
  package var dates: Range<Date>?
  package var isSynced: Bool?
  package var status: WorkoutStatus?

  public init(
    user: HistoryUser.ID? = .local, exercise: HistoryExerciseReference? = nil,
    dates: Range<Date>? = nil, isSynced: Bool? = nil, status: WorkoutStatus? = nil
  ) {
    self.user = user
    self.exercise = exercise
    self.dates = dates
    self.isSynced = isSynced
    self.status = status
  }
}

public enum HistoryExerciseReference: Sendable, Hashable {
  /// An exercise of the catalog, by its uuid or template id.
  case catalog(CatalogExercise.Key)
  /// An exercise by its name in the workout, including exercises no longer in the catalog.
  case named(String)

  func find(_ db: Database, user: HistoryUser.ID?) throws -> FoundExercise? {
    switch self {
    case .catalog(let reference): return try HistoryCatalog.id(db, reference).map { .template($0) }
    case .named(let name):
      let users = try user.map { [$0] } ?? db.values("SELECT id FROM user")
      // The index is searched for each spelling.
      let spellings = try users.flatMap { user in
        try db.values(
          """
          WITH RECURSIVE spelling (name) AS (
            SELECT min(name) FROM workout_exercise WHERE userId = ?1
            UNION ALL
            SELECT (SELECT min(name) FROM workout_exercise WHERE userId = ?1 AND name > s.name)
            FROM spelling s WHERE s.name IS NOT NULL)
          SELECT name FROM spelling WHERE name IS NOT NULL
          """, user, as: String.self)
      }
      let folded = name.foldedForSearch
      let names = Set(spellings.filter { $0.foldedForSearch == folded }).sorted()
      return names.isEmpty ? nil : .names(names)
    }
  }
}

/// The rows of an exercise in workouts: those of a catalog exercise, or of some spellings of a name.
enum FoundExercise {
  case template(CatalogExercise.ID)
  case names([String])

  var column: String {
    switch self {
    case .template: "templateId"
    case .names: "name"
    }
  }

  /// Returns an SQL condition on the rows under an alias, and its arguments.
  func condition(on alias: String) -> (sql: String, arguments: StatementArguments) {
    switch self {
    case .template(let id): return ("\(alias).templateId = :template", ["template": id])
    case .names(let names):
      var arguments = StatementArguments()
      for (index, name) in names.enumerated() { arguments += ["name\(index)": name] }
      let marks = names.indices.map { ":name\($0)" }.joined(separator: ", ")
      return ("\(alias).name \(names.count == 1 ? "= \(marks)" : "IN (\(marks))")", arguments)
    }
  }
}

public struct WorkoutCursor: Sendable, Hashable {
  var sortDate: Double
  var id: HistoryWorkoutRow.ID

  package var text: String { "\(sortDate),\(id)" }
}

extension WorkoutCursor {
  package init?(text: String) {
    let parts = text.split(separator: ",")
    guard parts.count == 2, let date = Double(parts[0]),
      let id = HistoryWorkoutRow.ID(String(parts[1]))
    else { return nil }
    self.init(sortDate: date, id: id)
  }
}
