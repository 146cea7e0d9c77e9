extension ReportPage {
  /// The page, self-contained. 200 cards take less than a megabyte.
  public func html() -> String {
    var body = "<h1>\(MarkupText.escaped(title))</h1>\n"
    if !subtitle.isEmpty { body += "<p class=\"faint\">\(MarkupText.escaped(subtitle))</p>\n" }
    body += HTMLPage.facts(facts)
    var data: [String] = []
    for section in sections { body += html(section, data: &data) }
    return HTMLPage.document(
      title: title, body: body,
      data: data.isEmpty ? nil : "[" + data.joined(separator: ",") + "]")
  }

  /// - Parameter data: the samples of plots that zoom, for the page's script.
  private func html(_ section: Section, data: inout [String]) -> String {
    switch section {
    case .cards(let title, let cards):
      return heading(title) + "<div class=\"cards\">\n" + cards.map(html).joined() + "</div>\n"
    case .trends(let title, let trends):
      let drawings = trends.map { figure($0.title, TrendDrawing.svg($0)) }
      return heading(title) + "<div class=\"row\">\n" + drawings.joined() + "</div>\n"
    case .confusion(let title, let pairs): return heading(title) + ConfusionDrawing.svg(pairs)
    case .reliability(let title, let bins): return heading(title) + ReliabilityDrawing.svg(bins)
    case .table(let title, let table): return heading(title) + html(table)
    case .beside(let sections):
      var result = "<div class=\"row\">\n"
      for section in sections { result += "<div>" + html(section, data: &data) + "</div>\n" }
      return result + "</div>\n"
    case .figures(let title, let figures):
      var result = heading(title)
      for figure in figures {
        result += "<h3>\(MarkupText.escaped(figure.title))</h3>\n"
        result += "<p class=\"faint\">\(MarkupText.escaped(figure.subtitle))</p>\n"
        result += figure.fragment(index: data.count, id: "f\(data.count)")
        data.append(EmbeddedSeries.json(figure.panels))
      }
      return result
    }
  }

  private func heading(_ text: String) -> String { "<h2>\(MarkupText.escaped(text))</h2>\n" }

  private func figure(_ title: String, _ svg: String) -> String {
    "<div>" + (title.isEmpty ? "" : "<h3>\(MarkupText.escaped(title))</h3>\n") + svg + "</div>\n"
  }

  private func html(_ card: Card) -> String {
    var result = "<div class=\"card\"><h3>\(MarkupText.escaped(card.title))</h3>\n"
    for note in card.notes { result += "<p>\(MarkupText.escaped(note))</p>\n" }
    return result + CardDrawing.svg(card) + "</div>\n"
  }

  private func html(_ table: Table) -> String {
    func cell(_ tag: String, _ index: Int, _ text: String) -> String {
      "<\(tag)\(table.numeric.contains(index) ? " class=\"n\"" : "")>"
        + MarkupText.escaped(text) + "</\(tag)>"
    }
    var result = "<div class=\"scroll\"><table><thead><tr>"
    result += table.columns.enumerated().map { cell("th", $0, $1) }.joined()
    result += "</tr></thead><tbody>\n"
    for row in table.rows {
      result += "<tr>" + row.enumerated().map { cell("td", $0, $1) }.joined() + "</tr>\n"
    }
    return result + "</tbody></table></div>\n"
  }
}
