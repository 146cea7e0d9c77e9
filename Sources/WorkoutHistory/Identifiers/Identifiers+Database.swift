import GRDB

/// Stored as the text.
extension RecordKey: DatabaseValueConvertible, StatementColumnConvertible {}

/// Stored as the integer.
extension RowID: DatabaseValueConvertible, StatementColumnConvertible {}
