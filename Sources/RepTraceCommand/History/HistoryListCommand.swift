import ArgumentParser
import Foundation
import RepTrace

struct HistoryListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Lists the sets of a history. Reads no timeline.",
    discussion: """
      The id names a set in every command. Times are local; start counts seconds from the \
      recording's first sample, as in process and plot. With --candidates, sets without an exercise \
      are compared with the person's known movements; this reads their timelines. `history edit \
      --exercise` confirms one.

      Example:
        reptrace history list history.sqlite --output csv > sets.csv
      """)

  @OptionGroup var arguments: StoreArgument

  @Option(help: HistoryOpening.userHelp)
  var user: String?

  @OptionGroup var output: OutputOptions

  @Flag(help: "Only sets without an exercise, and the one that each resembles most.")
  var candidates = false

  func run() throws {
    let history = try HistoryOpening.existing(arguments.store, mode: .readOnly)
    let owner = try HistoryOpening.user(user, in: history)
    if candidates { return try HistoryCandidateList.list(history, of: owner, output.style) }
    try Self.list(history, of: owner, output.style)
  }

  /// Prints the sets of one person, or of all people.
  static func list(_ history: HistoryStore, of owner: HistoryUser.ID?, _ style: RowStyle) throws {
    let context = try SetListContext(history)
    var rows = SetList.printer(style)
    var last: HistorySetRow?
    var failureCount = 0
    do {
      repeat {
        let page = try HistoryOpening.reading {
          try history.sets(after: last, limit: 1000) {
            StandardStreams.note("\($0)")
            failureCount += 1
          }
        }
        for row in page where owner == nil || row.user == owner {
          try SetList.print(row, context, &rows)
        }
        last = page.last
      } while last != nil
    } catch {
      // Print the rows that were read before the error.
      if !rows.isEmpty { try? rows.finish() }
      throw error
    }
    try rows.finish()
    if failureCount > 0 { throw ExitStatus.someInputsFailed }
  }
}
