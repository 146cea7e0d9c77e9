import GRDB

extension HistoryStore {
  /// Rows of sets up to which all rows are checked whenever a history is opened: some ten
  /// milliseconds.
  private static let checkedAtOnce: Int64 = 20_000

  /// Checks the structure of all tables but timelines, and every row's checksum, unless there are
  /// too many.
  ///
  /// - Throws: ``HistoryError/damaged(path:reason:)``.
  func requireIntactRows() throws {
    let finding = try read { db -> String? in
      for table in ["historySet", "timelineSegment", "timelineRep"] {
        let rows = try Int64.fetchOne(
          db, sql: "SELECT max(\(table == "timelineRep" ? "segmentId" : "id")) FROM \(table)")
        if rows ?? 0 > Self.checkedAtOnce { return nil }
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

  /// - Throws: ``HistoryError/damaged(path:reason:)`` where a row is not what was written.
  static func requireIntact(_ db: Database, _ table: String, id: Int64?) throws {
    guard let id else { return }
    let isDamaged = try Bool.fetchOne(
      db,
      cached: """
        SELECT \(try ProtectedTable(name: table).isDamaged(db)) FROM \(table) WHERE id = ?
        """, arguments: [id])
    if isDamaged == true {
      throw HistoryError.damaged(reason: "\(table) \(id): the row is not what was written")
    }
  }
}
