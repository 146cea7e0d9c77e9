import Foundation
import GRDB

/// An untrusted JSON object from another copy of the history: a member of an unexpected type counts as absent.
struct MetadataObject {
  private var members: [String: Any]

  /// - Throws: ``HistoryError/invalidValue(reason:)`` if the text is not a JSON object.
  init(json: String) throws {
    let value = try? JSONSerialization.jsonObject(with: Data(json.utf8))
    guard let members = value as? [String: Any] else {
      throw HistoryError.invalidValue(reason: "the metadata of a change is no JSON object")
    }
    self.members = members
  }

  init(members: [String: Any]) { self.members = members }

  func contains(_ name: String) -> Bool { members[name] != nil }

  func text(_ name: String) -> String? { members[name] as? String }

  func texts(_ name: String) -> [String] {
    (members[name] as? [Any])?.compactMap { $0 as? String } ?? []
  }

  func number(_ name: String) -> Double? {
    guard let number = members[name] as? NSNumber, !(members[name] is String) else { return nil }
    let value = number.doubleValue
    return value.isFinite ? value : nil
  }

  func integer(_ name: String) -> Int? { number(name).flatMap { Int(exactly: $0) } }

  func objects(_ name: String) -> [MetadataObject] {
    (members[name] as? [Any])?.compactMap { ($0 as? [String: Any]).map(MetadataObject.init) } ?? []
  }

  /// A member as a column keeps it.
  func value(_ name: String) -> DatabaseValue {
    if let text = text(name) { return text.databaseValue }
    if let integer = integer(name) { return integer.databaseValue }
    if let number = number(name) { return number.databaseValue }
    return .null
  }
}
