extension SessionResolver {
  /// Why a message is refused as a whole.
  enum Refusal: Error, Hashable {
    /// Several sessions have the set open, and the message names none.
    case ambiguousSet
    /// Several sessions are open, and the message names neither one nor a set that only one has open.
    case unnamedSession
    /// The session was started for two people.
    case contestedSession
  }
}

extension SessionResolver {
  /// Fixes the person of a session, who is the first one named; a second one contests it, until the first
  /// is named again. A start that names nobody claims nothing.
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
