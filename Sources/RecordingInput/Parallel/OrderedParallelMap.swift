#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Transforms `items` on up to `width` threads and passes the results to `deliver` in the order of the items,
/// each as soon as all earlier ones are available.
///
/// At most `2 × width` items are in progress or wait for a slow predecessor, so memory is bounded for any
/// number of items. The threads continue while `deliver` runs. An error of `deliver` ends the work.
///
/// - Parameter isolation: The caller's actor, on which `deliver` runs.
package func mapInOrder<Item: Sendable, Result: Sendable>(
  _ items: [Item], width: Int = ProcessInfo.processInfo.activeProcessorCount,
  isolation: isolated (any Actor)? = #isolation,
  _ transform: @escaping @Sendable (Item) -> Result, deliver: (Result) throws -> Void
) async throws {
  let window = max(1, width) * 2
  try await withThrowingTaskGroup(of: (Int, Result).self) { group in
    _ = isolation
    var nextToStart = 0
    var nextToDeliver = 0
    var waiting: [Int: Result] = [:]
    while nextToDeliver < items.count {
      while nextToStart < items.count, nextToStart - nextToDeliver < window {
        let index = nextToStart
        let item = items[index]
        group.addTask { (index, transform(item)) }
        nextToStart += 1
      }
      guard let (index, result) = try await group.next() else { break }
      waiting[index] = result
      while let result = waiting.removeValue(forKey: nextToDeliver) {
        nextToDeliver += 1
        try deliver(result)
      }
    }
  }
}
