import ArgumentParser
import RepTrace

struct HistoryCorrectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "correct",
    abstract: "Records a person's count of a set beside the machine's, or which exercise it was.",
    discussion: """
      Examples:
        reptrace history correct history.sqlite 1 --reps 12
        reptrace history correct history.sqlite 1 --exercise "Bench press"
      """)

  @OptionGroup var arguments: StoreArgument

  @Argument(help: "The set: its number in the list, its id, or the id's beginning.")
  var set: String

  @Option(parsing: .unconditional, help: "The number of reps that were really done.")
  var reps: Int?

  @Option(
    help: ArgumentHelp(
      "The exercise that was really done, by its id or name.", valueName: "exercise"))
  var exercise: String?

  func validate() throws {
    guard reps != nil || exercise != nil else {
      throw ValidationError("one of --reps and --exercise is needed")
    }
    if let reps, !(0...100_000).contains(reps) {
      throw ValidationError("--reps must be between 0 and 100000")
    }
  }

  func run() throws {
    let history = try HistoryOpening.existing(arguments.store, mode: .readWrite)
    let row = try arguments.set(set, in: history)
    try HistoryOpening.reporting {
      // First what may be refused: then the count has not changed either.
      if let exercise { try history.setExercise(exercise, ofSet: row.id) }
      if let reps { try history.correct(set: row.id, reps: reps) }
    }
    try HistoryOpening.learnMovements(in: history, user: row.user)
    if let reps {
      StandardStreams.note(
        "set \(row.number): \(counted(reps, "rep")) (the machine counted \(row.detectedReps ?? 0))")
    }
    if let exercise { StandardStreams.note("set \(row.number): \(exercise)") }
  }
}
