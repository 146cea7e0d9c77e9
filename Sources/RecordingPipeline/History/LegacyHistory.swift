import Foundation
import GRDB
import WorkoutHistory

/// The history of the app that the data model comes from: an SQLite file of Core Data whose set rows hold
/// sensor data as JSON.
///
/// Entities and columns are found by Core Data's names (`ZCDHISTORYSET`) or by their own (`CDHistorySet`). The
/// file is only read.
package struct LegacyHistory: Sendable {
  package struct Workout: Sendable {
    package var id: String
    /// Date of the workout, in seconds since 1970.
    package var date: Double?
    package var exercises: [Exercise]
    /// JSON of the whole workout's samples.
    package var sensorData: [UInt8]?
    package var heartRateData: [UInt8]?
    package var caloriesData: [UInt8]?
  }

  package struct Exercise: Sendable {
    package var id: String
    package var name: String?
    package var sets: [Set]
  }

  package struct Set: Sendable {
    package var id: String
    package var targetReps: Int?
    package var actualReps: Int?
    package var weight: Double?
    /// Start of the set, in seconds since 1970.
    package var startTime: Double?
    package var endTime: Double?
    /// JSON of a timeline: samples and detection results.
    package var repsCounterData: [UInt8]?
    package var heartRateData: [UInt8]?
    package var caloriesData: [UInt8]?
  }

  /// The workouts, in chronological order.
  package var workouts: [Workout]

  /// The reference date of Core Data (2001), in seconds since 1970.
  private static let epoch = 978_307_200.0

  /// - Throws: `HistoryError`.
  package init(path: String) throws {
    // SQLite would interpret such a name as a URI or an in-memory database.
    let path = path.hasPrefix("file:") || path.hasPrefix(":") ? "./" + path : path
    var configuration = Configuration()
    configuration.readonly = true
    // Core Data stores large values outside the database.
    let url = URL(fileURLWithPath: path)
    let support = url.deletingLastPathComponent().appendingPathComponent(
      ".\(url.deletingPathExtension().lastPathComponent)_SUPPORT/_EXTERNAL_DATA")
    workouts = try HistoryError.translating(path: path) {
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      return try queue.read { try Self.read($0, path: path, external: support) }
    }
  }

  private static func read(_ db: Database, path: String, external: URL) throws -> [Workout] {
    guard let workouts = try Table(db, "CDWorkoutHistory"),
      let exercises = try Table(db, "CDHistoryExercise"), let sets = try Table(db, "CDHistorySet")
    else { throw HistoryError.notAHistory(path: path) }
    return try workouts.rows(db, order: "date").map { workout in
      Workout(
        id: workout.identifier, date: workout.date("date"),
        exercises: try exercises.rows(db, where: "history", is: workout.primaryKey, order: "order")
          .map { exercise in
            Exercise(
              id: exercise.identifier, name: exercise.text("name"),
              sets: try sets.rows(
                db, where: "exercise", is: exercise.primaryKey, order: "order"
              ).map { set in
                Set(
                  id: set.identifier, targetReps: set.integer("targetReps"),
                  actualReps: set.integer("actualReps"), weight: set.number("weight"),
                  startTime: set.date("startTime"), endTime: set.date("endTime"),
                  repsCounterData: set.blob("repsCounterData", external)
                    ?? set.blob("sensorData", external),
                  heartRateData: set.blob("heartRateData", external),
                  caloriesData: set.blob("caloriesData", external))
              })
          },
        sensorData: workout.blob("sensorData", external),
        heartRateData: workout.blob("heartRateData", external),
        caloriesData: workout.blob("caloriesData", external))
    }
  }

  /// An entity's table, under either name.
  private struct Table {
    var name: String
    /// Column names, by the entity's own names in lower case.
    var columns: [String: String]
    var primaryKey: String

    init?(_ db: Database, _ entity: String) throws {
      let names = try String.fetchAll(
        db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'")
      guard
        let name = names.first(where: {
          $0.lowercased() == entity.lowercased() || $0.lowercased() == "z" + entity.lowercased()
        })
      else { return nil }
      self.name = name
      let isCoreData = name.lowercased() != entity.lowercased()
      columns = [:]
      for column in try db.columns(in: name) {
        let lower = column.name.lowercased()
        columns[isCoreData && lower.hasPrefix("z") ? String(lower.dropFirst()) : lower] =
          column.name
      }
      primaryKey = columns["_pk"] ?? columns["id"] ?? "rowid"
    }

    func rows(
      _ db: Database, where column: String? = nil, is value: DatabaseValue = .null, order: String
    ) throws -> [Record] {
      var sql = "SELECT *, \(primaryKey.quotedDatabaseIdentifier) AS legacyKey FROM \(name)"
      var arguments: StatementArguments = []
      if let column {
        guard let actual = columns[column] ?? columns[column + "id"] else { return [] }
        sql += " WHERE \(actual.quotedDatabaseIdentifier) = ?"
        arguments = [value]
      }
      if let actual = columns[order] { sql += " ORDER BY \(actual.quotedDatabaseIdentifier)" }
      return try Row.fetchAll(db, sql: sql, arguments: arguments).map {
        Record(row: $0, columns: columns)
      }
    }
  }

  private struct Record {
    var row: Row
    var columns: [String: String]

    private func value(_ name: String) -> DatabaseValue {
      columns[name.lowercased()].map { row[$0] as DatabaseValue } ?? .null
    }

    var primaryKey: DatabaseValue { row["legacyKey"] }

    /// The UUID that Core Data stores as 16 bytes.
    var identifier: String {
      switch value("id").storage {
      case .string(let text): return text
      case .blob(let data) where data.count == 16:
        let digits = Array(data.map { String(format: "%02X", $0) })
        return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16]
          .map { digits[$0].joined() }.joined(separator: "-")
      default: return "legacy-\(primaryKey)"
      }
    }

    func text(_ name: String) -> String? {
      if case .string(let text) = value(name).storage { text } else { nil }
    }

    func number(_ name: String) -> Double? {
      switch value(name).storage {
      case .int64(let value): Double(value)
      case .double(let value): value
      default: nil
      }
    }

    func integer(_ name: String) -> Int? { number(name).flatMap { Int(exactly: $0) } }

    func date(_ name: String) -> Double? { number(name).map { $0 + LegacyHistory.epoch } }

    /// Returns the bytes of a blob. Core Data prefixes blobs with 1 if the data follows in the row, and with 2
    /// if a file name follows.
    func blob(_ name: String, _ external: URL) -> [UInt8]? {
      let bytes: [UInt8]
      switch value(name).storage {
      case .blob(let data): bytes = [UInt8](data)
      case .string(let text): bytes = Array(text.utf8)
      default: return nil
      }
      switch bytes.first {
      case nil: return nil
      case 1: return Array(bytes.dropFirst())
      case 2:
        let name = String(decoding: bytes.dropFirst().prefix { $0 != 0 }, as: UTF8.self)
        guard !name.isEmpty, !name.contains("/"), name != "..", name != "." else { return nil }
        return FileManager.default.contents(atPath: external.appendingPathComponent(name).path)
          .map { [UInt8]($0) }
      default: return bytes
      }
    }
  }
}
