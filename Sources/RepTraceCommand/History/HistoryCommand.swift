import ArgumentParser

struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Lists, shows, exports, verifies and corrects what a history holds.",
    subcommands: [
      HistoryListCommand.self, HistoryWorkoutsCommand.self, HistoryShowCommand.self,
      HistoryStatisticsCommand.self, HistoryExportCommand.self, HistoryEditCommand.self,
      HistoryRenameExerciseCommand.self, HistoryRecountCommand.self, HistoryPatternsCommand.self,
      HistoryDeleteCommand.self, HistoryExercisesCommand.self,
      HistoryPlansCommand.self, HistoryChangesCommand.self, HistoryVerifyCommand.self,
      HistoryBackupCommand.self, HistoryVacuumCommand.self, HistoryImportLegacyCommand.self,
      HistoryRehearseCommand.self, HistoryBenchmarkCommand.self,
    ])
}
