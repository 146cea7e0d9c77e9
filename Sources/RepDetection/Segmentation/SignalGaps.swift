/// Where a window has no signal: where frames were interpolated or made up, where the times of successive
/// frames lie apart, and beyond all samples.
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

    /// How many frames of a span lie in it.
    func frames(from start: Double, to end: Double) -> Double {
      max(0, min(end, Double(after)) - max(start, Double(before)))
    }
  }

  private(set) var gaps: [Gap] = []
  /// The first frame that is not before all samples, and the last that is not after them.
  private let first: Int
  private let last: Int

  /// - Parameter shortest: what counts as a gap, s.
  init(_ window: TimedFrames, shortest: Double) {
    first = window.isBeyondSignal.firstIndex(of: false) ?? 0
    last = window.isBeyondSignal.lastIndex(of: false) ?? max(window.count - 1, 0)
    guard window.count > 1 else { return }
    // Beside a break the wrist is taken to rest; nobody knows whether it did.
    func isMissing(_ i: Int) -> Bool {
      window.isMissing[i]
        || i > first && i < last && window.isBeyondSignal[i]
    }
    var open: Gap?
    for i in 1..<window.count {
      let isUnmeasured = isMissing(i)
      if isUnmeasured || window.times[i] - window.times[i - 1] > shortest {
        var gap =
          open
          ?? Gap(
            before: i - 1, after: i, start: window.times[i - 1], end: window.times[i],
            isUnknown: false)
        gap.after = i
        gap.end = window.times[i]
        gap.isUnknown = gap.isUnknown || isUnmeasured
        open = gap
      } else if var gap = open {
        // The first frame that was measured ends it.
        if isMissing(i - 1) {
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

  /// The shares of a rep's motion that lie beyond all samples, and in gaps.
  ///
  /// - Parameter rep: in frames.
  func unmeasuredShares(
    of rep: Segment, profile: MotionProfile
  ) -> (beyond: Double, inGaps: Double) {
    (
      1 - profile.share(from: Double(first), to: Double(last), of: rep),
      gaps.reduce(0) {
        $0 + profile.share(from: Double($1.before), to: Double($1.after), of: rep)
      }
    )
  }

  /// Seconds of which nobody knows, in gaps that touch a span of frames.
  func unknownSeconds(touching start: Double, _ end: Double) -> Double {
    gaps.reduce(0) {
      $1.isUnknown && $1.frames(from: start, to: end) > 0 ? $0 + $1.seconds : $0
    }
  }

  /// Seconds of which nobody knows, in a span of frames.
  func unknownSeconds(from start: Double, to end: Double) -> Double {
    gaps.reduce(0) {
      guard $1.isUnknown else { return $0 }
      return $0 + $1.seconds * $1.frames(from: start, to: end) / Double($1.after - $1.before)
    }
  }
}
