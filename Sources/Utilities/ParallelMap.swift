import Dispatch

/// Calls `body` with 0, 1, … on as many threads as there are processors, and returns what it
/// returned in that order.
package func mapInParallel<T>(_ count: Int, _ body: @escaping (Int) -> T) -> [T] {
  guard count > 1 else { return (0..<count).map(body) }
  // Every call writes its own element, and all are done when this one returns.
  nonisolated(unsafe) let body = body
  return [T](unsafeUninitializedCapacity: count) { buffer, initialized in
    nonisolated(unsafe) let results = buffer
    DispatchQueue.concurrentPerform(iterations: count) { index in
      results.initializeElement(at: index, to: body(index))
    }
    initialized = count
  }
}
