import ArgumentParser
import Foundation
import RepTrace

struct HistoryEditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract:
      "Corrects what is known of a set: its count, exercise, weight, date, person or notes.",
    discussion: """
      The person's count stands beside the program's, which stays; --reps none takes it back. An \
      exercise is found whatever its case and accents. A recording has one date and one person: its \
      other sets change with it.

      --from takes a table such as `history export` writes: CSV with a column id (or set), and any \
      of correctedReps, exercise, weight, date, user and notes. Where there is no correctedReps, reps \
      are the person's counts. Empty cells change nothing, and neither does a table with an error.

      Examples:
        reptrace history edit history.sqlite 58f2ba16-1 --reps 12 --weight 22.5
        reptrace history edit history.sqlite --from corrections.csv
      """, aliases: ["correct"])

  @OptionGroup var arguments: StoreArgument

  @Argument(help: "The set's id, as `history list` shows it, or the beginning of its key.")
  var set: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The number of reps that were really done; none: as the program counted.",
      valueName: "count"), transform: { try SetEdit.Reps($0) })
  var reps: SetEdit.Reps?

  @Option(
    help: ArgumentHelp(
      "The exercise that was really done, by its name or id.", valueName: "exercise"))
  var exercise: String?

  @Option(parsing: .unconditional, help: ArgumentHelp("The weight in kilograms.", valueName: "kg"))
  var weight: Double?

  @Option(
    help: ArgumentHelp("When the set began, such as \"2026-11-22 18:30\".", valueName: "date"))
  var date: String?

  @Option(help: ArgumentHelp("Whose set it is.", valueName: "name"))
  var person: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Remarks, up to 500 characters; \"\" removes them.", valueName: "text"))
  var notes: String?

  @Option(
    help: ArgumentHelp("Corrections of many sets.", valueName: "file.csv"),
    completion: .file(extensions: ["csv"]))
  var from: String?

  func validate() throws {
    try require((set == nil) != (from == nil), "either a set, or --from with a table")
    let edit = try self.edit()
    try require(from == nil || edit.isEmpty, "--from has all corrections")
    try require(
      from != nil || !edit.isEmpty,
      "one of --reps, --exercise, --weight, --date, --person and --notes is needed")
    try edit.check()
  }

  private func edit() throws -> SetEdit {
    SetEdit(
      reps: reps, exercise: exercise, weight: weight,
      date: try date.map { try LabelOptions.date($0, option: "--date") }, notes: notes,
      person: person)
  }

  func run() throws {
    let history = try HistoryOpening.existing(arguments.store, mode: .readWrite)
    var editor = try SetEditor(history)
    if let from {
      let edits = try SetEditTable.edits(in: try NamedFile.text(of: from), named: from) {
        try arguments.setToChange($0, in: history)
      }
      for (row, edit) in edits { try editor.apply(edit, to: row) }
      StandardStreams.note("\(counted(editor.changedSets, "set")) changed")
    } else if let set {
      try editor.apply(try edit(), to: try arguments.setToChange(set, in: history))
    }
    try editor.finish()
  }
}
