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

  /// The row of the catalogue or the name that an exercise is found by; nil where the catalogue
  /// has no such exercise.
  static func resolve(
    _ db: Database, _ reference: HistoryExerciseReference?
  ) throws -> (CatalogExercise.ID?, String?)? {
    switch reference {
    case nil: return (nil, nil)
    case .named(let name): return (nil, name)
    case .catalog(let reference):
      guard let id = try HistoryCatalog.id(db, reference) else { return nil }
      return (id, nil)
    }
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
