import Evaluation
import Motion
import MovementAnalysis
import RepDetection
import TextFormats

extension ReportPage {
  /// A counted set for a page of many.
  package struct AnalysedSet: Sendable {
    package var title: FigureTitle
    package var set: CountedSet
    package var analysis: SetAnalysis
    /// A person's count.
    package var correctedReps: Int?
    package var plot: RecordingFigure?

    /// The person's count where there is one, or else the machine's.
    var reps: Int { correctedReps ?? set.reps.count }

    package init(
      title: FigureTitle, set: CountedSet, analysis: SetAnalysis, correctedReps: Int? = nil,
      plot: RecordingFigure? = nil
    ) {
      self.title = title
      self.set = set
      self.analysis = analysis
      self.correctedReps = correctedReps
      self.plot = plot
    }
  }

  /// What the sets of a group have in common: a trend is one person's.
  fileprivate struct GroupKey: Hashable {
    var exercise: String?
    var user: String?
  }

  /// A page about sets in order, by exercise and person.
  package init(title: String, sets: [AnalysedSet], facts: [(name: String, value: String)] = []) {
    let reps = sets.reduce(0) { $0 + $1.reps }
    let days = sets.compactMap { $0.title.date?.prefix(10) }
    var shown = [("sets", "\(sets.count)"), ("reps", "\(reps)")]
    if let first = days.min(), let last = days.max() {
      shown.append(first == last ? ("day", "\(first)") : ("days", "\(first) to \(last)"))
    }
    self.init(title: title, subtitle: "", facts: shown + facts)
    var order: [GroupKey] = []
    var groups: [GroupKey: [AnalysedSet]] = [:]
    for set in sets {
      let key = GroupKey(exercise: set.title.exercise, user: set.title.user)
      if groups[key] == nil { order.append(key) }
      groups[key, default: []].append(set)
    }
    // What nobody named comes last.
    order = order.filter { $0.exercise != nil } + order.filter { $0.exercise == nil }
    sections = [
      .groups(
        title: "Sets",
        order.map { Group($0, sets: groups[$0] ?? [], isOnly: order.count == 1) }),
      .glossary(
        title: "What the words mean",
        Self.words.filter { sets.contains(where: $0.isUsed) }.map { ($0.word, $0.meaning) }),
    ]
  }

  /// The words that a page about sets uses, each with its meaning and where it is used.
  private static let words:
    [(word: String, meaning: String, isUsed: @Sendable (AnalysedSet) -> Bool)] = [
      ("rep", "one repetition: from the starting position and back to it", { _ in true }),
      ("97 % sure", "the chance that the count is exactly right", { _ in true }),
      (
        "movement",
        "where the wrist was between the two ends of a rep: −1 is the end of lowering, "
          + "+1 the end of lifting; the numbers above the curve stand where each rep ends",
        { $0.analysis.curve != nil }
      ),
      (
        "slower by the end", "how much longer the last reps took than the first ones",
        { $0.analysis.fatigue?.slowdown != nil }
      ),
      (
        "smaller by the end",
        "how much less the wrist turned in the last reps than in the first ones",
        { $0.analysis.fatigue?.rotationLoss != nil }
      ),
      (
        "speed lost", "how much slower the last rep was lifted than the fastest one",
        { $0.analysis.fatigue?.velocityLoss != nil }
      ),
      (
        "alike", "how much each rep resembles the set's other reps; 100 %: exactly the same",
        { $0.analysis.consistency != nil }
      ),
      (
        "even timing",
        "how evenly lifting and lowering are timed; 100 %: always the same",
        { $0.analysis.tempoControl != nil }
      ),
      (
        "a rep in part",
        "a movement that begins like a rep and stops short of it; it is not counted",
        { !$0.set.partialReps.isEmpty }
      ),
    ]
}

extension ReportPage.Group {
  /// The sets of an exercise, or of those that nobody named.
  ///
  /// - Parameter isOnly: whether the page has no other group.
  fileprivate init(_ key: ReportPage.GroupKey, sets: [ReportPage.AnalysedSet], isOnly: Bool) {
    let reps = sets.reduce(0) { $0 + $1.reps }
    let exercise = key.exercise ?? (isOnly ? "All sets" : "Exercise not named")
    self.init(
      title: [exercise, key.user].compactMap { $0 }.joined(separator: ", "),
      subtitle: "\(counted(sets.count, "set")), \(counted(reps, "rep"))",
      trends: Self.trends(of: sets, isOneExercise: key.exercise != nil),
      cards: sets.map { ReportPage.Card($0) })
  }

