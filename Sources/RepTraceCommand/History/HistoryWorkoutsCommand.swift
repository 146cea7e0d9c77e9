import ArgumentParser
import Foundation
import RepTrace

struct HistoryWorkoutsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "workouts",
    abstract: "Lists the workouts of a history, newest first, a page at a time.",
    discussion: """
      With ndjson the last line of a full page is followed by one with the cursor to ask the next \
      page with (--after). --offset and --count are for callers who number their pages. Reads no \
      timeline.

      Example:
        reptrace history workouts history.sqlite --limit 50
      """)

  @OptionGroup var arguments: StoreArgument
  @OptionGroup var filter: HistoryFilterOptions

  @Option(help: ArgumentHelp("Workouts on the page.", valueName: "count"))
  var limit = 20

  @Option(help: ArgumentHelp("The cursor of the page before.", valueName: "cursor"))
  var after: String?

  @Option(help: ArgumentHelp("Workouts to skip.", valueName: "count"))
  var offset: Int?

  @Flag(help: "Print the number of workouts and nothing else.")
  var count = false

  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard (1...10_000).contains(limit) else {
      throw ValidationError("--limit is between 1 and 10000")
    }
    guard offset == nil || after == nil else {
      throw ValidationError("either --after or --offset")
    }
    if let offset, offset < 0 { throw ValidationError("--offset is 0 or more") }
    if let after, WorkoutCursor(text: after) == nil {
      throw ValidationError("--after is a cursor that this command printed")
    }
  }

  func run() throws {
    let history = try HistoryOpening.existing(arguments.store, mode: .readOnly)
    let filter = try filter.filter(in: history)
    var writer = LineWriter()
    if count {
      let count = try HistoryOpening.reporting(opening: true) { try history.workouts.count(filter) }
      try writer.write("\(count)")
      return try writer.flush()
    }
    let page = try HistoryOpening.reporting(opening: true) {
      if let offset { return try history.workouts.page(filter, offset: offset, limit: limit) }
      return try history.workouts.page(
        filter, after: after.flatMap(WorkoutCursor.init(text:)), limit: limit)
    }
    var rows = RowPrinter(
      output.format, csv: output.csv,
      [
        .init("workout", .init("workout", shrinks: true)), .init("date", .init("date")),
        .init("user", .init("person")),
        .init("minutes", .init("min", .right)), .init("plan", .init("plan", shrinks: true)),
        .init("status", .init("status")),
        .init("exercises", .init("exercises", .right, isDispensable: true)),
        .init("sets", .init("sets", .right)), .init("reps", .init("reps", .right)),
        .init("volume", .init("volume kg", .right)),
      ])
    let people = try HistoryOpening.names(in: history)
    for row in page {
      try rows.add(
        json: row.jsonLine(people),
        cells: [
          row.key.rawValue, row.date.map { DateText.localISO8601($0.timeIntervalSince1970) } ?? "",
          people[row.user] ?? "",
          row.durationMinutes.map { decimal($0, 2) } ?? "",
          row.planTitle ?? "", row.status?.rawValue ?? "", String(row.exerciseCount),
          String(row.setCount), String(row.reps), decimal(row.volume, 3),
        ],
        shown: [
          "workout": row.shortKey, "date": row.date.map(DateText.local) ?? "",
          "minutes": row.durationMinutes.map { decimal($0, 0) } ?? "",
          "volume": decimal(row.volume, 0),
        ])
    }
    try rows.finish()
    guard page.count == limit, let last = page.last else { return }
    if output.format == .ndjson {
      var object = JSONObjectText()
      object.add("next", last.cursor.text)
      try writer.write(object.text)
      try writer.flush()
    } else {
      StandardStreams.note("next page: --after \(last.cursor.text)")
    }
  }
}

/// Which part of a history is wanted.
struct HistoryFilterOptions: ParsableArguments {
  @Option(help: HistoryOpening.userHelp)
  var user: String?

  @Option(
    help: ArgumentHelp(
      "An exercise: its uuid or template id in the catalogue, or its name.", valueName: "exercise"))
  var exercise: String?

  @Option(help: ArgumentHelp("From this instant on, in seconds since 1970.", valueName: "time"))
  var from: Double?

  @Option(help: ArgumentHelp("Before this instant, in seconds since 1970.", valueName: "time"))
  var to: Double?

  @Flag(help: "Only what has not been synced.")
  var pending = false

  @Flag(help: "Only what has been synced.")
  var synced = false

  func validate() throws {
    guard !(pending && synced) else { throw ValidationError("either --pending or --synced") }
    for bound in [from, to] {
      guard bound?.isFinite ?? true else { throw ValidationError("--from and --to are times") }
    }
    if let from, let to, from > to { throw ValidationError("--from must not lie after --to") }
  }

  func filter(in history: HistoryStore) throws -> HistoryFilter {
    var filter = HistoryFilter(user: try HistoryOpening.user(user, in: history))
    if let exercise {
      let key = CatalogExercise.Key(exercise)
      let isKnown = try HistoryOpening.reporting(opening: true) {
        try history.catalog.exercise(key) != nil
      }
      filter.exercise = isKnown ? .catalog(key) : .named(exercise)
    }
    if from != nil || to != nil {
      filter.dates =
        Date(timeIntervalSince1970: from ?? -1e13)..<Date(timeIntervalSince1970: to ?? 1e13)
    }
    filter.isSynced = pending ? false : synced ? true : nil
    return filter
  }
}

extension HistoryWorkoutRow {
  /// The key as tables show it: the beginning suffices of a digest.
  var shortKey: String {
    key.rawValue.utf8.count == 64 ? String(key.rawValue.prefix(8)) : key.rawValue
  }

  /// The row as one line of NDJSON.
  fileprivate func jsonLine(_ people: [HistoryUser.ID: String]) -> String {
    var object = JSONObjectText()
    object.add("workout", key.rawValue)
    if let sessionId { object.add("sessionId", sessionId.rawValue) }
    if let date { object.add("date", date.timeIntervalSince1970, decimals: 3) }
    if let endTime { object.add("endTime", endTime.timeIntervalSince1970, decimals: 3) }
    if let durationMinutes { object.add("durationMinutes", durationMinutes, decimals: 2) }
    if let plan { object.add("plan", plan.rawValue) }
    if let planTitle { object.add("planTitle", planTitle) }
    if let focus { object.add("focus", focus) }
    if let intensity { object.add("intensity", intensity) }
    if let status { object.add("status", status.rawValue) }
    object.add("exercises", exerciseCount)
    object.add("sets", setCount)
    object.add("reps", reps)
    object.add("volume", volume, decimals: 3)
    object.add("synced", isSynced)
    if let user = people[user] { object.add("user", user) }
    return object.text
  }
}
