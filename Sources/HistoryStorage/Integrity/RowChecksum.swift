import GRDB
import GRDBSQLite
import TimelineFormat

/// The SQL function `rowChecksum(table, column, …)`, a CRC-32C of a row (`docs/data-model.md`, "Checksums of rows").
enum RowChecksum {
  static let functionName = "rowChecksum"
  /// Maximum size of a text in a row, in bytes. A page of longer ones would fill the memory.
  static let longestText = 1 << 20

  static func register(in db: Database) throws {
    let code = sqlite3_create_function_v2(
      db.sqliteConnection, functionName, -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil,
      { context, count, values in
        var checksum = CRC32C()
        for index in 0..<Int(count) {
          guard let value = values?[index] else { continue }
          guard RowChecksum.add(value, to: &checksum) else {
            return sqlite3_result_error_toobig(context)
          }
        }
        sqlite3_result_int64(context, Int64(checksum.value))
      }, nil, nil, nil)
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }

  /// Adds a value; returns false for a text that is too long.
  private static func add(_ value: OpaquePointer, to checksum: inout CRC32C) -> Bool {
    let type = sqlite3_value_type(value)
    checksum.add(UInt8(truncatingIfNeeded: type))
    switch type {
    case SQLITE_INTEGER: checksum.add(UInt64(bitPattern: sqlite3_value_int64(value)))
    case SQLITE_FLOAT: checksum.add(sqlite3_value_double(value).bitPattern)
    case SQLITE_TEXT, SQLITE_BLOB:
      let bytes =
        type == SQLITE_TEXT
        ? UnsafeRawPointer(sqlite3_value_text(value)) : sqlite3_value_blob(value)
      let count = Int(sqlite3_value_bytes(value))
      if type == SQLITE_TEXT, count > longestText { return false }
      checksum.add(UInt64(count))
      checksum.add(UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count))
    default: break
    }
    return true
  }
}
