import GRDB
import GRDBSQLite
import Synchronization

/// Notes which rows of ``ProtectedTable/sealed`` a transaction changes, by whatever statements or cascades.
final class ChangeRecorder: Sendable {
  private static let tables = Set(ProtectedTable.sealed.map(\.name))

  private let rows = Mutex<[String: Set<Int64>]>([:])

  /// Watches the connection that writes, which lives at most as long as the recorder.
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

  /// Returns the rows that were noted, by table, and forgets them.
  func take() -> [String: Set<Int64>] {
    rows.withLock { rows in
      defer { rows = [:] }
      return rows
    }
  }
}
