import ArgumentParser

/// How results are printed.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
  /// For people.
  case table
  /// One JSON object a line.
  case ndjson
  case csv
  /// One JSON document.
  case json

  /// A table for a person at a terminal, lines of JSON for a program.
  static var preferred: OutputFormat { StandardStreams.outputIsTerminal ? .table : .ndjson }

  /// The values of an option `--output`, for its help.
  static let help: ArgumentHelp = "table, ndjson (an object a line), csv, or json (one document)."
}

/// The exit statuses that scripts rely on; the numbers are those of `sysexits.h`.
enum ExitStatus {
  static let someInputsFailed = ExitCode(1)
  static let noInputDecoded = ExitCode(65)
  static let noInputExists = ExitCode(66)
  static let unavailable = ExitCode(69)
  static let cannotCreateOutput = ExitCode(73)
  static let cannotWriteOutput = ExitCode(74)
  static let tryAgain = ExitCode(75)
}
