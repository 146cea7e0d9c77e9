import Dispatch
import Synchronization

/// Calls `body` with 0, 1, … on as many threads as there are processors, at most `width`, and returns the
/// results in that order. A thread that is done with one number takes the next.
package func mapInParallel<T>(
  _ count: Int, width: Int = .max, _ body: @escaping (Int) -> T
) -> [T] {
  let threads = min(count, width)
  guard threads > 1 else { return (0..<count).map(body) }
  // Every call writes its own element, and all calls finish before this function returns.
  nonisolated(unsafe) let body = body
  let next = Atomic(0)
  return [T](unsafeUninitializedCapacity: count) { buffer, initialized in
    nonisolated(unsafe) let results = buffer
    DispatchQueue.concurrentPerform(iterations: threads) { _ in
      while true {
        let index = next.add(1, ordering: .relaxed).oldValue
        guard index < count else { return }
        results.initializeElement(at: index, to: body(index))
      }
    }
    initialized = count
  }
}
