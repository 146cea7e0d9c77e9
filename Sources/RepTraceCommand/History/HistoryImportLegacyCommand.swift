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

  @Option(help: ArgumentHelp("A person's uuid or login id.", valueName: "user"))
  var user: String?

  func run() throws {
    let history = try HistoryOpening.forWriting(arguments.store)
    guard let owner = try HistoryOpening.user(user, in: history) else { return }
    let source = try HistoryOpening.reporting(opening: true) { try LegacyHistory(path: legacy) }
    let report = try HistoryOpening.reporting {
      try LegacyImporter(provenance: .ofThisBuild(), user: owner)
        .importHistory(source, into: history)
    }
    for warning in report.warnings { StandardStreams.note(warning) }
    StandardStreams.note(
      "\(report.workoutCount) workouts, \(report.setCount) sets, \(report.sampleCount) samples")
    if !report.warnings.isEmpty { throw ExitStatus.someInputsFailed }
  }
}
