import Digests
import GRDB
import Motion

/// What a history's schema must be, and what it is.
///
/// A file that somebody sent may have a view where a table is expected, or a trigger of its own: both
/// would run what their author wrote, with the reader's rights.
struct HistorySchema {
  private struct Object: Hashable, Comparable, CustomStringConvertible {
    var type: String
    var name: String
    /// What an index or a trigger belongs to; of a table or a view, itself.
    var table: String

    var description: String { "\(type) \(name)" }

    static func < (a: Object, b: Object) -> Bool { (a.type, a.name) < (b.type, b.name) }
  }

  /// Tables, indexes, triggers and views, with their SQL without white space and quotes.
  private var objects: [Object: String] = [:]

  /// The schema of an open database.
  init(_ db: Database) throws {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT type, name, tbl_name, coalesce(sql, '') AS sql FROM sqlite_schema LIMIT 2000
        """)
    for row in rows {
      let object = Object(
        type: try row.value("type"), name: try row.value("name"), table: try row.value("tbl_name"))
      // What SQLite itself makes for constraints, statistics and the search index, and GRDB's note of
      // migrations.
      let isOfLibrary =
        ["table", "index"].contains(object.type)
        && (object.name.hasPrefix("sqlite_") || object.table == "grdb_migrations")
      if isOfLibrary || Self.isPartOfSearchIndex(object) { continue }
      let sql: String = try row.value("sql")
      objects[object] = String(
        decoding: sql.utf8.filter { $0 > 0x20 && $0 != UInt8(ascii: "\"") }, as: UTF8.self)
    }
  }

  /// The schema that migrations make, from the first to the last of those named.
  static func expected(after applied: Set<String>) throws -> HistorySchema {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    configuration.prepareDatabase { try RowChecksum.register(in: $0) }
    let memory = try DatabaseQueue(configuration: configuration)
    return try memory.write { db in
      for step in HistoryMigrations.steps where applied.contains(step.name) { try step.apply(db) }
      return try HistorySchema(db)
    }
  }

  /// The SHA-256 of all objects and their SQL.
  var fingerprint: String {
    let lines = objects.sorted { $0.key < $1.key }.map { object, sql in
      "\(object.type)\t\(object.name)\t\(object.table)\t\(sql)\n"
    }
    return SHA256.hash(lines.joined().utf8).hexadecimalDigits
  }

  /// What is wrong with the schema of a history in which some migrations were made, as text for
  /// people; nil where it is as it should be.
  static func problem(_ db: Database, after applied: Set<String>) throws -> String? {
    let schema = try HistorySchema(db)
    // Making the tables once more to compare with them costs more than all else of opening.
    if schema.fingerprint == latestFingerprint,
      applied == Set(HistoryMigrations.steps.map(\.name))
    {
      return nil
    }
    return try expected(after: applied).difference(to: schema)
  }

  /// What another schema lacks, has otherwise, or has beside this one, as text for people. Tables
  /// that have nothing to do with this one may be there: nothing reads them.
  func difference(to other: HistorySchema) -> String? {
    for object in objects.keys.sorted() where other.objects[object] != objects[object] {
      return other.objects[object] == nil
        ? "\(object) is missing" : "\(object) is not as it should be"
    }
    let own = Set(objects.keys.map(\.table))
    for object in other.objects.keys.sorted() where objects[object] == nil {
      if ["table", "index"].contains(object.type), !own.contains(object.table) { continue }
      return "\(object) does not belong there"
    }
    return nil
  }

  private static func isPartOfSearchIndex(_ object: Object) -> Bool {
    object.type == "table"
      && ["data", "idx", "content", "docsize", "config"].contains {
        object.name == "exerciseSearch_" + $0
      }
  }
}
