import Motion

/// A recording's segments without the samples that a person deleted. A set counts as deleted if at least half of it
/// is, even if a changed detector finds it with other bounds.
package struct RemainingSegments {
  package var segments: [RecordingSegments.Segment]
  /// Indices of the sets that remain.
  package var sets: [Int]
  package var deletedSampleCount: Int
  /// Whether each sample was deleted; empty if none was.
  private var isDeleted: [Bool] = []

  /// - Parameter deleted: Ranges of rows, within the samples.
  package init(of samples: MotionBatch, sets all: [CountedSet], without deleted: [Range<Int>]) {
    let whole = RecordingSegments(of: samples, sets: all).segments
    guard !deleted.isEmpty else {
      (segments, sets, deletedSampleCount) = (whole, Array(all.indices), 0)
      return
    }
    isDeleted = [Bool](repeating: false, count: samples.count)
    for row in deleted.joined() { isDeleted[row] = true }
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
      // The longest piece remains the set; the other pieces become rest.
      let longest = pieces.max { $0.count < $1.count }
      for piece in pieces {
        segments.append(.init(rows: piece, set: piece == longest ? sets.count : nil))
      }
      sets.append(set)
    }
  }

  /// Returns the recording without the health readings of its deleted samples. If dates and the samples' clock
  /// cannot be related, all readings are removed.
  package func withoutDeletedHealth(_ recording: Recording) -> Recording {
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
