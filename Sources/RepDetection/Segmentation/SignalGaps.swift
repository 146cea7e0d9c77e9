/// Where a window has no signal: where frames were interpolated, and where the times of successive frames
/// lie apart.
struct SignalGaps {
  /// Between two frames.
  struct Gap {
    /// The last frame before it and the first after it, from the first of the window.
    var before: Int
    var after: Int
    /// Their times, s.
    var start: Double
    var end: Double
    /// Whether nobody knows what happened in it; else it was a rest.
    var isUnknown: Bool

    var seconds: Double { end - start }
  }

  private(set) var gaps: [Gap] = []

  /// - Parameter shortest: what counts as a gap, s.
  init(_ window: TimedFrames, shortest: Double) {
    guard window.count > 1 else { return }
    var open: Gap?
    for i in 1..<window.count {
      let isMissing = window.isMissing[i]
      if isMissing || window.times[i] - window.times[i - 1] > shortest {
        var gap =
          open
          ?? Gap(
            before: i - 1, after: i, start: window.times[i - 1], end: window.times[i],
            isUnknown: false)
        gap.after = i
        gap.end = window.times[i]
        gap.isUnknown = gap.isUnknown || isMissing
        open = gap
      } else if var gap = open {
        // The first frame that was measured ends it.
        if window.isMissing[i - 1] {
          gap.after = i
          gap.end = window.times[i]
        }
        close(gap, shortest: shortest)
        open = nil
      }
    }
    if let open { close(open, shortest: shortest) }
  }

  private mutating func close(_ gap: Gap, shortest: Double) {
    if gap.seconds > shortest { gaps.append(gap) }
  }

  var isEmpty: Bool { gaps.isEmpty }

  /// Whether a span of frames holds no part of a gap that is longer than `limit` seconds.
  func isWhole(from start: Double, to end: Double, limit: Double) -> Bool {
    gaps.allSatisfy { gap in
      let shared = min(end, Double(gap.after)) - max(start, Double(gap.before))
      let share = shared / Double(gap.after - gap.before)
      return shared <= 0 || gap.seconds * share <= limit
    }
  }

  /// Seconds in a span of frames of which nobody knows.
  func unknownSeconds(from start: Double, to end: Double) -> Double {
    gaps.reduce(0) {
      $1.isUnknown && Double($1.after) > start && Double($1.before) < end ? $0 + $1.seconds : $0
    }
  }
}
