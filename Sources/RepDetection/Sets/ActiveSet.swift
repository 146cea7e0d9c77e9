/// A run of movements that goes on: a set in the making, and once announced a set under way.
struct ActiveSet: Sendable, Codable {
  var start: Double
  var end: Double
  var period: Double
  /// The chains that were seen of it; overlapping ones of about the same tempo are one.
  private(set) var chains: [MovementChain] = []
  /// Whether it was announced. What is hardly a set is followed in silence.
  var isAnnounced = false
  /// Present once the movement was recognised.
  var tracker: LiveTracker?
  /// Whether it was announced as a bout of the set that is open.
  var isContinuation = false

  init(_ chain: MovementChain, after previousEnd: Double) {
    start = .infinity
    end = chain.end
    period = chain.period
    note(chain, after: previousEnd)
  }

  mutating func note(_ chain: MovementChain, after previousEnd: Double) {
    start = min(start, max(chain.start, previousEnd))
    end = max(end, chain.end)
    let known = chains.firstIndex {
      $0.start <= chain.end && chain.start <= $0.end && chain.period < 1.25 * $0.period
        && $0.period < 1.25 * chain.period
    }
    if let known {
      chains[known].start = min(chains[known].start, chain.start)
      chains[known].end = max(chains[known].end, chain.end)
      chains[known].weight = max(chains[known].weight, chain.weight)
      chains[known].count = max(chains[known].count, chain.count)
    } else if chains.count < 16 {
      chains.append(chain)
    }
  }
}
