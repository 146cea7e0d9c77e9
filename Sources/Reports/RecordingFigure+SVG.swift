import SignalProcessing
import TextFormats

extension RecordingFigure {
  /// Returns a stand-alone SVG document.
  ///
  /// - Parameter width: Width in pixels; the height depends on the contents.
  package func svg(width: Double = 1200) -> String {
    var drawing = RecordingDrawing(self, width: width)
    drawing.draw(withTitle: true)
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      + drawing.element(
        attributes: " xmlns=\"http://www.w3.org/2000/svg\"",
        head: "<style>\(FigureStyle.figures)</style>", hatch: "hatch")
  }
}

/// Lays out and draws a recording figure from top to bottom.
struct RecordingDrawing {
  static let labelSize = 12.0

  let figure: RecordingFigure
  let width: Double
  /// True to draw signals and scales; false if the page's script draws them.
  let drawsTraces: Bool
  let x: AxisScale
  private var svg = SVGText()
  private var y = 8.0
  private var bandTop = 0.0
  private var bands = ""

  init(_ figure: RecordingFigure, width: Double, drawsTraces: Bool = true) {
    self.figure = figure
    self.width = width
    self.drawsTraces = drawsTraces
    x = AxisScale(domain: figure.span, low: 52, high: width - 14)
  }

  private var plot: ClosedRange<Double> { x.low...x.high }
  private var seconds: Double { figure.span.upperBound - figure.span.lowerBound }

  mutating func draw(withTitle: Bool) {
    if withTitle { drawTitle() }
    bandTop = y
    drawSets()
    drawNotCounted()
    drawPhases()
    for (index, panel) in figure.panels.enumerated() { draw(panel, index) }
    drawTimeAxis()
    if withTitle { drawFootnotes() }
  }

  /// Returns the drawing as an SVG element.
  ///
  /// - Parameter hatch: Id of the hatch pattern for gaps, unique in a page.
  func element(attributes: String = "", head: String = "", hatch: String) -> String {
    let height = SVGText.px(y + 6)
    let size = "width=\"\(SVGText.px(width))\" height=\"\(height)\""
    let domain =
      " data-x0=\"\(SVGText.px(x.low))\" data-x1=\"\(SVGText.px(x.high))\""
      + " data-t0=\"\(figure.span.lowerBound)\" data-t1=\"\(figure.span.upperBound)\""
      + " data-top=\"\(SVGText.px(bandTop))\" data-origin=\"\(MarkupText.escaped(figure.origin))\""
    let clip =
      "<clipPath id=\"\(hatch)-clip\"><rect class=\"full\" x=\"\(SVGText.px(x.low))\" y=\"0\" "
      + "width=\"\(SVGText.px(x.high - x.low))\" height=\"\(height)\"/></clipPath>"
    let pattern =
      "<pattern id=\"\(hatch)\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
      + "patternTransform=\"rotate(45)\"><path d=\"M0 0V6\" class=\"hatchline\"/></pattern>"
    return
      "<svg\(attributes) \(size) viewBox=\"0 0 \(SVGText.px(width)) \(height)\" role=\"img\" "
      + "aria-label=\"\(MarkupText.escaped(figure.title))\" aria-describedby=\"\(hatch)-words\""
      + "\(domain)>\n<desc id=\"\(hatch)-words\">\(MarkupText.escaped(figure.textDescription))</desc>\n"
      + "\(head)<defs>\(pattern)\(clip)"
      + "</defs>\n<rect width=\"100%\" height=\"100%\" class=\"paper\"/>\n"
      + (bands + svg.body).replacing("url(#hatch", with: "url(#\(hatch)") + "</svg>\n"
  }

  // MARK: Title and footnotes

  private mutating func drawTitle() {
    y += 14
    svg.text(
      x.low, y, MarkupText.fitted(figure.title, size: 16, width: x.high - x.low), class: "title")
    if !figure.subtitle.isEmpty {
      y += 18
      svg.text(
        x.low, y, MarkupText.fitted(figure.subtitle, size: 12, width: x.high - x.low),
        class: "faint")
    }
    y += 12
  }

  /// Lists the movements that were not counted, in a stand-alone picture.
  private mutating func drawFootnotes() {
    let shown = figure.notCounted.prefix(12)
    guard !shown.isEmpty else { return }
    y += 10
    for candidate in shown {
      y += 15
      svg.text(
        x.low, y,
        MarkupText.fitted(candidate.sentence, size: Self.labelSize, width: x.high - x.low),
        class: "faint")
    }
    if figure.notCounted.count > shown.count {
      y += 15
      svg.text(
        x.low, y, "and \(figure.notCounted.count - shown.count) more that were not counted",
        class: "faint")
    }
    y += 6
  }

