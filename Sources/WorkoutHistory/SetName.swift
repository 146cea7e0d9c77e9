/// What a set is known by among its owner's: its session and its id.
///
/// Two sessions may call a set the same. Where the source names no set, its key is made from the
/// recording's digest, which is enough without a session. A recording is known in the same way: the
/// parts are columns of either, and so plain text.
struct SetName: Hashable {
  /// Empty where the source names no session, or where ``key`` is made from a digest.
  var session: String
  var key: String

  init(session: String?, key: String) {
    self.session = session ?? ""
    self.key = key
  }

  /// Reads `SESSION/KEY`, or a key alone: what the column `globalKey` holds.
  ///
  /// In the session, `%` is written `%25` and `/` is written `%2F`; a key without session that has a
  /// `/` in it begins with one.
  init(globalKey: String) {
    // By bytes: a slash before a combining mark is no Character of its own.
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
