import Motion
import RecordingInput
import Testing
import WorkoutHistory

@testable import RecordingPipeline

/// Limits of what is in memory, without a stream.
@Suite struct SetRegistryTests {
  private func key(_ number: Int) -> StreamKey { .set(session: "S", id: "\(number)") }

  private func registry(
    live: Int = 100, ended: Int = 100, samples: Int = 1_000, keepsJournal: Bool = false
  ) -> SetRegistry {
    var options = StreamOptions()
    (options.liveSets, options.endedSets, options.samples) = (live, ended, samples)
    options.keepsJournal = keepsJournal
    return SetRegistry(options: options)
  }

  private func touch(_ registry: inout SetRegistry, _ number: Int, samples: Int = 1) {
    _ = registry.touch(
      key(number), kind: .declared, identity: SetIdentity(setId: "\(number)"), session: "S")
    registry.add(samples, hash: UInt64(registry.batch << 8 + number), to: key(number))
  }

  private func orders(_ registry: inout SetRegistry) -> [String] {
    var orders: [String] = []
    while let order = registry.nextOrder() {
      switch order {
      case .finalize(let key, _):
        orders.append("finalize \(key.text)")
        registry.end(key)
      case .save(let key):
        orders.append("save \(key.text)")
        registry.noteSaved(key)
      case .forget(let key):
        orders.append("forget \(key.text)")
        registry.remove(key)
      }
    }
    return orders
  }

  @Test func theLeastRecentlyActiveSetIsFinalized() {
    var registry = registry(live: 2)
    for number in [1, 2, 1, 3] { touch(&registry, number) }
    #expect(orders(&registry) == ["finalize \(key(2).text)"])
    #expect(registry.liveCount == 2 && registry.endedCount == 1)
  }

  @Test func endedSetsAreEvictedFirst() {
    var registry = registry(samples: 10)
    for number in 1...3 { touch(&registry, number, samples: 4) }
    registry.end(key(3))
    #expect(orders(&registry) == ["forget \(key(3).text)"])
    touch(&registry, 4, samples: 9)
    #expect(orders(&registry).first == "finalize \(key(1).text)")
  }

  /// A set leaves memory only once the store is certain to have it: saved, and some batches later.
  @Test func unsavedSetsStayInMemory() {
    var registry = registry(ended: 0, keepsJournal: true)
    touch(&registry, 1)
    registry.end(key(1))
    touch(&registry, 1, samples: 2)
    #expect(registry.isExtended(key(1)))
    #expect(orders(&registry) == ["save \(key(1).text)"])
    for _ in 0..<5 {
      registry.beginBatch()
      #expect(orders(&registry).isEmpty)
    }
    registry.beginBatch()
    #expect(orders(&registry) == ["forget \(key(1).text)"])
    #expect(registry.entries.isEmpty && !registry.hasMembers("S"))
  }
}
