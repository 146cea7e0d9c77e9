import ArgumentParser
import RepTrace

@main
struct RepTraceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reptrace",
    abstract: "Counts gym repetitions from a watch's motion sensors, and keeps the sets.",
    version: BuildInformation.version,
    subcommands: [
      ProcessCommand.self, StreamCommand.self, EvaluateCommand.self, HistoryCommand.self,
      GenerateCommand.self, PlotCommand.self, ReportCommand.self, ExplainCommand.self,
      InspectCommand.self, FormatsCommand.self, SyncCommand.self, VersionCommand.self,
    ])
}
