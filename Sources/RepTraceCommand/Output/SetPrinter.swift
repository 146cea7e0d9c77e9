import RepTrace

/// Prints the results of sets in one of the output formats.
struct SetPrinter {
  private var rows: RowPrinter
  private let showsCandidates: Bool

  /// - Parameter showsCandidates: Whether known movements exist, so that sets may have exercise candidates.
  init(_ style: RowStyle, usesColor: Bool = false, showsCandidates: Bool = false) {
    self.showsCandidates = showsCandidates
    rows = style.printer(
      [
        .init("recording", .init("recording", shrinks: true, isPath: true)),
        .init("set", .init("set", .right)), .init("setId"), .init("exerciseId"),
        .init("sessionId"), .init("cause", .init("cause", isDispensable: true)),
        .init("start", .init("start s", .right, isDispensable: true)),
        .init("end", .init("end s", .right, isDispensable: true)),
        .init("reps", .init("reps", .right)),
        .init("confidence", .init("confidence", .right, isConfidence: true)),
        .init("secondsPerRep", .init("s per rep", .right, isDispensable: true)),
        .init("exercise", .init("exercise", isDispensable: true)), .init("user"), .init("date"),
        .init("weight", .init("kg", .right, isDispensable: true)),
        .init("labelledSet", isNumber: true),
        .init("labelledReps", .init("labelled", .right, isDispensable: true)),
      ]
        + (showsCandidates
          ? [
            .init("exerciseCandidate", .init("perhaps")),
            .init("exerciseProbability", .init("probability", .right)),
            .init("noneProbability", .init("none known", .right, isDispensable: true)),
          ] : []))
    rows.usesColor = usesColor
  }

  mutating func print(_ result: SetResult) throws {
    let perRep =
      result.reps.isEmpty
      ? nil : result.reps.reduce(0) { $0 + $1.duration } / Double(result.reps.count)
    let candidateCells = candidateCells(result.exerciseCandidate)
    let labelCells = Self.labelCells(result.label)
    try rows.add(
      json: result.jsonLine,
      cells: [
        result.recording, String(result.number), result.identity.setId ?? "",
        result.identity.exerciseId ?? "", result.identity.sessionId ?? "",
        result.cause.rawValue, decimal(result.start, 3), decimal(result.end, 3),
        String(result.reps.count), decimal(result.confidence, 4),
        perRep.map { decimal($0, 3) } ?? "",
      ] + labelCells + candidateCells,
      shown: [
        "start": decimal(result.start, 1), "end": decimal(result.end, 1),
        "confidence": decimal(result.confidence, 2),
        "secondsPerRep": perRep.map { decimal($0, 1) } ?? "",
        "exerciseProbability": result.exerciseCandidate.map { decimal($0.probability, 2) } ?? "",
        "noneProbability": result.exerciseCandidate.map { decimal($0.noneProbability, 2) } ?? "",
      ])
    try rows.flush()
  }

  private static func labelCells(_ label: RecordingLabel) -> [String] {
    [
      label.exercise ?? "", label.user ?? "", label.date.map(DateText.localISO8601) ?? "",
      label.weight.map(SetList.weightText) ?? "", label.set.map { String($0) } ?? "",
      label.reps.map { String($0) } ?? "",
    ]
  }

  private func candidateCells(_ candidate: ExerciseCandidate?) -> [String] {
    guard showsCandidates else { return [] }
    guard let candidate else { return ["", "", ""] }
    return [
      candidate.name, decimal(candidate.probability, 4), decimal(candidate.noneProbability, 4),
    ]
  }

  mutating func finish() throws { try rows.finish(emptyTable: false) }
}
