import Evaluation
import TextFormats

extension ReportPage {
  /// Creates a page about an evaluation.
  ///
  /// - Parameter worst: Plots of the sets with the largest count errors.
  package init(evaluation report: EvaluationReport, title: String, worst: [RecordingFigure]) {
    let total = report.total
    func percent(_ count: Int) -> String {
      total.sets == 0 ? "–" : "\(figureDecimal(Double(count) / Double(total.sets) * 100, 1)) %"
    }
    var facts: [(name: String, value: String)] = [
      ("mode", report.mode.rawValue), ("sets", "\(total.sets)"), ("exact", percent(total.exact)),
      ("within one", percent(total.withinOne)),
      ("mean absolute error", figureDecimal(total.meanAbsoluteError, 2)),
    ]
    if let falseRate = report.falseRepsPerTenMinutes {
      facts.append(("false reps in 10 min of rest", figureDecimal(falseRate, 2)))
    }
    if let calibration = report.calibration {
      facts.append(("Brier score", figureDecimal(calibration.brierScore, 3)))
      facts.append(("calibration error", figureDecimal(calibration.expectedCalibrationError, 3)))
    }
    self.init(title: title, facts: facts)
    var beside = [
      Section.confusion(
        title: "Counted against true reps",
        report.sets.map { ($0.countedReps, $0.label.reps) })
    ]
    if let calibration = report.calibration {
      beside.append(.reliability(title: "Does the confidence mean what it says?", calibration.bins))
    }
    sections.append(.beside(beside))
    if report.byExercise.count > 1 {
      sections.append(
        .table(
          title: "By exercise", note: "",
          Table(
            ["Exercise", "Sets", "Exact", "Within one", "Mean absolute error"],
            numeric: [1, 2, 3, 4],
            rows: report.byExercise.map { group in
              [
                group.exercise, "\(group.accuracy.sets)", "\(group.accuracy.exact)",
                "\(group.accuracy.withinOne)",
                figureDecimal(group.accuracy.meanAbsoluteError, 2),
              ]
            })))
    }
    let wrong = report.sets.filter { !$0.isExact }.sorted {
      (-abs($0.error), $0.label.line) < (-abs($1.error), $1.label.line)
    }
    sections.append(
      .table(
        title: wrong.isEmpty ? "Every count is exact" : "Wrong counts", note: "",
        Table(
          ["Recording", "Exercise", "Counted", "True", "Confidence"], numeric: [2, 3, 4],
          rows: wrong.map { set in
            [
              set.label.recording, set.label.exercise ?? "", "\(set.countedReps)",
              "\(set.label.reps)", set.confidence.map { figureDecimal($0, 2) } ?? "none found",
            ]
          })))
    if !worst.isEmpty { sections.append(.figures(title: "The worst sets", worst)) }
  }
}
