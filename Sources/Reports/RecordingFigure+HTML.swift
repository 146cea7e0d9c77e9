extension RecordingFigure {
  /// A page of its own, that pans and zooms without any network.
  ///
  /// - Parameter facts: figures that are shown above the plot.
  package func html(facts: [(name: String, value: String)] = []) -> String {
    var body = HTMLPage.header(title: title, subtitle: subtitle, source: source)
    body += HTMLPage.facts(facts)
    body += fragment(index: 0, id: "f0")
    body += "<details class=\"words\"><summary>This picture in words</summary>\n"
    body += "<p>\(MarkupText.escaped(inWords))</p></details>\n"
    body += reasonsTable
    return HTMLPage.document(
      title: title, body: body,
      data: "[" + EmbeddedSeries.json(panels) + "]")
  }

  /// The plot, which the page's script makes as wide as there is room.
  ///
  /// - Parameters:
  ///   - index: the place of its samples among the page's data.
  ///   - id: one of its kind in the page.
  ///   - isFolded: whether the plot is folded away at first. It is drawn when it is opened then, so
  ///     that a page can hold hundreds of them.
  func fragment(index: Int, id: String, isFolded: Bool = false) -> String {
    var drawing = RecordingDrawing(self, width: isFolded ? 640 : 1240, drawsTraces: !isFolded)
    drawing.draw(withTitle: false)
    return "<div class=\"figure\" data-figure=\"\(index)\">\n" + drawing.element(hatch: id)
      + "</div>\n"
  }

  /// What was not counted and why, as a table.
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
