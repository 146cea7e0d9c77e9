import ArgumentParser
import Foundation
import RepTrace

@main
struct RepTraceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reptrace",
    abstract: "Counts gym repetitions from a watch's motion sensors, and keeps the sets.",
    version: libraryVersion,
    subcommands: [
      ProcessCommand.self, StreamCommand.self, EvaluateCommand.self, HistoryCommand.self,
      GenerateCommand.self, PlotCommand.self, ReportCommand.self, ExplainCommand.self,
      InspectCommand.self, FormatsCommand.self, MergeCommand.self, SyncCommand.self,
      VersionCommand.self,
    ])

  static func main() async {
    // Exceeding a file size limit is a write error and should not kill the process.
    signal(SIGXFSZ, SIG_IGN)
    var running: any ParsableCommand.Type = Self.self
    do {
      if let message = MisspelledCommand.message(for: Array(CommandLine.arguments.dropFirst())) {
        StandardStreams.note("Error: \(message)")
        exit(withError: ExitCode.validationFailure)
      }
      var command = try await asyncParseAsRoot()
      running = type(of: command)
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch {
      exit(withError: reported(error, by: running))
    }
  }

  /// Writes a message about an I/O failure and returns its exit status; returns other errors unchanged.
  private static func reported(
    _ error: any Error, by command: any ParsableCommand.Type
  ) -> any Error {
    ProgressLine.clear()
    var error = error
    if let failure = error as? NamePattern.Failure {
      error = ValidationError("--name-pattern: \(failure)")
    }
    // After parsing, the parser no longer knows the command whose usage it should show.
    if let invalid = error as? ValidationError {
      StandardStreams.note("Error: \(invalid.message)")
      for line in ("Usage: " + usageString(for: command)).split(separator: "\n") {
        StandardStreams.note(String(line))
      }
      return ExitCode.validationFailure
    }
    if exitCode(for: error).isSuccess {
      // Help and the version are regular output.
      let text = fullMessage(for: error)
      do {
        if !text.isEmpty { try StandardStreams.write(text + "\n", to: STDOUT_FILENO) }
        return ExitCode.success
      } catch let failure {
        error = failure
      }
    }
    guard error is OutputError || error is InputError || error is ThreadError || error is FileError
    else {
      return error
    }
    StandardStreams.note("\(error)")
    return ExitStatus.cannotWriteOutput
  }
}
