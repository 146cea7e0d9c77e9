import ArgumentParser
import Foundation
import RepTrace

struct HistoryListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Lists the sets of a history. Reads no timeline.",
    discussion: """
      In a table, long ids are shortened; every command accepts the short form. With --candidates, \
      sets without an exercise are compared with the person's known movements; this reads their \
      timelines. `history correct --exercise` confirms one.

      Example:
        reptrace history list history.sqlite --output csv > sets.csv
      """)

  @OptionGroup var arguments: StoreArgument

  @Option(help: OutputFormat.help)
  var output: OutputFormat = .preferred

  @Option(
    help: ArgumentHelp(
      "Only the sets of a person, by uuid or login id; everybody's if left out, or \"*\".",
      valueName: "user"))
  var user: String?

  @Flag(help: "Only sets without an exercise, and the one that each resembles most.")
  var candidates = false

  func run() throws {
    let history = try HistoryOpening.existing(arguments.store, mode: .readOnly)
    let owner = try HistoryOpening.user(user ?? "*", in: history)
    if candidates { return try HistoryCandidateList.list(history, of: owner, output) }
    try Self.list(history, of: owner, output)
  }

  /// Prints the sets of a person, or of everybody.
  static func list(_ history: HistoryStore, of owner: HistoryUser.ID?, _ output: OutputFormat)
    throws
  {
    var rows = printer(output)
    var last: HistorySetRow?
    var failureCount = 0
    do {
      repeat {
        let page = try HistoryOpening.reporting(opening: true) {
          try history.sets(after: last, limit: 1000) {
            StandardStreams.note("\($0)")
            failureCount += 1
          }
        }
        for row in page where owner == nil || row.user == owner { try print(row, &rows) }
        last = page.last
      } while last != nil
    } catch {
      // What was read until then is not lost.
      if !rows.isEmpty { try? rows.finish() }
      throw error
    }
    try rows.finish()
    if failureCount > 0 { throw ExitStatus.someInputsFailed }
  }

  static func printer(_ output: OutputFormat) -> RowPrinter {
    RowPrinter(
      output,
      [
        .init("number", .init("N", .right)), .init("set", .init("set", shrinks: true)),
        .init("recording", .init("recording", shrinks: true, isPath: true)), .init("exerciseId"),
        .init("sessionId"), .init("cause"), .init("startTime", .init("date")),
        .init("clockStart", .init("start s", .right, isDispensable: true)), .init("clockEnd"),
        .init("reps", .init("reps", .right)),
        .init("correctedReps", .init("corrected", .right, isDispensable: true)),
        .init("confidence", .init("confidence", .right)),
        .init("samples", .init("samples", .right, isDispensable: true)),
        .init("bytes", .init("bytes", .right, isDispensable: true)),
        .init("exerciseName", .init("exercise", shrinks: true)),
      ])
  }

  static func print(_ row: HistorySetRow, _ rows: inout RowPrinter) throws {
    try rows.add(
      json: row.jsonLine,
      cells: [
        String(row.number), row.key.rawValue, row.recordingName ?? "",
        row.exerciseId?.rawValue ?? "", row.sessionId?.rawValue ?? "", row.cause.rawValue,
        row.startTime.map { "\($0.timeIntervalSince1970)" } ?? "",
        row.clockStart.map { "\($0)" } ?? "", row.clockEnd.map { "\($0)" } ?? "",
        String(row.detectedReps ?? 0), row.correctedReps.map { String($0) } ?? "",
        row.confidence.map { decimal($0, 4) } ?? "", String(row.sampleCount),
        String(row.byteCount), row.exerciseName ?? "",
      ],
      shown: [
        "set": shortened(row.key.rawValue), "startTime": row.startTime.map(DateText.utc) ?? "",
        "clockStart": row.clockStart.map { decimal($0, 1) } ?? "",
        "confidence": row.confidence.map { decimal($0, 2) } ?? "",
      ])
  }
}

extension HistoryListCommand {
  /// A digest's first digits suffice for people; ``StoredReference`` takes them back.
  private static func shortened(_ key: String) -> String {
    guard key.count > 64, let dash = key.lastIndex(of: "-") else { return key }
    return key.prefix(12) + "…" + key[dash...]
  }
}

extension HistorySetRow {
  /// The row as one line of NDJSON.
  var jsonLine: String {
    var object = JSONObjectText()
    object.add("number", number)
    object.add("set", key.rawValue)
    if let setId { object.add("setId", setId.rawValue) }
    if let exerciseId { object.add("exerciseId", exerciseId.rawValue) }
    if let sessionId { object.add("sessionId", sessionId.rawValue) }
    if let recordingName { object.add("recording", recordingName) }
    object.add("cause", cause.rawValue)
    if let startTime { object.add("startTime", startTime.timeIntervalSince1970, decimals: 3) }
    if let endTime { object.add("endTime", endTime.timeIntervalSince1970, decimals: 3) }
    if let clockStart { object.add("clockStart", clockStart, decimals: 3) }
    if let clockEnd { object.add("clockEnd", clockEnd, decimals: 3) }
    object.add("reps", detectedReps ?? 0)
    if let correctedReps { object.add("correctedReps", correctedReps) }
    if let confidence { object.add("confidence", confidence, decimals: 4) }
    if let weight { object.add("weight", weight, decimals: 3) }
    if let restTime { object.add("restTime", restTime, decimals: 3) }
    object.add("samples", sampleCount)
    object.add("bytes", byteCount)
    if let exerciseName { object.add("exerciseName", exerciseName) }
    return object.text
  }
}
