import ArgumentParser
import Foundation
import RepTrace

struct HistoryChangesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "changes",
    abstract: "Prints the changes after a given one: metadata only, deletions included.",
    discussion: """
      One line for each object, in the order of its last change. Ask again with --since and the \
      last line's number.

      Example:
        reptrace history changes history.sqlite --since 120
      """)

  @OptionGroup var arguments: StoreArgument

  @Option(help: ArgumentHelp("The last change that is known.", valueName: "number"))
  var since: Int64 = 0

  @Option(help: HistoryOpening.userHelp)
  var user: String?

  @Flag(help: "Only what has not been synced, and deletions.")
  var pending = false

  @Option(help: ArgumentHelp("Changes at most.", valueName: "count"))
  var limit = 1000

  @OptionGroup var output: OutputOptions

  func validate() throws {
    try require(since >= 0, "--since is 0 or more")
    try require((1...1_000_000).contains(limit), "--limit is between 1 and 1000000")
  }

  func run() throws {
    let history = try HistoryOpening.existing(arguments.store, mode: .readOnly)
    let owner = try HistoryOpening.user(user, in: history)
    let changes = try HistoryOpening.reading {
      try history.sync.changes(since: since, user: owner, pendingOnly: pending, limit: limit)
    }
    var rows = output.style.printer([
      .init("number", .init("number", .right)), .init("entity", .init("entity")),
      .init("key", .init("key", shrinks: true)), .init("deleted", .init("deleted")),
      .init("changedAt", .init("changed")), .init("metadata"),
    ])
    for change in changes {
      let unixTime = change.changedAt.timeIntervalSince1970
      try rows.add(
        json: JSONObjectText([
          "number": .number(Int(change.number)), "entity": .text("\(change.entity)"),
          "key": .text(change.key), "deleted": .flag(change.isDeletion),
          "synced": .flag(change.isDeletion ? nil : change.isSynced),
          "changedAt": .number(unixTime, decimals: 3), "metadata": .json(change.metadata),
        ]).text,
        cells: [
          "\(change.number)", "\(change.entity)", change.key, "\(change.isDeletion)", "\(unixTime)",
          change.metadata ?? "",
        ],
        shown: ["changedAt": DateText.local(change.changedAt)])
    }
    try rows.finish()
  }
}
