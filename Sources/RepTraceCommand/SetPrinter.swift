import RepTrace

/// Prints the results of sets in one of the output formats.
struct SetPrinter {
  private let output: OutputFormat
  private var writer = LineWriter()
  private var table = TextTable([
    .init("recording", shrinks: true), .init("set", .right),
    .init("cause", isDispensable: true), .init("start s", .right, isDispensable: true),
    .init("end s", .right, isDispensable: true), .init("reps", .right),
    .init("confidence", .right), .init("s per rep", .right, isDispensable: true),
  ])
  private var hasPrintedHeader = false

  init(output: OutputFormat) {
    self.output = output
  }

  mutating func print(_ result: SetResult) throws {
    switch output {
    case .table:
      table.add([
        result.recording, String(result.number), result.cause.rawValue, decimal(result.start, 1),
        decimal(result.end, 1), String(result.reps.count), decimal(result.confidence, 2),
        result.reps.isEmpty
          ? "–"
          : decimal(result.reps.reduce(0) { $0 + $1.duration } / Double(result.reps.count), 1),
      ])
    case .csv:
      if !hasPrintedHeader {
        try writer.write(
          "recording,set,setId,exerciseId,sessionId,cause,start,end,reps,confidence")
        hasPrintedHeader = true
      }
      try writer.write(
        DelimitedLine.csv([
          result.recording, String(result.number), result.identity.setId ?? "",
          result.identity.exerciseId ?? "", result.identity.sessionId ?? "",
          result.cause.rawValue, decimal(result.start, 3), decimal(result.end, 3),
          String(result.reps.count), decimal(result.confidence, 4),
        ]))
    case .ndjson, .json:
      try writer.write(result.jsonLine)
      try writer.flush()
    }
  }

  mutating func finish() throws {
    if output == .table && !table.isEmpty {
      for line in table.lines(width: StandardStreams.terminalWidth) { try writer.write(line) }
    }
    try writer.flush()
  }
}