  // MARK: Lanes

  /// Draws the first of the texts that fits.
  ///
  /// - Parameter beside: Width of other content on the line, in pixels.
  private mutating func heading(_ texts: [String], beside: Double = 0) {
    y += 20
    let room = x.high - x.low - beside
    let text =
      texts.first { MarkupText.width($0, size: 12) <= room }
      ?? MarkupText.fitted(texts.last ?? "", size: 12, width: room)
    var attributes = beside > 0 ? " data-beside=\"\(SVGText.px(beside))\"" : ""
    attributes += Self.alternatives(texts)
    svg.text(x.low, y - 5, text, class: "strong heading", attributes: attributes)
  }

  /// Returns attributes with texts, from which the page's script chooses by the available width.
  private static func alternatives(_ texts: [String]) -> String {
    texts.enumerated().map { " data-l\($0)=\"\(MarkupText.escaped($1))\"" }.joined()
  }

  /// Returns attributes with a position on the time axis, for the page's script.
  private func moving(_ start: Double, _ end: Double) -> String {
    " data-a=\"\(Self.seconds(start))\" data-b=\"\(Self.seconds(end))\""
  }

  private static func seconds(_ value: Double) -> String {
    JSONObjectText.number(value, decimals: 3)
  }

  private mutating func label(
    _ texts: [String], _ start: Double, _ end: Double, y: Double, row: inout LabelRow
  ) {
    let placed = row.place(texts, over: x(start)...max(x(start), x(end)), size: Self.labelSize)
    svg.text(
      placed?.x ?? x.low, y, placed?.text ?? "", class: "mid label",
      attributes: moving(start, end) + Self.alternatives(texts))
  }

  private mutating func drawSets() {
    heading([
      "Sets and reps (the fuller a box, the higher the confidence)",
      "Sets and reps (full: confident)",
      "Reps",
    ])
    if figure.sets.isEmpty {
      svg.text(x.low + 4, y + 12, "no set", class: "faint")
      y += 20
      return
    }
    svg.open("g class=\"labels\"")
    var row = LabelRow(plot: plot)
    for set in figure.sets {
      let count = counted(set.reps.count, "rep")
      label(
        [
          "set \(set.number): \(count), \(FigureWords.confidence(set.confidence))", count,
          "\(set.reps.count)",
        ], set.start, set.end, y: y + 10, row: &row)
    }
    svg.close("g")
    y += 16
    let height = 26.0
    svg.open("g clip-path=\"url(#hatch-clip)\"")
    for set in figure.sets {
      for (index, rep) in set.reps.enumerated() {
        let left = x(rep.start)
        let right = x(rep.end)
        let name = "set \(set.number), rep \(index + 1) of \(set.reps.count)"
        let tooltip =
          "\(name): \(figureDecimal(rep.start, 2)) to \(figureDecimal(rep.end, 2)) s, "
          + FigureWords.confidence(rep.confidence)
        svg.rect(
          left, y, right - left, height, class: "rep",
          attributes: moving(rep.start, rep.end), tooltip: tooltip)
        let fill = height * min(max(rep.confidence.isFinite ? rep.confidence : 0, 0), 1)
        svg.rect(
          left, y + height - fill, right - left, fill, class: "repfill",
          attributes: moving(rep.start, rep.end))
      }
    }
    svg.close("g")
    svg.open("g class=\"labels\"")
    var numbers = LabelRow(plot: plot)
    for set in figure.sets {
      for (index, rep) in set.reps.enumerated() {
        label(["\(index + 1)"], rep.start, rep.end, y: y + 17, row: &numbers)
      }
    }
    svg.close("g")
    y += height + 2
  }

  private mutating func drawNotCounted() {
    guard !figure.notCounted.isEmpty else { return }
    heading([
      "Not counted (dashed: a rep in part; crossed: another movement)",
      "Not counted (dashed: part of a rep)", "Not counted",
    ])
    svg.open("g clip-path=\"url(#hatch-clip)\"")
    for candidate in figure.notCounted {
      let left = x(candidate.start)
      let right = max(x(candidate.end), left + 2)
      svg.rect(
        left, y, right - left, 12, class: candidate.isPartial ? "partial" : "rejected",
        attributes: moving(candidate.start, candidate.end), tooltip: candidate.sentence)
      if !candidate.isPartial {
        svg.path(
          "M\(SVGText.px(left)) \(SVGText.px(y))L\(SVGText.px(right)) \(SVGText.px(y + 12))"
            + "M\(SVGText.px(left)) \(SVGText.px(y + 12))L\(SVGText.px(right)) \(SVGText.px(y))",
          class: "rejected cross",
          attributes: moving(candidate.start, candidate.end) + " data-y=\"\(SVGText.px(y))\"")
      }
    }
    svg.close("g")
    svg.open("g class=\"labels\"")
    var row = LabelRow(plot: plot)
    for candidate in figure.notCounted {
      label([candidate.reason], candidate.start, candidate.end, y: y + 26, row: &row)
    }
    svg.close("g")
    y += 32
  }

