import GRDB

/// A table whose rows carry a checksum in a column `checksum`.
///
/// A trigger empties it when a row changes, whoever changes it and however; the program computes it at
/// the end of each of its transactions. So another program may write with plain SQL, and what it wrote
/// counts as written.
struct ProtectedTable {
  var name: String
  /// The columns that name a row.
  var key = ["id"]

  /// Everything that a command shows or goes by. Timelines have checksums of their own.
  static let all = [
    ProtectedTable(name: "user"), ProtectedTable(name: "exerciseTemplate"),
    ProtectedTable(name: "split"), ProtectedTable(name: "workoutPlan"),
    ProtectedTable(name: "planItem"), ProtectedTable(name: "workoutHistory"),
    ProtectedTable(name: "historyExercise"), ProtectedTable(name: "recording"),
    ProtectedTable(name: "historySet"), ProtectedTable(name: "timelineSegment"),
    ProtectedTable(name: "timelineRep", key: ["segmentId", "number"]),
    ProtectedTable(name: "healthBlob"), ProtectedTable(name: "deletedSamples"),
    ProtectedTable(name: "deletion", key: ["changeNumber"]),
    ProtectedTable(name: "movementPattern", key: ["userId", "exerciseKey"]),
    ProtectedTable(name: "currentSession"), ProtectedTable(name: "currentExercise"),
    ProtectedTable(name: "currentSet"), ProtectedTable(name: "currentHealth", key: ["rowid"]),
    ProtectedTable(name: "muscle"), ProtectedTable(name: "exerciseType"),
    ProtectedTable(name: "exerciseMuscle", key: ["exerciseId", "muscleId"]),
    ProtectedTable(name: "exerciseMuscleGroup", key: ["exerciseId", "muscleGroup"]),
  ]

  /// Gives the table a column `checksum`, and the trigger that empties it when a row changes. After a
  /// column was added to the table, once more: the trigger names the columns.
  func protect(_ db: Database) throws {
    var columns = try storedColumns(db)
    if !columns.contains("checksum") {
      try db.execute(sql: "ALTER TABLE \(name) ADD COLUMN checksum INTEGER")
      try db.execute(
        sql: """
          CREATE INDEX \(name)Unsealed ON \(name) (\(name == "currentHealth" ? "sessionId" : key[0]))
            WHERE checksum IS NULL
          """)
    }
    columns.removeAll { $0 == "checksum" }
    let named = columns.map { "\"\($0)\"" }.joined(separator: ", ")
    let isChanged = key.map { "\($0) = NEW.\($0)" }.joined(separator: " AND ")
    try db.execute(
      sql: """
        DROP TRIGGER IF EXISTS \(name)Unsealed;
        CREATE TRIGGER \(name)Unsealed AFTER UPDATE OF \(named) ON \(name)
          WHEN NEW.checksum IS NOT NULL
        BEGIN
          UPDATE \(name) SET checksum = NULL WHERE \(isChanged);
        END;
        """)
  }

  /// The SQL that computes the checksums of rows that were added or changed: the last step of every
  /// transaction that writes. Costs some microseconds where there are none.
  func sealingStatement(_ db: Database) throws -> String {
    let columns = try storedColumns(db).filter { $0 != "checksum" }
    return
      "UPDATE \(name) SET checksum = \(Self.expression(name, columns, of: name)) WHERE checksum IS NULL"
  }

  /// The keys of rows whose checksum is wrong, as text.
  func damagedRows(_ db: Database, limit: Int) throws -> [String] {
    let keys = key.map { "\"\($0)\"" }.joined(separator: " || ' ' || ")
    return try String.fetchAll(
      db,
      sql: """
        SELECT coalesce(CAST(\(keys) AS TEXT), '?') FROM \(name) WHERE \(try isDamaged(db)) LIMIT ?
        """, arguments: [limit])
  }

  /// The SQL that is true for rows whose checksum is wrong. Rows that another program wrote have none
  /// yet; it is computed all the same, for it fails where a text is too long.
  ///
  /// - Parameter alias: What the query calls the table, if not by its name.
  func isDamaged(_ db: Database, as alias: String? = nil) throws -> String {
    let columns = try storedColumns(db).filter { $0 != "checksum" }
    let table = alias ?? name
    let expression = Self.expression(name, columns, of: table)
    return """
      CASE WHEN \(table).checksum IS NULL THEN \(expression) IS NULL
        ELSE \(table).checksum <> \(expression) END
      """
  }

  private static func expression(_ name: String, _ columns: [String], of table: String) -> String {
    let values = columns.map { "\(table).\"\($0)\"" }.joined(separator: ", ")
    return "\(RowChecksum.functionName)('\(name)', \(values))"
  }

  /// In their order; generated ones are none.
  private func storedColumns(_ db: Database) throws -> [String] {
    try String.fetchAll(
      db.cachedStatement(sql: "SELECT name FROM pragma_table_info(?) ORDER BY cid"),
      arguments: [name])
  }
}
