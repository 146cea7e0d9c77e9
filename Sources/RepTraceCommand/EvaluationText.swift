import Evaluation
import RepTrace

/// The text of an evaluation, for people and for programs.
enum EvaluationText {
  static func lines(_ report: EvaluationReport, by columns: [String] = [], listErrors: Bool)
    -> [String]
  {
    func table(_ title: String, _ rows: [(String, EvaluationReport.Accuracy)]) -> [String] {
      var table = TextTable([
        .init(title, shrinks: true), .init("sets", .right), .init("exact", .right),
        .init("within 1", .right), .init("in range", .right), .init("MAE", .right),
      ])
      for (name, accuracy) in rows {
        table.add([
          name, String(accuracy.sets), percent(accuracy.exact, of: accuracy.sets),
          percent(accuracy.withinOne, of: accuracy.sets),
          percent(accuracy.inRange, of: accuracy.sets), decimal(accuracy.meanAbsoluteError, 2),
        ])
      }
      return table.lines(width: StandardStreams.terminalWidth)
    }
    var lines = table(
      "exercise", report.byExercise.map { ($0.exercise, $0.accuracy) } + [("total", report.total)])
    for column in columns {
      lines += [""] + table(column, report.accuracy(by: column).map { ($0.value, $0.accuracy) })
    }
    lines.append("")
    lines.append(
      "exact \(report.total.exact) / \(report.total.sets), "
        + "within 1 \(report.total.withinOne) / \(report.total.sets); "
        + "sets found \(report.foundSets), missed \(report.missedSets)")
    if let start = report.startErrors, let end = report.endErrors {
      lines.append(
        "set boundaries, median absolute error: start \(decimal(start.medianAbsolute, 2)) s, "
          + "end \(decimal(end.medianAbsolute, 2)) s")
    }
    if let falseRate = report.falseRepsPerTenMinutes {
      let sets = "\(report.falseSets) false \(report.falseSets == 1 ? "set" : "sets")"
      lines.append(
        "outside labelled sets: \(report.falseReps) reps (\(report.repsInFalseSets) of them in \(sets)), "
          + "\(decimal(falseRate, 1)) per 10 minutes of rest (\(decimal(report.restSeconds / 60, 1)) min)"
      )
    }
    if let start = report.repStartErrors, let end = report.repEndErrors {
      lines.append(
        "reps, median absolute error: start \(decimal(start.medianAbsolute, 3)) s, "
          + "end \(decimal(end.medianAbsolute, 3)) s; "
          + "missed \(report.missedReps), invented \(report.inventedReps)")
    }
    if let calibration = report.calibration {
      lines += self.lines(calibration, title: "confidence of sets", outcome: "exact")
    }
    if let calibration = report.repCalibration {
      lines += self.lines(calibration, title: "confidence of reps", outcome: "reps")
    }
    if listErrors {
      let wrong = report.sets.filter { !$0.isExact }
      if !wrong.isEmpty {
        var table = TextTable([
          .init("recording", shrinks: true), .init("reps", .right), .init("counted", .right),
          .init("confidence", .right),
        ])
        for set in wrong {
          table.add([
            set.label.recording, String(set.label.reps), String(set.countedReps),
            set.confidence.map { decimal($0, 2) } ?? "–",
          ])
        }
        lines += [""] + table.lines(width: StandardStreams.terminalWidth)
      }
    }
    return lines
  }

  private static func lines(
    _ calibration: CalibrationStatistics, title: String, outcome: String
  ) -> [String] {
    var table = TextTable([
      .init("confidence", .right), .init(outcome, .right), .init("90 % interval", .right),
      .init("of", .right),
    ])
    for bin in calibration.bins {
      table.add([
        decimal(bin.meanConfidence, 2), decimal(bin.rate, 2),
        "\(decimal(bin.rateInterval.lowerBound, 2))–\(decimal(bin.rateInterval.upperBound, 2))",
        String(bin.count),
      ])
    }
    let auroc = calibration.areaUnderROC.map { ", AUROC \(decimal($0, 2))" } ?? ""
    return [
      "",
      "\(title): mean \(decimal(calibration.meanConfidence, 3)) against "
        + "\(decimal(calibration.rate, 3)) \(outcome); "
        + "Brier \(decimal(calibration.brierScore, 3)) "
        + "(constant: \(decimal(calibration.brierScoreOfConstant, 3)))\(auroc), "
        + "ECE \(decimal(calibration.expectedCalibrationError, 3))",
    ] + table.lines(width: nil)
  }

  /// Prints a row for each labeled set.
  static func printSets(_ report: EvaluationReport, _ style: RowStyle) throws {
    var rows = style.printer([
      .init("recording"), .init("exercise"), .init("reps"), .init("counted"), .init("exact"),
      .init("confidence", isNumber: true), .init("start_error", isNumber: true),
      .init("end_error", isNumber: true),
    ])
    for set in report.sets {
      try rows.add(
        json: set.json,
        cells: [
          set.label.recording, set.label.exercise ?? "", String(set.label.reps),
          String(set.countedReps), set.isExact ? "yes" : "no",
          set.confidence.map { decimal($0, 4) } ?? "",
          set.startError.map { decimal($0, 3) } ?? "",
          set.endError.map { decimal($0, 3) } ?? "",
        ])
    }
    try rows.finish()
  }
}

private func percent(_ part: Int, of whole: Int) -> String {
  whole == 0 ? "–" : decimal(100 * Double(part) / Double(whole), 1) + " %"
}
