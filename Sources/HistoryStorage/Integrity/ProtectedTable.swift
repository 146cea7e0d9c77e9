import GRDB

/// A table with a checksum in each row, written by ``ChangeSealer``. NULL accepts any row.
package struct ProtectedTable: Sendable {
  package let name: String
  let key: [String]
  /// The stored columns in order, without the checksum.
  let columns: [String]

  private init(_ name: String, key: [String] = ["id"]) {
    self.name = name
    self.key = key
    columns = (try? HistorySchema.latest.get())?.columns[name]?.filter { $0 != "checksum" } ?? []
  }

  /// Tables with row numbers, whose changed rows are sealed individually.
  static let sealed = [
    "user", "exercise", "split", "plan", "plan_item", "workout", "workout_exercise", "recording",
    "workout_set", "segment", "health", "deleted_samples", "pattern",
  ].map { ProtectedTable($0) }

  /// The record of changes, whose changed rows are sealed together.
  static let records = [
    ProtectedTable("stamp", key: ["entity", "row"]),
    ProtectedTable("tombstone", key: ["userId", "entity", "key"]),
  ]

  /// All tables that affect a command's output. Timelines and messages have checksums of their own; reps are
  /// compared with their timelines.
  package static let all = sealed + records

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  package static func named(_ name: String) -> ProtectedTable {
    guard let table = byName[name] else { preconditionFailure("\(name) is not protected") }
    return table
  }

  func checksum(as alias: String? = nil) -> String {
    let values = columns.map { "\(alias ?? name).\"\($0)\"" }.joined(separator: ", ")
    return "\(RowChecksum.functionName)('\(name)', \(values))"
  }

  /// Returns an SQL condition for rows with a wrong checksum. It is also computed for rows without one, since
  /// it fails for overlong texts.
  package func isDamaged(as alias: String? = nil) -> String {
    let stored = "\(alias ?? name).checksum"
    return """
      CASE WHEN \(stored) IS NULL THEN \(checksum(as: alias)) IS NULL
        ELSE \(stored) <> \(checksum(as: alias)) END
      """
  }

  package func damagedRows(_ db: Database, limit: Int) throws -> [String] {
    let literals = key.map { "quote(\"\($0)\")" }.joined(separator: ", ")
    return try db.rows("SELECT \(literals) FROM \(name) WHERE \(isDamaged()) LIMIT ?", limit)
      .map { row in damage(of: try key.indices.map { try row.value(at: $0) }) }
  }

  private func damage(of id: [String]) -> String {
    let condition = zip(key, id).map { "\($0) = \($1)" }.joined(separator: " AND ")
    return "\(name) \(id.joined(separator: " ")): the row is not what was written "
      + "(to accept it: UPDATE \(name) SET checksum = NULL WHERE \(condition))"
  }

  package func requireIntact(_ row: Row, id: Int64? = nil, by column: String = "isDamaged") throws {
    guard try row.value(column) == true else { return }
    let id: Int64 = try id ?? row.value("id")
    throw HistoryError.damaged(reason: damage(of: ["\(id)"]))
  }
}
