import TextFormats

/// The identity of the set or session to which messages of a stream or file belong.
///
/// Ids are in capitals, since they are case-insensitive. The session is empty if unknown.
package enum StreamKey: Hashable, Sendable, Codable {
  /// A declared set. Its id is unique only within its session.
  case set(session: String, id: String)
  /// A declared set without an id, numbered in its session from 1.
  case numberedSet(session: String, number: Int)
  /// The samples of a session outside of declared sets.
  case session(String)

  package var isDeclaredSet: Bool {
    if case .session = self { false } else { true }
  }

  package var session: String {
    switch self {
    case .set(let session, _), .numberedSet(let session, _), .session(let session): session
    }
  }

  /// The key as unique text, for a journal.
  package var text: String {
    switch self {
    case .session(let session): "session " + session
    case .set("", let id): "set " + id
    case .set(let session, let id): Self.text(["set", session, id])
    case .numberedSet(let session, let number):
      Self.text(["numberedSet", session, String(number)])
    }
  }

  private static func text(_ parts: [String]) -> String {
    JSONObjectText.array(parts.map(JSONObjectText.quoted))
  }
}
