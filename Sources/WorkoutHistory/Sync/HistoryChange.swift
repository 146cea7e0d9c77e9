import Foundation

/// A change of the history, for clients that follow it: metadata only, never samples.
///
/// For an object that changed many times, only the last change is listed.
package struct HistoryChange: Sendable, Hashable {
  /// The number of the change, which increases with every change. Pass it to the next query.
  package var number: Int64
  package var entity: SyncEntity
  /// The object's permanent key among its owner's objects.
  package var key: String
  /// The owner's row; nil for shared objects and for deleted persons.
  package var user: HistoryUser.ID?
  package var isDeletion: Bool
  package var isSynced: Bool
  package var changedAt: Date
  /// The object's members as JSON; nil for a deletion.
  package var metadata: String?
}

extension SyncEntity {
  /// The kinds of objects that the record of changes lists.
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
