import Motion
import SignalProcessing

/// The division of a recording into stored segments: rest, set, rest, …
///
/// A single declared set owns the whole recording. Another set owns its samples and up to ``margin`` seconds before
/// and after, but at most half of the way to its neighbors. Every row belongs to exactly one segment, in order.
package struct RecordingSegments {
  package struct Segment: Hashable {
    package var rows: Range<Int>
    package var set: Int?
  }

  /// Maximum rest that a set includes on either side, in seconds.
  static let margin = 2.0

  package var segments: [Segment]

  /// Samples that are not in order of time are divided arbitrarily, but none is lost.
  init(of samples: MotionBatch, sets: [CountedSet]) {
    if sets.count == 1, sets[0].cause == .declared {
      segments = [Segment(rows: 0..<samples.count, set: 0)]
      return
    }
    segments = []
    let times = samples.times
    let scale = samples.units.time.unitsPerSecond
    var row = 0
    for (index, set) in sets.enumerated() {
      var lead = Self.margin
      var tail = Self.margin
      if index > 0 { lead = min(lead, max(0, set.start - sets[index - 1].end) / 2) }
      if index + 1 < sets.count { tail = min(tail, max(0, sets[index + 1].start - set.end) / 2) }
      let start = max(row, times.partitioningIndex { $0 >= (set.start - lead) * scale })
      let end = max(start, times.partitioningIndex { $0 > (set.end + tail) * scale })
      if start > row { segments.append(Segment(rows: row..<start, set: nil)) }
      segments.append(Segment(rows: start..<end, set: index))
      row = end
    }
    if row < samples.count { segments.append(Segment(rows: row..<samples.count, set: nil)) }
  }
}
