import Motion

/// The division of a recording into stored segments: rest, set, rest, …
///
/// A single declared set owns the whole recording. Another set owns its samples and up to ``margin`` seconds before
/// and after, but at most half of the way to its neighbours. Every row belongs to exactly one segment, in order.
struct RecordingSegments {
  struct Segment: Hashable {
    var rows: Range<Int>
    var set: Int?
  }

  /// Maximum rest that a set includes on either side, in seconds.
  static let margin = 2.0

  var segments: [Segment]

  /// Samples in another order than that of time are cut arbitrarily, but nothing is lost.
  init(of samples: MotionBatch, sets: [CountedSet]) {
    if sets.count == 1, sets[0].cause == .declared {
      segments = [Segment(rows: 0..<samples.count, set: 0)]
      return
    }
    segments = []
    let scale = samples.units.time.unitsPerSecond
    var row = 0
    for (index, set) in sets.enumerated() {
      var lead = Self.margin
      var tail = Self.margin
      if index > 0 { lead = min(lead, max(0, set.start - sets[index - 1].end) / 2) }
      if index + 1 < sets.count { tail = min(tail, max(0, sets[index + 1].start - set.end) / 2) }
      let start = max(row, samples.firstRow(atOrAfter: (set.start - lead) * scale))
      let end = max(start, samples.firstRow(after: (set.end + tail) * scale))
      if start > row { segments.append(Segment(rows: row..<start, set: nil)) }
      segments.append(Segment(rows: start..<end, set: index))
      row = end
    }
    if row < samples.count { segments.append(Segment(rows: row..<samples.count, set: nil)) }
  }
}

extension MotionBatch {
  fileprivate func firstRow(atOrAfter time: Double) -> Int {
    firstRow { $0 >= time }
  }

  fileprivate func firstRow(after time: Double) -> Int {
    firstRow { $0 > time }
  }

  /// Returns the first row whose time satisfies a condition that all later rows satisfy, too. Uses bisection.
  private func firstRow(where isReached: (Double) -> Bool) -> Int {
    withColumn(.time) { times in
      var low = 0
      var high = times.count
      while low < high {
        let middle = low + (high - low) / 2
        if isReached(times[middle]) { high = middle } else { low = middle + 1 }
      }
      return low
    }
  }
}
