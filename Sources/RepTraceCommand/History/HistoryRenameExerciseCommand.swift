import ArgumentParser
import RepTrace

struct HistoryRenameExerciseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename-exercise",
    abstract: "Gives an exercise another name in all sets, or joins it with another exercise.",
    discussion: """
      OLD is found whatever its case and accents, so that spellings can be made one.

      Example:
        reptrace history rename-exercise history.sqlite IDBC "Incline dumbbell curl"
      """)

  @OptionGroup var arguments: StoreArgument

  @Argument(help: "The exercise's name or id.")
  var old: String

  @Argument(help: "Its name from now on.")
  var new: String

  @Option(help: HistoryOpening.userHelp)
  var user: String?

  func run() throws {
    let history = try HistoryOpening.existing(arguments.store, mode: .readWrite)
    let owner = try HistoryOpening.user(user, in: history)
    let folded = old.foldedForSearch
    let sets = try HistoryOpening.writing {
      try history.sets().filter { row in
        let names = [row.exerciseName, row.exerciseId?.rawValue].compactMap { $0 }
        return (owner == nil || row.user == owner) && row.exerciseName != new
          && names.contains { $0.foldedForSearch == folded }
      }
    }
    guard !sets.isEmpty else {
      let names = try HistoryOpening.writing { try history.exerciseNames() }
      throw ExitStatus.noInputExists.noting(
        "\(arguments.store): no set of \"\(old)\"" + names.nearest(to: old).suggestion)
    }
    try HistoryOpening.writing { try history.setExercise(new, ofSets: sets.map(\.id)) }
    for user in Set(sets.map(\.user)) { try HistoryOpening.learnMovements(in: history, user: user) }
    StandardStreams.note("\(counted(sets.count, "set")) of \"\(new)\"")
  }
}