  /// What changes from set to set, as far as it is known.
  private static func trends(
    of sets: [ReportPage.AnalysedSet], isOneExercise: Bool
  ) -> [ReportPage.Trend] {
    func trend(
      _ title: String, _ unit: String, least: Double, _ series: [(String, [Double?])]
    ) -> ReportPage.Trend? {
      // One value is no trend, and an unknown figure takes no space.
      let known = series.filter { $0.1.count { $0 != nil } > 1 }
      guard !known.isEmpty else { return nil }
      let most = known.flatMap { $0.1.compactMap { $0 } }.max() ?? 0
      return ReportPage.Trend(
        title: title, unit: unit, domain: 0...max(most, least), series: known,
        isJoined: isOneExercise)
    }
    func percent(_ share: Double?) -> Double? { share.map { $0 * 100 } }
    let analyses = sets.map(\.analysis)
    return [
      trend("Reps", "", least: 5, [("reps", sets.map { Double($0.reps) })]),
      trend("Time per rep", "s", least: 1, [("time per rep", analyses.map(\.typicalDuration))]),
      trend(
        "Tiring", "%", least: 50,
        [
          ("slower by the end", analyses.map { $0.fatigue?.slowdown }),
          ("smaller", analyses.map { $0.fatigue?.rotationLoss }),
          ("speed lost", analyses.map { $0.fatigue?.velocityLoss }),
        ]),
      trend(
        "Evenness", "%", least: 100,
        [
          ("reps alike", analyses.map { percent($0.consistency) }),
          ("even timing", analyses.map { percent($0.tempoControl) }),
        ]),
    ].compactMap { $0 }
  }
}

extension ReportPage.Card {
  /// The card of a counted set.
  package init(_ counted: ReportPage.AnalysedSet) {
    let (set, analysis) = (counted.set, counted.analysis)
    self.init(
      title: counted.title, notes: Self.notes(counted),
      curve: analysis.curve?.points.map { ($0.time, $0.movement) } ?? [],
      repEnds: set.reps.map { $0.end - set.start }, duration: set.end - set.start,
      reps: counted.reps, confidence: set.confidence, slowdown: analysis.fatigue?.slowdown,
      plot: counted.plot)
  }

  /// What is known of the set, in words.
  private static func notes(_ counted: ReportPage.AnalysedSet) -> [String] {
    let (set, analysis) = (counted.set, counted.analysis)
    var count = [TextFormats.counted(set.reps.count, "rep"), FigureWords.sure(set.confidence)]
    if let corrected = counted.correctedReps { count.append("corrected to \(corrected)") }
    if !set.partialReps.isEmpty { count.append("\(set.partialReps.count) more in part") }
    var tempo: [String] = []
    if let duration = analysis.typicalDuration {
      tempo.append("\(figureDecimal(duration, 1)) s a rep")
    }
    if let lifting = mean(analysis.reps.compactMap(\.concentricTime)),
      let lowering = mean(analysis.reps.compactMap(\.eccentricTime))
    {
      tempo.append(
        "\(figureDecimal(lifting, 1)) s lifting, \(figureDecimal(lowering, 1)) s lowering")
    }
    if let range = analysis.typicalRotationRange {
      tempo.append("the wrist turns \(figureDecimal(range, 0))°")
    }
    var quality: [String] = []
    if let slowdown = analysis.fatigue?.slowdown {
      quality.append("\(figureDecimal(slowdown, 0)) % slower by the end")
    }
    if let loss = analysis.fatigue?.rotationLoss {
      quality.append("\(figureDecimal(loss, 0)) % smaller")
    }
    if let loss = analysis.fatigue?.velocityLoss {
      quality.append("\(figureDecimal(loss, 0)) % speed lost")
    }
    if let alike = analysis.consistency {
      quality.append("reps \(figureDecimal(alike * 100, 0)) % alike")
    }
    return [count, tempo, quality].filter { !$0.isEmpty }.map { $0.joined(separator: ", ") }
  }

  private static func mean(_ values: [Double]) -> Double? {
    values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
  }
}

extension ReportPage {
  /// A page about an evaluation.
  ///
  /// - Parameter worst: the sets whose counts are furthest off, with their plots.
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
