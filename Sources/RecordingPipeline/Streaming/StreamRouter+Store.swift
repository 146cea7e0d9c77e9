import ChunkDecoding
import Motion
import RecordingInput
import WorkoutHistory

/// Facts from earlier runs, and facts for the store.
extension StreamRouter {
  /// Returns whether the person of a session in memory is known.
  func knowsPerson(ofSession id: String) -> Bool {
    resolver.sessions[id.uppercased()]?.person != nil
  }

  /// - Parameter isContested: Whether the history and the next message disagree about the session's person.
  mutating func note(session id: String, isContested: Bool) {
    let session = id.uppercased()
    load(session, as: id)
    guard isContested || resolver.sessions[session] != nil else { return }
    resolver.change(session) { $0.isContested = isContested }
  }

  mutating func note(_ deleted: DeletedKeys) { resolver.note(deleted) }

  /// Removes and returns the facts that have changed.
  mutating func takeContexts() -> [JournalContext] {
    resolver.takeChanged().compactMap { session in
      resolver.sessions[session].map {
        JournalContext(session: session, state: $0.text(isLast: session == resolver.current))
      }
    }
  }

  /// Removes and returns the sessions that have ended.
  mutating func takeEndedSessions() -> [String] {
    defer { endedSessions = [] }
    return endedSessions.sorted()
  }

  mutating func recover(_ contexts: [JournalContext]) {
    let facts = contexts.compactMap { context in
      SessionFacts.parse(context.state).map { (context.session, $0, $1) }
    }
    for (session, facts, _) in facts { resolver.load(facts, as: session) }
    resolver.load(current: facts.last { $0.2 }?.0 ?? "", facts: store.facts)
  }

  mutating func recover(_ set: JournalSet, as key: StreamKey, samples: Int, isEnded: Bool) {
    let session = set.identity.sessionId?.uppercased() ?? key.session
    registry.load(set, as: key, session: session, samples: samples, isEnded: isEnded)
    load(session, as: set.identity.sessionId)
    if case .set(_, let id) = key {
      resolver.loadSet(
        id, in: session, key: key, exercise: set.identity.exerciseId, isEnded: isEnded)
    }
    resolver.change(session) { facts in
      if set.kind != .found { facts.hasDeclaredSets = true }
      facts.spelling = facts.spelling ?? set.identity.sessionId
    }
  }
}
