import Foundation

/// A queue between two threads that holds up who fills it faster than it is emptied.
package final class BoundedQueue<Element: Sendable>: @unchecked Sendable {
  private let capacity: Int
  // Guarded by `condition`.
  private let condition = NSCondition()
  private var items: [Element] = []
  private var isClosed = false
  private var isCancelled = false
  private var failure: (any Error)?

  /// - Parameter capacity: Elements that may wait; at least 1.
  package init(capacity: Int) { self.capacity = max(1, capacity) }

  /// Elements that wait.
  package var count: Int { locked { items.count } }

  /// Adds an element, waiting while the queue is full.
  ///
  /// - Returns: false if nobody takes elements any more.
  package func push(_ element: Element) -> Bool {
    locked {
      while items.count >= capacity, !isCancelled { condition.wait() }
      if isCancelled { return false }
      items.append(element)
      condition.broadcast()
      return true
    }
  }

  /// The next element, waiting for one; nil after the last.
  ///
  /// - Throws: What the queue failed with, once the elements before are taken.
  package func pop() throws -> Element? {
    try locked {
      while items.isEmpty, !isClosed, !isCancelled, failure == nil { condition.wait() }
      if isCancelled { return nil }
      if !items.isEmpty {
        defer { condition.broadcast() }
        return items.removeFirst()
      }
      if let failure { throw failure }
      return nil
    }
  }

  /// No more elements will come.
  package func close() { change { isClosed = true } }

  /// No more elements will come, because of an error.
  package func fail(_ error: any Error) { change { failure = error } }

  /// No more elements will be taken; those that wait are dropped.
  package func cancel() {
    change {
      isCancelled = true
      items = []
    }
  }

  private func change(_ body: () -> Void) {
    locked {
      body()
      condition.broadcast()
    }
  }

  private func locked<T>(_ body: () throws -> T) rethrows -> T {
    condition.lock()
    defer { condition.unlock() }
    return try body()
  }
}
