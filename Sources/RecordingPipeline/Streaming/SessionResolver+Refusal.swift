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
