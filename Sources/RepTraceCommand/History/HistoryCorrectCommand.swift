import ArgumentParser
import RepTrace

struct HistoryCorrectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "correct",
    abstract: "Records a person's count of a set beside the program's.",
    discussion: """
      Example:
        reptrace history correct history.sqlite 1 --reps 12
      """)

  @OptionGroup var arguments: StoreArgument

  @Argument(help: "The set: its number in the list, its id, or the id's beginning.")
  var set: String

  @Option(help: "The number of reps that were really done.")
  var reps: Int

  func validate() throws {
    guard (0...100_000).contains(reps) else {
      throw ValidationError("--reps must be between 0 and 100000")
    }
  }

  func run() throws {
    let history = try HistoryOpening.existing(arguments.store, mode: .readWrite)
    let row = try arguments.set(set, in: history)
    try HistoryOpening.reporting { try history.correct(set: row.id, reps: reps) }
    StandardStreams.note(
      "set \(row.number): \(reps) reps (the machine counted \(row.detectedReps))")
  }
}
