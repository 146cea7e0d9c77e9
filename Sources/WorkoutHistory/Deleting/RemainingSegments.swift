import Motion

/// A recording's segments without the samples that a person deleted.
///
/// A set of which at least half lies in deleted samples is the set that was deleted, whatever a
/// detector that has changed makes of it now.
struct RemainingSegments {
  var segments: [RecordingSegments.Segment]
  /// Which of the sets remain.
  var sets: [Int]
  var deletedSampleCount: Int
  /// Which samples a person deleted; empty where none.
  private var isDeleted: [Bool] = []

  init(of samples: MotionBatch, sets all: [CountedSet], without deleted: [DeletedSamples]) {
    let whole = RecordingSegments(of: samples, sets: all).segments
    guard !deleted.isEmpty else {
      (segments, sets, deletedSampleCount) = (whole, Array(all.indices), 0)
      return
    }
    isDeleted = [Bool](repeating: false, count: samples.count)
    for range in deleted {
      for row in range.rows(of: samples.count) { isDeleted[row] = true }
    }
    deletedSampleCount = isDeleted.reduce(0) { $0 + ($1 ? 1 : 0) }
    segments = []
    sets = []
    for segment in whole {
      let pieces = Self.pieces(of: segment.rows, without: isDeleted)
      let kept = pieces.reduce(0) { $0 + $1.count }
      guard let set = segment.set, kept * 2 > segment.rows.count else {
        segments += pieces.map { .init(rows: $0, set: nil) }
        continue
      }
      // The longest piece stays the set, what else is left of it is rest.
      let longest = pieces.max { $0.count < $1.count }
      for piece in pieces {
        segments.append(.init(rows: piece, set: piece == longest ? sets.count : nil))
      }
      sets.append(set)
    }
  }

  /// The recording without the health readings of its deleted samples. Where dates and the samples'
  /// clock have nothing in common, nobody can tell which those are: all go.
  func withoutDeletedHealth(_ recording: Recording) -> Recording {
    guard deletedSampleCount > 0, !recording.health.isEmpty else { return recording }
    var copy = recording
    let times = recording.samples.times
    let scale = recording.samples.units.time.unitsPerSecond
    let dates = times.map { recording.unixTime(atSeconds: $0 / scale) ?? .nan }
    copy.health = recording.health.filter { reading in
      guard let row = dates.lastIndex(atMost: reading.unixTime) else {
        return dates.first.map { !$0.isNaN } ?? false && !isDeleted[0]
      }
      return !isDeleted[row]
    }
    return copy
  }

  private static func pieces(of rows: Range<Int>, without isDeleted: [Bool]) -> [Range<Int>] {
    var pieces: [Range<Int>] = []
    var start: Int?
    for row in rows {
      if isDeleted[row] {
        if let begun = start { pieces.append(begun..<row) }
        start = nil
      } else if start == nil {
        start = row
      }
    }
    if let start { pieces.append(start..<rows.upperBound) }
    return pieces
  }
}
