import Foundation
import GRDB

/// How far a person's rows here and at their centre are the same.
public struct SyncPeer: Sendable, Hashable {
  /// This copy's random id.
  public var device: String
  /// The centre's id; nil where there was no sync yet.
  public var centre: String?
  /// The last of the centre's changes that is here.
  public var position: Int64
}

/// An object that waits to be sent, as it was at one instant.
public struct PendingObject: Sendable, Hashable {
  public var object: SyncObject
  /// Its row and the number of its last change; nil where the row has gone.
  var row: Int64?
  var changeNumber: Int64
}

extension HistoryStore {
  /// What a history exchanges with a centre, so that other copies of it say the same.
  public var sync: SyncExchange { SyncExchange(store: self) }
}

/// What a history exchanges with a centre, so that other copies of it say the same.
///
/// What is done in this order: ``peer(user:)``, ask the centre, ``begin(with:time:user:)``,
/// ``merge(_:through:at:user:lostSamples:)`` until nothing is left there, ``pendingObjects(at:user:limit:)`` and
/// ``acknowledge(_:position:user:)`` until nothing is left here. Each is one transaction that survives
/// the loss of power, and each may be repeated.
public struct SyncExchange: Sendable {
  /// The version of what copies and centres exchange. It grows when ``SyncTable/all`` does.
  public static let version = 1

  let store: HistoryStore

  /// How far a person's rows here and at the centre are the same.
  public func peer(user: HistoryUser.ID = HistoryStore.localUser) throws -> SyncPeer {
    try store.read { db in
      guard let device = try String.fetchOne(db, sql: "SELECT device FROM syncClock") else {
        throw HistoryError.damaged(reason: "the clock's row is missing")
      }
      let row = try Row.fetchOne(
        db, sql: "SELECT centre, position FROM syncPeer WHERE userId = ?", arguments: [user])
      return SyncPeer(
        device: device, centre: try row.value("centre"), position: try row.value("position") ?? 0)
    }
  }

  /// Begins a sync: sets this copy's clock by the centre's, and counts everything as not sent where
  /// the centre is another one than before.
  ///
  /// What was changed here since the last sync is dated anew by as much as the clock was wrong: its
  /// order stays, and none of it is later than the centre's now.
  ///
  /// - Parameters:
  ///   - centre: The centre's id.
  ///   - time: The centre's time, in milliseconds since 1970.
  public func begin(
    with centre: String, time: Int64, user: HistoryUser.ID = HistoryStore.localUser
  ) throws {
    let isKnown = try store.read { db in
      try !Self.isClockWrong(db, at: time)
        && String.fetchOne(
          db, sql: "SELECT centre FROM syncPeer WHERE userId = ?", arguments: [user]) == centre
    }
    if isKnown { return }
    try store.write { db in
      try Self.setClock(db, to: time)
      let known = try String.fetchOne(
        db, sql: "SELECT centre FROM syncPeer WHERE userId = ?", arguments: [user])
      guard known != centre else { return }
      try db.execute(
        sql: """
          INSERT INTO syncPeer (userId, centre, position) VALUES (?, ?, 0)
          ON CONFLICT DO UPDATE SET centre = excluded.centre, position = 0, activePlan = NULL
          """, arguments: [user, centre])
      guard known != nil else { return }
      for table in SyncTable.all {
        try db.execute(
          sql: """
            UPDATE \(table.name) AS t SET cloudSyncStatus = 0 WHERE \(Self.isOwned(table))
            """, arguments: ["user": user])
      }
      try db.execute(
        sql: "UPDATE tombstone SET isPending = 1 WHERE userId = ?", arguments: [user])
    }
  }

  /// Objects that wait to be sent: what others refer to comes first, what has gone last and in the
  /// other order.
  ///
  /// - Parameters:
  ///   - time: The centre's time now, in milliseconds since 1970: nothing that is sent is dated
  ///     later, even if somebody has set the machine's clock since the sync began.
  ///   - limit: Objects at most; ask again when they are acknowledged.
  public func pendingObjects(
    at time: Int64, user: HistoryUser.ID = HistoryStore.localUser, limit: Int
  ) throws -> [PendingObject] {
    // What is changed from now on is later than what is sent. Nothing is written where nothing waits.
    let objects = try store.read { db in try Self.pendingObjects(db, user: user, limit: limit) }
    guard !objects.isEmpty else { return [] }
    return try store.write { db in
      try Self.setClock(db, to: time)
      try db.execute(sql: "UPDATE syncClock SET floor = max(floor, time)")
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
          \(objectQuery(table)) AND t.cloudSyncStatus = 0 ORDER BY t.changeNumber LIMIT :limit
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
      // A row with a tombstone was sent with it above.
      if object.object.values == nil || !pending.contains(where: { $0.object == object.object }) {
        pending.append(object)
      }
    }
    return pending
  }

