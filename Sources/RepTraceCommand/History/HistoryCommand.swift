import ArgumentParser

struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Lists, shows, exports, verifies and corrects what a history holds.",
    subcommands: [
      HistoryListCommand.self, HistoryShowCommand.self, HistoryExportCommand.self,
      HistoryVerifyCommand.self, HistoryCorrectCommand.self, HistoryDeleteCommand.self,
    ])
}
