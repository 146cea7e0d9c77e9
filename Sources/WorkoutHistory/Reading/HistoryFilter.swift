import Foundation
import GRDB

/// A filter for workouts or sets.
public struct HistoryFilter: Sendable, Hashable {
  /// The person's row; nil for everybody.
  package var user: HistoryUser.ID?
  /// The exercise that must occur.
  package var exercise: HistoryExerciseReference?
  /// Range of start dates, without the upper bound.
  package var dates: Range<Date>?
  package var isSynced: Bool?
  package var status: WorkoutStatus?

  public init(
    user: HistoryUser.ID? = HistoryStore.localUser, exercise: HistoryExerciseReference? = nil,
    dates: Range<Date>? = nil, isSynced: Bool? = nil, status: WorkoutStatus? = nil
  ) {
    self.user = user
    self.exercise = exercise
    self.dates = dates
    self.isSynced = isSynced
    self.status = status
  }
}

/// An exercise in the history.
public enum HistoryExerciseReference: Sendable, Hashable {
  /// An exercise of the catalogue, by its uuid or template id.
  case catalog(CatalogExercise.Key)
  /// An exercise by its name in the workout. Also finds exercises that the catalogue no longer has.
  case named(String)

  /// Returns the catalogue row, or the spellings of a name, by which an exercise is found.
  ///
  /// - Returns: Nil if there is no such exercise.
  static func resolve(
    _ db: Database, _ reference: HistoryExerciseReference?, user: HistoryUser.ID?
  ) throws -> (template: CatalogExercise.ID?, names: [String])? {
    switch reference {
    case nil: return (nil, [])
    case .named(let name):
      let folded = name.foldedForSearch
      let names = try spellings(db, user: user).filter { $0.foldedForSearch == folded }.sorted()
      if names.isEmpty { return nil }
      return (nil, names)
    case .catalog(let reference):
      guard let id = try HistoryCatalog.id(db, reference) else { return nil }
      return (id, [])
    }
  }

  /// Returns the names of all exercises in workouts.
  ///
  /// - Complexity: O(names · log(exercises)): the index is searched for one name after the other.
  private static func spellings(_ db: Database, user: HistoryUser.ID?) throws -> Set<String> {
    var users: [HistoryUser.ID] = []
    if let user {
      users = [user]
    } else {
      users = try HistoryUser.ID.fetchAll(db, sql: "SELECT id FROM user")
    }
    var names: Set<String> = []
    for user in users {
      let own = try String.fetchAll(
        db,
        sql: """
          WITH RECURSIVE spelling (name) AS (
            SELECT min(name) FROM workout_exercise WHERE userId = ?1
            UNION ALL
            SELECT (SELECT min(name) FROM workout_exercise WHERE userId = ?1 AND name > s.name)
            FROM spelling s WHERE s.name IS NOT NULL)
          SELECT name FROM spelling WHERE name IS NOT NULL
          """, arguments: [user])
      names.formUnion(own)
    }
    return names
  }
}

extension [String] {
  /// Returns an SQL condition that is true if a column has one of these names, and its arguments.
  func condition(on column: String) -> (sql: String, arguments: StatementArguments) {
    guard count != 1 else { return ("\(column) = :name0", ["name0": self[0]]) }
    let names = indices.map { ":name\($0)" }.joined(separator: ", ")
    var arguments = StatementArguments()
    for (index, name) in enumerated() { arguments += ["name\(index)": name] }
    return ("\(column) IN (\(names))", arguments)
  }
}

/// The end of a page of workouts.
public struct WorkoutCursor: Sendable, Hashable {
  var sortDate: Double
  var id: HistoryWorkoutRow.ID

  init(sortDate: Double, id: HistoryWorkoutRow.ID) {
    self.sortDate = sortDate
    self.id = id
  }

  /// The cursor as text that can be stored: "date,row".
  package var text: String { "\(sortDate),\(id)" }

  /// - Parameter text: A value of ``text``.
  package init?(text: String) {
    let parts = text.split(separator: ",")
    guard parts.count == 2, let date = Double(parts[0]),
      let id = HistoryWorkoutRow.ID(String(parts[1]))
    else {
      return nil
    }
    self.init(sortDate: date, id: id)
  }
}
