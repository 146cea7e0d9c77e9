import Foundation
import GRDB
import WorkoutHistory

extension HistoryStore {
  package var sync: SyncExchange { SyncExchange(store: self) }
}

/// The state of synchronization between a person's local rows and their center.
package struct SyncPeer: Sendable, Hashable {
  package var device: String
  /// The center's id; nil before the first sync.
  package var center: String?
  package var position: Int64
}

/// A snapshot of an object that has not been sent yet.
package struct PendingObject: Sendable, Hashable {
  package var object: SyncObject
  var row: Int64?
  var changeNumber: Int64
}

/// The exchange of objects with a center that keeps copies of a history equal.
///
/// `HistorySync` calls `peer`, `begin`, `merge` until the center has nothing new, then `pendingObjects` and
/// `acknowledge` until nothing is pending. Each call is one durable transaction and may be repeated.
public struct SyncExchange: Sendable {
  /// The version of the exchange format. It increases when ``SyncTable/all`` grows.
  package static let version = 1

  let store: HistoryStore

  package func peer(user: HistoryUser.ID = .local) throws -> SyncPeer {
    try store.read { db in
      SyncPeer(
        device: try HistoryClock(db).device, center: try SyncSession(db: db, user: user).center(),
        position: try db.value("SELECT position FROM sync_peer WHERE userId = ?", user) ?? 0)
    }
  }

  /// Begins a sync: marks all objects as pending if the center has changed, and sets the clock to the
  /// center's. A wrong clock's stamps since the last sync are corrected, to at most the center's time.
  package func begin(with center: String, time: Int64, user: HistoryUser.ID = .local) throws {
    let (isRight, centerBefore) = try store.read { db in
      (try !Self.isClockWrong(db, at: time), try SyncSession(db: db, user: user).center())
    }
    if isRight, centerBefore == center { return }
    try store.write { db in
      try Self.setClock(db, to: time)
      let known = try SyncSession(db: db, user: user).center()
      guard known != center else { return }
      try db.execute(
        """
        INSERT INTO sync_peer (userId, center, position) VALUES (?, ?, 0)
        ON CONFLICT DO UPDATE SET center = excluded.center, position = 0, activePlan = NULL
        """, user, center)
      guard known != nil else { return }
      for table in ["stamp", "tombstone"] {
        try db.execute(
          """
          UPDATE \(table) SET isPending = 1, checksum = NULL
          WHERE isPending = 0 AND (userId = ? OR userId IS NULL)
          """, user)
      }
      try ChangeSealer.sealRecords(db)
    }
  }

  /// Returns pending objects: referenced ones first, and deletions last in reverse order. No stamp is later
  /// than `time`, even if the machine's clock has been set since the sync began.
  package func pendingObjects(
    at time: Int64, user: HistoryUser.ID = .local, limit: Int
  ) throws -> [PendingObject] {
    // Changes from now on are later than the sent ones. Nothing is written if nothing is pending.
    let objects = try store.read {
      try SyncSession(db: $0, user: user).pendingObjects(limit: limit)
    }
    guard !objects.isEmpty else { return [] }
    return try store.write { db in
      try Self.setClock(db, to: time)
      try db.execute("UPDATE clock SET floor = max(floor, time)")
      return try SyncSession(db: db, user: user).pendingObjects(limit: limit)
    }
  }

  /// Marks objects as durable at the center. Objects changed in the meantime stay pending.
  package func acknowledge(
    _ sent: [PendingObject], position: Int64, user: HistoryUser.ID = .local
  ) throws {
    try store.write { db in
      for pending in sent {
        let object = pending.object
        if let row = pending.row {
          try db.execute(
            """
            UPDATE stamp SET isPending = 0, syncedAt = ?, checksum = NULL
            WHERE entity = ? AND row = ? AND number = ?
            """, Date().timeIntervalSince1970, object.entity.rawValue, row, pending.changeNumber)
        }
        try db.execute(
          """
          UPDATE tombstone SET isPending = 0, checksum = NULL
          WHERE userId = ? AND entity = ? AND key = ? AND deletedStamp = ? AND removedStamp = ?
          """, user, object.entity.rawValue, object.key, object.deletion.stamp.text,
          object.removal.stamp.text)
      }
      try ChangeSealer.sealRecords(db)
      try SyncSession(db: db, user: user).setPosition(position)
    }
  }
}
