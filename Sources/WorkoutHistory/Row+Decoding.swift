import GRDB

extension Row {
  /// The value of a column. Never traps, as GRDB's subscripts do: a damaged database may hold
  /// anything.
  ///
  /// - Throws: `RowDecodingError` where the column holds no such value, or NULL and the value is no
  ///   optional.
  func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(
    _ column: String
  ) throws -> Value {
    try decode(Value.self, forColumn: column)
  }

  func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(
    at index: Int
  ) throws -> Value {
    try decode(Value.self, atIndex: index)
  }
}

extension Row? {
  /// The value of a column; nil where there is no row, or NULL.
  func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(
    _ column: String
  ) throws -> Value? {
    guard let self else { return nil }
    return try self.decode(Value?.self, forColumn: column)
  }
}
