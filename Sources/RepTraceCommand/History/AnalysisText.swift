import RepTrace

/// What an analysis says of a set's reps, for people and for scripts. Figures that the data cannot
/// support are absent.
enum AnalysisText {
  /// A row for each rep.
  ///
  /// - Parameter origin: of the times, in seconds on the samples' clock.
  static func table(_ set: CountedSet, _ analysis: SetAnalysis?, origin: Double) -> TextTable {
    let figures = set.reps.indices.map { index in
      analysis.flatMap { $0.reps.indices.contains(index) ? $0.reps[index] : nil }
    }
    // A figure that no rep has takes no space.
    let told: [(title: String, values: [Double?], places: Int)] = [
      ("lifting s", figures.map { $0?.concentricTime }, 2),
      ("lowering s", figures.map { $0?.eccentricTime }, 2),
      ("far pause s", figures.map { $0?.farPause }, 2),
      ("pause after s", figures.map { $0?.restAfter }, 2),
      ("turn °", figures.map { $0?.rotationRange }, 0),
      ("range °", figures.map { $0?.rangeOfMotion }, 0),
      ("peak °/s", figures.map { $0?.peakRotationRate }, 0),
      ("similarity", figures.map { $0?.similarity }, 2),
    ].filter { $0.values.contains { $0 != nil } }
    var table = TextTable(
      [
        .init("rep", .right), .init("start s", .right), .init("end s", .right),
        .init("s", .right), .init("confidence", .right, isConfidence: true),
      ] + told.map { .init($0.title, .right, isDispensable: true) })
    for (index, rep) in set.reps.enumerated() {
      table.add(
        [
          String(index + 1), decimal(rep.start - origin, 2), decimal(rep.end - origin, 2),
          decimal(rep.duration, 2), decimal(rep.confidence, 2),
        ] + told.map { column in column.values[index].map { decimal($0, column.places) } ?? "" })
    }
    return table
  }

  /// All figures by their names in docs/analysis.md.
  static func json(_ analysis: SetAnalysis) -> String {
    func add(_ figures: [(name: String, value: Double?)], to object: inout JSONObjectText) {
      for (name, value) in figures {
        if let value { object.add(name, value, decimals: 4) }
      }
    }
    var object = JSONObjectText()
    object.add("phaseOrder", analysis.phaseOrder.rawValue)
    if let curve = analysis.curve { object.add("source", curve.source.rawValue) }
    add(analysis.figures, to: &object)
    if let fatigue = analysis.fatigue {
      var loss = JSONObjectText()
      add(fatigue.figures, to: &loss)
      if let recovery = fatigue.recovery { loss.add("recovery", recovery.rawValue) }
      object.add("fatigue", json: loss.text)
    }
    let reps = analysis.reps.map { rep in
      var object = JSONObjectText()
      object.add("number", rep.number)
      object.add("duration", rep.duration, decimals: 4)
      add(rep.figures, to: &object)
      return object.text
    }
    object.add("reps", json: "[" + reps.joined(separator: ",") + "]")
    return object.text
  }

  /// Lines of at most so many columns, broken at spaces.
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
