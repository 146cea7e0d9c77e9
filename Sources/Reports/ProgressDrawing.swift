/// Draws the change of a figure over days, or from set to set.
enum ProgressDrawing {
  private static let width = 320.0
  private static let height = 136.0

  static func svg(_ chart: ReportPage.Chart) -> String {
    var svg = SVGText()
    let all = chart.series.flatMap { $0.points + $0.line }.filter { $0.y.isFinite }
    guard let first = all.map(\.x).min(), let last = all.map(\.x).max() else { return "" }
    let hasLegend = chart.series.contains { !$0.name.isEmpty }
    let domain = domain(of: all.map(\.y), startsAtZero: chart.startsAtZero)
    let y = AxisScale(domain: domain, low: height - 24, high: hasLegend ? 40 : 20)
    let ticks = AxisScale.ticks(domain, atMost: 4)
    let left = 12 + (ticks.map { MarkupText.width(tickLabel($0), size: 11) }.max() ?? 0)
    let air = max((last - first) * 0.04, 0.5)
    let x = AxisScale(domain: (first - air)...(last + air), low: left, high: width - 6)
    for tick in ticks {
      svg.line(x.low, y(tick), x.high, y(tick), class: "grid")
      svg.text(x.low - 6, y(tick) + 4, tickLabel(tick), class: "end small faint")
    }
    if hasLegend { drawLegend(chart, at: left, in: &svg) }
    let base = y(max(domain.lowerBound, 0))
    for (number, series) in chart.series.enumerated() {
      if chart.shape == .bars {
        let pitch = (x.high - x.low) / (last - first + 2 * air)
        let wide = min(max(pitch * 0.7, 5), 16)
        for point in series.points where point.y.isFinite {
          svg.rect(
            x(point.x) - wide / 2, y(point.y), wide, base - y(point.y), class: "f\(number % 4)")
        }
        continue
      }
      let line = series.line.map { SeriesReduction.Point(time: $0.x, value: $0.y) }
      if line.count > 1 {
        svg.path(SVGText.line(through: line, x: x, y: y), class: "trace s\(number % 4)")
      }
      let marks = series.points.filter { $0.y.isFinite }.map {
        SmallFigure.marker(x($0.x), y($0.y), series: number)
      }
      svg.path(marks.joined(), class: "f\(number % 4)")
    }
    if let best = all.max(by: { ($0.y, $0.x) < ($1.y, $1.x) }) {
      let text = value(best.y, chart)
      // Bold text is wider.
      let half = MarkupText.width(text, size: 14) / 2
      svg.text(
        min(max(x(best.x), left + half), width - half), max(y(best.y) - 7, 12), text,
        class: "mid strong")
    }
    svg.line(x.low, y.low, x.high, y.low, class: "axis")
    drawLabels(chart, Swift.Set(all.map(\.x)).sorted(), x, at: y.low + 16, in: &svg)
    return SmallFigure.element(svg, width: width, height: height, label: words(chart))
  }

  /// Returns a round axis range around the values.
  private static func domain(of values: [Double], startsAtZero: Bool) -> ClosedRange<Double> {
    let (low, high) = (values.min() ?? 0, values.max() ?? 1)
    guard !startsAtZero else { return 0...max(high * 1.05, 1e-3) }
    let air = max((high - low) * 0.1, abs(high) * 0.02, 1e-3)
    return max(low - air, low < 0 ? -.infinity : 0)...(high + air)
  }

  private static func drawLegend(_ chart: ReportPage.Chart, at left: Double, in svg: inout SVGText)
  {
    var x = left
    for (number, series) in chart.series.enumerated() {
      let name = MarkupText.fitted(series.name, size: 12, width: 90)
      guard x + 14 + MarkupText.width(name, size: 12) <= width else { return }
      svg.path(SmallFigure.marker(x + 5, 10, series: number), class: "f\(number % 4)")
      svg.text(x + 14, 14, name)
      x += 14 + MarkupText.width(name, size: 12) + 12
    }
  }

  /// Labels the last place, and earlier ones that fit. Each year is named once.
  private static func drawLabels(
    _ chart: ReportPage.Chart, _ places: [Double], _ x: AxisScale, at y: Double,
    in svg: inout SVGText
  ) {
    guard let first = places.first, let last = places.last else { return }
    var year: Substring?
    func label(_ place: Double) -> String {
      guard chart.hasDates else { return "\(Int(place))" }
      let day = Int(place)
      return ReportDates.text(day, hasYear: ReportDates.year(day) != year)
    }
    if first != last { year = chart.hasDates ? ReportDates.year(Int(first)) : nil }
    let lastLabel = label(last)
    let room = MarkupText.width(lastLabel, size: 11)
    let lastX = min(x(last), width - room / 2)
    svg.text(lastX, y, lastLabel, class: "mid small faint")
    year = nil
    // The first label may extend into the margin.
    let margin = x.low - 12
    var row = LabelRow(plot: margin...max(margin, lastX - room / 2 - 6))
    for place in places.dropLast() {
      let half = MarkupText.width(label(place), size: 11) / 2
      guard x(place) + half < lastX - room / 2 - 6 else { break }
      guard let placed = row.place([label(place)], over: x(place)...x(place), size: 11) else {
        continue
      }
      svg.text(placed.x, y, placed.text, class: "mid small faint")
      if chart.hasDates { year = ReportDates.year(Int(place)) }
    }
  }

  private static func tickLabel(_ value: Double) -> String {
    abs(value) >= 10_000 ? AxisScale.number(value / 1000) + "k" : AxisScale.number(value)
  }

  private static func value(_ value: Double, _ chart: ReportPage.Chart) -> String {
    FigureWords.short(value, decimals: chart.decimals)
  }

  /// Returns a description of the chart for people who cannot see it.
  private static func words(_ chart: ReportPage.Chart) -> String {
    let described = chart.series.map { series in
      let values = (series.line.isEmpty ? series.points : series.line).map { point in
        let place =
          chart.hasDates
          ? ReportDates.text(Int(point.x.rounded(.down))) : "set \(Int(point.x))"
        return "\(place) \(value(point.y, chart))"
      }
      return (series.name.isEmpty ? "" : series.name + ": ")
        + values.suffix(40).joined(separator: ", ")
    }
    let unit = chart.unit.isEmpty ? "" : " in \(chart.unit)"
    return "\(chart.title)\(unit). \(described.joined(separator: "; "))"
  }
}
