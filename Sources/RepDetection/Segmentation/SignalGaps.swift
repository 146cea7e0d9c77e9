import MotionFrames
import TemplateSearch

/// The gaps of a window: interpolated or synthetic frames, jumps in time between successive frames, and the
/// time beyond all samples.
struct SignalGaps {
  /// A gap between two frames.
  struct Gap {
    /// Index in the window of the last frame before the gap, and of the first after it.
    var before: Int
    var after: Int
    /// Times of these frames, in seconds.
    var start: Double
    var end: Double
    /// True if the motion in the gap is unknown; false for a rest.
    var isUnknown: Bool

    var seconds: Double { end - start }

    /// Returns the number of frames of a span that lie in the gap.
    func frames(from start: Double, to end: Double) -> Double {
      max(0, min(end, Double(after)) - max(start, Double(before)))
    }
  }

  private(set) var gaps: [Gap] = []
  /// Indices of the first and the last frame within the samples.
  private let first: Int
  private let last: Int

  /// - Parameter shortest: Minimum duration of a gap, in seconds.
  init(_ window: TimedFrames, shortest: Double) {
    first = window.isBeyondSignal.firstIndex(of: false) ?? 0
    last = window.isBeyondSignal.lastIndex(of: false) ?? max(window.count - 1, 0)
    guard window.count > 1 else { return }
    // The wrist is assumed to rest at a break, but its motion is unknown.
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
        // The first measured frame ends the gap.
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

  /// Returns the fractions of a rep's motion that lie beyond all samples, and in gaps.
  ///
  /// - Parameter rep: The rep, in frames.
  func unmeasuredFractions(
    of rep: Segment, profile: MotionProfile
  ) -> (beyond: Double, inGaps: Double) {
    (
      1 - profile.fraction(from: Double(first), to: Double(last), of: rep),
      gaps.reduce(0) {
        $0 + profile.fraction(from: Double($1.before), to: Double($1.after), of: rep)
      }
    )
  }

  /// Returns the total duration of unknown gaps that touch a span of frames, in seconds.
  func unknownSeconds(touching start: Double, _ end: Double) -> Double {
    gaps.reduce(0) {
      $1.isUnknown && $1.frames(from: start, to: end) > 0 ? $0 + $1.seconds : $0
    }
  }

  /// Returns the unknown time within a span of frames, in seconds.
  func unknownSeconds(from start: Double, to end: Double) -> Double {
    gaps.reduce(0) {
      guard $1.isUnknown else { return $0 }
      return $0 + $1.seconds * $1.frames(from: start, to: end) / Double($1.after - $1.before)
    }
  }
}
