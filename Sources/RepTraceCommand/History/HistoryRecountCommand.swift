import ArgumentParser
import RepTrace

struct HistoryRecountCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recount",
    abstract: "Counts the stored sets again with today's detector.",
    discussion: """
      Only the machine's counts change: a person's corrections stay, and no set disappears. \
      Recordings without any are searched for sets. Prints a line for each set whose count has \
      changed.

      Example:
        reptrace history recount history.sqlite --dry-run
      """)

  @OptionGroup var arguments: StoreArgument

  @OptionGroup var detection: DetectionOptions

  @Flag(help: "Only print what would change.")
  var dryRun = false

  @OptionGroup var output: OutputOptions

  func run() throws {
    let history = try HistoryOpening.existing(
      arguments.store, mode: dryRun ? .readOnly : .readWrite)
    let report = try HistoryOpening.writing {
      try HistoryRecounter(
        detector: detection.detector, provenance: .ofThisBuild(detector: detection.detector)
      ).recount(history, isDryRun: dryRun)
    }
    if !dryRun { try HistoryOpening.learnMovements(in: history) }
    var rows = output.style.printer([
      .init("set", .init("set", shrinks: true)), .init("before", .init("before", .right)),
      .init("after", .init("after", .right)),
      .init("correctedReps", .init("corrected", .right)),
    ])
    for change in report.changes {
      try rows.add(
        json: JSONObjectText([
          "set": .text(change.set), "before": .number(change.before),
          "after": .number(change.after), "correctedReps": .number(change.correctedReps),
        ]).text,
        cells: [
          change.set, change.before.map { String($0) } ?? "", String(change.after),
          change.correctedReps.map { String($0) } ?? "",
        ])
    }
    try rows.finish(emptyTable: false)
    for failure in report.failures {
      StandardStreams.note("\(arguments.store): \(failure.name): \(failure.reason)")
    }
    StandardStreams.note(
      "\(counted(report.setCount, "set")) counted, \(counted(report.changes.count, "count")) "
        + (dryRun ? "would change" : "changed"))
    if !report.failures.isEmpty { throw ExitStatus.someInputsFailed }
  }
}
