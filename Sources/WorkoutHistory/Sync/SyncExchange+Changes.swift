import Foundation
import GRDB

extension SyncExchange {
  /// What has changed since a change, deletions included, in order.
  ///
  /// - Parameters:
  ///   - number: The last change that is known; 0 for all.
  ///   - user: Of a person, and of what all share; nil: of everybody.
  ///   - pendingOnly: Only what has not been synced. Deletions always count.
  ///   - limit: Changes at most; ask again from the last one's number.
  public func changes(
    since number: Int64 = 0, user: HistoryUser.ID? = nil, pendingOnly: Bool = false,
    limit: Int = 1000
  ) throws -> [HistoryChange] {
    try store.read { db in
      var changes: [HistoryChange] = []
      let entities: [HistoryEntity?] = HistoryEntity.allCases.map { $0 } + [nil]
      for entity in entities {
        var arguments: StatementArguments = ["since": number, "limit": limit]
        if let user { arguments += ["user": user] }
        let sql = Self.changesQuery(
          entity, hasUser: user != nil, pendingOnly: pendingOnly && entity != nil)
        changes += try Row.fetchAll(db.cachedStatement(sql: sql), arguments: arguments).compactMap {
          row in
          try HistoryEntity(rawValue: row.value("entity")).map {
            HistoryChange(
              number: try row.value("changeNumber"), entity: $0, key: try row.value("key"),
              user: try row.value("userId"),
              isDeletion: entity == nil, isSynced: try row.value("isSynced") == 1,
              changedAt: try row.date("changedAt") ?? Date(timeIntervalSince1970: 0),
              metadata: try row.value("metadata"))
          }
        }
      }
      changes.sort { $0.number < $1.number }
      return Array(changes.prefix(max(0, limit)))
    }
  }

  /// The number of the last change.
  public func lastChangeNumber() throws -> Int64 {
    try store.read { try Int64.fetchOne($0, sql: "SELECT value FROM changeCounter") ?? 0 }
  }

  /// The changes of an entity, or of deletions where it is nil. The plus signs keep SQLite from
  /// looking for owners first and sorting afterwards.
  static func changesQuery(
    _ entity: HistoryEntity?, hasUser: Bool, pendingOnly: Bool
  ) -> String {
    guard let entity else {
      return """
        SELECT changeNumber, entity, key, userId, 0 AS isSynced, deletedAt AS changedAt,
          NULL AS metadata FROM deletion
        WHERE changeNumber > :since \(hasUser ? "AND (+userId = :user OR +userId IS NULL)" : "")
        ORDER BY changeNumber LIMIT :limit
        """
    }
    let document = SyncDocument.of(entity)
    let owner = entity == .user ? "t.id" : "t.userId"
    return """
      SELECT t.changeNumber, '\(entity.rawValue)' AS entity, \(document.key) AS key,
        \(owner) AS userId, t.cloudSyncStatus AS isSynced, t.updatedAt AS changedAt,
        json_object(\(document.members.map { "'\($0.name)', \($0.expression)" }
          .joined(separator: ", "))) AS metadata
      FROM \(entity.rawValue) t
      WHERE t.changeNumber > :since
        \(hasUser ? "AND (+\(owner) = :user OR +\(owner) IS NULL)" : "")
        \(pendingOnly ? "AND t.cloudSyncStatus = 0" : "")
      ORDER BY t.changeNumber LIMIT :limit
      """
  }
}
