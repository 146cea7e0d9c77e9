import RepDetection
import Synchronization
import WorkoutHistory

/// Caches the known movements of a history's people. A person's movements are read on first use, and again
/// after ``forget(_:)``, so that a stream that runs for months sees what other programs learn.
package final class MovementCache: Sendable {
  private let read: @Sendable (_ person: String) -> KnownMovements?
  private let known = Mutex<[String: KnownMovements?]>([:])
  /// Maximum number of people cached: some hundred megabytes if each has many exercises.
  private static let peopleAtMost = 2_000

  package init(_ store: HistoryStore) {
    read = { person in
      let user = person.isEmpty ? nil : try? store.users.user(HistoryUser.Key(person))
      guard let id = person.isEmpty ? HistoryStore.localUser : user?.id else { return nil }
      let movements = try? KnownMovements(store, user: id)
      return movements?.isEmpty == false ? movements : nil
    }
  }

  /// - Parameter person: UUID or login id, case-insensitive; empty for the store's owner.
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
