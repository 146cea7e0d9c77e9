import Foundation
import GRDB

/// The origin of a transaction's changes.
enum ChangeMode: Sendable {
  /// A change by this program or a person.
  case own
  /// Like `own`, but objects of these entities that disappear were deleted by a person, which no other copy
  /// overrules.
  case decided(Set<SyncEntity>)
  /// A change by another copy, which comes with its stamps.
  case merging
  /// The initial rows of a new history, which are older than everything else.
  case creating
}

/// Computes the checksums of changed rows, and records the changes of objects. Nothing else writes either.
///
/// A row is compared with its recorded state (`stamp.fieldChecksums`), so the result does not depend on the
/// statements, cascades or undone steps that led to it.
struct ChangeSealer {
  let mode: ChangeMode
  private var clock: HistoryClock?
  /// The names that objects gave up in this transaction, and those that objects took.
  private var vacated: [ObjectName] = []
  private var taken: [ObjectName] = []

  /// A table with the statements that read and seal a row.
  private struct Table {
    let name: String
    let synced: SyncTable?
    let stateQuery: String
    let sealing: String

    init(_ table: ProtectedTable) {
      name = table.name
      synced = SyncTable.named(table.name)
      stateQuery = synced?.stateQuery(table) ?? ""
      sealing = "UPDATE \(table.name) SET checksum = \(table.checksum()) WHERE id = ?"
    }
  }

  private static let tables = ProtectedTable.sealed.map(Table.init)
  private static let sealingOfRecords = ProtectedTable.records.map {
    "UPDATE \($0.name) SET checksum = \($0.checksum()) WHERE checksum IS NULL"
  }

  private struct ObjectName: Hashable {
    var entity: SyncEntity
    var user: Int64?
    var key: String
  }

  init(mode: ChangeMode) { self.mode = mode }

  /// - Parameter rows: Numbers of the rows that may have changed, by table.
  func seal(_ db: Database, _ rows: [String: Set<Int64>]) throws {
    guard !rows.isEmpty else { return }
    var sealer = self
    try sealer.sealAll(db, rows)
  }

  private mutating func sealAll(_ db: Database, _ rows: [String: Set<Int64>]) throws {
    var rows = rows
    // Items are a field of their plan; segments are a field of their recording.
    for (part, column, whole) in [
      ("plan_item", "planId", "plan"), ("segment", "recordingId", "recording"),
    ] {
      for row in rows[part] ?? [] {
        let id = try Int64.fetchOne(
          db, cached: "SELECT \(column) FROM \(part) WHERE id = ?", arguments: [row])
        if let id { rows[whole, default: []].insert(id) }
      }
    }
    var objects: [(SyncTable, Row, Int64)] = []
    for table in Self.tables {
      guard let changed = rows[table.name]?.sorted() else { continue }
      for row in changed {
        guard let synced = table.synced else {
          try db.execute(cached: table.sealing, arguments: [row])
          continue
        }
        // The current row, and its recorded state.
        guard let state = try Row.fetchOne(db, cached: table.stateQuery, arguments: [row]) else {
          try forget(db, synced, row)
          continue
        }
        if try state.value("isSealed") != true {
          try db.execute(cached: table.sealing, arguments: [row])
        }
        objects.append((synced, state, row))
        if try state.value("isObject") == true { try noteOldName(synced, state) }
      }
    }
    for (table, state, row) in objects { try record(db, table, state, row) }
    for name in vacated { try bury(db, name) }
    for name in taken { try revive(db, name) }
    try clock?.save(db)
    try Self.sealRecords(db)
  }

  /// Seals the changed rows of the record of changes: those without a checksum.
  static func sealRecords(_ db: Database) throws {
    for statement in sealingOfRecords { try db.execute(cached: statement) }
  }

  // MARK: - Objects

  /// Handles a row that no longer exists.
  private mutating func forget(_ db: Database, _ table: SyncTable, _ row: Int64) throws {
    let known = try Row.fetchOne(
      db, cached: "DELETE FROM stamp WHERE entity = ? AND row = ? RETURNING userId, key",
      arguments: [table.entity.rawValue, row])
    guard let known else { return }
    vacated.append(
      ObjectName(
        entity: table.entity, user: try known.value("userId"), key: try known.value("key")))
  }

