import Motion

/// The sessions in which each set id occurs. A set without a session is the set of that id, if unique.
struct SessionsOfSets {
  /// Sessions by set id. All ids are in capitals, since they are case-insensitive.
  private var sessions: [String: Set<String>] = [:]

  mutating func insert(_ identity: SetIdentity) {
    guard let set = identity.setId, let session = identity.sessionId, !session.isEmpty else {
      return
    }
    sessions[set.uppercased(), default: []].insert(session.uppercased())
  }

  /// Returns the session of a message's ids, in capitals; empty if unknown.
  func session(of identity: SetIdentity) -> String {
    if let own = identity.sessionId, !own.isEmpty { return own.uppercased() }
    guard let set = identity.setId, let known = sessions[set.uppercased()], known.count == 1 else {
      return ""
    }
    return known.first ?? ""
  }
}
