import ArgumentParser
import RepTrace

struct HistoryDeleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Deletes a set, a workout or a person with everything that is theirs, for good.",
    discussion: """
      What is deleted is overwritten in the file. A set or workout does not come back when its \
      recording is processed again, until --undo allows it.

      Example:
        reptrace history delete history.sqlite 3
      """)

  @OptionGroup var arguments: StoreArgument

  @Argument(help: "The set: its number in the list, its id, or the id's beginning.")
  var set: String?

  @Option(help: ArgumentHelp("A workout by its key.", valueName: "workout"))
  var workout: String?

  @Flag(help: "The person that --user names.")
  var person = false

  @Option(help: ArgumentHelp("A person's uuid or log-in id.", valueName: "user"))
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
    guard let owner = try HistoryOpening.user(user, in: history) else { return }
    if let undo {
      try HistoryOpening.reporting { try history.undoDeletion(of: undo, user: owner) }
      return StandardStreams.note("\(undo) may come back")
    }
    if person {
      try HistoryOpening.reporting { try history.delete(user: owner) }
      return StandardStreams.note("person \(user ?? "") deleted")
    }
    if let workout {
      let row = try HistoryOpening.reporting { try history.workout(workout, user: owner) }
      guard let row else {
        StandardStreams.note("\(arguments.store): no workout \"\(workout)\"")
        throw ExitStatus.noInputExists
      }
      try HistoryOpening.reporting { try history.delete(workout: row.id) }
      return StandardStreams.note("workout \(workout) deleted")
    }
    let row = try arguments.set(set ?? "", in: history)
    try HistoryOpening.reporting { try history.delete(set: row.id) }
    StandardStreams.note("set \(row.key) deleted")
  }
}
