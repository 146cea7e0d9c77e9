import Evaluation
import TextFormats

/// A reliability diagram: the rate of correct counts by stated confidence (Murphy and Winkler 1977). On the
/// diagonal, the confidence equals that rate.
enum ReliabilityDrawing {
  private static let width = 362.0

  static func svg(_ bins: [CalibrationStatistics.Bin]) -> String {
    let plot = width - 70
    let x = AxisScale(domain: 0...1, low: 52, high: 52 + plot)
    let y = AxisScale(domain: 0...1, low: 10 + plot, high: 10)
    var svg = SVGText()
    for tick in [0, 0.2, 0.4, 0.6, 0.8, 1] {
      svg.line(x.low, y(tick), x.high, y(tick), class: "grid")
      svg.line(x(tick), y.low, x(tick), y.high, class: "grid")
      svg.text(x.low - 6, y(tick) + 4, AxisScale.number(tick), class: "end small faint")
      svg.text(x(tick), y.low + 16, AxisScale.number(tick), class: "mid small faint")
    }
    svg.line(x(0), y(0), x(1), y(1), class: "axis", attributes: " stroke-dasharray=\"4 3\"")
    var data = ""
    for (index, bin) in bins.enumerated() {
      let px = x(min(max(bin.meanConfidence, 0), 1))
      svg.line(
        px, y(bin.rateInterval.lowerBound), px, y(bin.rateInterval.upperBound), class: "trace s0")
      data += (index == 0 ? "M" : "L") + SVGText.px(px) + " " + SVGText.px(y(bin.rate))
    }
    svg.path(data, class: "trace s0")
    for bin in bins {
      let px = x(min(max(bin.meanConfidence, 0), 1))
      svg.raw(
        "<path d=\"\(SmallFigure.marker(px, y(bin.rate), series: 0))\" class=\"f0\"><title>"
          + MarkupText.escaped(words(bin)) + "</title></path>")
    }
    svg.text(x.low + plot / 2, y.low + 36, "stated confidence", class: "mid")
    svg.text(
      0, 0, "share that was exactly right", class: "mid",
      attributes: " transform=\"translate(14 \(SVGText.px(10 + plot / 2))) rotate(-90)\"")
    svg.text(x.low + plot / 2, y.low + 56, "bars: 90 % of bootstrap samples", class: "mid faint")
    return SmallFigure.element(
      svg, width: width, height: plot + 74,
      label: "reliability of the confidence. \(bins.map(words).joined(separator: "; "))")
  }

  private static func words(_ bin: CalibrationStatistics.Bin) -> String {
    "\(counted(bin.count, "set")): mean confidence \(figureDecimal(bin.meanConfidence, 2)), "
      + "\(figureDecimal(bin.rate * 100, 0)) % exact"
  }
}
