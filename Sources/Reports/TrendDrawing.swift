/// How figures change from set to set.
enum TrendDrawing {
  private static let width = 362.0
  private static let height = 210.0

  static func svg(_ trend: ReportPage.Trend) -> String {
    var svg = SVGText()
    let count = trend.series.map(\.values.count).max() ?? 0
    let x = AxisScale(
      domain: 0.5...(Double(max(count, 1)) + 0.5), low: 44, high: width - 10)
    let y = AxisScale(domain: trend.domain, low: height - 44, high: 30)
    for tick in AxisScale.ticks(trend.domain, atMost: 5) {
      svg.line(x.low, y(tick), x.high, y(tick), class: "grid")
      svg.text(x.low - 6, y(tick) + 4, AxisScale.number(tick), class: "end small faint")
    }
    var left = x.low
    for (number, series) in trend.series.enumerated() {
      svg.path(SmallFigure.marker(left + 5, 12, series: number), class: "f\(number % 4)")
      svg.text(left + 14, 16, series.name)
      left += 14 + MarkupText.width(series.name, size: 12) + 14
      var data = ""
      var marks = ""
      var isDown = false
      for (index, value) in series.values.enumerated() {
        guard let value, value.isFinite else {
          isDown = false
          continue
        }
        let px = x(Double(index + 1))
        let py = y(min(max(value, trend.domain.lowerBound), trend.domain.upperBound))
        data += (isDown && trend.isJoined ? "L" : "M") + SVGText.px(px) + " " + SVGText.px(py)
        isDown = true
        if count <= 60 || !trend.isJoined { marks += SmallFigure.marker(px, py, series: number) }
      }
      if trend.isJoined { svg.path(data, class: "trace s\(number % 4)") }
      svg.path(marks, class: "f\(number % 4)")
    }
    svg.line(x.low, y.low, x.high, y.low, class: "axis")
    var labels = LabelRow(plot: x.low...x.high)
    for index in 1...max(count, 1) where count > 0 {
      let at = x(Double(index))
      guard count <= 20 || index % ((count + 9) / 10) == 0 else { continue }
      if let placed = labels.place(["\(index)"], over: at...at, size: 12) {
        svg.text(placed.x, y.low + 16, placed.text, class: "mid small faint")
      }
    }
    svg.text(
      (x.low + x.high) / 2, height - 8, "sets in order", class: "mid faint")
    let told = trend.series.map { series in
      let values = series.values.map { value in
        value.map { words($0, upTo: trend.domain.upperBound) } ?? "not known"
      }
      return (series.name.isEmpty ? "" : series.name + ": ")
        + values.prefix(60).joined(separator: ", ")
    }
    return SmallFigure.element(
      svg, width: width, height: height,
      label: "\(trend.title) from set to set. \(told.joined(separator: "; "))")
  }

  /// With one decimal where a whole number would tell little.
  private static func words(_ value: Double, upTo highest: Double) -> String {
    figureDecimal(value, highest <= 20 && value != value.rounded() ? 1 : 0)
  }
}