  private mutating func drawPhases() {
    guard !figure.phases.isEmpty else { return }
    heading(["Phase, as the source tells it", "Phase"])
    svg.open("g clip-path=\"url(#hatch-clip)\"")
    for phase in figure.phases {
      let name = ["execution", "rest"].contains(phase.name) ? phase.name : "otherphase"
      svg.rect(
        x(phase.start), y, x(phase.end) - x(phase.start), 16, class: name,
        attributes: moving(phase.start, phase.end), tooltip: phase.name)
    }
    svg.close("g")
    svg.open("g class=\"labels\"")
    var row = LabelRow(plot: plot)
    for phase in figure.phases {
      // Draw the name only if it fits into its box.
      let room = x(phase.end) - x(phase.start) - 6
      let fits = MarkupText.width(phase.name, size: Self.labelSize) < room
      if fits { label([phase.name], phase.start, phase.end, y: y + 12, row: &row) }
    }
    svg.close("g")
    y += 18
  }

  // MARK: Panels

  private mutating func draw(_ panel: RecordingFigure.Panel, _ index: Int) {
    let domain = panel.domain ?? panel.dataDomain
    heading(
      [panel.title + (panel.unit.isEmpty ? "" : " (\(panel.unit))"), panel.title],
      beside: legendWidth(panel))
    drawLegend(panel)
    let height = 104.0
    let scale = AxisScale(domain: domain, low: y + height - 4, high: y + 4)
    svg.open(
      "g class=\"panel\" data-p=\"\(index)\" data-title=\"\(MarkupText.escaped(panel.title))\" "
        + "data-unit=\"\(MarkupText.escaped(panel.measure))\" data-names=\"\(names(panel))\" "
        + "data-y0=\"\(SVGText.px(scale.low))\" data-y1=\"\(SVGText.px(scale.high))\" "
        + "data-v0=\"\(domain.lowerBound)\" data-v1=\"\(domain.upperBound)\""
        + (panel.domain == nil ? "" : " data-fixed=\"\""))
    svg.open("g class=\"gridlines\"")
    for tick in drawsTraces ? AxisScale.ticks(domain, atMost: 5) : [] {
      svg.line(x.low, scale(tick), x.high, scale(tick))
      svg.text(x.low - 6, scale(tick) + 4, AxisScale.number(tick))
    }
    svg.close("g")
    svg.rect(x.low, y, x.high - x.low, height, class: "frame full")
    svg.open("g clip-path=\"url(#hatch-clip)\"")
    for (number, series) in panel.series.enumerated() {
      let points =
        drawsTraces
        ? SeriesReduction.points(
          times: panel.times, values: series.values, span: figure.span,
          columns: max(1, Int(x.high - x.low)), longestLine: panel.longestLine) : []
      svg.path(
        SVGText.line(through: points, x: x, y: scale), class: "trace s\(number % 4)",
        attributes: " data-s=\"\(number)\"")
    }
    svg.close("g")
    svg.text(x.low + 6, y + 14, "", class: "readout small")
    svg.close("g")
    y += height
  }

  /// Returns the names of a panel's series, as JSON for the page's script.
  private func names(_ panel: RecordingFigure.Panel) -> String {
    MarkupText.escaped(JSONObjectText.array(panel.series.map { JSONObjectText.quoted($0.name) }))
  }

  private static func legendName(_ series: RecordingFigure.Series) -> String {
    MarkupText.fitted(series.name, size: 12, width: 90)
  }

  private func legendWidth(_ panel: RecordingFigure.Panel) -> Double {
    panel.series.reduce(0) { sum, series in
      series.name.isEmpty ? sum : sum + 36 + MarkupText.width(Self.legendName(series), size: 12)
    }
  }

  /// Draws the names of the series at the right end of the panel's title line.
  private mutating func drawLegend(_ panel: RecordingFigure.Panel) {
    guard legendWidth(panel) > 0 else { return }
    svg.open("g class=\"legend\"")
    defer { svg.close("g") }
    var left = x.high - legendWidth(panel) + 12
    for (number, series) in panel.series.enumerated() where !series.name.isEmpty {
      let name = Self.legendName(series)
      svg.line(left, y - 9, left + 18, y - 9, class: "trace s\(number % 4)")
      svg.text(left + 22, y - 5, name)
      left += 36 + MarkupText.width(name, size: 12)
    }
  }

