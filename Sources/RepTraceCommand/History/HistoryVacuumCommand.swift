import ArgumentParser
import RepTrace

struct HistoryVacuumCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "vacuum", abstract: "Writes a history anew, without the room that it wastes.",
    discussion: """
      Example:
        reptrace history vacuum history.sqlite
      """)

  @OptionGroup var arguments: StoreArgument

  func run() throws {
    let history = try HistoryOpening.existing(arguments.store, mode: .readWrite)
    let size = try HistoryOpening.reporting { try history.vacuum() }
    StandardStreams.note("\(size.before) bytes before, \(size.after) after")
  }
}
