import Evaluation
import RepTrace

/// The latency of live reps as text, for people and for programs.
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
    let recognized = report.found.recognitionMedian.map {
      "found sets are announced \(decimal($0, 1)) s after their first rep began (median); "
    }
    return table.lines(width: StandardStreams.terminalWidth) + [
      "",
      "first reps of declared sets told at most 0.7 s after their end: "
        + "\(report.declared.promptFirstReps) / \(report.declared.sets)",
      "\(recognized ?? "")announced and no set: \(report.falseSets)",
    ]
  }

  private static func seconds(_ value: Double?) -> String {
    value.map { decimal($0, 2) + " s" } ?? "–"
  }

  private static func percent(_ share: Double?) -> String {
    share.map { decimal(100 * $0, 1) + " %" } ?? "–"
  }

  static func json(_ report: LiveEvaluationReport) -> String {
    JSONObjectText([
      "declared": .json(json(report.declared)), "found": .json(json(report.found)),
      "falseSets": .number(report.falseSets), "sets": .list(report.sets.map(json)),
    ]).text
  }

  private static func json(_ figures: LiveEvaluationReport.Figures) -> String {
    JSONObjectText([
      "sets": .number(figures.sets), "reps": .number(figures.reps),
      "firstRepMedianSeconds": .number(figures.firstRepMedian, decimals: 3),
      "secondRepMedianSeconds": .number(figures.secondRepMedian, decimals: 3),
      "firstRepsWithin700Milliseconds": .number(figures.promptFirstReps),
      "repsAtMostHalfSecondLate": .number(figures.notLateFraction, decimals: 4),
      "repsWithinHalfSecond": .number(figures.inTimeFraction, decimals: 4),
      "countRight": .number(figures.correctFraction, decimals: 4),
      "correctionsPerSet": .number(figures.correctionsPerSet, decimals: 4),
      "announcedMedianSeconds": .number(figures.recognitionMedian, decimals: 3),
    ]).text
  }

  private static func json(_ set: FollowedSet) -> String {
    JSONObjectText([
      "recording": .text(set.recording), "cause": .text(set.cause.rawValue),
      "reps": .number(set.timing.delays.count),
      "delays": .list(set.timing.delays.map { $0.map { decimal($0, 3) } ?? "null" }),
      "looks": .number(set.timing.checks), "rightLooks": .number(set.timing.correctChecks),
      "corrections": .number(set.timing.corrections),
      "announcedSeconds": .number(set.recognitionSeconds, decimals: 3),
    ]).text
  }

  static func printSets(_ report: LiveEvaluationReport, _ style: RowStyle) throws {
    var rows = style.printer([
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
