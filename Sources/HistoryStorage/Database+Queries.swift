import Foundation
import GRDB

// Statements are compiled once per connection, since compiling costs more than running.

extension Database {
  package typealias Argument = (any DatabaseValueConvertible)?
  @usableFromInline package typealias Column = DatabaseValueConvertible & StatementColumnConvertible

  package func execute(_ sql: String, _ arguments: Argument...) throws {
    try execute(sql, StatementArguments(arguments))
  }

  package func execute(_ sql: String, _ arguments: StatementArguments) throws {
    try cachedStatement(sql: sql).execute(arguments: arguments)
  }

  package func row(_ sql: String, _ arguments: Argument...) throws -> Row? {
    try Row.fetchOne(cachedStatement(sql: sql), arguments: StatementArguments(arguments))
  }

  package func rows(_ sql: String, _ arguments: Argument...) throws -> [Row] {
    try rows(sql, StatementArguments(arguments))
  }

  package func rows(_ sql: String, _ arguments: StatementArguments) throws -> [Row] {
    try Row.fetchAll(cachedStatement(sql: sql), arguments: arguments)
  }

  package func records<Record: FetchableRecord>(
    _ sql: String, _ arguments: Argument...
  ) throws -> [Record] {
    try Record.fetchAll(cachedStatement(sql: sql), arguments: StatementArguments(arguments))
  }

  /// Returns the first column of the first row; nil if there is no row, or for NULL.
  package func value<Value: Column>(
    _ sql: String, _ arguments: Argument..., as type: Value.Type = Value.self
  ) throws -> Value? {
    try Value.fetchOne(cachedStatement(sql: sql), arguments: StatementArguments(arguments))
  }

  package func values<Value: Column>(
    _ sql: String, _ arguments: Argument..., as type: Value.Type = Value.self
  ) throws -> [Value] {
    try Value.fetchAll(cachedStatement(sql: sql), arguments: StatementArguments(arguments))
  }

  /// Returns whether a `SELECT` has any rows.
  package func exists(_ select: String, _ arguments: Argument...) throws -> Bool {
    try Bool.fetchOne(
      cachedStatement(sql: "SELECT EXISTS (\(select))"), arguments: StatementArguments(arguments))
      ?? false
  }

  /// Returns the size of the database, in bytes.
  package func fileSize() throws -> Int {
    try (Int.fetchOne(self, sql: "PRAGMA page_count") ?? 0)
      * (Int.fetchOne(self, sql: "PRAGMA page_size") ?? 0)
  }

  /// Returns the number of the row that a statement wrote, or that must exist.
  package func written<ID: Column>(
    _ sql: String, _ arguments: Argument..., as type: ID.Type = ID.self
  ) throws -> ID { try written(sql, StatementArguments(arguments)) }

  package func written<ID: Column>(_ sql: String, _ arguments: StatementArguments) throws -> ID {
    guard let id = try ID.fetchOne(cachedStatement(sql: sql), arguments: arguments) else {
      throw HistoryError.damaged(reason: "a row was not written")
    }
    return id
  }

  /// Inserts a row, or updates the one with equal `key`, except its `fixed` and non-NULL `kept` columns.
  package func upsert<ID: Column>(
    _ table: String, by key: [String], fixed: [String] = [], keeping kept: [String] = [],
    _ columns: [String: Argument]
  ) throws -> ID {
    let columns = columns.sorted { $0.key < $1.key }
    let names = columns.map(\.key)
    let updates = names.filter { !(key + fixed).contains($0) }.map {
      kept.contains($0) ? "\($0) = coalesce(\($0), excluded.\($0))" : "\($0) = excluded.\($0)"
    }
    return try written(
      """
      INSERT INTO \(table) (\(names.joined(separator: ", ")))
      VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))
      ON CONFLICT (\(key.joined(separator: ", "))) DO UPDATE SET \(updates.joined(separator: ", "))
      RETURNING id
      """, StatementArguments(columns.map(\.value)))
  }
}

/// A value whose properties are the columns of a row. Dates are stored as seconds since 1970.
private struct Columns<Value: Sendable>: Sendable {
  var value: Value
}

extension Columns: Decodable, FetchableRecord where Value: Decodable {
  init(from decoder: any Decoder) throws { value = try Value(from: decoder) }

  static func databaseDateDecodingStrategy(
    for column: String
  ) -> DatabaseDateDecodingStrategy { .timeIntervalSince1970 }
}

extension Columns: Encodable, EncodableRecord where Value: Encodable {
  func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }

  static func databaseDateEncodingStrategy(
    for column: String
  ) -> DatabaseDateEncodingStrategy { .timeIntervalSince1970 }
}

extension Row {
  package func record<Value: Decodable & Sendable>() throws -> Value {
    try Columns(row: self).value
  }
}

extension Encodable where Self: Sendable {
  package func columns() throws -> [String: DatabaseValue] {
    try Columns(value: self).databaseDictionary
  }
}

extension Encodable {
  /// Returns the value as JSON, with sorted keys.
  package func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }
}

// Dates are never arguments, because GRDB would write them as text. A `Date` counts from 2001; conversion by
// 978,307,200 s is exact from July 1985 to 2⁵³ s (Sterbenz's lemma up to 2032; later values have no finer
// last place than that constant), and earlier for whole seconds. Elsewhere the error is below 6e-8 s.

extension Row {
  /// Returns the value of a column. Unlike GRDB's subscripts, never traps, even if the database is damaged.
  @inlinable package func value<Value: Database.Column>(_ column: String) throws -> Value {
    try decode(Value.self, forColumn: column)
  }

  @inlinable package func value<Value: Database.Column>(at index: Int) throws -> Value {
    try decode(Value.self, atIndex: index)
  }

  /// Returns the date in a column of seconds since 1970; nil for NULL.
  package func date(_ column: String) throws -> Date? {
    (try value(column) as Double?).map(Date.init(timeIntervalSince1970:))
  }
}

extension Row? {
  @inlinable package func value<Value: Database.Column>(_ column: String) throws -> Value? {
    guard let self else { return nil }
    return try self.decode(Value?.self, forColumn: column)
  }
}

extension RecordKey: DatabaseValueConvertible, StatementColumnConvertible {}
extension RowID: DatabaseValueConvertible, StatementColumnConvertible {}
