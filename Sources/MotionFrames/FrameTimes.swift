import SignalProcessing

/// The times of frames on a uniform clock. Stores a few numbers per uninterrupted segment, from which the
/// time of any frame follows exactly as the front end computed it.
package struct FrameTimes: RandomAccessCollection, Sendable, Codable {
  /// The clock of a segment of signal. Frames of the rest before the segment have negative numbers.
  package struct Clock: Sendable, Equatable, PlainValue {
    /// Time of frame 0, in seconds.
    package var start: Double

    @inline(__always)
    package func time(ofFrame n: Int) -> Double { start + Double(n) / FrontEnd.frameRateHz }
  }

  /// A run of consecutive frames.
  private struct Run: Sendable, PlainValue {
    /// Row of the run's first frame, and the number of that frame on its clock.
    var row: Int
    var frame: Int
    var clock: Clock
  }

  private var runs: [Run] = []
  package private(set) var count = 0

  package var byteCount: Int { runs.capacity * MemoryLayout<Run>.stride }

  package var startIndex: Int { 0 }
  package var endIndex: Int { count }

  /// Returns the time of a frame, in seconds on the samples' clock.
  package subscript(row: Int) -> Double {
    precondition(row >= 0 && row < count, "a row that there is")
    // Find the last run that begins at or before the row. It is nearly always the newest.
    var low = 0
    var high = runs.count - 1
    if runs[high].row <= row { low = high }
    while low < high {
      let middle = (low + high + 1) / 2
      if runs[middle].row <= row { low = middle } else { high = middle - 1 }
    }
    return runs[low].clock.time(ofFrame: runs[low].frame + row - runs[low].row)
  }

  /// Returns the times of a range of rows. Faster than single look-ups, each of which searches for the run.
  package func values(_ rows: Range<Int>) -> [Double] {
    precondition(rows.lowerBound >= 0 && rows.upperBound <= count, "rows that there are")
    return [Double](unsafeUninitializedCapacity: rows.count) { output, count in
      for (i, run) in runs.enumerated() {
        let end = i + 1 < runs.count ? runs[i + 1].row : self.count
        for row in rows.clamped(to: Swift.max(run.row, 0)..<end) {
          let time = run.clock.time(ofFrame: run.frame + row - run.row)
          output.initializeElement(at: count, to: time)
          count += 1
        }
      }
    }
  }

  /// Appends a frame. Times must increase.
  package mutating func append(frame: Int, of clock: Clock) {
    let continues = runs.last.map { $0.clock == clock && frame - $0.frame == count - $0.row }
    if continues != true { runs.append(Run(row: count, frame: frame, clock: clock)) }
    count += 1
  }

  package mutating func removeFirst(_ n: Int) {
    count -= n
    for i in runs.indices { runs[i].row -= n }
    while runs.count > 1, runs[1].row <= 0 { runs.removeFirst() }
  }

  /// Returns the rows whose times lie in a span; nil if there are none.
  package func rows(from: Double, to: Double) -> Range<Int>? {
    let a = firstRow(notBefore: from)
    var b = firstRow(notBefore: to)
    if b < count, self[b] == to { b += 1 }
    return a < b ? a..<b : nil
  }

  private func firstRow(notBefore time: Double) -> Int {
    if runs.count == 1 {
      // The clock gives the row up to rounding.
      let (clock, before) = (runs[0].clock, runs[0].frame - runs[0].row)
      let estimate = (time - clock.start) * FrontEnd.frameRateHz - Double(before)
      var row = Math.integer(estimate.rounded(.up), clampedTo: 0...count)
      while row > 0, clock.time(ofFrame: before + row - 1) >= time { row -= 1 }
      while row < count, clock.time(ofFrame: before + row) < time { row += 1 }
      return row
    }
    return partitioningIndex { $0 >= time }
  }
}
