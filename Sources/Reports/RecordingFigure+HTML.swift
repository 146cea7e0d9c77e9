extension RecordingFigure {
  /// A page of its own, that pans and zooms without any network.
  ///
  /// - Parameter facts: figures that are shown above the plot.
  public func html(facts: [(name: String, value: String)] = []) -> String {
    var body = "<h1>\(MarkupText.escaped(title))</h1>\n"
    if !subtitle.isEmpty { body += "<p class=\"faint\">\(MarkupText.escaped(subtitle))</p>\n" }
    body += HTMLPage.facts(facts)
    body += fragment(index: 0)
    body += reasonsTable
    return HTMLPage.document(
      title: title, body: body,
      data: "[" + EmbeddedSeries.json(panels) + "]")
  }

  /// The plot in two widths, of which the page shows the one that fits.
  ///
  /// - Parameter index: the place of its samples among the page's data; nil for a plot that does
  ///   not zoom.
  func fragment(index: Int?, id: String = "f0") -> String {
    var result = "<div class=\"figure\"" + (index.map { " data-figure=\"\($0)\"" } ?? "") + ">\n"
    if index != nil {
      result += "<div class=\"tools\">"
      for (name, label) in [
        ("in", "Zoom in"), ("out", "Zoom out"), ("left", "←"), ("right", "→"), ("all", "Whole"),
      ] {
        result += "<button type=\"button\" data-do=\"\(name)\">\(label)</button>"
      }
      result +=
        "<span class=\"faint\">drag to pan; Shift or Ctrl with the wheel zooms</span></div>\n"
    }
    for (name, width) in [("wide", 1240.0), ("narrow", 366.0)] {
      var drawing = RecordingDrawing(self, width: width)
      drawing.draw(withTitle: false)
      result += drawing.element(attributes: " class=\"\(name)\"", hatch: "\(id)-\(name)")
    }
    return result + "</div>\n"
  }

  /// What was not counted and why, as a table.
  var reasonsTable: String {
    guard !notCounted.isEmpty else { return "" }
    var result = "<h2>Not counted</h2>\n<div class=\"scroll\"><table><thead><tr>"
    result += "<th class=\"n\">from s</th><th class=\"n\">to s</th><th>kind</th><th>why</th>"
    result += "</tr></thead><tbody>\n"
    for candidate in notCounted {
      result += "<tr><td class=\"n\">\(figureDecimal(candidate.start, 1))</td>"
      result += "<td class=\"n\">\(figureDecimal(candidate.end, 1))</td>"
      result += "<td>\(candidate.isPartial ? "partial rep" : "rejected")</td>"
      result += "<td>\(MarkupText.escaped(candidate.reason))</td></tr>\n"
    }
    return result + "</tbody></table></div>\n"
  }
}