  private mutating func noteOldName(_ table: SyncTable, _ state: Row) throws {
    guard let key: String = try state.value("oldKey") else { return }
    let old = ObjectName(entity: table.entity, user: try state.value("oldUser"), key: key)
    if try old != name(table, state) { vacated.append(old) }
  }

  private func name(_ table: SyncTable, _ state: Row) throws -> ObjectName {
    ObjectName(entity: table.entity, user: try state.value("userId"), key: try state.value("key"))
  }

  /// Records which fields of a row have changed.
  private mutating func record(
    _ db: Database, _ table: SyncTable, _ state: Row, _ row: Int64
  ) throws {
    let name = try name(table, state)
    let sums = try (0...table.fields.count).map { try state.value("f\($0)") as Int64 }
    let stored = sums.reduce(into: Data()) { data, sum in
      withUnsafeBytes(of: UInt32(truncatingIfNeeded: sum).littleEndian) {
        data.append(contentsOf: $0)
      }
    }
    let (oldKey, oldUser): (String?, Int64?) = (
      try state.value("oldKey"), try state.value("oldUser")
    )
    let isRenamed = oldKey != name.key || oldUser != name.user
    let checksums: Data? = try state.value("fieldChecksums")
    // Empty checksums: a merge has just written the object.
    if let checksums, checksums.isEmpty {
      return try db.execute(
        cached: """
          UPDATE stamp SET userId = ?, key = ?, fieldChecksums = ?, checksum = NULL
          WHERE entity = ? AND row = ?
          """, arguments: [name.user, name.key, stored, table.entity.rawValue, row])
    }
    // Rows of an active workout are recorded when it ends.
    guard try state.value("isObject") == true else { return }
    guard let known = checksums else {
      return try insert(db, table, name, row: row, checksums: stored)
    }
    guard isRenamed || known != stored else { return }
    // A field that is newer than the checksums counts as unchanged.
    let changed = (0..<stored.count / 4).filter { index in
      known.count >= 4 * index + 4
        && known.dropFirst(4 * index).prefix(4) != stored.dropFirst(4 * index).prefix(4)
    }
    let fields =
      isRenamed && isAnew(name)
      ? table.fields.map(\.name)
      : changed.compactMap { $0 < table.fields.count ? table.fields[$0].name : nil }
    try update(db, name, row: row, fields: fields, of: try state.value("fields"), checksums: stored)
    if isRenamed { taken.append(name) }
  }

  /// True if other copies may use this set's key for another set, so that their fields of that one do not apply
  /// to this one. A set that is no longer found has a key of its own (``HistoryStore``).
  private func isAnew(_ name: ObjectName) -> Bool {
    name.entity == .historySet && !name.key.contains("vanished-")
  }

  private mutating func insert(
    _ db: Database, _ table: SyncTable, _ name: ObjectName, row: Int64, checksums: Data
  ) throws {
    let stamp = try nextStamp(db)
    var fields: [String: SyncStamp] = [:]
    if isAnew(name), vacated.contains(name) {
      for field in table.fields { fields[field.name] = stamp }
    }
    try db.execute(
      cached: """
        INSERT INTO stamp (entity, row, userId, key, number, changedAt, isPending, created, fields,
          fieldChecksums)
        VALUES (?, ?, ?, ?, ?, ?, 1, ?, ?, ?)
        """,
      arguments: [
        name.entity.rawValue, row, name.user, name.key, try nextNumber(db), stamp.milliseconds,
        stamp.text, try SyncStamp.text(of: fields), checksums,
      ])
    if case .creating = mode { return }
    taken.append(name)
  }

