import RepTrace

/// The analysis of a set's reps as text, for people and scripts. Omits figures that the data cannot support.
enum AnalysisText {
  /// Returns a table with a row for each rep.
  ///
  /// - Parameter origin: Zero of the printed times, in seconds on the samples' clock.
  static func table(_ set: CountedSet, _ analysis: SetAnalysis?, origin: Double) -> TextTable {
    let reps = set.reps.indices.map { index in
      analysis.flatMap { $0.reps.indices.contains(index) ? $0.reps[index] : nil }
    }
    // Omit columns that are empty for every rep.
    let shown = RepAnalysis.figures.filter { figure in
      reps.contains { $0.flatMap(figure.value) != nil }
    }
    var table = TextTable(
      [
        .init("rep", .right), .init("start s", .right), .init("end s", .right),
        .init("s", .right), .init("confidence", .right, isConfidence: true),
      ] + shown.map { .init("\($0.title) \($0.unit)", .right, isDispensable: true) })
    for (index, rep) in set.reps.enumerated() {
      table.add(
        [
          String(index + 1), decimal(rep.start - origin, 2), decimal(rep.end - origin, 2),
          decimal(rep.duration, 2), decimal(rep.confidence, 2),
        ]
          + shown.map { figure in
            reps[index].flatMap(figure.shownValue).map { decimal($0, figure.decimals) } ?? ""
          })
    }
    return table
  }

  /// Returns all figures as JSON, by their names in docs/analysis.md.
  static func json(_ analysis: SetAnalysis) -> String {
    func add<Analysis>(
      _ figures: [Figure<Analysis>], of analysis: Analysis, to object: inout JSONObjectText
    ) {
      for figure in figures { object.add(figure.key, .number(figure.value(analysis), decimals: 4)) }
    }
    var object = JSONObjectText([
      "phaseOrder": .text(analysis.phaseOrder.rawValue),
      "source": .text(analysis.curve?.source.rawValue),
    ])
    add(SetAnalysis.figures, of: analysis, to: &object)
    if let fatigue = analysis.fatigue {
      var loss = JSONObjectText()
      add(SetAnalysis.Fatigue.figures, of: fatigue, to: &loss)
      loss.add("recovery", .text(fatigue.recovery?.rawValue))
      object.add("fatigue", .json(loss.text))
    }
    let reps = analysis.reps.map { rep in
      var object = JSONObjectText([
        "number": .number(rep.number), "duration": .number(rep.duration, decimals: 4),
      ])
      add(RepAnalysis.figures, of: rep, to: &object)
      return object.text
    }
    object.add("reps", .list(reps))
    return object.text
  }

  /// Wraps a text at spaces into lines of at most `width` columns.
  static func wrapped(_ text: String, width: Int?) -> [String] {
    guard let width, TerminalText.width(text) > width else { return [text] }
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      if !line.isEmpty, TerminalText.width(line) + 1 + TerminalText.width(String(word)) > width {
        lines.append(line)
        line = String(word)
      } else {
        line += (line.isEmpty ? "" : " ") + word
      }
    }
    return lines + [line]
  }
}
