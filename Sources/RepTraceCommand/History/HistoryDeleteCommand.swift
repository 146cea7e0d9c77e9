import ArgumentParser
import Foundation
import RepTrace

struct HistoryDeleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Permanently deletes a set, a workout or a person, with all their data.",
    discussion: """
      On a terminal it is shown first, and you are asked. What is deleted is overwritten in the \
      file, and what was learned from it is forgotten. A set or workout does not come back when its \
      recording is processed again, until --undo allows it.

      Example:
        reptrace history delete history.sqlite 58f2ba16-1
      """)

  @OptionGroup var arguments: StoreArgument

  @Argument(
    help: "The set's id, as `history list` shows it, or its whole key or SESSION/KEY.")
  var set: String?

  @Option(help: ArgumentHelp("A workout's key, or the beginning of it.", valueName: "workout"))
  var workout: String?

  @Flag(help: "The person that --user names.")
  var person = false

  @Option(
    help: ArgumentHelp(
      "The person whose set, workout or key it is, by name, uuid or login id.", valueName: "user"))
  var user: String?

  @Flag(help: "Do not ask.")
  var yes = false

  @Option(
    help: ArgumentHelp(
      "Let what was deleted under this key come back when it is processed again.",
      valueName: "key"))
  var undo: String?

  func validate() throws {
    let wanted = [set != nil, workout != nil, person, undo != nil].count { $0 }
    try require(wanted == 1, "one of a set, --workout, --person or --undo is needed")
    if person, user == nil { throw ValidationError("--person needs --user") }
  }

  func run() throws {
    let history = try HistoryOpening.existing(arguments.store, mode: .readWrite)
    let owner = try HistoryOpening.oneUser(user, in: history)
    if let undo {
      try HistoryOpening.writing {
        do {
          try history.undoDeletion(of: DeletedSamples.Key(undo), user: owner)
        } catch HistoryError.notFound {
          throw ExitStatus.noInputExists.noting(
            "\(arguments.store): nothing was deleted under the key \"\(undo)\"")
        }
      }
      return StandardStreams.note("\(undo) may come back")
    }
    if person {
      let found = try HistoryOpening.writing {
        let filter = HistoryFilter(user: owner)
        return counted(try history.workouts.count(filter), "workout")
      }
      try confirm("person \(user ?? ""): \(found), with everything else of theirs")
      let isGone = try HistoryOpening.writing { try history.delete(user: owner) }
      return note("person \(user ?? "") deleted", isGone: isGone)
    }
    if let workout {
      let row = try storedWorkout(workout, in: history)
      let date = row.date.map { " of " + DateText.local($0) } ?? ""
      try confirm(
        "workout \(row.shortKey)\(date): " + counted(row.setCount, "set") + ", "
          + counted(row.reps, "rep"))
      let isGone = try HistoryOpening.writing { try history.delete(workout: row.id) }
      try HistoryOpening.learnMovements(in: history, user: row.user)
      return note("workout \(row.shortKey) deleted", isGone: isGone)
    }
    // Damaged rows can be deleted, too, since nothing of them is kept.
    let row = try arguments.setToChange(
      set ?? "", in: history, user: user == nil ? nil : owner, checksRow: false)
    let text = row.description(try HistoryOpening.names(in: history))
    try confirm(text)
    let isGone = try HistoryOpening.writing { try history.delete(set: row.id) }
    try HistoryOpening.learnMovements(in: history, user: row.user)
    note("\(text) deleted; --undo \(row.key) lets it come back", isGone: isGone)
  }

  /// Returns the workout of any person, or of the one that `--user` names.
  private func storedWorkout(_ text: String, in history: HistoryStore) throws -> HistoryWorkoutRow {
    let reference = StoredReference(text)
    let owners = try HistoryOpening.users(user, in: history)
    let found = try HistoryOpening.writing { () -> [HistoryWorkoutRow] in
      let named = try owners.compactMap {
        try history.workouts.workout(HistoryWorkoutRow.Key(text), user: $0)
      }
      if !named.isEmpty { return named }
      let filter = HistoryFilter(user: user == nil ? nil : owners.first)
      return try history.workouts.page(filter, limit: .max).filter {
        reference.couldAbbreviate($0.key.rawValue)
      }
    }
    return try reference.single(found, of: "workout", in: arguments.store, name: \.key.rawValue)
  }

  /// Asks for confirmation on a terminal before something is deleted.
  private func confirm(_ text: String) throws {
    guard !yes, StandardStreams.inputIsTerminal, StandardStreams.errorIsTerminal else { return }
    StandardStreams.note(text)
    try StandardStreams.write("Delete it for good? [y/N] ", to: STDERR_FILENO)
    guard let answer = readLine(), ["y", "yes"].contains(answer.lowercased()) else {
      throw ExitStatus.someInputsFailed.noting("nothing is deleted")
    }
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

extension HistorySetRow {
  /// Returns a description of the set for people.
  func description(_ people: [HistoryUser.ID: String]) -> String {
    let facts: [String?] = [
      exerciseName ?? exerciseId?.rawValue, "set \(order + 1)", startTime.map(DateText.local),
      counted(reps, "rep"), weight.map { SetList.weightText($0) + " kg" }, people[user],
      recordingName.map { "recording \($0)" },
    ]
    return "set \(shortID) (" + facts.compactMap { $0 }.joined(separator: ", ") + ")"
  }
}