  /// Notes that objects are durable at the centre. What has changed again meanwhile stays pending.
  ///
  /// - Parameter position: The number of the centre's last change, which these were.
  public func acknowledge(
    _ sent: [PendingObject], position: Int64, user: HistoryUser.ID = HistoryStore.localUser
  ) throws {
    try store.write { db in
      for pending in sent {
        let object = pending.object
        let table = SyncTable.of(object.entity)
        if let row = pending.row {
          try db.execute(
            cached: """
              UPDATE \(table.name) SET cloudSyncStatus = 1\(table.hasTimes
                ? ", lastCloudSync = (julianday('now') - 2440587.5) * 86400.0" : "")
              WHERE id = ? AND changeNumber = ?
              """, arguments: [row, pending.changeNumber])
        }
        try db.execute(
          cached: """
            UPDATE tombstone SET isPending = 0
            WHERE userId = ? AND entity = ? AND key = ? AND deletedStamp = ? AND removedStamp = ?
            """,
          arguments: [
            user, object.entity.rawValue, object.key, object.deletion.stamp.text,
            object.removal.stamp.text,
          ])
      }
      try Self.setPosition(db, position, user: user)
    }
  }

  static func setPosition(_ db: Database, _ position: Int64, user: HistoryUser.ID) throws {
    try db.execute(
      sql: "UPDATE syncPeer SET position = ? WHERE userId = ?", arguments: [position, user])
  }

  // MARK: - Objects

  /// All objects of an entity; conditions on the row `t` may follow.
  static func objectQuery(_ table: SyncTable) -> String {
    let key = table.key(of: "t")
    return """
      SELECT t.id AS rowId, \(key) AS syncKey, t.changeNumber AS token,
        (SELECT json_group_object(f.field, f.stamp) FROM fieldStamp f
          WHERE f.entity = \(table.entity.rawValue) AND f.row = t.id) AS stamps,
        x.deleted, x.deletedStamp, x.removed, x.removedStamp,
        \(table.members.map { "\($0.expression) AS \"m.\($0.name)\"" }.joined(separator: ", "))
      FROM \(table.name) t LEFT JOIN tombstone x
        ON x.userId = :user AND x.entity = \(table.entity.rawValue) AND x.key = \(key)
      WHERE \(isOwned(table)) AND \(table.condition)
      """
  }

  private static func isOwned(_ table: SyncTable) -> String {
    table.entity == .exerciseTemplate
      ? "(t.userId = :user OR t.userId IS NULL)" : "\(table.owner(of: "t")) = :user"
  }

  static func object(_ db: Database, _ table: SyncTable, _ row: Row) throws -> PendingObject {
    let id: Int64 = try row.value("rowId")
    var object = SyncObject(entity: table.entity, key: try row.value("syncKey"), values: [:])
    for member in table.members {
      object.values?[member.name] = SyncValue(row["m.\(member.name)"] as DatabaseValue)
    }
    if table.entity == .recording {
      object.values?["segments"] = .text(
        try SyncSegment.text(
          try segments(db, recording: HistoryRecordingRow.ID(id))))
    }
    let stamps = try JSONDecoder().decode(
      [String: String].self, from: Data((try row.value("stamps") as String).utf8))
    object.stamps = stamps.mapValues(SyncStamp.init(text:))
    object.deletion = try SyncRegister(row, "deleted")
    object.removal = try SyncRegister(row, "removed")
    return PendingObject(object: object, row: id, changeNumber: try row.value("token"))
  }

