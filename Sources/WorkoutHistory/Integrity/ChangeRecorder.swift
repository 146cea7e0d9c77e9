import GRDB
import GRDBSQLite
import Synchronization

/// Records which rows of ``ProtectedTable/sealed`` a transaction changes, including changes by cascades.
final class ChangeRecorder: Sendable {
  private static let tables = Set(ProtectedTable.sealed.map(\.name))

  private let rows = Mutex<[String: Set<Int64>]>([:])

  /// Watches the writing connection, which must not outlive the recorder.
  func watch(_ db: Database) {
    sqlite3_update_hook(
      db.sqliteConnection,
      { context, _, _, table, row in
        guard let context, let table else { return }
        let recorder = Unmanaged<ChangeRecorder>.fromOpaque(context).takeUnretainedValue()
        recorder.note(String(cString: table), row)
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private func note(_ table: String, _ row: Int64) {
    guard Self.tables.contains(table) else { return }
    rows.withLock { _ = $0[table, default: []].insert(row) }
  }

  /// Returns the recorded rows by table, and clears the record.
  func take() -> [String: Set<Int64>] {
    rows.withLock { rows in
      defer { rows = [:] }
      return rows
    }
  }
}
