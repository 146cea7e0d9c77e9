import RepTrace

/// What an analysis says of a set's reps, for people and for scripts. Figures that the data cannot
/// support are a dash, or absent.
enum AnalysisText {
  /// A row for each rep.
  ///
  /// - Parameter origin: of the times, in seconds on the samples' clock.
  static func table(_ set: CountedSet, _ analysis: SetAnalysis?, origin: Double) -> TextTable {
    var table = TextTable([
      .init("rep", .right), .init("start s", .right), .init("end s", .right),
      .init("s", .right), .init("confidence", .right),
      .init("concentric s", .right, isDispensable: true),
      .init("eccentric s", .right, isDispensable: true),
      .init("far pause s", .right, isDispensable: true),
      .init("pause after s", .right, isDispensable: true),
      .init("range °", .right, isDispensable: true),
      .init("peak °/s", .right, isDispensable: true),
      .init("similarity", .right, isDispensable: true),
    ])
    func text(_ value: Double?, _ places: Int) -> String {
      value.map { decimal($0, places) } ?? "–"
    }
    for (index, rep) in set.reps.enumerated() {
      let figures = analysis.flatMap {
        $0.reps.indices.contains(index) ? $0.reps[index] : nil
      }
      table.add([
        String(index + 1), decimal(rep.start - origin, 2), decimal(rep.end - origin, 2),
        decimal(rep.duration, 2), decimal(rep.confidence, 2), text(figures?.concentricTime, 2),
        text(figures?.eccentricTime, 2), text(figures?.farPause, 2),
        text(figures?.pauseAfter, 2), text(figures?.rangeOfMotion, 0),
        text(figures?.peakRotationRate, 0), text(figures?.similarity, 2),
      ])
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
      add("velocityLoss", fatigue.velocityLoss, to: &loss)
      add("rangeLoss", fatigue.rangeLoss, to: &loss)
      loss.add("recovery", fatigue.recovery.rawValue)
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
