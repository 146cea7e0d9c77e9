import Foundation

/// An untrusted JSON object from another copy of the history: a member of an unexpected type counts as absent.
struct MetadataObject {
  private var members: [String: Any]

  init(members: [String: Any]) { self.members = members }

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
}
