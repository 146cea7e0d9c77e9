import TextFormats

/// What messages of a stream or file belong together.
///
/// Ids are in capitals: they are compared without regard to case. A session is empty where none is
/// known.
package enum StreamKey: Hashable, Sendable, Codable {
  /// A declared set: an id names a set within its session alone.
  case set(session: String, id: String)
  /// A set that was declared without an id, numbered in its session from 1.
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

  /// The name under which a journal keeps it: another one for each key.
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
    "[" + parts.map(JSONObjectText.quoted).joined(separator: ",") + "]"
  }
}
