import ArgumentParser
import RepTrace

struct HistoryImportLegacyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import-legacy",
    abstract: "Brings the workouts of the app's Core Data file into a history.",
    discussion: """
      The sensor data that each set's row holds as JSON becomes a timeline and is counted again. \
      The file is not changed. Importing it again changes nothing.

      Example:
        reptrace history import-legacy history.sqlite app.sqlite
      """)

  @OptionGroup var arguments: StoreArgument

  @Argument(help: "The app's file.", completion: .file(extensions: ["sqlite"]))
  var legacy: String

  @Option(help: HistoryOpening.oneUserHelp)
  var user: String?

  func run() throws {
    let history = try HistoryOpening.forWriting(arguments.store)
    let owner = try HistoryOpening.oneUser(user, in: history)
    let source = try HistoryOpening.reading { try LegacyHistory(path: legacy) }
    let report = try HistoryOpening.writing {
      try LegacyImporter(provenance: .ofThisBuild(), user: owner)
        .importHistory(source, into: history)
    }
    for warning in report.warnings { StandardStreams.note(warning) }
    StandardStreams.note(
      counted(report.workoutCount, "workout") + ", " + counted(report.setCount, "set") + ", "
        + counted(report.sampleCount, "sample"))
    if !report.warnings.isEmpty { throw ExitStatus.someInputsFailed }
  }
}
