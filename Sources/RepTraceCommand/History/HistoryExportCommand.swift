import ArgumentParser
import RepTrace

struct HistoryExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Exports the sets of a history, or with --samples the samples of its recordings.",
    discussion: """
      The table of sets opens in a spreadsheet: id, user, date, exercise, setNumber, weight (kg), \
      actualReps (the person's count, or else the program's), reps (the program's) and more, in the \
      order of docs/batch.md. `history edit --from` takes it back with corrections.

      Samples come in order of time, with the values and units that their source had; a unit \
      other than s, g, rad/s, rad or uT stands in the column's name. Where more than one \
      recording is exported, the first column names it, and those with other columns begin with \
      a header of their own.

      Examples:
        reptrace history export history.sqlite --decimal-comma > sets.csv
        reptrace history export history.sqlite 58f2ba16-1 --samples > samples.csv
      """)

  @OptionGroup var arguments: StoreArgument

  @Argument(help: "A set's id, or a recording's name; all if left out.")
  var reference: String?

  @Flag(help: "Export samples rather than sets.")
  var samples = false

  @Flag(help: "Export a set's movement curve as JSON: timestamp, movement, repIndex.")
  var movement = false

  @Flag(
    help: """
      With --samples: add gravity, user acceleration and attitude that were not measured but can \
      be computed. Their columns end in _estimated; all values are then in s, g, rad/s, rad and uT.
      """)
  var derived = false

  @OptionGroup var output: DataOutputOptions

  func validate() throws {
    if derived, !samples { throw ValidationError("--derived needs --samples") }
    if movement {
      try require(reference != nil, "--movement needs a set")
      try require(!samples, "either --samples or --movement")
    }
  }

  func run() throws {
    let history = try HistoryOpening.existing(arguments.store, mode: .readOnly)
    if movement, let reference {
      return try exportMovement(of: try arguments.set(reference, in: history), history)
    }
    guard samples else { return try exportSets(history) }
    var exports: [(name: String, batch: () throws -> MotionBatch)] = []
    var failureCount = 0
    let recordings = try HistoryOpening.reading {
      try history.recordings {
        StandardStreams.note("\($0)")
        failureCount += 1
      }
    }
    let chosen = recordings.filter {
      reference == nil || $0.name == reference || $0.key.rawValue == reference
    }
    if chosen.isEmpty, let reference {
      let shortened = recordings.filter { StoredReference(reference).couldAbbreviate($0.name) }
      if shortened.count == 1, try history.set(HistorySetRow.Key(reference)) == nil {
        exports = [export(of: shortened[0], history)]
      }
    }
    if chosen.isEmpty, exports.isEmpty, let reference {
      let row = try arguments.set(reference, in: history)
      exports = [
        (
          row.key.rawValue,
          {
            try SampleExport.reading("set \(reference)", in: arguments.store) {
              try history.timeline(ofSet: row.id).samples
            }
          }
        )
      ]
    } else if exports.isEmpty {
      exports = chosen.map { export(of: $0, history) }
    }
    if derived {
      exports = exports.map { export in
        (export.name, { try export.batch().addingDerivedMotion() })
      }
    }
    try HistoryOpening.reading {
      try SampleExport(
        output: output.format, csv: output.style.csv, namesRecordings: exports.count > 1
      ).write(exports)
    }
    if reference == nil, failureCount > 0 { throw ExitStatus.someInputsFailed }
  }

  private func export(
    of row: HistoryRecordingRow, _ history: HistoryStore
  ) -> (name: String, batch: () throws -> MotionBatch) {
    let store = arguments.store
    return (
      row.name,
      {
        try SampleExport.reading("recording \(row.name)", in: store) {
          try history.samples(ofRecording: row.id)
        }
      }
    )
  }

  /// Exports the stored curve or, if the set has none, the curve of its samples.
  private func exportMovement(of row: HistorySetRow, _ history: HistoryStore) throws {
    let timeline = try HistoryOpening.reading {
      try SampleExport.reading("set \(row.key)", in: arguments.store) {
        try history.timeline(ofSet: row.id)
      }
    }
    var curve = MovementCurve(stored: timeline.movementCurve)
    if curve.points.isEmpty, let set = timeline.set {
      curve = SetAnalyzer.movementCurve(of: set, samples: timeline.samples) ?? curve
    }
    try LineWriter.write([curve.json])
  }

  private func exportSets(_ history: HistoryStore) throws {
    guard let reference else {
      return try HistoryListCommand.list(history, of: nil, output.style)
    }
    var rows = SetList.printer(output.style)
    try SetList.print(try arguments.set(reference, in: history), try SetListContext(history), &rows)
    try rows.finish()
  }
}
