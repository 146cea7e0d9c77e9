extension ReportPage {
  /// The page, self-contained. A set with its plot takes about 20 kB.
  package func html() -> String {
    var body = HTMLPage.header(title: title, subtitle: subtitle, source: source)
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
    case .groups(let title, let groups):
      // Of many groups the first is open: the page stays a few screens long.
      let sets = groups.reduce(0) { $0 + $1.cards.count }
      var result = heading(title)
      for (index, group) in groups.enumerated() {
        result += html(group, isOpen: index == 0 || sets <= 6, data: &data)
      }
      return result
    case .glossary(let title, let words):
      let items = words.map {
        "<dt><strong>\(MarkupText.escaped($0.word))</strong></dt>"
          + "<dd>\(MarkupText.escaped($0.meaning))</dd>\n"
      }
      return "<details class=\"words\"><summary>\(MarkupText.escaped(title))</summary>\n<dl>"
        + items.joined() + "</dl></details>\n"
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
        result += "<p>\(MarkupText.escaped(figure.subtitle))</p>\n"
        result += HTMLPage.smallPrint(figure.source)
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

  private func html(_ group: Group, isOpen: Bool, data: inout [String]) -> String {
    var result = "<details class=\"group\"\(isOpen ? " open" : "")><summary>"
    result += "<strong>\(MarkupText.escaped(group.title))</strong> "
    result += "\(MarkupText.escaped(group.subtitle))</summary>\n"
    if !group.trends.isEmpty {
      let drawings = group.trends.map {
        figure($0.title + ($0.unit.isEmpty ? "" : " (\($0.unit))"), TrendDrawing.svg($0))
      }
      result += "<div class=\"row charts\">\n" + drawings.joined() + "</div>\n"
    }
    result += "<div class=\"cards\">\n"
    for (order, card) in group.cards.enumerated() {
      result += html(card, order: order, data: &data)
    }
    return result + "</div>\n</details>\n"
  }

  private func html(_ card: Card, order: Int, data: inout [String]) -> String {
    var result = "<div class=\"card\" data-order=\"\(order)\" data-reps=\"\(card.reps)\""
    result += " data-sure=\"\(figureDecimal(card.confidence, 4))\""
    if let slowdown = card.slowdown { result += " data-slowed=\"\(figureDecimal(slowdown, 1))\"" }
    result += "><h3>\(MarkupText.escaped(card.title.headline))</h3>\n"
    if !card.title.subline.isEmpty {
      result += "<p>\(MarkupText.escaped(card.title.subline))</p>\n"
    }
    for note in card.notes { result += "<p>\(MarkupText.escaped(note))</p>\n" }
    result += CardDrawing.svg(card)
    if let plot = card.plot {
      let index = data.count
      data.append(EmbeddedSeries.json(plot.panels, samplesAtMost: Self.samplesOfASetAtMost))
      result += "<details class=\"plotfold\"><summary>Plot of this set</summary>\n"
      result += plot.fragment(index: index, id: "f\(index)", isFolded: true) + "</details>\n"
    }
    return result + HTMLPage.smallPrint(card.title.source) + "</div>\n"
  }

  /// Of each panel in the plots of a page of many sets.
  private static let samplesOfASetAtMost = 500

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
