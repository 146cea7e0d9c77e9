import Evaluation
import RepTrace

/// How soon reps are told, in words and figures, for people and for programs.
enum LiveEvaluationText {
  static func table(_ report: LiveEvaluationReport) -> [String] {
    var table = TextTable([
      .init("sets", shrinks: true), .init("number", .right), .init("reps", .right),
      .init("first rep", .right), .init("second", .right), .init("by 0.5 s", .right),
      .init("within 0.5 s", .right),
      .init("count right", .right), .init("corrections", .right),
    ])
    for (name, figures) in [("declared", report.declared), ("found", report.found)] {
      table.add([
        name, String(figures.sets), String(figures.reps), seconds(figures.firstRepMedian),
        seconds(figures.secondRepMedian), percent(figures.notLateFraction),
        percent(figures.inTimeFraction),
        percent(figures.correctFraction), figures.correctionsPerSet.map { decimal($0, 2) } ?? "–",
      ])
    }
    let recognised = report.found.recognitionMedian.map {
      "found sets are announced \(decimal($0, 1)) s after their first rep began (median); "
    }
    return table.lines(width: StandardStreams.terminalWidth) + [
      "",
      "first reps of declared sets told at most 0.7 s after their end: "
        + "\(report.declared.promptFirstReps) / \(report.declared.sets)",
      "\(recognised ?? "")announced and no set: \(report.falseSets)",
    ]
  }

  private static func seconds(_ value: Double?) -> String {
    value.map { decimal($0, 2) + " s" } ?? "–"
  }

  private static func percent(_ share: Double?) -> String {
    share.map { decimal(100 * $0, 1) + " %" } ?? "–"
  }

  static func json(_ report: LiveEvaluationReport) -> String {
    var object = JSONObjectText()
    object.add("declared", json: json(report.declared))
    object.add("found", json: json(report.found))
    object.add("falseSets", report.falseSets)
    object.add("sets", json: "[" + report.sets.map(json).joined(separator: ",") + "]")
    return object.text
  }

  private static func json(_ figures: LiveEvaluationReport.Figures) -> String {
    var object = JSONObjectText()
    object.add("sets", figures.sets)
    object.add("reps", figures.reps)
    if let value = figures.firstRepMedian {
      object.add("firstRepMedianSeconds", value, decimals: 3)
    }
    if let value = figures.secondRepMedian {
      object.add("secondRepMedianSeconds", value, decimals: 3)
    }
    object.add("firstRepsWithin700Milliseconds", figures.promptFirstReps)
    if let value = figures.notLateFraction {
      object.add("repsAtMostHalfSecondLate", value, decimals: 4)
    }
    if let value = figures.inTimeFraction { object.add("repsWithinHalfSecond", value, decimals: 4) }
    if let value = figures.correctFraction { object.add("countRight", value, decimals: 4) }
    if let value = figures.correctionsPerSet {
      object.add("correctionsPerSet", value, decimals: 4)
    }
    if let value = figures.recognitionMedian {
      object.add("announcedMedianSeconds", value, decimals: 3)
    }
    return object.text
  }

  private static func json(_ set: FollowedSet) -> String {
    var object = JSONObjectText()
    object.add("recording", set.recording)
    object.add("cause", set.cause.rawValue)
    object.add("reps", set.timing.delays.count)
    let delays = set.timing.delays.map { $0.map { decimal($0, 3) } ?? "null" }
    object.add("delays", json: "[" + delays.joined(separator: ",") + "]")
    object.add("looks", set.timing.checks)
    object.add("rightLooks", set.timing.correctChecks)
    object.add("corrections", set.timing.corrections)
    if let value = set.recognitionSeconds { object.add("announcedSeconds", value, decimals: 3) }
    return object.text
  }

  /// Prints a row for each set.
  static func printSets(
    _ report: LiveEvaluationReport, _ output: OutputFormat, csv: CSVStyle
  ) throws {
    var rows = RowPrinter(
      output, csv: csv,
      [
        .init("recording"), .init("cause"), .init("reps"), .init("first_delay", isNumber: true),
        .init("in_time"), .init("looks"), .init("right_looks"), .init("corrections"),
      ])
    for set in report.sets {
      try rows.add(
        json: json(set),
        cells: [
          set.recording, set.cause.rawValue, String(set.timing.delays.count),
          (set.timing.delays.first ?? nil).map { decimal($0, 3) } ?? "",
          String(set.timing.repsInTime), String(set.timing.checks),
          String(set.timing.correctChecks), String(set.timing.corrections),
        ])
    }
    try rows.finish()
  }
}
