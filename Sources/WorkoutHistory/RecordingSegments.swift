import Motion

/// How a recording is cut into what its history keeps: rest, set, rest, …
///
/// A set that was declared and is the only one owns the whole recording. A set that was detected,
/// or is one of several, owns its samples and those of up to ``margin`` seconds before and after,
/// at most half the way to its neighbours. What is left belongs to the workout as rest. Every row
/// belongs to exactly one segment, in order, so nothing is stored twice and nothing is lost.
struct RecordingSegments {
  struct Segment: Hashable {
    var rows: Range<Int>
    /// Which of the sets; nil for rest.
    var set: Int?
  }

  /// Seconds of rest at most that a set takes along on either side.
  static let margin = 2.0

  var segments: [Segment]

  /// - Parameters:
  ///   - samples: In order of time. Where they are not, the cuts are arbitrary, and still
  ///     nothing is lost.
  ///   - sets: In order of time.
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

  /// By bisection: the first row whose time has a property that later ones have too.
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
