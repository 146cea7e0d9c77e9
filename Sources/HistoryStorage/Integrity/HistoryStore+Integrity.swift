import GRDB

extension HistoryStore {
  /// Maximum table sizes, in rows, for checking all rows at every opening, which takes some ten milliseconds.
  private static let checkedAtOnce = ["workout_set": 20_000, "segment": 20_000, "health": 200_000]

  /// Checks the structure of all tables except timelines, and every row's checksum unless there are too many
  /// rows. Seals rows that other programs wrote for acceptance, if the history is writable.
  func requireIntactRows() throws {
    let finding = try inspect { db -> String? in
      // Counted, since a file could fake row numbers.
      for (table, limit) in Self.checkedAtOnce {
        if try db.exists("SELECT 1 FROM \(table) LIMIT 1 OFFSET \(limit)") { return nil }
      }
      return try Self.damagedRows(db, limit: 1).first
    }
    if let finding { throw HistoryError.damaged(path: path, reason: finding) }
    if !database.configuration.readonly { try sealAcceptedRows() }
  }

  private func sealAcceptedRows() throws {
    let accepted = try read { db in
      try ProtectedTable.sealed.reduce(into: [String: Set<Int64>]()) { rows, table in
        let ids = try Set(
          db.values(
            "SELECT id FROM \(table.name) WHERE checksum IS NULL LIMIT 100000", as: Int64.self))
        if !ids.isEmpty { rows[table.name] = ids }
      }
    }
    guard !accepted.isEmpty else { return }
    try write { try ChangeSealer.seal($0, accepted, .own) }
  }

  static func damagedRows(_ db: Database, limit: Int) throws -> [String] {
    var findings: [String] = []
    for table in ProtectedTable.all {
      findings += try String.fetchAll(
        db, sql: "PRAGMA integrity_check(\(table.name))"
      ).filter { $0 != "ok" }
      if findings.count < limit {
        findings += try table.damagedRows(db, limit: limit - findings.count)
      }
      if findings.count >= limit { break }
    }
    return findings
  }
}
