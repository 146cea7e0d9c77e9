import Motion

/// The sessions in which each set's id occurs. A set whose session is not named is the one of that
/// id, where there is only one.
struct SessionsOfSets {
  /// All ids in capitals: they are compared without regard to case.
  private var sessions: [String: Set<String>] = [:]

  mutating func insert(_ identity: SetIdentity) {
    guard let set = identity.setId, let session = identity.sessionId, !session.isEmpty else {
      return
    }
    sessions[set.uppercased(), default: []].insert(session.uppercased())
  }

  /// The session that ids belong to, in capitals; empty where none is known.
  func session(of identity: SetIdentity) -> String {
    if let own = identity.sessionId, !own.isEmpty { return own.uppercased() }
    guard let set = identity.setId, let known = sessions[set.uppercased()], known.count == 1 else {
      return ""
    }
    return known.first ?? ""
  }
}
