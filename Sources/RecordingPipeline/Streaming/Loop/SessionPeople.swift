import WorkoutHistory

/// The people of the sessions in a store.
package struct SessionPeople: Sendable {
  private let history: HistoryStore

  package init(_ history: HistoryStore) { self.history = history }

  /// The person of a session; nil if the store has nothing of it, or nobody was named.
  package func person(ofSession id: String) -> String? {
    let store = RouterStore(history.journal)
    return store.facts(id.uppercased())?.person ?? store.session(id)?.person
  }
}
