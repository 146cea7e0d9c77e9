import Foundation
import GRDB

/// The state of synchronization between a person's rows here and at their centre.
package struct SyncPeer: Sendable, Hashable {
  /// This copy's random id.
  package var device: String
  /// The centre's id; nil before the first sync.
  package var centre: String?
  /// The number of the centre's last change that was merged here.
  package var position: Int64
}

/// A snapshot of an object that has not been sent yet.
package struct PendingObject: Sendable, Hashable {
  package var object: SyncObject
  /// The object's row; nil if it was deleted.
  var row: Int64?
  var changeNumber: Int64
}

extension HistoryStore {
  /// The exchange of objects with a centre that keeps copies of this history equal.
  public var sync: SyncExchange { SyncExchange(store: self) }
}

/// The exchange of objects with a centre that keeps copies of a history equal.
///
/// `HistorySync` calls in this order: `peer`, query the centre, `begin`, `merge` until the centre has nothing new,
/// then `pendingObjects` and `acknowledge` until nothing is pending. Each call is one durable transaction, and each
/// may be repeated.
public struct SyncExchange: Sendable {
  /// The version of the exchange format. It grows when ``SyncTable/all`` does.
  package static let version = 1

  let store: HistoryStore

  /// Returns the state of synchronization with the centre.
  package func peer(user: HistoryUser.ID = HistoryStore.localUser) throws -> SyncPeer {
    try store.read { db in
      guard let device = try String.fetchOne(db, sql: "SELECT device FROM clock") else {
        throw HistoryError.damaged(reason: "the clock's row is missing")
      }
      let row = try Row.fetchOne(
        db, sql: "SELECT centre, position FROM sync_peer WHERE userId = ?", arguments: [user])
      return SyncPeer(
        device: device, centre: try row.value("centre"), position: try row.value("position") ?? 0)
    }
  }

  /// Begins a sync: sets this copy's clock by the centre's, and marks all objects as pending if the centre is
  /// not the previous one.
  ///
  /// If the clock was wrong, changes since the last sync get corrected stamps: their order is kept, and none is
  /// later than the centre's time.
  ///
  /// - Parameter time: The centre's time, in milliseconds since 1970.
  package func begin(
    with centre: String, time: Int64, user: HistoryUser.ID = HistoryStore.localUser
  ) throws {
    let isKnown = try store.read { db in
      try !Self.isClockWrong(db, at: time)
        && String.fetchOne(
          db, sql: "SELECT centre FROM sync_peer WHERE userId = ?", arguments: [user]) == centre
    }
    if isKnown { return }
    try store.write { db in
      try Self.setClock(db, to: time)
      let known = try String.fetchOne(
        db, sql: "SELECT centre FROM sync_peer WHERE userId = ?", arguments: [user])
      guard known != centre else { return }
      try db.execute(
        sql: """
          INSERT INTO sync_peer (userId, centre, position) VALUES (?, ?, 0)
          ON CONFLICT DO UPDATE SET centre = excluded.centre, position = 0, activePlan = NULL
          """, arguments: [user, centre])
      guard known != nil else { return }
      for table in ["stamp", "tombstone"] {
        try db.execute(
          sql: """
            UPDATE \(table) SET isPending = 1, checksum = NULL
            WHERE isPending = 0 AND (userId = ? OR userId IS NULL)
            """, arguments: [user])
      }
      try ChangeSealer.sealRecords(db)
    }
  }

  /// Returns pending objects. Objects that others refer to come first; deletions come last, in reverse order.
  ///
  /// - Parameters:
  ///   - time: The centre's current time, in milliseconds since 1970. No object is dated later, even if the
  ///     machine's clock has been set since the sync began.
  ///   - limit: Maximum number of objects. Query again when these are acknowledged.
  package func pendingObjects(
    at time: Int64, user: HistoryUser.ID = HistoryStore.localUser, limit: Int
  ) throws -> [PendingObject] {
    // Advance the clock, so that changes from now on are later than the sent ones. Write only if objects are
    // pending.
    let objects = try store.read { db in try Self.pendingObjects(db, user: user, limit: limit) }
    guard !objects.isEmpty else { return [] }
    return try store.write { db in
      try Self.setClock(db, to: time)
      try db.execute(cached: "UPDATE clock SET floor = max(floor, time)")
      return try Self.pendingObjects(db, user: user, limit: limit)
    }
  }

