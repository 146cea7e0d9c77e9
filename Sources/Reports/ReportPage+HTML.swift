import TextFormats

extension ReportPage {
  /// Returns the self-contained page. A set with its plot takes about 20 kB.
  package func html() -> String {
    var body = HTMLPage.header(title: title, subtitle: subtitle, source: "")
    body += HTMLPage.facts(facts)
    var data: [String] = []
    for section in sections { body += html(section, data: &data) }
    body += HTMLPage.smallPrint(source)
    return HTMLPage.document(
      title: title, body: "<main class=\"report\">\n" + body + "</main>\n",
      data: JSONObjectText.array(data))
  }

  /// - Parameter data: Samples of zoomable plots, appended for the page's script.
  private func html(_ section: Section, data: inout [String]) -> String {
    switch section {
    case .notices(let title, let notices, let more): return html(notices, title: title, more: more)
    case .groups(let title, let groups):
      // With many groups, open only the first, to keep the page short.
      let charts = groups.reduce(0) { $0 + $1.charts.count }
      var result = heading(title)
      for (index, group) in groups.enumerated() {
        result += html(group, isOpen: index == 0 || charts <= 8)
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
    case .table(let title, let note, let table):
      return heading(title) + html(table, title: title, data: &data) + paragraph("faint note", note)
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

  private func paragraph(_ name: String, _ text: String) -> String {
    text.isEmpty ? "" : "<p class=\"\(name)\">\(MarkupText.escaped(text))</p>\n"
  }

  private func html(_ notices: [Notice], title: String, more: Int) -> String {
    var result = "<section class=\"notices\">" + heading(title) + "<ul>\n"
    for notice in notices {
      result += "<li data-row=\"\(notice.row)\"><div><strong>"
      result += "\(MarkupText.escaped(notice.title))</strong> "
      result += "<span class=\"faint\">\(MarkupText.escaped(notice.detail))</span></div>"
      result += "<div>\(MarkupText.escaped(notice.reason))</div></li>\n"
    }
    result += "</ul>\n"
    if more > 0 {
      result += paragraph("faint", "And \(more) more: sort the table of all sets by confidence.")
    }
    return result + "</section>\n"
  }

  private func html(_ group: Group, isOpen: Bool) -> String {
    var result = "<details class=\"group\"\(isOpen ? " open" : "")><summary>"
    result += "<strong>\(MarkupText.escaped(group.title))</strong> "
    result += "<span class=\"faint\">\(MarkupText.escaped(group.subtitle))</span></summary>\n"
    result += "<div class=\"charts\">\n"
    for chart in group.charts {
      result += "<figure><figcaption><h3>\(MarkupText.escaped(chart.title))</h3>"
      result += "<p><strong>\(MarkupText.escaped(chart.latest))</strong> "
      result += "\(MarkupText.escaped(chart.unit)) "
      result +=
        "<span class=\"faint\">\(MarkupText.escaped(chart.change))</span></p></figcaption>\n"
      result += ProgressDrawing.svg(chart) + paragraph("faint", chart.note) + "</figure>\n"
    }
    return result + "</div>\n</details>\n"
  }

  // MARK: Tables

  private func html(_ table: Table, title: String, data: inout [String]) -> String {
    var result = "<table class=\"\(table.isSortable ? "sets" : "plain")\">"
    result += "<caption class=\"unseen\">\(MarkupText.escaped(title))</caption>\n<thead><tr>"
    for column in table.columns {
      result += "<th scope=\"col\"\(column.isNumeric ? " class=\"n\"" : "")"
      if table.isSortable { result += " data-up=\"\(column.sortsUpwards ? 1 : 0)\"" }
      result += ">\(MarkupText.escaped(column.title))</th>"
    }
    result += "</tr></thead>\n"
    for (index, row) in table.rows.enumerated() {
      result += "<tbody data-row=\"\(index)\"><tr>"
      for (column, cell) in zip(table.columns, row.cells) {
        let isLast = column.title == table.columns.last?.title
        result += html(cell, column, drawing: isLast ? row.movement?.svg() : nil)
      }
      result += "</tr>"
      if row.plot != nil || !row.details.isEmpty {
        result += "<tr class=\"more\"><td colspan=\"\(table.columns.count)\">"
        result += details(of: row, data: &data) + "</td></tr>"
      }
      result += "</tbody>\n"
    }
    return result + "</table>\n"
  }

  /// Returns a cell, labeled with its column title for narrow screens.
  private func html(_ cell: Table.Cell, _ column: Table.Column, drawing: String?) -> String {
    var result = "<td data-title=\"\(MarkupText.escaped(column.title))\""
    var classes: [String] = []
    if column.isNumeric { classes.append("n") }
    if cell.isDoubtful { classes.append("doubtful") }
    if cell.text.isEmpty, drawing == nil { classes.append("empty") }
    if !classes.isEmpty { result += " class=\"\(classes.joined(separator: " "))\"" }
    if let value = cell.value, value.isFinite { result += " data-v=\"\(value)\"" }
    result += ">" + MarkupText.escaped(cell.text) + (drawing ?? "")
    if !cell.detail.isEmpty { result += " <small>\(MarkupText.escaped(cell.detail))</small>" }
    return result + "</td>"
  }

  private func details(of row: Table.Row, data: inout [String]) -> String {
    var result = "<details class=\"plotfold\"><summary>More about this set</summary>\n"
    for line in row.details { result += paragraph("faint", line) }
    if let plot = row.plot {
      let index = data.count
      data.append(EmbeddedSeries.json(plot.panels, maximumSamples: Self.maximumSamplesPerSet))
      result += plot.fragment(index: index, id: "f\(index)", isFolded: true)
    }
    return result + "</details>"
  }

  /// Maximum number of samples per panel in a page of many sets.
  private static let maximumSamplesPerSet = 500
}