  /// An object by its key, or what is remembered of it where it has gone.
  static func object(
    _ db: Database, _ entity: SyncEntity, key: String, user: HistoryUser.ID
  ) throws -> PendingObject {
    let table = SyncTable.of(entity)
    if let id = try rowId(db, entity, key: key, user: user),
      let row = try Row.fetchOne(
        db.cachedStatement(sql: objectQuery(table) + " AND t.id = :id"),
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
        db,
        cached: "SELECT id FROM exerciseTemplate WHERE uuid = ? AND (userId = ? OR userId IS NULL)",
        arguments: [key, user])
    case .split, .workoutPlan:
      return try Int64.fetchOne(
        db, cached: "SELECT id FROM \(SyncTable.of(entity).name) WHERE uuid = ? AND userId = ?",
        arguments: [key, user])
    case .workoutHistory:
      return try Int64.fetchOne(
        db, cached: "SELECT id FROM workoutHistory WHERE userId = ? AND key = ?",
        arguments: [user, key])
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
          SELECT t.id FROM deletedSamples t
          WHERE t.userId = ? AND \(SyncTable.of(entity).key(of: "t")) = ?
          """, arguments: [user, key])
    case .user: return user.rawValue
    }
  }

  /// An exercise of the history by "workout/exercise". Either may have a slash in it.
  static func historyExerciseId(_ db: Database, _ key: String, user: HistoryUser.ID) throws
    -> Int64?
  {
    let bytes = key.utf8
    for slash in bytes.indices.reversed() where bytes[slash] == UInt8(ascii: "/") {
      let id = try Int64.fetchOne(
        db,
        cached: """
          SELECT e.id FROM workoutHistory w JOIN historyExercise e ON e.workoutId = w.id
          WHERE w.userId = ? AND w.key = ? AND e.key = ?
          """,
        arguments: [user, String(key[..<slash]), String(key[bytes.index(after: slash)...])])
      if let id { return id }
    }
    return nil
  }

  // MARK: - The clock

  /// The most by which a clock may differ from the centre's before it is corrected, in milliseconds.
  static let clockTolerance: Int64 = 2000

  /// This copy's clock.
  private struct Clock {
    var device: String
    var floor: Int64
    var latest: Int64
    /// Milliseconds since 1970.
    var now: Int64

    /// - Throws: ``HistoryError/damaged(path:reason:)`` where it shows what no clock does.
    init(_ db: Database) throws {
      let row = try Row.fetchOne(
        db,
        sql: """
          SELECT device, floor, time,
            CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction AS now
          FROM syncClock
          """)
      guard let row else { throw HistoryError.damaged(reason: "the clock's row is missing") }
      (device, floor) = (try row.value("device"), try row.value("floor"))
      (latest, now) = (try row.value("time"), try row.value("now"))
      guard abs(Double(now)) < 0x1p50 else {
        throw HistoryError.damaged(reason: "the clock cannot show \(now) ms since 1970")
      }
      guard (0..<1 << 62).contains(floor) else {
        throw HistoryError.damaged(reason: "the clock's floor cannot be \(floor)")
      }
    }
  }

  /// Whether the clock differs from the centre's, or has made stamps that lie in its future.
  ///
  /// Every time that a centre tells comes by here before anything is computed from it.
  ///
  /// - Throws: ``HistoryError/invalidValue(reason:)`` where it lies before 1970, or beyond what stamps
  ///   can hold.
  private static func isClockWrong(_ db: Database, at time: Int64) throws -> Bool {
    guard (0..<1 << 46).contains(time) else {
      throw HistoryError.invalidValue(reason: "the centre's time cannot be: \(time) ms since 1970")
    }
    let clock = try Clock(db)
    return abs(time - clock.now) > clockTolerance
      || (clock.latest > (time + clockTolerance) << 16 && clock.latest > clock.floor)
  }

  static func setClock(_ db: Database, to time: Int64) throws {
    guard try isClockWrong(db, at: time) else { return }
    let clock = try Clock(db)
    let skew = time - clock.now
    let (device, floor) = (clock.device, clock.floor)
    // Everything since the floor moves as far as the clock was wrong and no longer lies beyond the
    // centre's time; what would go below the floor stays just above it, in its order.
    let limit = SyncStamp(time: floor, device: "g").text
    var stamps: [(sql: String, key: StatementArguments, stamp: SyncStamp)] = []
    for (table, column, key) in [
      ("fieldStamp", "stamp", ["entity", "row", "field"]),
      ("tombstone", "deletedStamp", ["userId", "entity", "key"]),
      ("tombstone", "removedStamp", ["userId", "entity", "key"]),
    ] {
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT \(column), \(key.joined(separator: ", ")) FROM \(table)
          WHERE \(column) > ? AND substr(\(column), 17) = ?
          """, arguments: [limit, device])
      let sql = """
        UPDATE \(table) SET \(column) = ? WHERE \(key.map { "\($0) = ?" }
          .joined(separator: " AND "))
        """
      while let row = try rows.next() {
        stamps.append(
          (
            sql, StatementArguments(row.databaseValues.dropFirst()),
            SyncStamp(text: try row.value(at: 0))
          ))
      }
    }
    var latest = floor
    if let last = stamps.map(\.stamp.time).max() {
      let shift = min(skew << 16, (time << 16) - last)
      var moved: [Int64: Int64] = [:]
      for old in Set(stamps.map(\.stamp.time)).sorted() {
        latest = max(old + shift, latest + 1)
        moved[old] = latest
      }
      for (sql, key, stamp) in stamps {
        guard let new = moved[stamp.time], new != stamp.time else { continue }
        let text = SyncStamp(time: new, device: device).text
        try db.execute(cached: sql, arguments: [text] + key)
      }
    }
    try db.execute(
      sql: "UPDATE syncClock SET correction = correction + ?, time = ?",
      arguments: [abs(skew) > clockTolerance ? skew : 0, latest])
  }
}

extension SyncTable {
  /// Whether rows know when they were changed and sent.
  var hasTimes: Bool { ![.recording, .deletedSamples].contains(entity) }
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
