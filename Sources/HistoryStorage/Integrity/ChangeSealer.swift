import Foundation
import GRDB
import GRDBSQLite
import Synchronization

/// The origin of a transaction's changes.
package enum ChangeMode: Sendable {
  /// A change by this program or a person.
  case own
  /// Like `own`, but a person deleted the missing objects of these entities, which no copy overrules.
  case decided(Set<SyncEntity>)
  /// A change by another copy, with its stamps.
  case merging
  /// The initial rows of a new history, older than everything else.
  case creating
}

/// Computes the checksums of changed rows and records the changes of objects. Compares rows with their
/// recorded state (`stamp.fieldChecksums`), so the statements and cascades in between do not matter.
package struct ChangeSealer {
  let db: Database
  let mode: ChangeMode
  private var clock: HistoryClock?
  /// The names that objects released in this transaction, and the names that objects took.
  private var vacated: [ObjectName] = []
  private var taken: [ObjectName] = []

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

  static func seal(_ db: Database, _ rows: [String: Set<Int64>], _ mode: ChangeMode) throws {
    guard !rows.isEmpty else { return }
    var sealer = ChangeSealer(db: db, mode: mode)
    try sealer.seal(rows)
  }

  private mutating func seal(_ changed: [String: Set<Int64>]) throws {
    var rows = changed
    // Items are a field of their plan; segments are a field of their recording.
    for (part, column, whole) in [
      ("plan_item", "planId", "plan"), ("segment", "recordingId", "recording"),
    ] {
      for row in rows[part] ?? [] {
        let id = try db.value("SELECT \(column) FROM \(part) WHERE id = ?", row, as: Int64.self)
        if let id { rows[whole, default: []].insert(id) }
      }
    }
    var objects: [(SyncTable, Row, Int64)] = []
    for table in Self.tables {
      guard let changed = rows[table.name]?.sorted() else { continue }
      for row in changed {
        guard let synced = table.synced else {
          try db.execute(table.sealing, row)
          continue
        }
        guard let state = try db.row(table.stateQuery, row) else {
          try forget(synced, row)
          continue
        }
        if try state.value("isSealed") != true {
          try db.execute(table.sealing, row)
        }
        objects.append((synced, state, row))
        if try state.value("isObject") == true { try noteOldName(synced, state) }
      }
    }
    for (table, state, row) in objects { try record(table, state, row) }
    for name in vacated { try bury(name) }
    for name in taken { try revive(name) }
    try clock?.save(db)
    try Self.sealRecords(db)
  }

  /// Seals the changed rows of the record of changes, which have no checksum.
  package static func sealRecords(_ db: Database) throws {
    for statement in sealingOfRecords { try db.execute(statement) }
  }

  private mutating func forget(_ table: SyncTable, _ row: Int64) throws {
    let known = try db.row(
      "DELETE FROM stamp WHERE entity = ? AND row = ? RETURNING userId, key", table.entity.rawValue,
      row)
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

  private mutating func record(_ table: SyncTable, _ state: Row, _ row: Int64) throws {
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
    // Empty checksums mean that a merge has just written the object.
    if let checksums, checksums.isEmpty {
      return try db.execute(
        """
        UPDATE stamp SET userId = ?, key = ?, fieldChecksums = ?, checksum = NULL
        WHERE entity = ? AND row = ?
        """, name.user, name.key, stored, table.entity.rawValue, row)
    }
    // Rows of an active workout are recorded when it ends.
    guard try state.value("isObject") == true else { return }
    guard let known = checksums else {
      return try insert(table, name, row: row, checksums: stored)
    }
    guard isRenamed || known != stored else { return }
    // A field that is newer than the checksums counts as unchanged.
    let changed = (0..<stored.count / 4).filter { index in
      known.count >= 4 * index + 4
        && known.dropFirst(4 * index).prefix(4) != stored.dropFirst(4 * index).prefix(4)
    }
    let fields =
      isRenamed && keyMayBeReused(name)
      ? table.fields.map(\.name)
      : changed.compactMap { $0 < table.fields.count ? table.fields[$0].name : nil }
    try update(name, row: row, fields: fields, of: try state.value("fields"), checksums: stored)
    if isRenamed { taken.append(name) }
  }

  /// Returns true if other copies may use this set's key for another set, whose fields must not apply to this
  /// one. A set that is no longer found has a key of its own (``HistoryStore``).
  private func keyMayBeReused(_ name: ObjectName) -> Bool {
    name.entity == .historySet && !name.key.contains("vanished-")
  }

  private mutating func insert(
    _ table: SyncTable, _ name: ObjectName, row: Int64, checksums: Data
  ) throws {
    let stamp = try nextStamp()
    var fields: [String: SyncStamp] = [:]
    if keyMayBeReused(name), vacated.contains(name) {
      for field in table.fields { fields[field.name] = stamp }
    }
    try db.execute(
      """
      INSERT INTO stamp (entity, row, userId, key, number, changedAt, isPending, created, fields,
        fieldChecksums)
      VALUES (?, ?, ?, ?, ?, ?, 1, ?, ?, ?)
      """, name.entity.rawValue, row, name.user, name.key, try nextNumber(), stamp.milliseconds,
      stamp.text, try SyncStamp.text(of: fields), checksums)
    if case .creating = mode { return }
    taken.append(name)
  }

  private mutating func update(
    _ name: ObjectName, row: Int64, fields: [String], of text: String,
    checksums: Data
  ) throws {
    var stamps = try SyncStamp.stamps(in: text)
    var changedAt: Int64?
    var isPending = !fields.isEmpty
    if case .merging = mode {
    } else {
      isPending = true
      let stamp = try nextStamp()
      changedAt = stamp.milliseconds
      for field in fields { stamps[field] = stamp }
    }
    try db.execute(
      """
      UPDATE stamp SET userId = ?, key = ?, number = ?, changedAt = coalesce(?, changedAt),
        isPending = max(isPending, ?), fields = ?, fieldChecksums = ?, checksum = NULL
      WHERE entity = ? AND row = ?
      """, name.user, name.key, try nextNumber(), changedAt, isPending,
      try SyncStamp.text(of: stamps), checksums, name.entity.rawValue, row)
  }

  private mutating func bury(_ name: ObjectName) throws {
    if case .merging = mode { return }
    let stamp = try nextStamp()
    var isDecided = SyncTable.of(name.entity).endsByPerson
    var isRemoved = !isDecided
    if case .decided(let entities) = mode, entities.contains(name.entity) {
      (isDecided, isRemoved) = (true, true)
    }
    for user in try owners(of: name) {
      var tombstone =
        try Tombstone.find(db, name.entity, key: name.key, user: user)
        ?? Tombstone(user: user, entity: name.entity, key: name.key)
      if isDecided { tombstone.deletion = SyncRegister(isSet: true, stamp: stamp) }
      if isRemoved { tombstone.removal = SyncRegister(isSet: true, stamp: stamp) }
      try tombstone.save(db, number: try nextNumber(), changedAt: stamp.milliseconds)
    }
  }

  private mutating func revive(_ name: ObjectName) throws {
    if case .merging = mode { return }
    for user in try owners(of: name) {
      guard var tombstone = try Tombstone.find(db, name.entity, key: name.key, user: user) else {
        continue
      }
      let stamp = try nextStamp()
      tombstone.removal = SyncRegister(isSet: false, stamp: stamp)
      if tombstone.deletion.stamp != .never { tombstone.deletion = tombstone.removal }
      try tombstone.save(db, number: try nextNumber(), changedAt: stamp.milliseconds)
    }
  }

  /// Returns the owner of an object, or everybody if it is shared.
  private func owners(of name: ObjectName) throws -> [Int64] {
    if let user = name.user { return [user] }
    return try db.values("SELECT id FROM user ORDER BY id")
  }

  private mutating func nextStamp() throws -> SyncStamp {
    if clock == nil { clock = try HistoryClock(db) }
    if case .creating = mode { return SyncStamp(time: 0, device: clock?.device ?? "") }
    return clock?.tick() ?? .never
  }

  private mutating func nextNumber() throws -> Int64 {
    if clock == nil { clock = try HistoryClock(db) }
    return clock?.nextNumber() ?? 0
  }
}

/// Records the rows of ``ProtectedTable/sealed`` that a transaction changes, including changes by cascades.
final class ChangeRecorder: Sendable {
  private static let tables = Set(ProtectedTable.sealed.map(\.name))

  private let rows = Mutex<[String: Set<Int64>]>([:])

  /// Watches the writing connection, which must not outlive the recorder.
  func watch(_ db: Database) {
    sqlite3_update_hook(
      db.sqliteConnection,
      { context, _, _, table, row in
        guard let context, let table else { return }
        let recorder = Unmanaged<ChangeRecorder>.fromOpaque(context).takeUnretainedValue()
        recorder.note(String(cString: table), row)
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private func note(_ table: String, _ row: Int64) {
    guard Self.tables.contains(table) else { return }
    rows.withLock { _ = $0[table, default: []].insert(row) }
  }

  func take() -> [String: Set<Int64>] {
    rows.withLock { rows in
      defer { rows = [:] }
      return rows
    }
  }
}
