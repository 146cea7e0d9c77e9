import RepDetection
import Synchronization
import WorkoutHistory

/// What a history knows of how its people move. It is read when a person's movements are first needed, and again
/// after ``forget(_:)``, so that what other programs learn reaches a stream that runs for months.
package final class MovementCache: Sendable {
  private let read: @Sendable (_ person: String) -> KnownMovements?
  private let known = Mutex<[String: KnownMovements?]>([:])
  /// Chosen: some hundred megabytes where everybody has many exercises.
  private static let peopleAtMost = 2_000

  package init(_ store: HistoryStore) {
    read = { person in
      let user = person.isEmpty ? nil : try? store.users.user(HistoryUser.Key(person))
      guard let id = person.isEmpty ? HistoryStore.localUser : user?.id else { return nil }
      let movements = try? KnownMovements(store, user: id)
      return movements?.isEmpty == false ? movements : nil
    }
  }

  /// - Parameter person: Their uuid or login id in any spelling; the store's owner by an empty name.
  package func movements(of person: String) -> KnownMovements? {
    let name = person.uppercased()
    if let known = known.withLock({ $0[name] }) { return known }
    let found = read(person)
    known.withLock {
      if $0.count >= Self.peopleAtMost { $0 = [:] }
      $0[name] = .some(found)
    }
    return found
  }

  package func forget(_ person: String) { known.withLock { $0[person.uppercased()] = nil } }
}
