import Motion

/// How soon the reps of one set were told while it went on, and how right the count shown was.
///
/// The truth is the set as finalized: what could have been told is judged, not the count itself.
package struct LiveTiming: Sendable, Hashable {
  /// A count that was shown from `time` on, and the rep that was announced with it.
  package struct Shown: Sendable, Hashable {
    /// Seconds on the samples' clock.
    package var time: Double
    package var count: Int
    /// Nil where the count was corrected.
    package var rep: ClosedRange<Double>?

    package init(time: Double, count: Int, rep: ClosedRange<Double>? = nil) {
      self.time = time
      self.count = count
      self.rep = rep
    }
  }

  /// A rep may be told so long after its end, s.
  package static let tolerance = 0.5
  /// The count is looked at this often, s.
  package static let lookInterval = 0.25

  /// Of each finalized rep in order: seconds from its end to the event that told it, negative where
  /// that came first, but never from before the rep began. Nil where no event told it.
  package var delays: [Double?]
  /// Looks at the count, from the first rep's end to ``tolerance`` after the last one's.
  package var looks: Int
  /// Looks at which as many reps were shown as had ended, those of the last ``tolerance`` seconds in
  /// or not.
  package var rightLooks: Int
  /// How often the count was corrected.
  package var corrections: Int

  /// - Parameters:
  ///   - shown: what was shown of the set, in order of time.
  ///   - reps: the finalized reps, in order.
  ///
  /// A rep's event is the first `rep` event that lies on it: that shares more than half of the shorter
  /// of both. Where there is none it is told when the count shown has first reached its number. No event
  /// tells a rep that has not begun: what made up the number by then was another movement.
  package init(shown: [Shown], reps: [CountedRep]) {
    delays = reps.indices.map { index in
      let rep = reps[index]
      let since = shown.filter { $0.time >= rep.start }
      let own = since.first { entry in
        guard let told = entry.rep else { return false }
        let shared = min(told.upperBound, rep.end) - max(told.lowerBound, rep.start)
        let shorter = min(told.upperBound - told.lowerBound, rep.duration)
        return shared > shorter / 2
      }
      let event = own ?? since.first { $0.count > index }
      return event.map { $0.time - rep.end }
    }
    corrections = shown.count { $0.rep == nil }
    looks = 0
    rightLooks = 0
    guard let first = reps.first, let last = reps.last else { return }
    var next = shown.startIndex
    var count = 0
    looks = Int(((last.end + Self.tolerance - first.end) / Self.lookInterval).rounded(.down)) + 1
    for look in 0..<looks {
      let time = first.end + Double(look) * Self.lookInterval
      while next < shown.endIndex, shown[next].time <= time {
        count = shown[next].count
        next += 1
      }
      let most = reps.count { $0.end <= time }
      let least = reps.count { $0.end <= time - Self.tolerance }
      if (least...most).contains(count) { rightLooks += 1 }
    }
  }

  /// Reps that were told at most ``tolerance`` from their end.
  package var repsInTime: Int { delays.count { $0.map { abs($0) <= Self.tolerance } ?? false } }
  /// Reps that were told at most ``tolerance`` after their end, early ones included.
  package var repsNotLate: Int { delays.count { $0.map { $0 <= Self.tolerance } ?? false } }
}
