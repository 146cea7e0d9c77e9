import GRDB

/// The record of a deleted object.
package struct Tombstone {
  /// The owner's row; 0 for a deleted person.
  package var user: Int64
  package var entity: SyncEntity
  package var key: String
  package var deletion: SyncRegister
  package var removal: SyncRegister

  package init(
    user: Int64, entity: SyncEntity, key: String, deletion: SyncRegister = SyncRegister(),
    removal: SyncRegister = SyncRegister()
  ) {
    (self.user, self.entity, self.key) = (user, entity, key)
    (self.deletion, self.removal) = (deletion, removal)
  }

  package static func find(
    _ db: Database, _ entity: SyncEntity, key: String, user: Int64
  ) throws -> Tombstone? {
    try db.row(
      """
      SELECT deleted, deletedStamp, removed, removedStamp FROM tombstone
      WHERE userId = ? AND entity = ? AND key = ?
      """, user, entity.rawValue, key
    ).map {
      Tombstone(
        user: user, entity: entity, key: key, deletion: try SyncRegister($0, "deleted"),
        removal: try SyncRegister($0, "removed"))
    }
  }

  /// - Parameter changedAt: Milliseconds since 1970.
  package func save(_ db: Database, number: Int64, changedAt: Int64, isPending: Bool = true) throws
  {
    try db.execute(
      """
      INSERT INTO tombstone (userId, entity, key, deleted, deletedStamp, removed, removedStamp,
        isPending, number, changedAt)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET deleted = excluded.deleted, deletedStamp = excluded.deletedStamp,
        removed = excluded.removed, removedStamp = excluded.removedStamp,
        isPending = excluded.isPending, number = excluded.number, changedAt = excluded.changedAt,
        checksum = NULL
      """, user, entity.rawValue, key, deletion.isSet, deletion.stamp.text, removal.isSet,
      removal.stamp.text, isPending, number, changedAt)
  }
}

extension SyncRegister {
  package init(_ row: Row, _ column: String) throws {
    isSet = try row.value(column) ?? 0 == 1
    stamp = SyncStamp(text: try row.value(column + "Stamp") ?? "")
  }
}
