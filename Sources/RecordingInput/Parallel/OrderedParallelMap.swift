#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Transforms `items` on up to `width` threads and hands the results to `deliver` in the order of
/// the items, each as soon as all before it are there.
///
/// At most `2 × width` items are under way or wait for a slow predecessor, so memory stays bounded
/// however many there are; while `deliver` runs, the threads go on with those. The first error that
/// `deliver` throws ends the work and is thrown on.
///
/// - Parameter isolation: where `deliver` runs: on the caller's actor.
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
