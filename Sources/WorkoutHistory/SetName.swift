/// The key of a set among its owner's sets: its session and its id.
///
/// Sets of two sessions may have equal ids. If the source names no set, the key is derived from the recording's
/// digest, which is unique without a session. Recordings are identified likewise. The parts are columns of
/// either table, and therefore plain text.
struct SetName: Hashable {
  /// The session's id. Empty if the source names none, or if ``key`` is derived from a digest.
  var session: String
  var key: String

  init(session: String?, key: String) {
    self.session = session ?? ""
    self.key = key
  }

  /// Parses `SESSION/KEY`, or a key alone, as in the column `globalKey`.
  ///
  /// In the session, `%` is escaped as `%25` and `/` as `%2F`. A key without a session that contains a `/` is
  /// prefixed with one.
  init(globalKey: String) {
    // Compared by bytes: a slash before a combining mark is not a Character of its own.
    let bytes = globalKey.utf8
    guard let slash = bytes.firstIndex(of: UInt8(ascii: "/")) else {
      self.init(session: nil, key: globalKey)
      return
    }
    let session = Array(bytes[..<slash]).replacing("%2F".utf8, with: "/".utf8)
      .replacing("%25".utf8, with: "%".utf8)
    self.init(
      session: String(decoding: session, as: UTF8.self),
      key: String(globalKey[bytes.index(after: slash)...]))
  }
}
