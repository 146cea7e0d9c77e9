import Foundation

/// A queue between two threads that blocks the producer while it is full.
package final class BoundedQueue<Element: Sendable>: @unchecked Sendable {
  private let capacity: Int
  private let weight: @Sendable (Element) -> Int
  // Guarded by `condition`.
  private let condition = NSCondition()
  private var items: [Element] = []
  private var load = 0
  private var isClosed = false
  private var isCancelled = false
  private var failure: (any Error)?

  /// - Parameters:
  ///   - capacity: The total weight at which the queue is full; at least 1.
  ///   - weight: Returns the weight of an element.
  package init(capacity: Int, weight: @escaping @Sendable (Element) -> Int = { _ in 1 }) {
    self.capacity = max(1, capacity)
    self.weight = weight
  }

  /// Number of pending elements.
  package var count: Int { locked { items.count } }

  /// True if an element would have to wait, or would be rejected.
  package var isFull: Bool { locked { load >= capacity || isCancelled || isClosed } }

  /// Adds an element, waiting while the queue is full.
  ///
  /// - Returns: False if the queue no longer accepts elements.
  package func push(_ element: Element) -> Bool {
    locked {
      while load >= capacity, !isCancelled { condition.wait() }
      if isCancelled { return false }
      items.append(element)
      load += weight(element)
      condition.broadcast()
      return true
    }
  }

  /// Adds an element if the queue is not full.
  ///
  /// - Returns: False if it is full or no longer accepts elements.
  package func offer(_ element: Element) -> Bool {
    locked {
      guard load < capacity, !isCancelled, !isClosed, failure == nil else { return false }
      items.append(element)
      load += weight(element)
      condition.broadcast()
      return true
    }
  }

  /// Returns the next element, waiting for one; nil after the last.
  ///
  /// - Throws: The error passed to ``fail(_:)``, once all earlier elements are taken.
  package func pop() throws -> Element? { try pop(upTo: 0).first }

  /// Returns the available elements up to a weight, but at least one, waiting for it; none after the last.
  /// A slow consumer thus takes more at once.
  ///
  /// - Throws: The error passed to ``fail(_:)``, once all earlier elements are taken.
  package func pop(upTo limit: Int) throws -> [Element] {
    try locked {
      while items.isEmpty, !isClosed, !isCancelled, failure == nil { condition.wait() }
      if isCancelled { return [] }
      guard let first = items.first else {
        if let failure { throw failure }
        return []
      }
      var sum = weight(first)
      var count = 1
      while count < items.count, sum + weight(items[count]) <= limit {
        sum += weight(items[count])
        count += 1
      }
      defer { condition.broadcast() }
      load -= sum
      defer { items.removeFirst(count) }
      return Array(items[..<count])
    }
  }

  /// Ends the queue; no more elements are accepted.
  package func close() { change { isClosed = true } }

  /// Ends the queue with an error.
  package func fail(_ error: any Error) { change { failure = error } }

  /// Rejects further elements and drops the pending ones.
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
