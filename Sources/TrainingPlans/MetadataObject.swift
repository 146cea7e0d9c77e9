import Foundation
import GRDB

/// An untrusted JSON object from another copy of the history. Members of an unexpected type count as absent.
package struct MetadataObject {
  private var members: [String: Any]

  package init(members: [String: Any]) { self.members = members }

  /// Creates an object from its members.
  ///
  /// - Parameter isJSON: Returns whether a member's text is JSON.
  package init(_ values: [(String, SyncValue)], isJSON: (String) -> Bool) throws {
    members = [:]
    for (name, value) in values {
      switch value {
      case .null: break
      case .integer(let integer): members[name] = NSNumber(value: integer)
      case .real(let real): members[name] = NSNumber(value: real)
      case .text(let text) where isJSON(name):
        guard let value = try? JSONSerialization.jsonObject(with: Data(text.utf8)) else {
          throw HistoryError.invalidValue(reason: "\(name) is no JSON")
        }
        members[name] = value
      case .text(let text): members[name] = text
      }
    }
  }

  /// Creates an object from a row's columns.
  ///
  /// - Parameter json: The columns with JSON.
  package init(_ row: Row, json: Set<String> = []) throws {
    try self.init(row.map { ($0, SyncValue($1)) }, isJSON: json.contains)
  }

  package func text(_ name: String) -> String? { members[name] as? String }

  package func texts(_ name: String) -> [String] {
    (members[name] as? [Any])?.compactMap { $0 as? String } ?? []
  }

  package func number(_ name: String) -> Double? {
    guard let number = members[name] as? NSNumber, !(members[name] is String) else { return nil }
    let value = number.doubleValue
    return value.isFinite ? value : nil
  }

  package func integer(_ name: String) -> Int? { number(name).flatMap { Int(exactly: $0) } }

  package func objects(_ name: String) -> [MetadataObject] {
    (members[name] as? [Any])?.compactMap { ($0 as? [String: Any]).map(MetadataObject.init) } ?? []
  }
}
