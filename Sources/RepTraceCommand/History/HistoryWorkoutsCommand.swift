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
    try require((1...10_000).contains(limit), "--limit is between 1 and 10000")
    try require(offset == nil || after == nil, "either --after or --offset")
    if let offset, offset < 0 { throw ValidationError("--offset is 0 or more") }
    if let after, WorkoutCursor(text: after) == nil {
      throw ValidationError("--after is a cursor that this command printed")
    }
  }

  func run() throws {
    let history = try HistoryOpening.existing(arguments.store, mode: .readOnly)
    let filter = try filter.filter(in: history)
    if count {
      let count = try HistoryOpening.reading { try history.workouts.count(filter) }
      return try LineWriter.write(["\(count)"])
    }
    let page = try HistoryOpening.reading {
      if let offset { return try history.workouts.page(filter, offset: offset, limit: limit) }
      return try history.workouts.page(
        filter, after: after.flatMap(WorkoutCursor.init(text:)), limit: limit)
    }
    var rows = output.style.printer([
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
      try LineWriter.write([JSONObjectText(["next": .text(last.cursor.text)]).text])
    } else {
      StandardStreams.note("next page: --after \(last.cursor.text)")
    }
  }
}

/// Options that select a part of a history.
struct HistoryFilterOptions: ParsableArguments {
  @Option(help: HistoryOpening.userHelp)
  var user: String?

  @Option(
    help: ArgumentHelp(
      "An exercise: its uuid or template id in the catalog, or its name.", valueName: "exercise"))
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
    try require(!(pending && synced), "either --pending or --synced")
    for bound in [from, to] {
      try require(bound?.isFinite ?? true, "--from and --to are times")
    }
    if let from, let to, from > to { throw ValidationError("--from must not lie after --to") }
  }

  func filter(in history: HistoryStore) throws -> HistoryFilter {
    var filter = HistoryFilter(user: try HistoryOpening.user(user, in: history))
    if let exercise {
      let key = CatalogExercise.Key(exercise)
      let isKnown = try HistoryOpening.reading {
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
  /// The key as shown in tables: digests are shortened to their beginning.
  var shortKey: String {
    key.rawValue.utf8.count == 64 ? String(key.rawValue.prefix(8)) : key.rawValue
  }

  /// Returns the row as one line of NDJSON.
  fileprivate func jsonLine(_ people: [HistoryUser.ID: String]) -> String {
    JSONObjectText([
      "workout": .text(key.rawValue), "sessionId": .text(sessionId?.rawValue),
      "date": .number(date?.timeIntervalSince1970, decimals: 3),
      "endTime": .number(endTime?.timeIntervalSince1970, decimals: 3),
      "durationMinutes": .number(durationMinutes, decimals: 2), "plan": .text(plan?.rawValue),
      "planTitle": .text(planTitle), "focus": .text(focus), "intensity": .text(intensity),
      "status": .text(status?.rawValue), "exercises": .number(exerciseCount),
      "sets": .number(setCount), "reps": .number(reps), "volume": .number(volume, decimals: 3),
      "synced": .flag(isSynced), "user": .text(people[user]),
    ]).text
  }
}