  // MARK: Time

  private mutating func drawTimeAxis() {
    let bottom = y
    svg.line(
      x.low, bottom, x.high, bottom, class: "axis full",
      attributes: " data-y=\"\(SVGText.px(bottom))\"")
    svg.open("g class=\"ticks\" data-y=\"\(SVGText.px(bottom))\"")
    let count = max(2, Int((x.high - x.low) / 80))
    for tick in drawsTraces ? AxisScale.ticks(figure.span, atMost: count, isTime: true) : [] {
      svg.line(x(tick), bottom, x(tick), bottom + 5)
      let label = AxisScale.timeLabel(tick, width: seconds)
      let half = MarkupText.width(label, size: 12) / 2
      svg.text(min(max(x(tick), half), width - half), bottom + 18, label)
    }
    svg.close("g")
    y += 36
    let unit = seconds > 3600 ? "h:min:s" : seconds > 120 ? "min:s" : "s"
    svg.text(
      (x.low + x.high) / 2, y, "time since \(figure.origin) (\(unit))",
      class: "mid faint timeunit")
    y += 4
    var bands = SVGText()
    bands.open("g clip-path=\"url(#hatch-clip)\"")
    for set in figure.sets {
      bands.rect(
        x(set.start), bandTop, x(set.end) - x(set.start), bottom - bandTop, class: "set",
        attributes: moving(set.start, set.end) + " data-name=\"set \(set.number)\"")
      for edge in [set.start, set.end] {
        bands.line(
          x(edge), bandTop, x(edge), bottom, class: "setline edge",
          attributes: " data-t=\"\(Self.seconds(edge))\" data-y0=\"\(SVGText.px(bandTop))\" "
            + "data-y1=\"\(SVGText.px(bottom))\"")
      }
    }
    for gap in figure.gaps {
      let lost = figureDecimal(gap.upperBound - gap.lowerBound, 1)
      bands.rect(
        x(gap.lowerBound), bandTop, max(1.5, x(gap.upperBound) - x(gap.lowerBound)),
        bottom - bandTop, class: "gap",
        attributes: moving(gap.lowerBound, gap.upperBound) + " fill=\"url(#hatch)\"",
        tooltip: "no samples for \(lost) s")
    }
    bands.close("g")
    self.bands = bands.body
  }
}

extension RecordingFigure.Panel {
  /// Limit of drawn values, which keeps the width of an axis finite.
  private static let largestDrawn = 1e300

  /// The range of the data with a margin, or 0…1 without data.
  var dataDomain: ClosedRange<Double> {
    var low = Double.infinity
    var high = -Double.infinity
    for series in series {
      for value in series.values where value.isFinite {
        low = min(low, value)
        high = max(high, value)
      }
    }
    guard low <= high else { return 0...1 }
    low = min(max(low, -Self.largestDrawn), Self.largestDrawn)
    high = min(max(high, -Self.largestDrawn), Self.largestDrawn)
    let air = max((high - low) * 0.04, high.magnitude * 1e-6, 1e-9)
    return (low - air)...(high + air)
  }

  /// Longest interval that a line bridges.
  var longestLine: Double { Self.longestInterval(times) }

  /// Returns the longest interval that is not a gap: six usual intervals, at least 0.3 s. The usual interval
  /// is the median of about a thousand intervals.
  static func longestInterval(_ times: [Double]) -> Double {
    let rows = stride(from: 1, to: times.count, by: max(1, times.count / 1000))
    let intervals = rows.map { (row: Int) -> Double in times[row] - times[row - 1] }
    return max(0.3, 6 * median(intervals))
  }
}

extension RecordingFigure.Candidate {
  /// The time, kind and reason as a sentence.
  var sentence: String {
    "\(figureDecimal(start, 1)) to \(figureDecimal(end, 1)) s, "
      + (isPartial ? "part of a rep: " : "not a rep: ") + reason
  }
}

/// Formats a number with a fixed number of decimals; a dash if it is not finite or too large.
func figureDecimal(_ value: Double, _ places: Int) -> String {
  guard value.isFinite, value.magnitude < 1e12 else { return "–" }
  var scale = 1.0
  for _ in 0..<places { scale *= 10 }
  let scaled = Int64((value.magnitude * scale).rounded())
  let sign = value < 0 && scaled != 0 ? "−" : ""
  guard places > 0 else { return sign + String(scaled) }
  let digits = String(scaled)
  let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
  return sign + padded.dropLast(places) + "." + padded.suffix(places)
}
