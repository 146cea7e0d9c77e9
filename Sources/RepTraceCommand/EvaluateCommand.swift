import ArgumentParser
import Foundation
import RepTrace

struct EvaluateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "evaluate",
    abstract: "Counts labelled recordings and prints how right the counts were.",
    discussion: """
      LABELS.csv has a row per set: recording (file name without extension), reps, and optionally \
      start, end (seconds in the recording's own time column), exercise or activity, rep_times \
      (start-end;start-end;…), reps_low, reps_high, and any columns to filter by. Rows without \
      start and end count the whole file.
      """)

  @Argument(help: "The labels.", completion: .file(extensions: ["csv"]))
  var labels: String

  @Option(help: "The folder of the recordings, searched recursively.", completion: .directory)
  var recordings: String

  @Option(
    help: """
      given: each labelled set is cut out with 2 s on both sides and counted as one set. \
      found: whole recordings are counted and the sets found are matched by overlap.
      """)
  var mode: EvaluationOptions.Mode = .found

  @Option(
    name: .customLong("where"),
    help: ArgumentHelp(
      "Only rows with this value in this column; several values with commas. Repeatable.",
      valueName: "column=value"))
  var filters: [String] = []

  @Option(help: ArgumentHelp("Resample every recording to this rate first.", valueName: "hz"))
  var rate: Double?

  @OptionGroup var input: InputOptions

  @Option(help: "table, ndjson (a line per labelled set), csv or json (one object).")
  var output: OutputFormat = StandardStreams.outputIsTerminal ? .table : .json

  @Flag(help: "Also list the sets whose count is wrong (in a table).")
  var errors = false

  func validate() throws {
    if let rate, !(rate.isFinite && (1...1000).contains(rate)) {
      throw ValidationError("--rate must be between 1 and 1000 Hz")
    }
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
    let rows = try LabelEvaluation.rows(ofFile: labels)
    let filters = try parsedFilters()
    let columns = Set(rows.flatMap(\.columns.keys))
    for column in filters.keys where !columns.contains(column) {
      throw ValidationError("\(labels) has no column \"\(column)\" to filter by")
    }
    let selected = rows.filter { $0.matches(filters) }
    guard !selected.isEmpty else {
      StandardStreams.note("\(labels): no row is left to evaluate")
      throw ExitStatus.noInputDecoded
    }

    let evaluation = try await LabelEvaluation.run(
      selected, recordings: recordings, options: EvaluationOptions(mode: mode, rateHz: rate),
      loading: try input.loadingOptions())
    let report = evaluation.report
    var writer = LineWriter()
    switch output {
    case .table:
      for line in EvaluationText.lines(report, listErrors: errors) { try writer.write(line) }
    case .json: try writer.write(EvaluationText.json(report))
    case .ndjson: for set in report.sets { try writer.write(EvaluationText.json(set)) }
    case .csv: for line in EvaluationText.csv(report) { try writer.write(line) }
    }
    try writer.flush()
    if evaluation.failures > 0 { throw ExitStatus.someInputsFailed }
  }
}

extension EvaluationOptions.Mode: ExpressibleByArgument {}
