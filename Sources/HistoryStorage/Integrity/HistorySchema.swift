import GRDB

/// The tables, indexes, triggers and views of a database. In a hostile file, a view in place of a table or an
/// extra trigger would run its author's SQL with the reader's rights.
struct HistorySchema: Sendable {
  private struct Object: Equatable {
    var type: String
    var table: String
    /// SQL without white space and quotes.
    var sql: String
  }

  /// The objects by type and name.
  private var objects: [String: Object] = [:]
  /// The stored columns of tables in order, if requested.
  private(set) var columns: [String: [String]] = [:]

  init(_ db: Database) throws {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT type, name, tbl_name, coalesce(sql, '') AS sql FROM sqlite_schema LIMIT 2000
        """)
    for row in rows {
      let (name, sql): (String, String) = (try row.value("name"), try row.value("sql"))
      let object = try Object(
        type: row.value("type"), table: row.value("tbl_name"),
        sql: String(
          decoding: sql.utf8.filter { $0 > 0x20 && $0 != UInt8(ascii: "\"") }, as: UTF8.self))
      // SQLite's own objects for constraints and statistics, and GRDB's table of migrations.
      let isOfLibrary =
        ["table", "index"].contains(object.type)
        && (name.hasPrefix("sqlite_") || object.table == "grdb_migrations")
      if !isOfLibrary { objects["\(object.type) \(name)"] = object }
    }
  }

  static let latest = Result { try expected(after: Set(HistoryMigrations.steps.map(\.name))) }

  /// Returns the schema after the migrations up to the last one in `applied`.
  private static func expected(after applied: Set<String>) throws -> HistorySchema {
    try DatabaseQueue().write { db in
      for step in HistoryMigrations.steps where applied.contains(step.name) { try step.apply(db) }
      var schema = try HistorySchema(db)
      for object in schema.objects.values where object.type == "table" {
        schema.columns[object.table] = try db.values(
          "SELECT name FROM pragma_table_info(?) ORDER BY cid", object.table, as: String.self)
      }
      return schema
    }
  }

  /// Returns an error in the schema of a history with some migrations applied; nil if there is none.
  static func problem(_ db: Database, after applied: Set<String>) throws -> String? {
    let isLatest = applied == Set(HistoryMigrations.steps.map(\.name))
    return try (isLatest ? latest.get() : expected(after: applied)).difference(
      to: HistorySchema(db))
  }

  /// Returns a difference from another schema. Ignores unrelated tables, which are never read.
  func difference(to other: HistorySchema) -> String? {
    if objects == other.objects { return nil }
    for (name, object) in objects.sorted(by: { $0.key < $1.key })
    where other.objects[name] != object {
      return other.objects[name] == nil ? "\(name) is missing" : "\(name) is not as it should be"
    }
    let own = Set(objects.values.map(\.table))
    for (name, object) in other.objects.sorted(by: { $0.key < $1.key }) where objects[name] == nil {
      if ["table", "index"].contains(object.type), !own.contains(object.table) { continue }
      return "\(name) does not belong there"
    }
    return nil
  }
}
