import MovementAnalysis
import RepDetection
import Synchronization

/// A cache of people's known movements in a history. A person's movements are read on first use, and again
/// after ``forget(_:)``, so that a long-running stream sees what other programs learn.
package final class MovementCache: Sendable {
  private let read: @Sendable (_ person: String) -> KnownMovements?
  private let known = Mutex<[String: KnownMovements?]>([:])
  /// Maximum number of people cached. With many exercises each, they take some hundred megabytes.
  private static let peopleAtMost = 2_000

  /// - Parameter read: Reads a person's movements; called on any thread.
  package init(read: @escaping @Sendable (_ person: String) -> KnownMovements?) { self.read = read }

  /// Returns a person's known movements by UUID or login id, case-insensitive; by "" for the store's owner.
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
