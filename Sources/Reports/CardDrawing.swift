/// A set's movement curve, small.
enum CardDrawing {
  private static let width = 290.0
  private static let height = 102.0

  static func svg(_ card: ReportPage.Card) -> String {
    var svg = SVGText()
    let duration = card.duration.isFinite && card.duration > 0 ? min(card.duration, 1e6) : 1
    let x = AxisScale(domain: 0...duration, low: 22, high: width - 8)
    let y = AxisScale(domain: -1...1, low: height - 24, high: 20)
    for tick in [-1.0, 0, 1] {
      svg.line(x.low, y(tick), x.high, y(tick), class: "grid")
      svg.text(
        x.low - 5, y(tick) + 4, tick == 0 ? "0" : tick > 0 ? "+1" : "−1", class: "end small faint")
    }
    if card.curve.isEmpty {
      svg.text((x.low + x.high) / 2, y(0) - 6, "no movement to draw", class: "mid faint")
    }
    let points = SeriesReduction.points(
      times: card.curve.map(\.time), values: card.curve.map(\.movement), span: 0...duration,
      columns: Int((x.high - x.low) / 2), longestLine: 0.5)
    svg.path(SVGText.line(through: points, x: x, y: y), class: "trace s0")
    var row = LabelRow(plot: x.low...(x.high + 6))
    for (index, end) in card.repEnds.enumerated() where end >= 0 && end <= duration * 1.001 {
      svg.line(x(end), y.high - 3, x(end), y.high + 3, class: "axis")
      if let placed = row.place(["\(index + 1)"], over: x(end)...x(end), size: 11) {
        svg.text(placed.x, y.high - 5, placed.text, class: "mid small")
      }
    }
    for tick in AxisScale.ticks(0...duration, atMost: 5, isTime: true) {
      svg.line(x(tick), y.low, x(tick), y.low + 4, class: "axis")
      let label =
        AxisScale.timeLabel(tick, width: duration) + (duration > 120 ? "" : " s")
      let half = MarkupText.width(label, size: 11) / 2
      svg.text(min(max(x(tick), half), width - half), y.low + 17, label, class: "mid small faint")
    }
    return SmallFigure.element(
      svg, width: width, height: height, label: "movement of " + card.title.headline)
  }
}

/// The element around a small drawing in a page.
enum SmallFigure {
  static func element(_ svg: SVGText, width: Double, height: Double, label: String) -> String {
    "<svg width=\"\(SVGText.px(width))\" height=\"\(SVGText.px(height))\" "
      + "viewBox=\"0 0 \(SVGText.px(width)) \(SVGText.px(height))\" role=\"img\" "
      + "aria-label=\"\(MarkupText.escaped(label))\">\n\(svg.body)</svg>\n"
  }

  /// A marker whose shape, and not only its colour, tells series apart.
  static func marker(_ x: Double, _ y: Double, series: Int) -> String {
    func p(_ dx: Double, _ dy: Double) -> String { SVGText.px(x + dx) + " " + SVGText.px(y + dy) }
    switch series % 4 {
    case 0: return "M\(p(-3.5, 0))a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0Z"
    case 1: return "M\(p(-3.2, -3.2))L\(p(3.2, -3.2))L\(p(3.2, 3.2))L\(p(-3.2, 3.2))Z"
    case 2: return "M\(p(0, -4.2))L\(p(4, 3))L\(p(-4, 3))Z"
    default: return "M\(p(0, -4.4))L\(p(4.4, 0))L\(p(0, 4.4))L\(p(-4.4, 0))Z"
    }
  }
}
