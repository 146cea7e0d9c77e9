import GRDB

extension HistoryStore {
  /// Rows of some tables up to which all rows are checked whenever a history is opened: some ten
  /// milliseconds.
  private static let checkedAtOnce = [
    "historySet": 20_000, "timelineSegment": 20_000, "timelineRep": 200_000,
  ]

  /// Checks the structure of all tables but timelines, and every row's checksum, unless there are
  /// too many.
  ///
  /// - Throws: ``HistoryError/damaged(path:reason:)``.
  func requireIntactRows() throws {
    let finding = try inspect { db -> String? in
      // Counted, not told from the numbers of rows: those are what the file says.
      for (table, limit) in Self.checkedAtOnce {
        let isLarger = try Bool.fetchOne(
          db, sql: "SELECT EXISTS (SELECT 1 FROM \(table) LIMIT 1 OFFSET \(limit))")
        if isLarger == true { return nil }
      }
      return try Self.damagedRows(db, limit: 1).first
    }
    if let finding { throw HistoryError.damaged(path: path, reason: finding) }
  }

  /// What is wrong with the structure of tables and with rows, as sentences.
  static func damagedRows(_ db: Database, limit: Int) throws -> [String] {
    var findings: [String] = []
    for table in ProtectedTable.all {
      findings += try String.fetchAll(
        db, sql: "PRAGMA integrity_check(\(table.name))"
      ).filter { $0 != "ok" }
      if findings.count < limit {
        findings += try table.damagedRows(db, limit: limit - findings.count).map {
          "\(table.name) \($0): the row is not what was written"
        }
      }
      if findings.count >= limit { break }
    }
    return findings
  }
}

extension ProtectedTable {
  /// - Parameters:
  ///   - id: The row's number, where the query does not give it.
  ///   - column: What the query calls ``isDamaged(_:as:)``.
  /// - Throws: ``HistoryError/damaged(path:reason:)`` where the row is not what was written.
  static func requireIntact(
    _ row: Row, _ table: String, id: Int64? = nil, by column: String = "isDamaged"
  ) throws {
    guard try row.value(column) == true else { return }
    let id: Int64 = try id ?? row.value("id")
    throw HistoryError.damaged(reason: "\(table) \(id): the row is not what was written")
  }
}
