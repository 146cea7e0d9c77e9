/// The key of a set or recording among its owner's: session and id. If the source names no set, the key is
/// derived from the recording's digest, which is unique without a session.
package struct SetName: Hashable, Sendable {
  /// The session's id; empty if the source names none or ``key`` is derived from a digest.
  package var session: String
  package var key: String

  package init(session: String?, key: String) {
    self.session = session ?? ""
    self.key = key
  }

  /// Parses `SESSION/KEY` or a key alone, as in the column `globalKey`.
  ///
  /// `%` and `/` in the session are escaped as `%25` and `%2F`. A `/` precedes a key with `/` but no session.
  package init(globalKey: String) {
    // Compared by bytes, since a slash before a combining mark is part of another Character.
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

  package var globalKey: String {
    guard !session.isEmpty else { return key.utf8.contains(UInt8(ascii: "/")) ? "/" + key : key }
    let escaped = session.replacing("%", with: "%25").replacing("/", with: "%2F")
    return escaped + "/" + key
  }
}

/// Names of sets without an id. They are found by the stream's name of their recording, because late samples
/// change the digest from which the key of their rows is derived.
extension SetName {
  private static let (detected, numbered) = ("found-", "set-")

  package init(session: String?, detected number: Int) {
    self.init(session: session, key: Self.detected + String(number))
  }

  package init(session: String?, numbered number: Int) {
    self.init(session: session, key: Self.numbered + String(number))
  }

  package var detectedNumber: Int? { number(after: Self.detected) }

  package var declaredNumber: Int? { number(after: Self.numbered) }

  private func number(after prefix: String) -> Int? {
    guard key.hasPrefix(prefix), let number = Int(key.dropFirst(prefix.count)), number > 0,
      key == prefix + String(number)
    else { return nil }
    return number
  }
}
