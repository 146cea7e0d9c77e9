import RepTrace

/// Prints the results of sets in one of the output formats.
struct SetPrinter {
  private var rows: RowPrinter
  private let showsCandidates: Bool

  /// - Parameter showsCandidates: whether exercises are known that sets may have been.
  init(output: OutputFormat, showsCandidates: Bool = false) {
    self.showsCandidates = showsCandidates
    rows = RowPrinter(
      output,
      [
        .init("recording", .init("recording", shrinks: true, isPath: true)),
        .init("set", .init("set", .right)), .init("setId"), .init("exerciseId"),
        .init("sessionId"), .init("cause", .init("cause", isDispensable: true)),
        .init("start", .init("start s", .right, isDispensable: true)),
        .init("end", .init("end s", .right, isDispensable: true)),
        .init("reps", .init("reps", .right)), .init("confidence", .init("confidence", .right)),
        .init("secondsPerRep", .init("s per rep", .right, isDispensable: true)),
      ]
        + (showsCandidates
          ? [
            .init("exerciseCandidate", .init("perhaps")),
            .init("exerciseProbability", .init("probability", .right)),
            .init("noneProbability", .init("none known", .right, isDispensable: true)),
          ] : []))
  }

  mutating func print(_ result: SetResult) throws {
    let perRep =
      result.reps.isEmpty
      ? nil : result.reps.reduce(0) { $0 + $1.duration } / Double(result.reps.count)
    let candidateCells = candidateCells(result.exerciseCandidate)
    try rows.add(
      json: result.jsonLine,
      cells: [
        result.recording, String(result.number), result.identity.setId ?? "",
        result.identity.exerciseId ?? "", result.identity.sessionId ?? "",
        result.cause.rawValue, decimal(result.start, 3), decimal(result.end, 3),
        String(result.reps.count), decimal(result.confidence, 4),
        perRep.map { decimal($0, 3) } ?? "",
      ] + candidateCells,
      shown: [
        "start": decimal(result.start, 1), "end": decimal(result.end, 1),
        "confidence": decimal(result.confidence, 2),
        "secondsPerRep": perRep.map { decimal($0, 1) } ?? "",
        "exerciseProbability": result.exerciseCandidate.map { decimal($0.probability, 2) } ?? "",
        "noneProbability": result.exerciseCandidate.map { decimal($0.noneProbability, 2) } ?? "",
      ])
    try rows.flush()
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
