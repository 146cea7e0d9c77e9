extension SessionResolver {
  /// The reason why a message is refused as a whole.
  enum Refusal: Error, Hashable {
    /// Several sessions have the set open, and the message names no session.
    case ambiguousSet
    /// Several sessions are open, and the message names neither a session nor a set that is open in only one.
    case unnamedSession
    /// The session was started for two people.
    case contestedSession
  }
}

extension SessionResolver {
  /// Sets the person of a session to the first one named. Naming a second person contests the session,
  /// until the first one is named again. A start that names nobody changes nothing.
  mutating func noteStart(
    of session: String, by person: String?, isOnePerson: (_ name: String, _ other: String) -> Bool
  ) {
    guard let person, !person.isEmpty else { return }
    change(session) { facts in
      if let known = facts.person {
        facts.isContested = known.uppercased() != person.uppercased() && !isOnePerson(known, person)
      } else if !facts.isContested {
        facts.person = person
      }
    }
  }
}
