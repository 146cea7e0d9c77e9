/// An ongoing run of movements: first a potential set, and once announced a set under way.
struct ActiveSet: Sendable, Codable {
  var start: Double
  var end: Double
  var period: Double
  /// Chains observed in the run; overlapping ones of about the same tempo are merged.
  private(set) var chains: [MovementChain] = []
  /// True if the set was announced. A set whose probability is too low is tracked silently.
  var isAnnounced = false
  /// Tracks the set; nil until the movement is recognized.
  var tracker: LiveTracker?
  /// True if it was announced as a bout of the open set.
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
      $0.start <= chain.end && chain.start <= $0.end
        && DetectorConfiguration.haveSameTempo($0.period, chain.period)
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
