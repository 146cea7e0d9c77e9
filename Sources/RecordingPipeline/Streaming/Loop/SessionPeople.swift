import WorkoutHistory

/// The owners of the sessions in a store.
package struct SessionPeople: Sendable {
  private let history: HistoryStore

  package init(_ history: HistoryStore) { self.history = history }

  /// Returns the person of a session; nil if the store has no such session or it names nobody.
  package func person(ofSession id: String) -> String? {
    let store = RouterStore(history.journal)
    return store.facts(id.uppercased())?.person ?? store.session(id)?.person
  }
}
