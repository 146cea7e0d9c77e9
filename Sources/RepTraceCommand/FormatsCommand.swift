import ArgumentParser
import RepTrace

/// A help page about input formats and the options that all reading commands share.
struct FormatsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "formats",
    abstract: "Lists the formats that can be read, and the options that describe a file.",
    discussion: """
      Formats are recognized from the content: chunk objects and arrays (JSON), lines of chunks and \
      messages (NDJSON), binary frames, and CSV of Sensor Logger, SensorLog, MetaMotion and the \
      watch app, or of any app with a column description. Each may be compressed with gzip (.gz), \
      and a zip archive is searched like a folder. A single - is standard input.

      The options below go with process, plot, report, explain, inspect and evaluate.

      A column description is a JSON file, found as X.columns.json beside X.csv or as columns.json \
      in its folder. Columns are numbers from 0 or header names; sensors that are not there are \
      left out:
        {"header": false, "delimiter": ",",
         "time": {"column": 0, "unit": "ms"},
         "acceleration": {"columns": [1, 2, 3], "unit": "m/s2", "gravity": "included"},
         "rotation": {"columns": [4, 5, 6], "unit": "rad/s"}}

      Example:
        reptrace process logger/ --columns logger.json
      """)

  @OptionGroup(title: "Options of the commands that read") var input: InputOptions

  @OptionGroup(title: "The same, but not of evaluate") var timeless: TimelessOptions

  func run() throws {
    try LineWriter.write(
      Self.helpMessage().split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
  }
}
