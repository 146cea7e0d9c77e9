import Foundation
import GRDB

/// Which workouts, or sets, of a history are wanted.
public struct HistoryFilter: Sendable, Hashable {
  /// Those of a person, by their row; nil: of everybody.
  public var user: HistoryUser.ID?
  /// Those with an exercise.
  public var exercise: HistoryExerciseReference?
  /// Those that began in a span of time. The upper bound is not in it.
  public var dates: Range<Date>?
  public var isSynced: Bool?
  public var status: WorkoutStatus?

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
  /// Of the catalogue, by its uuid or template id.
  case catalog(CatalogExercise.Key)
  /// By the name that it had when it was done; for what has gone from the catalogue, too.
  case named(String)

  /// The row of the catalogue, or the spellings of a name, that an exercise is found by.
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

  /// The names of all exercises that were done.
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
  /// The SQL that is true for a column that has one of these names, and its arguments.
  func condition(on column: String) -> (sql: String, arguments: StatementArguments) {
    guard count != 1 else { return ("\(column) = :name0", ["name0": self[0]]) }
    let names = indices.map { ":name\($0)" }.joined(separator: ", ")
    var arguments = StatementArguments()
    for (index, name) in enumerated() { arguments += ["name\(index)": name] }
    return ("\(column) IN (\(names))", arguments)
  }
}

/// Where a page of workouts ends.
public struct WorkoutCursor: Sendable, Hashable {
  var sortDate: Double
  var id: HistoryWorkoutRow.ID

  init(sortDate: Double, id: HistoryWorkoutRow.ID) {
    self.sortDate = sortDate
    self.id = id
  }

  /// The cursor as text, for a caller who keeps it: "date,row".
  public var text: String { "\(sortDate),\(id)" }

  /// - Parameter text: what ``text`` was.
  public init?(text: String) {
    let parts = text.split(separator: ",")
    guard parts.count == 2, let date = Double(parts[0]),
      let id = HistoryWorkoutRow.ID(String(parts[1]))
    else {
      return nil
    }
    self.init(sortDate: date, id: id)
  }
}
