import Foundation
import GRDB
import WorkoutHistory

/// A person's objects, read and written within a transaction.
struct SyncSession {
  let db: Database
  let user: HistoryUser.ID

  func center() throws -> String? {
    try db.value("SELECT center FROM sync_peer WHERE userId = ?", user)
  }

  func setPosition(_ position: Int64) throws {
    try db.execute("UPDATE sync_peer SET position = ? WHERE userId = ?", position, user)
  }

  func pendingObjects(limit: Int) throws -> [PendingObject] {
    var pending: [PendingObject] = []
    for table in SyncTable.all where pending.count < limit {
      pending += try db.rows(
        "\(Self.query(table)) AND s.isPending = 1 ORDER BY s.number LIMIT ?2", user,
        limit - pending.count
      ).map { try object(table, $0) }
    }
    guard pending.count < limit else { return pending }
    let gone = try db.rows(
      """
      SELECT entity, key FROM tombstone WHERE userId = ? AND isPending = 1
      ORDER BY entity DESC LIMIT ?
      """, user, limit - pending.count)
    for row in gone {
      guard let entity = SyncEntity(rawValue: try row.value("entity")) else { continue }
      let object = try self.object(entity, key: try row.value("key"))
      // Rows with a tombstone are already in the list.
      if object.object.values == nil || !pending.contains(where: { $0.object == object.object }) {
        pending.append(object)
      }
    }
    return pending
  }

  /// Returns the SQL of all objects of an entity. Conditions on the row `t` and its stamps `s` may follow.
  /// `all` includes the contents of workouts in progress.
  static func query(_ table: SyncTable, all: Bool = false) -> String {
    """
    SELECT t.id AS rowId, \(table.key) AS syncKey, coalesce(s.number, 0) AS token,
      coalesce(s.created, '') AS created, coalesce(s.fields, '{}') AS fields,
      x.deleted, x.deletedStamp, x.removed, x.removedStamp,
      \(table.members.map { "\($0.expression) AS \"m.\($0.name)\"" }.joined(separator: ", "))
    FROM \(table.name) t \(all ? "LEFT " : "")JOIN stamp s ON s.entity = \(table.entity.rawValue) AND s.row = t.id
    LEFT JOIN tombstone x
      ON x.userId = ?1 AND x.entity = \(table.entity.rawValue) AND x.key = \(table.key)
    WHERE \(table.isOwned(by: "?1")) AND \(all ? "1" : table.condition)
    """
  }

  func object(_ table: SyncTable, _ row: Row) throws -> PendingObject {
    let id: Int64 = try row.value("rowId")
    var object = SyncObject(entity: table.entity, key: try row.value("syncKey"), values: [:])
    for member in table.members {
      object.values?[member.name] = SyncValue(row["m.\(member.name)"] as DatabaseValue)
    }
    if table.entity == .recording {
      object.values?["segments"] = .text(
        try segments(recording: HistoryRecordingRow.ID(id)).json())
    }
    object.stamps = try SyncStamp.stamps(in: try row.value("fields"))
    let created = SyncStamp(text: try row.value("created"))
    if created != .never { object.stamps[""] = created }
    object.deletion = try SyncRegister(row, "deleted")
    object.removal = try SyncRegister(row, "removed")
    return PendingObject(object: object, row: id, changeNumber: try row.value("token"))
  }

  func object(_ entity: SyncEntity, key: String) throws -> PendingObject {
    let table = SyncTable.of(entity)
    if let id = try rowId(entity, key: key),
      let row = try db.row(Self.query(table, all: true) + " AND t.id = ?2", user, id)
    {
      return try self.object(table, row)
    }
    let tombstone = try Tombstone.find(db, entity, key: key, user: user.rawValue)
    let object = SyncObject(
      entity: entity, key: key, deletion: tombstone?.deletion ?? SyncRegister(),
      removal: tombstone?.removal ?? SyncRegister())
    return PendingObject(object: object, row: nil, changeNumber: 0)
  }

  func rowId(_ entity: SyncEntity, key: String) throws -> Int64? {
    let (table, name) = (SyncTable.of(entity), SetName(globalKey: key))
    switch entity {
    case .user: return user.rawValue
    case .historyExercise: return try historyExerciseId(key)
    case .historySet, .recording:
      return try db.value(
        "SELECT id FROM \(table.name) WHERE userId = ? AND sessionKey = ? AND key = ?", user,
        name.session, name.key)
    default:
      return try db.value(
        "SELECT t.id FROM \(table.name) t WHERE \(table.isOwned(by: "?1")) AND \(table.key) = ?2",
        user,
        key)
    }
  }

  /// Returns the row of a history exercise by "workout/exercise". Both keys may contain slashes.
  func historyExerciseId(_ key: String) throws -> Int64? {
    let bytes = key.utf8
    for slash in bytes.indices.reversed() where bytes[slash] == UInt8(ascii: "/") {
      let id = try db.value(
        """
        SELECT e.id FROM workout w JOIN workout_exercise e ON e.workoutId = w.id
        WHERE w.userId = ? AND w.key = ? AND e.key = ?
        """, user, String(key[..<slash]), String(key[bytes.index(after: slash)...]), as: Int64.self)
      if let id { return id }
    }
    return nil
  }
}
