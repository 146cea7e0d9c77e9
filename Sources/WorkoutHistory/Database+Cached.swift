import GRDB

// Statements that are compiled once per connection. Compiling costs more than running, above all for tables
// with triggers: statements that run for each recording or message use `cached:`, not `sql:`.

extension Database {
  func execute(cached sql: String, arguments: StatementArguments = StatementArguments()) throws {
    try cachedStatement(sql: sql).execute(arguments: arguments)
  }
}

extension DatabaseValueConvertible where Self: StatementColumnConvertible {
  static func fetchOne(
    _ db: Database, cached sql: String, arguments: StatementArguments = StatementArguments()
  ) throws -> Self? {
    try fetchOne(db.cachedStatement(sql: sql), arguments: arguments)
  }

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
  ) throws -> Set<Self> {
    try fetchSet(db.cachedStatement(sql: sql), arguments: arguments)
  }
}

extension Row {
  static func fetchOne(
    _ db: Database, cached sql: String, arguments: StatementArguments = StatementArguments()
  ) throws -> Row? {
    try fetchOne(db.cachedStatement(sql: sql), arguments: arguments)
  }

  static func fetchAll(
    _ db: Database, cached sql: String, arguments: StatementArguments = StatementArguments()
  ) throws -> [Row] {
    try fetchAll(db.cachedStatement(sql: sql), arguments: arguments)
  }
}
