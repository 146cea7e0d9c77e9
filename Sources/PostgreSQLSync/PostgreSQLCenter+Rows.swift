#if PostgreSQL
import Foundation
import HistorySync
import WorkoutHistory

extension PostgreSQLCenter {
  /// A row by its columns. JSON members are sent as text to preserve their bytes.
  typealias Row = [String: SyncValue]

  static func row(_ object: SyncObject, number: Int64) throws -> Row {
    var row: Row = [
      "key": .text(object.key), "stamps": .text(try json(object.stamps)),
      "change_number": .integer(number),
    ]
    for member in SyncTable.of(object.entity).members {
      row[CentralSchema.column(member, of: object.entity)] = object.values?[member.name] ?? .null
    }
    return row
  }

  static func tombstone(_ object: SyncObject, number: Int64) -> Row {
    [
      "entity": .integer(Int64(object.entity.rawValue)), "key": .text(object.key),
      "deleted": .integer(object.deletion.isSet ? 1 : 0),
      "deleted_stamp": .text(object.deletion.stamp.text),
      "removed": .integer(object.removal.isSet ? 1 : 0),
      "removed_stamp": .text(object.removal.stamp.text),
      "is_gone": .integer(object.values == nil ? 1 : 0), "change_number": .integer(number),
    ]
  }

  static func json(_ value: some Encodable) throws -> String {
    do {
      return String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    } catch {
      throw SyncError.refused(reason: "an object has a value that JSON cannot hold: \(error)")
    }
  }

  static func upsert(_ entity: SyncEntity) -> String {
    let members = SyncTable.of(entity).members
    let columns = members.map { "\"\(CentralSchema.column($0, of: entity))\"" }
    let types = zip(columns, members).map {
      "\($0) \($1.kind == .json ? "text" : CentralSchema.type($1.kind))"
    }
    let values = zip(columns, members).map { $1.kind == .json ? "r.\($0)::json" : "r.\($0)" }
    let changed = columns + ["stamps", "change_number", "changed_by"]
    let name = CentralSchema.name(entity)
    return """
      INSERT INTO reptrace.\(name) (key, \(columns.joined(separator: ", ")), stamps, change_number,
        changed_by)
      SELECT r.key, \(values.joined(separator: ", ")), r.stamps::json, r.change_number, $2
      FROM json_to_recordset($1) AS r(key text, \(types.joined(separator: ", ")), stamps text,
        change_number bigint)
      ON CONFLICT (account_id, key) DO UPDATE SET
        \(changed.map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
      """
  }

  static let upsertTombstones = """
    INSERT INTO reptrace.tombstone (entity, key, deleted, deleted_stamp, removed, removed_stamp,
      is_gone, change_number, changed_by)
    SELECT r.*, $2 FROM json_to_recordset($1) AS r(entity integer, key text, deleted boolean,
      deleted_stamp text, removed boolean, removed_stamp text, is_gone boolean,
      change_number bigint)
    ON CONFLICT (account_id, entity, key) DO UPDATE SET deleted = excluded.deleted,
      deleted_stamp = excluded.deleted_stamp, removed = excluded.removed,
      removed_stamp = excluded.removed_stamp, is_gone = excluded.is_gone,
      change_number = excluded.change_number, changed_by = excluded.changed_by
    """

  /// Selects rows of a table: change number, entity, key, values, stamps, and the tombstone's columns.
  static func rows(of table: SyncTable, where condition: String) -> String {
    let members = table.members.map {
      let column = "t.\"\(CentralSchema.column($0, of: table.entity))\""
      return "'\($0.name)', \($0.kind == .json ? column + "::text" : column)"
    }
    return """
      SELECT t.change_number, \(table.entity.rawValue) AS entity, t.key,
        json_build_object(\(members.joined(separator: ", "))) AS members, t.stamps,
        x.deleted, x.deleted_stamp, x.removed, x.removed_stamp
      FROM reptrace.\(CentralSchema.name(table.entity)) t LEFT JOIN reptrace.tombstone x
        ON (x.account_id, x.entity, x.key) = (t.account_id, \(table.entity.rawValue), t.key)
      WHERE t.account_id = reptrace.account_id() AND \(condition)
      """
  }

  /// Selects tombstones of deleted objects, with columns as above. Conditions on `t` may follow.
  static let gone = """
    SELECT t.change_number, t.entity, t.key, NULL::json, NULL::json, t.deleted, t.deleted_stamp,
      t.removed, t.removed_stamp
    FROM reptrace.tombstone t WHERE t.account_id = reptrace.account_id() AND t.is_gone
    """

  static let changesQuery: String = {
    let isNew = "t.change_number > $1 AND t.changed_by <> $2 ORDER BY t.change_number LIMIT $3"
    let all = SyncTable.all.map { rows(of: $0, where: isNew) } + ["\(gone) AND \(isNew)"]
    return all.map { "(\($0))" }.joined(separator: " UNION ALL ") + " ORDER BY 1 LIMIT $3"
  }()

  static func object(_ row: [String?]) throws -> SyncObject {
    let decoder = JSONDecoder()
    guard let entity = SyncEntity(rawValue: row.integer(1)), let key = row[2] else {
      throw SyncError.refused(reason: "it sent an object of an unknown kind")
    }
    var object = SyncObject(entity: entity, key: key)
    do {
      if let members = row[3] {
        object.values = try decoder.decode([String: SyncValue].self, from: Data(members.utf8))
      }
      if let stamps = row[4] {
        object.stamps = try decoder.decode([String: SyncStamp].self, from: Data(stamps.utf8))
      }
    } catch {
      throw SyncError.refused(reason: "it sent an object that cannot be read: \(entity) \(key)")
    }
    object.deletion = SyncRegister(isSet: row[5] == "t", stamp: SyncStamp(text: row[6] ?? ""))
    object.removal = SyncRegister(isSet: row[7] == "t", stamp: SyncStamp(text: row[8] ?? ""))
    return object
  }

  /// Adds the objects that a page refers to, like `MemoryCenter`.
  static func addReferences(
    to objects: inout [SyncObject], after position: Int64, _ session: borrowing Session
  ) throws {
    var names = Set(objects.map(\.name))
    var named = objects.flatMap(\.references)
    // This order handles the references of added objects later.
    for entity in [
      SyncEntity.historySet, .historyExercise, .workoutHistory, .workoutPlan, .split,
      .exerciseTemplate,
    ] {
      // PostgreSQL's text cannot contain U+0000.
      let wanted = Set(named.filter { $0.entity == entity && !$0.key.utf8.contains(0) })
        .subtracting(names)
      guard !wanted.isEmpty else { continue }
      let mayBeRemoved = entity == .workoutHistory || entity == .historyExercise
      let isWanted =
        "t.key IN (SELECT json_array_elements_text($1))"
        + (mayBeRemoved ? "" : " AND t.change_number NOT BETWEEN 1 AND \(position)")
      let rows = try session.query(
        """
        \(rows(of: .of(entity), where: isWanted))
        UNION ALL \(gone) AND t.entity = \(entity.rawValue) AND \(isWanted)
        """, [.text(try json(wanted.map(\.key).sorted()))])
      let added = try rows.map { try object($0) }
      objects += added
      names.formUnion(added.map(\.name))
      named += added.flatMap(\.references)
    }
  }
}
#endif
