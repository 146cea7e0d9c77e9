import Foundation
import TextFormats

/// Signals embedded in a page. Values are quantized to 65,534 steps over the panel's axis, finer than any
/// screen; the lowest number represents NaN.
enum EmbeddedSeries {
  /// Maximum number of samples per panel; longer ones are thinned. An hour at 50 Hz is embedded completely.
  static let maximumSamples = 200_000

  static func json(_ panels: [RecordingFigure.Panel], maximumSamples: Int = maximumSamples)
    -> String
  {
    var texts: [String] = []
    for (index, panel) in panels.enumerated() {
      // The panels of a recording mostly share their times, which take most of the space.
      let same = panels[..<index].firstIndex { $0.times == panel.times && panel.times.count > 0 }
      let isWhole = panel.times.count <= maximumSamples
      texts.append(json(panel, timesOf: isWhole ? same : nil, maximumSamples: maximumSamples))
    }
    return JSONObjectText.array(texts)
  }

  private static func json(
    _ panel: RecordingFigure.Panel, timesOf other: Int?, maximumSamples: Int
  ) -> String {
    let rows = kept(panel, maximumSamples: maximumSamples)
    let breaks = breaks(panel, rows)
    let domain = panel.dataDomain
    var object = JSONObjectText()
    // 32 bits of milliseconds cover 49 days.
    let origin = panel.times.first { $0.isFinite } ?? 0
    object.add(["origin": .json("\(origin)"), "timesOf": .number(other)])
    if other == nil {
      let milliseconds = rows.map { row -> UInt32 in
        let value = ((panel.times[row] - origin) * 1000).rounded()
        return value >= 0 && value < 4_294_967_295 ? UInt32(value) : 0
      }
      // Intervals take a quarter or half of the space and nearly always fit.
      let steps = zip(milliseconds, [0] + milliseconds).map { $0 >= $1 ? $0 - $1 : .max }
      let largest = steps.max() ?? 0
      if largest <= UInt32(UInt8.max) {
        object.add("steps8", .json(quotedBase64(steps.map { UInt8($0) })))
      } else if largest <= UInt32(UInt16.max) {
        object.add("steps16", .json(quotedBase64(steps.map { UInt16($0) })))
      } else {
        object.add("t", .json(quotedBase64(milliseconds)))
      }
      if !breaks.isEmpty { object.add("breaks", .list(breaks.map(String.init))) }
    }
    // Thinned rows are further apart than the samples.
    let gaps = Swift.Set(breaks)
    let longest = rows.indices.dropFirst().reduce(panel.longestLine) { longest, place in
      gaps.contains(place)
        ? longest : max(longest, panel.times[rows[place]] - panel.times[rows[place - 1]])
    }
    object.add([
      "low": .json("\(domain.lowerBound)"), "high": .json("\(domain.upperBound)"),
      "longest": .json(longest.isFinite ? "\(longest)" : "1e9"),
    ])
    let steps = 65_534 / (domain.upperBound - domain.lowerBound)
    let series = panel.series.map { series in
      quotedBase64(
        rows.map { row -> Int16 in
          guard row < series.values.count, series.values[row].isFinite else { return Int16.min }
          // If the axis covers all finite numbers, 0 times infinity gives NaN.
          let step = ((series.values[row] - domain.lowerBound) * steps).rounded() - 32_767
          return step.isNaN ? -32_767 : Int16(min(max(step, -32_767), 32_767))
        })
    }
    object.add("series", .list(series))
    return object.text
  }

  /// Returns the indices of the embedded rows that follow a gap. Gaps are those between the original samples,
  /// so that thinning does not break lines.
  private static func breaks(_ panel: RecordingFigure.Panel, _ rows: [Int]) -> [Int] {
    let longest = panel.longestLine
    return rows.indices.dropFirst().filter { place in
      (rows[place - 1]..<rows[place]).contains { (row: Int) -> Bool in
        panel.times[row + 1] - panel.times[row] > longest
      }
    }
  }

  /// Returns the rows to embed: all, or each window's rows with an extreme of a series or a missing value.
  private static func kept(_ panel: RecordingFigure.Panel, maximumSamples: Int) -> [Int] {
    let count = panel.times.count
    guard count > maximumSamples else { return Array(0..<count) }
    let width = (count * 2 * max(panel.series.count, 1) + maximumSamples - 1) / maximumSamples
    var rows: [Int] = []
    for start in stride(from: 0, to: count, by: max(width, 1)) {
      let end = min(start + width, count)
      var extremes = Swift.Set<Int>()
      for series in panel.series {
        let present = (start..<end).filter {
          $0 < series.values.count && series.values[$0].isFinite
        }
        // A row without a value, from a silent sensor, breaks the line.
        if present.isEmpty { extremes.insert(start) }
        if let low = present.min(by: { series.values[$0] < series.values[$1] }) {
          extremes.insert(low)
        }
        if let high = present.max(by: { series.values[$0] < series.values[$1] }) {
          extremes.insert(high)
        }
      }
      rows += extremes.sorted()
    }
    return rows
  }

  private static func quotedBase64<T: FixedWidthInteger>(_ values: [T]) -> String {
    let little = values.map(\.littleEndian)
    let data = little.withUnsafeBytes { Data($0) }
    return "\"" + data.base64EncodedString() + "\""
  }
}
