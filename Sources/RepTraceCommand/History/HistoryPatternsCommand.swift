import ArgumentParser
import Foundation
import RepTrace

struct HistoryPatternsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "patterns",
    abstract: "Lists the movements that are known of a person, by exercise.",
    discussion: """
      They are learned from the newest sets of each exercise when sets are saved or corrected. \
      --learn learns them again from the samples that the history holds.

      Example:
        reptrace history patterns history.sqlite
      """)

  @OptionGroup var arguments: StoreArgument

  @Flag(help: "Learn them anew first.")
  var learn = false

  @Option(help: HistoryOpening.userHelp)
  var user: String?

  @OptionGroup var output: OutputOptions

  func run() throws {
    let history = try HistoryOpening.existing(arguments.store, mode: learn ? .readWrite : .readOnly)
    let movements = try HistoryOpening.users(user, in: history).flatMap { owner in
      if learn { try HistoryOpening.learnMovements(in: history, user: owner, fromScratch: true) }
      return try HistoryOpening.reading {
        try KnownMovements(history, user: owner).movements
      }
    }
    var rows = output.style.printer([
      .init("exercise", .init("exercise", shrinks: true)), .init("name", .init("name")),
      .init("sets", .init("sets", .right)), .init("lastSeen", .init("last seen")),
      .init("shortestSecondsPerRep", .init("s per rep, from", .right)),
      .init("longestSecondsPerRep", .init("to", .right)),
      .init("similarity", .init("similarity", .right, isDispensable: true)),
    ])
    for movement in movements {
      let patterns = movement.examples.map(\.pattern)
      let periods = patterns.map(\.durationSeconds)
      let shortest = periods.min() ?? 0
      let longest = periods.max() ?? 0
      let similarity = patterns.map(\.similarity).reduce(0, +) / Double(max(1, patterns.count))
      let lastSeen = movement.examples.compactMap(\.unixTime).max()
      try rows.add(
        json: JSONObjectText([
          "exercise": .text(movement.exercise), "name": .text(movement.name),
          "sets": .number(movement.examples.count), "lastSeen": .number(lastSeen, decimals: 3),
          "shortestSecondsPerRep": .number(shortest, decimals: 3),
          "longestSecondsPerRep": .number(longest, decimals: 3),
          "similarity": .number(similarity, decimals: 4),
        ]).text,
        cells: [
          movement.exercise, movement.name, String(movement.examples.count),
          lastSeen.map { "\($0)" } ?? "", decimal(shortest, 3), decimal(longest, 3),
          decimal(similarity, 4),
        ],
        shown: [
          "lastSeen": lastSeen.map { DateText.local(Date(timeIntervalSince1970: $0)) } ?? "",
          "shortestSecondsPerRep": decimal(shortest, 1),
          "longestSecondsPerRep": decimal(longest, 1), "similarity": decimal(similarity, 2),
        ])
    }
    try rows.finish()
  }
}
