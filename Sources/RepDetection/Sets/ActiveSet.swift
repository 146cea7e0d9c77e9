/// A row of movements that goes on: a set in the making, and once announced a set under way
/// (step 9).
struct ActiveSet: Sendable, Codable {
  var start: Double
  var end: Double
  var period: Double
  /// The longest period that it was ever read with, s.
  var slowestPeriod: Double
  /// The rows that were seen of it; overlapping ones of about the same tempo are one.
  private(set) var rows: [MovementChain] = []
  /// Present once the set was recognised.
  var tracker: LiveTracker?
  /// Whether it is not announced yet, as another set is open that it may not end: nothing is said of
  /// what the tracker counts.
  var isSilent = false
  /// Whether it was announced as a bout of the set that is open.
  var isContinuation = false

  init(_ row: MovementChain, after previousEnd: Double) {
    start = max(row.start, previousEnd)
    end = row.end
    period = row.period
    slowestPeriod = row.period
    note(row)
  }

  mutating func note(_ row: MovementChain) {
    let known = rows.firstIndex {
      $0.start <= row.end && row.start <= $0.end && row.period < 1.25 * $0.period
        && $0.period < 1.25 * row.period
    }
    if let known {
      rows[known].start = min(rows[known].start, row.start)
      rows[known].end = max(rows[known].end, row.end)
      rows[known].weight = max(rows[known].weight, row.weight)
      rows[known].count = max(rows[known].count, row.count)
    } else if rows.count < 16 {
      rows.append(row)
    }
  }
}