  private static func pendingObjects(
    _ db: Database, user: HistoryUser.ID, limit: Int
  ) throws -> [PendingObject] {
    var pending: [PendingObject] = []
    for table in SyncTable.all where pending.count < limit {
      let statement = try db.cachedStatement(
        sql: """
          \(objectQuery(table)) AND s.isPending = 1 ORDER BY s.number LIMIT :limit
          """)
      let rows = try Row.fetchCursor(
        statement, arguments: ["user": user, "limit": limit - pending.count])
      while let row = try rows.next() { pending.append(try Self.object(db, table, row)) }
    }
    guard pending.count < limit else { return pending }
    let gone = try Row.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT entity, key FROM tombstone WHERE userId = ? AND isPending = 1
          ORDER BY entity DESC LIMIT ?
          """), arguments: [user, limit - pending.count])
    for row in gone {
      guard let entity = SyncEntity(rawValue: try row.value("entity")) else { continue }
      let object = try Self.object(db, entity, key: try row.value("key"), user: user)
      // A row with a tombstone is already in the list.
      if object.object.values == nil || !pending.contains(where: { $0.object == object.object }) {
        pending.append(object)
      }
    }
    return pending
  }

  /// Marks objects as durable at the centre. Those that have changed meanwhile stay pending.
  ///
  /// - Parameter position: The number of the centre's last change, which committed these objects.
  package func acknowledge(
    _ sent: [PendingObject], position: Int64, user: HistoryUser.ID = HistoryStore.localUser
  ) throws {
    try store.write { db in
      for pending in sent {
        let object = pending.object
        if let row = pending.row {
          try db.execute(
            cached: """
              UPDATE stamp SET isPending = 0, syncedAt = ?, checksum = NULL
              WHERE entity = ? AND row = ? AND number = ?
              """,
            arguments: [
              Date().timeIntervalSince1970, object.entity.rawValue, row, pending.changeNumber,
            ])
        }
        try db.execute(
          cached: """
            UPDATE tombstone SET isPending = 0, checksum = NULL
            WHERE userId = ? AND entity = ? AND key = ? AND deletedStamp = ? AND removedStamp = ?
            """,
          arguments: [
            user, object.entity.rawValue, object.key, object.deletion.stamp.text,
            object.removal.stamp.text,
          ])
      }
      try ChangeSealer.sealRecords(db)
      try Self.setPosition(db, position, user: user)
    }
  }

  static func setPosition(_ db: Database, _ position: Int64, user: HistoryUser.ID) throws {
    try db.execute(
      sql: "UPDATE sync_peer SET position = ? WHERE userId = ?", arguments: [position, user])
  }

  // MARK: - Objects

  /// Returns the SQL of all objects of an entity; conditions on the row `t` and its stamps `s` may follow.
  ///
  /// - Parameter all: Whether to include the contents of workouts in progress.
  static func objectQuery(_ table: SyncTable, all: Bool = false) -> String {
    let owner =
      table.entity == .exerciseTemplate
      ? "(t.userId = :user OR t.userId IS NULL)" : "\(table.owner) = :user"
    return """
      SELECT t.id AS rowId, \(table.key) AS syncKey, coalesce(s.number, 0) AS token,
        coalesce(s.created, '') AS created, coalesce(s.fields, '{}') AS fields,
        x.deleted, x.deletedStamp, x.removed, x.removedStamp,
        \(table.members.map { "\($0.expression) AS \"m.\($0.name)\"" }.joined(separator: ", "))
      FROM \(table.name) t \(all ? "LEFT " : "")JOIN stamp s ON s.entity = \(table.entity.rawValue) AND s.row = t.id
      LEFT JOIN tombstone x
        ON x.userId = :user AND x.entity = \(table.entity.rawValue) AND x.key = \(table.key)
      WHERE \(owner) AND \(all ? "1" : table.condition)
      """
  }

  static func object(_ db: Database, _ table: SyncTable, _ row: Row) throws -> PendingObject {
    let id: Int64 = try row.value("rowId")
    var object = SyncObject(entity: table.entity, key: try row.value("syncKey"), values: [:])
    for member in table.members {
      object.values?[member.name] = SyncValue(row["m.\(member.name)"] as DatabaseValue)
    }
    if table.entity == .recording {
      object.values?["segments"] = .text(
        try SyncSegment.text(try segments(db, recording: HistoryRecordingRow.ID(id))))
    }
    object.stamps = try SyncStamp.stamps(in: try row.value("fields"))
    let created = SyncStamp(text: try row.value("created"))
    if created != .never { object.stamps[""] = created }
    object.deletion = try SyncRegister(row, "deleted")
    object.removal = try SyncRegister(row, "removed")
    return PendingObject(object: object, row: id, changeNumber: try row.value("token"))
  }

  /// Returns an object by its key, or its tombstone.
  static func object(
    _ db: Database, _ entity: SyncEntity, key: String, user: HistoryUser.ID
  ) throws -> PendingObject {
    let table = SyncTable.of(entity)
    if let id = try rowId(db, entity, key: key, user: user),
      let row = try Row.fetchOne(
        db.cachedStatement(sql: objectQuery(table, all: true) + " AND t.id = :id"),
        arguments: ["user": user, "id": id])
    {
      return try object(db, table, row)
    }
    let row = try Row.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT deleted, deletedStamp, removed, removedStamp FROM tombstone
          WHERE userId = ? AND entity = ? AND key = ?
          """), arguments: [user, entity.rawValue, key])
    var object = SyncObject(entity: entity, key: key)
    if let row {
      object.deletion = try SyncRegister(row, "deleted")
      object.removal = try SyncRegister(row, "removed")
    }
    return PendingObject(object: object, row: nil, changeNumber: 0)
  }

  static func rowId(
    _ db: Database, _ entity: SyncEntity, key: String, user: HistoryUser.ID
  ) throws -> Int64? {
    switch entity {
    case .exerciseTemplate:
      return try Int64.fetchOne(
        db, cached: "SELECT id FROM exercise WHERE uuid = ? AND (userId = ? OR userId IS NULL)",
        arguments: [key, user])
    case .split, .workoutPlan:
      return try Int64.fetchOne(
        db, cached: "SELECT id FROM \(SyncTable.of(entity).name) WHERE uuid = ? AND userId = ?",
        arguments: [key, user])
    case .workoutHistory:
      return try Int64.fetchOne(
        db, cached: "SELECT id FROM workout WHERE userId = ? AND key = ?", arguments: [user, key])
    case .historyExercise: return try historyExerciseId(db, key, user: user)
    case .historySet:
      return try HistoryStore.setId(db, SetName(globalKey: key), user: user)?.rawValue
    case .recording:
      let name = SetName(globalKey: key)
      return try Int64.fetchOne(
        db, cached: "SELECT id FROM recording WHERE userId = ? AND sessionKey = ? AND key = ?",
        arguments: [user, name.session, name.key])
    case .deletedSamples:
      return try Int64.fetchOne(
        db,
        cached: """
          SELECT t.id FROM deleted_samples t
          WHERE t.userId = ? AND \(SyncTable.of(entity).key) = ?
          """, arguments: [user, key])
    case .user: return user.rawValue
    }
  }

  /// Returns the row of a history exercise by "workout/exercise". Both keys may contain slashes.
  static func historyExerciseId(_ db: Database, _ key: String, user: HistoryUser.ID) throws
    -> Int64?
  {
    let bytes = key.utf8
    for slash in bytes.indices.reversed() where bytes[slash] == UInt8(ascii: "/") {
      let id = try Int64.fetchOne(
        db,
        cached: """
          SELECT e.id FROM workout w JOIN workout_exercise e ON e.workoutId = w.id
          WHERE w.userId = ? AND w.key = ? AND e.key = ?
          """, arguments: [user, String(key[..<slash]), String(key[bytes.index(after: slash)...])])
      if let id { return id }
    }
    return nil
  }
}

extension SyncRegister {
  fileprivate init(_ row: Row, _ column: String) throws {
    isSet = try row.value(column) ?? 0 == 1
    stamp = SyncStamp(text: try row.value(column + "Stamp") ?? "")
  }
}

extension SyncValue {
  init(_ value: DatabaseValue) {
    switch value.storage {
    case .null, .blob: self = .null
    case .int64(let integer): self = .integer(integer)
    // Another program may have written an infinity, which no message can hold.
    case .double(let real): self = real.isFinite ? .real(real) : .null
    case .string(let text): self = .text(text)
    }
  }

  var databaseValue: DatabaseValue {
    switch self {
    case .null: .null
    case .integer(let integer): integer.databaseValue
    case .real(let real): real.databaseValue
    case .text(let text): text.databaseValue
    }
  }
}
