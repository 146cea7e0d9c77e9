/// Reduces points without a visible change: of each column of pixels, the first, lowest, highest and last
/// value remain (the M4 aggregation of Jugel et al., VLDB 2014).
enum SeriesReduction {
  struct Point: Sendable, Hashable {
    var time: Double
    /// The value; NaN where the line breaks.
    var value: Double
  }

  /// - Parameters:
  ///   - columns: Width of the span, in pixels.
  ///   - longestLine: Longest interval that a line bridges.
  static func points(
    times: [Double], values: [Double], span: ClosedRange<Double>, columns: Int, longestLine: Double
  ) -> [Point] {
    let count = min(times.count, values.count)
    guard count > 0, columns > 0, span.upperBound > span.lowerBound else { return [] }
    let scale = Double(columns) / (span.upperBound - span.lowerBound)
    var result: [Point] = []
    var bucket: [Int] = []
    var current = Int.min
    var previous = -1

    func flush() {
      guard let first = bucket.first, let last = bucket.last else { return }
      var low = first
      var high = first
      for row in bucket {
        if values[row] < values[low] { low = row }
        if values[row] > values[high] { high = row }
      }
      var rows = [first, min(low, high), max(low, high), last]
      rows = rows.enumerated().filter { $0.offset == 0 || rows[$0.offset - 1] < $0.element }
        .map(\.element)
      for row in rows { result.append(Point(time: times[row], value: values[row])) }
      bucket.removeAll(keepingCapacity: true)
    }

    for row in 0..<count {
      let time = times[row]
      guard time >= span.lowerBound, time <= span.upperBound else { continue }
      guard values[row].isFinite else {
        flush()
        if let last = result.last, last.value.isFinite {
          // A value that only one of several sensors lacks is no break.
          let next = nextFinite(after: row, values, limit: count)
          if next == nil || times[next ?? row] - last.time > longestLine {
            result.append(Point(time: time, value: .nan))
          }
        }
        continue
      }
      if previous >= 0, time - times[previous] > longestLine {
        flush()
        result.append(Point(time: time, value: .nan))
      }
      let column = Int((time - span.lowerBound) * scale)
      if column != current {
        flush()
        current = column
      }
      bucket.append(row)
      previous = row
    }
    flush()
    return result
  }

  private static func nextFinite(after row: Int, _ values: [Double], limit: Int) -> Int? {
    (row + 1..<min(limit, row + 64)).first { values[$0].isFinite }
  }
}
