import ArgumentParser
import Evaluation
import Foundation
import MotionSynthesis
import RepTrace

struct EvaluateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "evaluate",
    abstract: "Counts labelled recordings and prints how right the counts were.",
    discussion: """
      LABELS.csv has a row per set: recording (file name without extension), reps, and optionally \
      start, end (seconds in the recording's own time column), exercise or activity, rep_times \
      (start-end;start-end;…), reps_low, reps_high, and any columns to filter by. Rows without \
      start and end count the whole file. With --synthetic, recordings are made instead, and what \
      is true of them is known to the hundredth of a second.

      Example:
        reptrace evaluate labels.csv --recordings recordings/ --by exercise
      """)

  @Argument(help: "The labels.", completion: .file(extensions: ["csv"]))
  var labels: String?

  @Option(help: "The folder of the recordings, searched recursively.", completion: .directory)
  var recordings: String?

  @Option(
    help: ArgumentHelp(
      """
      Instead of LABELS.csv: the reps, and what else the recordings' file names tell, such as \
      {date}_{exercise}_W{weight}_S{set}_R{reps}.
      """, valueName: "pattern"))
  var namePattern: String?

  @Option(
    help: ArgumentHelp(
      """
      Instead of LABELS.csv: so many synthetic recordings of all families, difficulties, rates and \
      faults, as docs/synthesis.md describes them.
      """, valueName: "count"))
  var synthetic: Int?

  @Option(help: "The seed of synthetic recordings.")
  var seed: UInt64 = 1

  @Option(
    help: """
      given: each labelled set is cut out with --margin on both sides and counted as one set. \
      found: whole recordings are counted and the sets found are matched by overlap.
      """)
  var mode: EvaluationOptions.Mode = .found

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "What is left on both sides of a given set; less than 0 cuts into it.", valueName: "seconds"))
  var margin = EvaluationOptions.usualMarginSeconds

  @Option(
    help: ArgumentHelp(
      "What is left out at the begin of every recording: counts should not depend on it.",
      valueName: "seconds"))
  var skip = 0.0

  @Flag(
    help: """
      Stream the recordings in chunks of 100 samples instead, and print how soon reps are announced \
      and how often the count on display is right: of the labelled sets, declared, and of whole \
      recordings.
      """)
  var live = false

  @Option(
    name: .customLong("where"),
    help: ArgumentHelp(
      "Only rows with this value in this column; several values with commas. Repeatable.",
      valueName: "column=value"))
  var filters: [String] = []

  @Option(help: ArgumentHelp("Resample every recording to this rate first.", valueName: "hz"))
  var rate: Double?

  @Option(
    parsing: .upToNextOption,
    help: "Take sensors away from every recording first.")
  var without: [RemovableSensor] = []

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "Give the counter hints from the labels, to see what they are worth.", valueName: "hint"))
  var hints: [EvaluationHint] = []

  @Option(
    help: ArgumentHelp(
      "Break the counts down by columns of the labels, with commas.", valueName: "columns"))
  var by: String?

  @Option(
    help: ArgumentHelp(
      "Write all segmentations of every window with their features, a row each.",
      valueName: "file.csv", visibility: .hidden),
    completion: .file(extensions: ["csv"]))
  var segmentations: String?

  @Option(
    help: ArgumentHelp(
      "Count with these weights instead of the fitted ones.", valueName: "file.json",
      visibility: .hidden),
    completion: .file(extensions: ["json"]))
  var weights: String?

  @Option(
    name: .customLong("setting"),
    help: ArgumentHelp(
      "Change a number of the detector's configuration.", valueName: "name=value",
      visibility: .hidden))
  var settings: [String] = []

  @OptionGroup var detection: DetectionOptions

  @OptionGroup(visibility: .hidden) var input: InputOptions

  @Option(
    name: .customLong("output"),
    help: ArgumentHelp(
      """
      table (default on a terminal), ndjson (a line per labelled set), csv, or json (one object, \
      default elsewhere).
      """, valueName: "format"),
    completion: .list(OutputFormat.allCases.map(\.rawValue)),
    transform: OutputFormat.parser(of: OutputFormat.allCases))
  var chosenOutput: OutputFormat?

  @OptionGroup var csvOptions: CSVOptions

  private var output: OutputFormat {
    chosenOutput ?? (StandardStreams.outputIsTerminal ? .table : .json)
  }

  @Flag(help: "Also list the sets whose count is wrong (in a table).")
  var errors = false

  func validate() throws {
    try require(rate, in: 1...1000, "--rate must be between 1 and 1000 Hz")
    try require((-60...60).contains(margin), "--margin must be between -60 and 60 s")
    try require((0...3600).contains(skip), "--skip must be between 0 and 3600 s")
    let pattern = try LabelOptions.pattern(namePattern)
    switch (labels ?? namePattern, synthetic) {
    case (nil, nil):
      throw ValidationError("evaluate needs LABELS.csv, --name-pattern or --synthetic")
    case (_?, _?): throw ValidationError("--synthetic takes the place of labels")
    case (_?, nil):
      try require(
        labels == nil || namePattern == nil, "--name-pattern takes the place of LABELS.csv")
      try require(recordings != nil, "labels need --recordings")
      try require(pattern?.includesReps ?? true, "--name-pattern needs {reps} here")
    case (nil, let count?):
      try require((1...1_000_000).contains(count), "--synthetic must be between 1 and 1000000")
      try require(
        recordings == nil && filters.isEmpty, "--recordings and --where go with LABELS.csv")
      try require(!hints.contains(.patterns), "--hints patterns goes with LABELS.csv")
    }
    try require(!live || (by == nil && !errors), "--live goes without --by and --errors")
    try csvOptions.check(isCSV: output == .csv)
    _ = try parsedFilters()
  }

  private func parsedFilters() throws -> [String: Set<String>] {
    var result: [String: Set<String>] = [:]
    for filter in filters {
      guard let equals = filter.firstIndex(of: "="), equals > filter.startIndex else {
        throw ValidationError("--where expects COLUMN=VALUE, found \"\(filter)\"")
      }
      let values = filter[filter.index(after: equals)...]
        .split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      result[String(filter[..<equals]), default: []].formUnion(values)
    }
    return result
  }

  func run() async throws {
    var options = EvaluationOptions(mode: mode, rateHz: rate)
    options.detector = detection.detector
    options.marginSeconds = margin
    options.skippedSeconds = skip
    options.without = Set(without)
    options.hints = Set(hints)
    options.tracesSegmentations = segmentations != nil
    if let weights {
      options.detector.weights = try NamedFile.decoding(weights) {
        try CounterWeights(ofFile: weights)
      }
    }
    for setting in settings {
      do {
        try options.detector.set(setting)
      } catch {
        throw ValidationError("--setting \(error)")
      }
    }
    options.isLive = live
    let report: EvaluationReport
    var failures = 0
    ProgressLine.show("counting the recordings")
    defer { ProgressLine.clear() }
    var columns = by.map { $0.split(separator: ",").map(String.init) } ?? []
    if let synthetic {
      if by == nil { columns = SyntheticEvaluation.columns }
      report = try await SyntheticEvaluation.run(
        SyntheticCorpus(seed: seed, count: synthetic), options: options)
    } else {
      let selected = try selectedRows(columns)
      (report, failures) = try await LabelEvaluation.run(
        selected, recordings: recordings ?? ".", options: options,
        loading: try input.loadingOptions())
    }
    try write(report, by: columns)
    if let segmentations {
      try write(SegmentationText.lines(report, mode: mode), to: segmentations)
    }
    if failures > 0 { throw ExitStatus.someInputsFailed }
  }

  private func write(_ report: EvaluationReport, by columns: [String]) throws {
    let style = RowStyle(format: output, csv: csvOptions.style)
    let lines: [String]
    switch (output, report.live) {
    case (.table, let live?): lines = LiveEvaluationText.table(live)
    case (.table, nil): lines = EvaluationText.lines(report, by: columns, listErrors: errors)
    case (.json, let live?): lines = [LiveEvaluationText.json(live)]
    case (.json, nil): lines = [report.json(by: columns)]
    case (_, let live?): return try LiveEvaluationText.printSets(live, style)
    case (_, nil): return try EvaluationText.printSets(report, style)
    }
    try LineWriter.write(lines)
  }

  /// Returns the rows of the labels that pass the filters.
  private func selectedRows(_ columns: [String]) throws -> [LabeledSet] {
    let labels = labels ?? recordings ?? ""
    let rows: [LabeledSet]
    if let pattern = try LabelOptions.pattern(namePattern) {
      let named = try LabeledSet.rows(byNamesIn: labels, pattern: pattern)
      RunLog.noteMisnamed(named.misnamed)
      rows = named.rows
    } else {
      rows = try LabelEvaluation.rows(ofFile: labels)
    }
    let filters = try parsedFilters()
    let known = Set(rows.flatMap(\.columns.keys))
    for column in filters.keys where !known.contains(column) {
      throw ValidationError("\(labels) has no column \"\(column)\" to filter by")
    }
    for column in columns where !known.contains(column) {
      throw ValidationError("\(labels) has no column \"\(column)\" to break down by")
    }
    let selected = rows.filter { $0.matches(filters) }
    guard !selected.isEmpty else {
      throw ExitStatus.noInputDecoded.noting("\(labels): no row is left to evaluate")
    }
    return selected
  }

  private func write(_ lines: [String], to path: String) throws {
    do {
      try Data((lines.joined(separator: "\n") + "\n").utf8)
        .write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw ExitStatus.cannotCreateOutput.noting("\(FileError(path, error))")
    }
  }
}

extension RemovableSensor: ExpressibleByArgument {}
extension EvaluationOptions.Mode: ExpressibleByArgument {}
extension EvaluationHint: ExpressibleByArgument {}
