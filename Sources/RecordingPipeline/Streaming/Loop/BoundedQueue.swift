import Foundation

/// A queue between two threads that holds up who fills it faster than it is emptied.
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
  ///   - capacity: The weight from which on nothing is added to what waits; at least 1.
  ///   - weight: Of an element.
  package init(capacity: Int, weight: @escaping @Sendable (Element) -> Int = { _ in 1 }) {
    self.capacity = max(1, capacity)
    self.weight = weight
  }

  /// Elements that wait.
  package var count: Int { locked { items.count } }

  /// True if an element would have to wait, or is not taken any more.
  package var isFull: Bool { locked { load >= capacity || isCancelled || isClosed } }

  /// Adds an element, waiting while the queue is full.
  ///
  /// - Returns: false if nobody takes elements any more.
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
  /// - Returns: False if it is full, or nobody takes elements any more.
  package func offer(_ element: Element) -> Bool {
    locked {
      guard load < capacity, !isCancelled, !isClosed, failure == nil else { return false }
      items.append(element)
      load += weight(element)
      condition.broadcast()
      return true
    }
  }

  /// The next element, waiting for one; nil after the last.
  ///
  /// - Throws: What the queue failed with, once the elements before are taken.
  package func pop() throws -> Element? { try pop(upTo: 0).first }

  /// The next elements, waiting for one: as many as there are, up to a weight, and one at least; none
  /// after the last. Who is slow thus takes more at once.
  ///
  /// - Throws: What the queue failed with, once the elements before are taken.
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
