extension RecordingFigure {
  /// Returns a stand-alone page that pans and zooms without network access.
  ///
  /// - Parameter facts: Figures to show above the plot.
  package func html(facts: [(name: String, value: String)] = []) -> String {
    var body = HTMLPage.header(title: title, subtitle: subtitle, source: source)
    body += HTMLPage.facts(facts)
    body += fragment(index: 0, id: "f0")
    body += "<details class=\"words\"><summary>This picture in words</summary>\n"
    body += "<p>\(MarkupText.escaped(textDescription))</p></details>\n"
    body += reasonsTable
    return HTMLPage.document(
      title: title, body: body,
      data: "[" + EmbeddedSeries.json(panels) + "]")
  }

  /// Returns the plot, which the page's script fits to the available width.
  ///
  /// - Parameters:
  ///   - index: Index of the plot's samples in the page's data.
  ///   - id: An id that is unique in the page.
  ///   - isFolded: True if the plot is folded initially. It is drawn when it is opened, so that a page can
  ///     hold hundreds of plots.
  func fragment(index: Int, id: String, isFolded: Bool = false) -> String {
    var drawing = RecordingDrawing(self, width: isFolded ? 640 : 1240, drawsTraces: !isFolded)
    drawing.draw(withTitle: false)
    return "<div class=\"figure\" data-figure=\"\(index)\">\n" + drawing.element(hatch: id)
      + "</div>\n"
  }

  /// A table of the movements that were not counted, with the reasons.
  var reasonsTable: String {
    guard !notCounted.isEmpty else { return "" }
    var result = "<details class=\"words\"\(notCounted.count > 12 ? "" : " open")><summary>"
    result += "Movements that were not counted: \(notCounted.count)</summary>\n"
    result += "<div class=\"scroll\"><table><thead><tr>"
    result += "<th class=\"n\">from s</th><th class=\"n\">to s</th><th>what</th><th>why</th>"
    result += "</tr></thead><tbody>\n"
    for candidate in notCounted {
      result += "<tr><td class=\"n\">\(figureDecimal(candidate.start, 1))</td>"
      result += "<td class=\"n\">\(figureDecimal(candidate.end, 1))</td>"
      result += "<td>\(candidate.isPartial ? "part of a rep" : "not a rep")</td>"
      result += "<td>\(MarkupText.escaped(candidate.reason))</td></tr>\n"
    }
    return result + "</tbody></table></div></details>\n"
  }
}
