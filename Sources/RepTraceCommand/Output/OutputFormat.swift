import ArgumentParser

/// The output formats of commands.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
  /// A table for people.
  case table
  /// One JSON object per line.
  case ndjson
  case csv
  /// One JSON document.
  case json

  /// The default: a table on a terminal, JSON lines for programs.
  static var preferred: OutputFormat { StandardStreams.outputIsTerminal ? .table : .ndjson }

  /// Returns a parser of the formats that a command supports.
  static func parser(of formats: [OutputFormat]) -> @Sendable (String) throws -> OutputFormat {
    { text in
      guard let format = OutputFormat(rawValue: text), formats.contains(format) else {
        throw ValidationError("use one of \(formats.map(\.rawValue).joined(separator: ", "))")
      }
      return format
    }
  }
}

/// The format of printed rows.
struct RowStyle {
  var format: OutputFormat
  var csv = CSVStyle()

  func printer(_ columns: [RowPrinter.Column]) -> RowPrinter { RowPrinter(self, columns) }
}

/// Options of commands that print rows.
///
/// The format has no declared default, which help would show, because it depends on the terminal.
struct OutputOptions: ParsableArguments {
  @Option(
    name: .customLong("output"),
    help: ArgumentHelp(
      "table (default on a terminal), ndjson (an object a line, default elsewhere), csv, or json.",
      valueName: "format"),
    completion: .list(OutputFormat.allCases.map(\.rawValue)),
    transform: OutputFormat.parser(of: OutputFormat.allCases))
  var chosen: OutputFormat?

  @OptionGroup var csvOptions: CSVOptions

  var format: OutputFormat { chosen ?? .preferred }
  var style: RowStyle { RowStyle(format: format, csv: csvOptions.style) }

  func validate() throws { try csvOptions.check(isCSV: format == .csv) }
}

/// Options of commands that print one object; these have no CSV.
struct ObjectOutputOptions: ParsableArguments {
  @Option(
    name: .customLong("output"),
    help: ArgumentHelp(
      "table (default on a terminal), ndjson (default elsewhere), or json.", valueName: "format"),
    completion: .list(["table", "ndjson", "json"]),
    transform: OutputFormat.parser(of: [.table, .ndjson, .json]))
  var chosen: OutputFormat?

  var format: OutputFormat { chosen ?? .preferred }
}

/// Options of commands that print data for programs; these have no tables.
struct DataOutputOptions: ParsableArguments {
  @Option(
    name: .customLong("output"),
    help: ArgumentHelp("csv (default), ndjson (an object a line), or json.", valueName: "format"),
    completion: .list(["csv", "ndjson", "json"]),
    transform: OutputFormat.parser(of: [.csv, .ndjson, .json]))
  var chosen: OutputFormat?

  @OptionGroup var csvOptions: CSVOptions

  var format: OutputFormat { chosen ?? .csv }
  var style: RowStyle { RowStyle(format: format, csv: csvOptions.style) }

  func validate() throws { try csvOptions.check(isCSV: format == .csv) }
}

/// The dialect of CSV, since spreadsheets expect that of their locale.
struct CSVOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "With csv: what separates fields: comma (default), semicolon or tab.", valueName: "name"),
    completion: .list(["comma", "semicolon", "tab"]), transform: Self.separator)
  var csvSeparator: Character?

  @Flag(
    help:
      "With csv: 7,5 instead of 7.5, and semicolons, as German and French spreadsheets expect.")
  var decimalComma = false

  var style: CSVStyle {
    CSVStyle(separator: csvSeparator ?? (decimalComma ? ";" : ","), hasDecimalComma: decimalComma)
  }

  /// - Throws: `ValidationError` for options without effect.
  func check(isCSV: Bool) throws {
    guard csvSeparator != nil || decimalComma else { return }
    try require(isCSV, "--csv-separator and --decimal-comma go with --output csv")
    try require(
      style != CSVStyle(separator: ",", hasDecimalComma: true),
      "--decimal-comma needs another separator than a comma")
  }

  @Sendable private static func separator(_ text: String) throws -> Character {
    switch text {
    case "comma", ",": return ","
    case "semicolon", ";": return ";"
    case "tab", "\t": return "\t"
    default: throw ValidationError("use comma, semicolon or tab")
    }
  }
}

/// The exit statuses that scripts rely on, with the numbers of `sysexits.h`.
enum ExitStatus {
  static let someInputsFailed = ExitCode(1)
  static let noInputDecoded = ExitCode(65)
  static let noInputExists = ExitCode(66)
  static let unavailable = ExitCode(69)
  static let cannotCreateOutput = ExitCode(73)
  static let cannotWriteOutput = ExitCode(74)
  static let tryAgain = ExitCode(75)
}

extension ExitCode {
  /// Writes a message to standard error and returns the status for the caller to throw.
  func noting(_ message: String) -> ExitCode {
    StandardStreams.note(message)
    return self
  }
}

/// Throws a usage error unless a condition holds.
func require(_ condition: Bool, _ message: @autoclosure () -> String) throws {
  if !condition { throw ValidationError(message()) }
}

/// Throws a usage error if a value is present and outside a range.
func require<Value>(
  _ value: Value?, in range: ClosedRange<Value>, _ message: @autoclosure () -> String
) throws {
  try require(value.map(range.contains) ?? true, message())
}
