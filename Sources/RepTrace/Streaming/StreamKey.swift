import Foundation
import Motion
import TimelineStore

/// What messages of a stream or file belong together.
///
/// Ids are in capitals: they are compared without regard to case. A session is empty where none is
/// known.
enum StreamKey: Hashable, Sendable {
  /// A declared set: an id names a set within its session alone.
  case set(session: String, id: String)
  /// A set that was declared without an id, numbered in its session from 1.
  case numberedSet(session: String, number: Int)
  /// The samples of a session outside of declared sets.
  case session(String)

  var isDeclaredSet: Bool {
    if case .session = self { false } else { true }
  }

  var session: String {
    switch self {
    case .set(let session, _), .numberedSet(let session, _), .session(let session): session
    }
  }

  /// The name under which a journal keeps it: another one for each key.
  var text: String {
    switch self {
    case .session(let session): "session " + session
    case .set("", let id): "set " + id
    case .set(let session, let id): Self.text(["set", session, id])
    case .numberedSet(let session, let number):
      Self.text(["numberedSet", session, String(number)])
    }
  }

  private static func text(_ parts: [String]) -> String {
    "[" + parts.map(JSONObjectText.quoted).joined(separator: ",") + "]"
  }

  /// The key of what a journal has kept; nil for a name that no program gives.
  ///
  /// Older programs named a set by its id alone.
  init?(_ set: JournalSet) {
    if set.key.hasPrefix("[") {
      let parts = (try? JSONDecoder().decode([String].self, from: Data(set.key.utf8))) ?? []
      guard parts.count == 3 else { return nil }
      switch parts[0] {
      case "set": self = .set(session: parts[1], id: parts[2])
      case "numberedSet": self = .numberedSet(session: parts[1], number: Int(parts[2]) ?? 0)
      default: return nil
      }
    } else if set.kind != .declared {
      self = .session(String(set.key.dropFirst("session ".count)))
    } else if set.key.hasPrefix("set ") {
      self = .set(
        session: set.identity.sessionId?.uppercased() ?? "", id: String(set.key.dropFirst(4)))
    } else if let range = set.key.range(of: " set #", options: .backwards) {
      self = .numberedSet(
        session: String(set.key[..<range.lowerBound].dropFirst("session ".count)),
        number: Int(set.key[range.upperBound...]) ?? 0)
    } else {
      return nil
    }
  }
}
