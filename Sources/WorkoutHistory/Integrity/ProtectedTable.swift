import GRDB

/// A table whose rows carry a checksum in a column `checksum`, which triggers keep up to date
/// whoever changes a row and however.
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

  /// Gives the table its checksums and the triggers that keep them. After a column was added to it,
  /// once more: the triggers name the columns.
  func protect(_ db: Database) throws {
    var columns = try storedColumns(db)
    if !columns.contains("checksum") {
      try db.execute(sql: "ALTER TABLE \(name) ADD COLUMN checksum INTEGER")
    }
    columns.removeAll { $0 == "checksum" }
    let named = columns.map { "\"\($0)\"" }.joined(separator: ", ")
    let update = "UPDATE \(name) SET checksum = \(Self.expression(name, columns))"
    let isNew = key.map { "\($0) = NEW.\($0)" }.joined(separator: " AND ")
    try db.execute(
      sql: """
        DROP TRIGGER IF EXISTS \(name)InsertedChecksum;
        DROP TRIGGER IF EXISTS \(name)UpdatedChecksum;
        \(update);
        CREATE TRIGGER \(name)InsertedChecksum AFTER INSERT ON \(name) BEGIN
          \(update) WHERE \(isNew);
        END;
        CREATE TRIGGER \(name)UpdatedChecksum AFTER UPDATE OF \(named) ON \(name) BEGIN
          \(update) WHERE \(isNew);
        END;
        """)
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

  /// The SQL that is true for rows whose checksum is wrong.
  func isDamaged(_ db: Database) throws -> String {
    let columns = try storedColumns(db).filter { $0 != "checksum" }
    return "checksum IS NOT \(Self.expression(name, columns))"
  }

  private static func expression(_ name: String, _ columns: [String]) -> String {
    let values = columns.map { "\"\($0)\"" }.joined(separator: ", ")
    return "\(RowChecksum.functionName)('\(name)', \(values))"
  }

  /// In their order; generated ones are none.
  private func storedColumns(_ db: Database) throws -> [String] {
    try String.fetchAll(
      db, sql: "SELECT name FROM pragma_table_info(?) ORDER BY cid", arguments: [name])
  }
}
