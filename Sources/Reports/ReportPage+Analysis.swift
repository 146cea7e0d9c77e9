import Evaluation
import Motion
import MovementAnalysis
import RepDetection

extension ReportPage.Card {
  /// The card of a counted set.
  public init(title: String, set: CountedSet, analysis: SetAnalysis) {
    let reps = set.reps.count
    var first = "\(reps) rep\(reps == 1 ? "" : "s"), confidence \(figureDecimal(set.confidence, 2))"
    if !set.partialReps.isEmpty { first += ", \(set.partialReps.count) partial" }
    var notes = [first]
    var tempo: [String] = []
    func mean(_ values: [Double]) -> Double? {
      values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
    }
    if let up = mean(analysis.reps.compactMap(\.concentricTime)),
      let down = mean(analysis.reps.compactMap(\.eccentricTime))
    {
      tempo.append("\(figureDecimal(up, 1)) s up, \(figureDecimal(down, 1)) s down")
    }
    if let range = mean(analysis.reps.compactMap(\.rangeOfMotion)) {
      tempo.append("\(figureDecimal(range, 0))° range")
    }
    if !tempo.isEmpty { notes.append(tempo.joined(separator: ", ")) }
    var quality: [String] = []
    if let value = analysis.consistency { quality.append("consistency \(figureDecimal(value, 2))") }
    if let value = analysis.tempoControl { quality.append("tempo \(figureDecimal(value, 2))") }
    if let fatigue = analysis.fatigue {
      quality.append("velocity loss \(figureDecimal(fatigue.velocityLoss, 0)) %")
    }
    if !quality.isEmpty { notes.append(quality.joined(separator: ", ")) }
    self.init(
      title: title, notes: notes,
      curve: analysis.curve?.points.map { ($0.time, $0.movement) } ?? [],
      repEnds: set.reps.map { $0.end - set.start }, duration: set.end - set.start)
  }
}

extension ReportPage {
  /// A page about sets in order: trends and small multiples.
  public init(
    title: String, sets: [(name: String, set: CountedSet, analysis: SetAnalysis)],
    facts: [(name: String, value: String)] = []
  ) {
    let reps = sets.reduce(0) { $0 + $1.set.reps.count }
    self.init(
      title: title, subtitle: "",
      facts: [("sets", "\(sets.count)"), ("reps", "\(reps)")] + facts)
    if sets.count > 1 {
      let analyses = sets.map(\.analysis)
      sections.append(
        .trends(
          title: "From set to set",
          [
            Trend(
              title: "Fatigue", unit: "per cent", domain: 0...100,
              series: [
                ("velocity loss", analyses.map { $0.fatigue?.velocityLoss }),
                ("range loss", analyses.map { $0.fatigue?.rangeLoss }),
              ]),
            Trend(
              title: "Quality", unit: "0 to 1", domain: 0...1,
              series: [
                ("consistency", analyses.map(\.consistency)),
                ("tempo control", analyses.map(\.tempoControl)), ("range", analyses.map(\.range)),
              ]),
            Trend(
              title: "Reps", unit: "reps",
              domain: 0...Double(max(sets.map(\.set.reps.count).max() ?? 1, 5)),
              series: [("reps", sets.map { Double($0.set.reps.count) })]),
          ]))
    }
    sections.append(
      .cards(
        title: "Sets",
        sets.map { Card(title: $0.name, set: $0.set, analysis: $0.analysis) }))
  }

  /// A page about an evaluation.
  ///
  /// - Parameter worst: the sets whose counts are furthest off, with their plots.
  public init(evaluation report: EvaluationReport, title: String, worst: [RecordingFigure]) {
    let total = report.total
    func percent(_ count: Int) -> String {
      total.sets == 0 ? "–" : "\(figureDecimal(Double(count) / Double(total.sets) * 100, 1)) %"
    }
    var facts: [(name: String, value: String)] = [
      ("mode", report.mode.rawValue), ("sets", "\(total.sets)"), ("exact", percent(total.exact)),
      ("within one", percent(total.withinOne)),
      ("mean absolute error", figureDecimal(total.meanAbsoluteError, 2)),
    ]
    if let ghosts = report.ghostRepsPerTenMinutes {
      facts.append(("ghost reps in 10 min of rest", figureDecimal(ghosts, 2)))
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
      beside.append(
        .reliability(
          title: "Does the confidence mean what it says?",
          calibration.bins.map {
            ReliabilityBin(
              count: $0.count, confidence: $0.meanConfidence, rate: $0.rate,
              interval: $0.rateInterval)
          }))
    }
    sections.append(.beside(beside))
    if report.byExercise.count > 1 {
      sections.append(
        .table(
          title: "By exercise",
          Table(
            columns: ["exercise", "sets", "exact", "within one", "mean absolute error"],
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
        title: wrong.isEmpty ? "Every count is exact" : "Wrong counts",
        Table(
          columns: ["recording", "exercise", "counted", "true", "confidence"], numeric: [2, 3, 4],
          rows: wrong.map { set in
            [
              set.label.recording, set.label.exercise ?? "", "\(set.countedReps)",
              "\(set.label.reps)", set.confidence.map { figureDecimal($0, 2) } ?? "none found",
            ]
          })))
    if !worst.isEmpty { sections.append(.figures(title: "The worst sets", worst)) }
  }
}
