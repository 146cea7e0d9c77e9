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
        .init("s", .right), .init("confidence", .right),
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
    var object = JSONObjectText()
    func add(_ name: String, _ value: Double?, to object: inout JSONObjectText) {
      if let value { object.add(name, value, decimals: 4) }
    }
    object.add("phaseOrder", analysis.phaseOrder.rawValue)
    if let curve = analysis.curve { object.add("source", curve.source.rawValue) }
    add("consistency", analysis.consistency, to: &object)
    add("range", analysis.range, to: &object)
    add("tempoControl", analysis.tempoControl, to: &object)
    add("intensity", analysis.intensity, to: &object)
    if let fatigue = analysis.fatigue {
      var loss = JSONObjectText()
      add("slowdown", fatigue.slowdown, to: &loss)
      add("rotationLoss", fatigue.rotationLoss, to: &loss)
      add("velocityLoss", fatigue.velocityLoss, to: &loss)
      add("rangeLoss", fatigue.rangeLoss, to: &loss)
      if let recovery = fatigue.recovery { loss.add("recovery", recovery.rawValue) }
      object.add("fatigue", json: loss.text)
    }
    let reps = analysis.reps.map { rep in
      var object = JSONObjectText()
      object.add("number", rep.number)
      add("duration", rep.duration, to: &object)
      add("concentricTime", rep.concentricTime, to: &object)
      add("eccentricTime", rep.eccentricTime, to: &object)
      add("farPause", rep.farPause, to: &object)
      add("pauseAfter", rep.pauseAfter, to: &object)
      add("restAfter", rep.restAfter, to: &object)
      add("rotationRange", rep.rotationRange, to: &object)
      add("peakRotationRate", rep.peakRotationRate, to: &object)
      add("meanRotationRate", rep.meanRotationRate, to: &object)
      add("rangeOfMotion", rep.rangeOfMotion, to: &object)
      add("relativeRange", rep.relativeRange, to: &object)
      add("meanConcentricSpeed", rep.meanConcentricSpeed, to: &object)
      add("similarity", rep.similarity, to: &object)
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
