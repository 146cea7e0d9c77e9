import GRDB

extension Row {
  /// Returns the value of a column. Unlike GRDB's subscripts it never traps: a damaged database may hold
  /// anything.
  ///
  /// - Throws: `RowDecodingError` if the column holds another type, or NULL for a non-optional.
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
  /// Returns the value of a column; nil if there is no row, or for NULL.
  func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(
    _ column: String
  ) throws -> Value? {
    guard let self else { return nil }
    return try self.decode(Value?.self, forColumn: column)
  }
}
