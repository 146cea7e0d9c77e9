import GRDB

/// Stored as text.
extension RecordKey: DatabaseValueConvertible, StatementColumnConvertible {}

/// Stored as an integer.
extension RowID: DatabaseValueConvertible, StatementColumnConvertible {}