  private mutating func update(
    _ db: Database, _ name: ObjectName, row: Int64, fields: [String], of text: String,
    checksums: Data
  ) throws {
    var stamps = try SyncStamp.stamps(in: text)
    var changedAt: Int64?
    var isPending = !fields.isEmpty
    if case .merging = mode {
    } else {
      isPending = true
      let stamp = try nextStamp(db)
      changedAt = stamp.milliseconds
      for field in fields { stamps[field] = stamp }
    }
    try db.execute(
      cached: """
        UPDATE stamp SET userId = ?, key = ?, number = ?, changedAt = coalesce(?, changedAt),
          isPending = max(isPending, ?), fields = ?, fieldChecksums = ?, checksum = NULL
        WHERE entity = ? AND row = ?
        """,
      arguments: [
        name.user, name.key, try nextNumber(db), changedAt, isPending,
        try SyncStamp.text(of: stamps), checksums, name.entity.rawValue, row,
      ])
  }

  // MARK: - Tombstones

  private mutating func bury(_ db: Database, _ name: ObjectName) throws {
    if case .merging = mode { return }
    let stamp = try nextStamp(db)
    var isDecided = SyncTable.of(name.entity).endsByPerson
    var isRemoved = !isDecided
    if case .decided(let entities) = mode, entities.contains(name.entity) {
      (isDecided, isRemoved) = (true, true)
    }
    for user in try owners(db, of: name) {
      try db.execute(
        cached: """
          INSERT INTO tombstone (userId, entity, key, deleted, deletedStamp, removed, removedStamp,
            number, changedAt)
          VALUES (?1, ?2, ?3, ?4, CASE WHEN ?4 THEN ?6 ELSE '' END, ?5,
            CASE WHEN ?5 THEN ?6 ELSE '' END, ?7, ?8)
          ON CONFLICT DO UPDATE SET deleted = max(deleted, excluded.deleted),
            deletedStamp = CASE WHEN ?4 THEN ?6 ELSE deletedStamp END,
            removed = max(removed, excluded.removed),
            removedStamp = CASE WHEN ?5 THEN ?6 ELSE removedStamp END,
            isPending = 1, number = ?7, changedAt = ?8, checksum = NULL
          """,
        arguments: [
          user, name.entity.rawValue, name.key, isDecided, isRemoved, stamp.text,
          try nextNumber(db), stamp.milliseconds,
        ])
    }
  }

  /// Removes the tombstones of rows that exist again.
  private mutating func revive(_ db: Database, _ name: ObjectName) throws {
    if case .merging = mode { return }
    for user in try owners(db, of: name) {
      let isKnown = try Bool.fetchOne(
        db,
        cached: """
          SELECT EXISTS (SELECT 1 FROM tombstone WHERE userId = ? AND entity = ? AND key = ?)
          """, arguments: [user, name.entity.rawValue, name.key])
      guard isKnown == true else { continue }
      try Self.revive(
        db, name.entity, key: name.key, user: user, stamp: try nextStamp(db),
        number: try nextNumber(db))
    }
  }

  static func revive(
    _ db: Database, _ entity: SyncEntity, key: String, user: Int64, stamp: SyncStamp, number: Int64
  ) throws {
    try db.execute(
      cached: """
        UPDATE tombstone SET removed = 0, removedStamp = ?1, deleted = 0,
          deletedStamp = CASE deletedStamp WHEN '' THEN '' ELSE ?1 END, isPending = 1, number = ?2,
          changedAt = ?3, checksum = NULL
        WHERE userId = ?4 AND entity = ?5 AND key = ?6
        """, arguments: [stamp.text, number, stamp.milliseconds, user, entity.rawValue, key])
  }

  /// Returns the owner of an object, or everybody if the object is shared.
  private func owners(_ db: Database, of name: ObjectName) throws -> [Int64] {
    if let user = name.user { return [user] }
    return try Int64.fetchAll(db.cachedStatement(sql: "SELECT id FROM user ORDER BY id"))
  }

  // MARK: - The clock

  private mutating func nextStamp(_ db: Database) throws -> SyncStamp {
    if clock == nil { clock = try HistoryClock(db) }
    if case .creating = mode { return SyncStamp(time: 0, device: clock?.device ?? "") }
    return clock?.tick() ?? .never
  }

  private mutating func nextNumber(_ db: Database) throws -> Int64 {
    if clock == nil { clock = try HistoryClock(db) }
    clock?.number += 1
    return clock?.number ?? 0
  }
}
