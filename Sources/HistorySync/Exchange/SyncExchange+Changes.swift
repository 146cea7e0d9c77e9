import Foundation
import GRDB
import WorkoutHistory

extension SyncExchange {
  /// Returns the changes after a number in order. Deletions are included even with `pendingOnly`.
  package func changes(
    since number: Int64 = 0, user: HistoryUser.ID? = nil, pendingOnly: Bool = false,
    limit: Int = 1000
  ) throws -> [HistoryChange] {
    try store.read { db in
      let arguments: StatementArguments =
        ["since": number, "limit": max(0, limit)] + (user.map { ["user": $0] } ?? [:])
      let rows = try ["stamp", "tombstone"].flatMap { table in
        try db.rows(
          Self.changesQuery(table, hasUser: user != nil, pendingOnly: pendingOnly), arguments
        ).map { (number: try $0.value("number") as Int64, row: $0) }
      }.sorted { $0.number < $1.number }.prefix(max(0, limit)).map(\.row)
      return try rows.compactMap { row in
        guard try row.value("isDamaged") != true else {
          let number: Int64 = try row.value("number")
          throw HistoryError.damaged(reason: "change \(number): its record is not what was written")
        }
        guard let entity = SyncEntity(rawValue: try row.value("entity")) else { return nil }
        let id: Int64? = try row.value("row")
        return HistoryChange(
          number: try row.value("number"), entity: entity, key: try row.value("key"),
          user: try row.value("userId"), isDeletion: id == nil,
          isSynced: try row.value("isSynced") == 1,
          changedAt: Date(timeIntervalSince1970: try row.value("changedAt")),
          metadata: try id.flatMap {
            try db.value(SyncTable.of(entity).metadataQuery, $0)
          })
      }
    }
  }

  /// Returns the SQL of changes, or deletions, in order. The plus signs prevent SQLite from searching for
  /// owners first and sorting afterwards.
  static func changesQuery(_ table: String, hasUser: Bool, pendingOnly: Bool) -> String {
    let entities = SyncEntity.listed.map { "\($0.rawValue)" }.joined(separator: ", ")
    let isStamp = table == "stamp"
    let isTheirs = "AND (+userId = :user OR +userId IS \(isStamp ? "NULL" : "0"))"
    return """
      SELECT number, entity, \(isStamp ? "row" : "NULL AS row"), key, nullif(userId, 0) AS userId,
        \(isStamp ? "isPending = 0" : "0") AS isSynced, changedAt / 1000.0 AS changedAt,
        \(ProtectedTable.named(table).isDamaged()) AS isDamaged
      FROM \(table) WHERE number > :since AND +entity IN (\(entities)) \(hasUser ? isTheirs : "")
        \(isStamp ? "" : "AND (deleted = 1 OR removed = 1)")
        \(isStamp && pendingOnly ? "AND +isPending = 1" : "")
      ORDER BY number LIMIT :limit
      """
  }
}

/// The last change of an object, for clients that follow the history: metadata only, never samples.
package struct HistoryChange: Sendable, Hashable {
  /// The number of the change, which increases with every change. Pass it to the next query.
  package var number: Int64
  package var entity: SyncEntity
  /// The object's permanent key among its owner's objects.
  package var key: String
  package var user: HistoryUser.ID?
  package var isDeletion: Bool
  package var isSynced: Bool
  package var changedAt: Date
  /// The object's members as JSON; nil for a deletion.
  package var metadata: String?
}

extension SyncEntity {
  /// The entities that the record of changes lists.
  static let listed = allCases.filter { $0 != .recording && $0 != .deletedSamples }
}

extension SyncTable {
  /// The SQL of a row's members as a JSON object. Argument: the row number.
  var metadataQuery: String {
    let parts = members.map { member in
      let value = member.expression
      return member.kind == .json
        ? "'\(member.name)', CASE WHEN json_valid(\(value)) THEN json(\(value)) END"
        : "'\(member.name)', \(value)"
    }
    return "SELECT json_object(\(parts.joined(separator: ", "))) FROM \(name) t WHERE t.id = ?"
  }
}
