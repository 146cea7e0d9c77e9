import ArgumentParser
import RepTrace

struct HistoryDeleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Permanently deletes a set, a workout or a person, with all their data.",
    discussion: """
      What is deleted is overwritten in the file, and what was learned from it is forgotten. A set \
      or workout does not come back when its recording is processed again, until --undo allows it.

      Example:
        reptrace history delete history.sqlite 3
      """)

  @OptionGroup var arguments: StoreArgument

  @Argument(
    help: "The set: its number in the list, its id or SESSION/ID, or the beginning of its id.")
  var set: String?

  @Option(help: ArgumentHelp("A workout by its key.", valueName: "workout"))
  var workout: String?

  @Flag(help: "The person that --user names.")
  var person = false

  @Option(help: ArgumentHelp("A person's uuid or login id.", valueName: "user"))
  var user: String?

  @Option(
    help: ArgumentHelp(
      "Let what was deleted under this key come back when it is processed again.",
      valueName: "key"))
  var undo: String?

  func validate() throws {
    let wanted = [set != nil, workout != nil, person, undo != nil].count { $0 }
    guard wanted == 1 else {
      throw ValidationError("one of a set, --workout, --person or --undo is needed")
    }
    if person, user == nil { throw ValidationError("--person needs --user") }
  }

  func run() throws {
    let history = try HistoryOpening.existing(arguments.store, mode: .readWrite)
    let owner = try HistoryOpening.oneUser(user, in: history)
    if let undo {
      try HistoryOpening.reporting {
        do {
          try history.undoDeletion(of: DeletedSamples.Key(undo), user: owner)
        } catch HistoryError.notFound {
          StandardStreams.note("\(arguments.store): nothing was deleted under the key \"\(undo)\"")
          throw ExitStatus.noInputExists
        }
      }
      return StandardStreams.note("\(undo) may come back")
    }
    if person {
      let isGone = try HistoryOpening.reporting { try history.delete(user: owner) }
      return note("person \(user ?? "") deleted", isGone: isGone)
    }
    if let workout {
      let row = try HistoryOpening.reporting {
        try history.workouts.workout(HistoryWorkoutRow.Key(workout), user: owner)
      }
      guard let row else {
        StandardStreams.note("\(arguments.store): no workout \"\(workout)\"")
        throw ExitStatus.noInputExists
      }
      let isGone = try HistoryOpening.reporting { try history.delete(workout: row.id) }
      try HistoryOpening.learnMovements(in: history, user: owner)
      return note("workout \(workout) deleted", isGone: isGone)
    }
    // A damaged row goes as well: nothing of it is kept.
    let row = try arguments.set(
      set ?? "", in: history, user: user == nil ? nil : owner, checksRow: false)
    let isGone = try HistoryOpening.reporting { try history.delete(set: row.id) }
    try HistoryOpening.learnMovements(in: history, user: row.user)
    note("set \(row.key) deleted", isGone: isGone)
  }

  private func note(_ text: String, isGone: Bool) {
    StandardStreams.note(text)
    if !isGone {
      StandardStreams.note(
        """
        somebody reads the history as it was: what was deleted leaves \(arguments.store)-wal when \
        they have closed it
        """)
    }
  }
}
