import ArgumentParser
import RepTrace

struct HistoryDeleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Deletes a set with its samples, for good.")

  @OptionGroup var arguments: StoreArgument

  @Argument(help: "The set: its id, or its number in the list.")
  var set: String

  func run() throws {
    let history = try HistoryOpening.existing(arguments.store, mode: .readWrite)
    let row = try arguments.set(set, in: history)
    try HistoryOpening.reporting { try history.delete(set: row.id) }
    StandardStreams.note("set \(row.key) deleted")
  }
}
