import GRDB

// Statements that are compiled once per connection. Compiling costs more than running, above all for tables
// with triggers: statements that run for each recording or message use `cached:`, not `sql:`.

extension Database {
  func execute(cached sql: String, arguments: StatementArguments = StatementArguments()) throws {
    try cachedStatement(sql: sql).execute(arguments: arguments)
  }

  /// Inserts a row, or updates the one with equal `key` columns. Columns in `kept` keep an existing value.
  ///
  /// - Returns: The number of the row.
  func upsert<ID: DatabaseValueConvertible & StatementColumnConvertible>(
    _ table: String, by key: [String], keeping kept: [String] = [],
    _ columns: KeyValuePairs<String, (any DatabaseValueConvertible)?>
  ) throws -> ID {
    let names = columns.map(\.key)
    let updates = names.filter { !key.contains($0) }.map {
      kept.contains($0) ? "\($0) = coalesce(\($0), excluded.\($0))" : "\($0) = excluded.\($0)"
    }
    return try ID.fetchWritten(
      self,
      cached: """
        INSERT INTO \(table) (\(names.joined(separator: ", ")))
        VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))
        ON CONFLICT (\(key.joined(separator: ", "))) DO UPDATE SET \(updates.joined(separator: ", "))
        RETURNING id
        """, arguments: StatementArguments(columns.map(\.value)))
  }
}

extension DatabaseValueConvertible where Self: StatementColumnConvertible {
  static func fetchOne(
    _ db: Database, cached sql: String, arguments: StatementArguments = StatementArguments()
  ) throws -> Self? { try fetchOne(db.cachedStatement(sql: sql), arguments: arguments) }

  /// Returns the number of the row that a statement wrote, or that must exist.
  static func fetchWritten(
    _ db: Database, cached sql: String, arguments: StatementArguments
  ) throws -> Self {
    guard let id = try fetchOne(db, cached: sql, arguments: arguments) else {
      throw HistoryError.damaged(reason: "a row was not written")
    }
    return id
  }
}

extension DatabaseValueConvertible where Self: StatementColumnConvertible & Hashable {
  static func fetchSet(
    _ db: Database, cached sql: String, arguments: StatementArguments = StatementArguments()
  ) throws -> Set<Self> { try fetchSet(db.cachedStatement(sql: sql), arguments: arguments) }
}

extension Row {
  static func fetchOne(
    _ db: Database, cached sql: String, arguments: StatementArguments = StatementArguments()
  ) throws -> Row? { try fetchOne(db.cachedStatement(sql: sql), arguments: arguments) }

  static func fetchAll(
    _ db: Database, cached sql: String, arguments: StatementArguments = StatementArguments()
  ) throws -> [Row] { try fetchAll(db.cachedStatement(sql: sql), arguments: arguments) }
}
