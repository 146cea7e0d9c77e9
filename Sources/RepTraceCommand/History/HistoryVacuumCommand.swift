import ArgumentParser
import RepTrace

struct HistoryVacuumCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "vacuum", abstract: "Rewrites a history without its wasted space.",
    discussion: """
      Example:
        reptrace history vacuum history.sqlite
      """)

  @OptionGroup var arguments: StoreArgument

  func run() throws {
    let history = try HistoryOpening.existing(arguments.store, mode: .readWrite)
    let size = try HistoryOpening.writing { try history.vacuum() }
    StandardStreams.note("\(size.before) bytes before, \(size.after) after")
  }
}
