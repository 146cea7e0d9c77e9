import ArgumentParser
import Foundation
import RepTrace

struct HistoryStatisticsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "statistics",
    abstract: "Prints statistics of an exercise: volume, best set, one-rep maximum, trend.",
    discussion: """
      Each person has statistics of their own. CSV and tables have a row for each day.

      Example:
        reptrace history statistics history.sqlite "Bench press"
      """)

  @OptionGroup var arguments: StoreArgument

  @Argument(help: "The exercise: its uuid or template id in the catalog, or its name.")
  var exercise: String

  @Option(help: HistoryOpening.userHelp)
  var user: String?

  @OptionGroup var output: OutputOptions

  func run() throws {
    let history = try HistoryOpening.existing(arguments.store, mode: .readOnly)
    let people = try HistoryOpening.names(in: history)
    let owners = try HistoryOpening.users(user, in: history)
    let statistics = try HistoryOpening.reading {
      let key = CatalogExercise.Key(exercise)
      let isKnown = try history.catalog.exercise(key) != nil
      return try owners.map { owner in
        (
          user: people[owner],
          figures: try history.statistics(
            of: isKnown ? .catalog(key) : .named(exercise), user: owner)
        )
      }.filter { $0.figures.setCount > 0 }
    }
    guard !statistics.isEmpty else {
      let known = try HistoryOpening.reading {
        try history.exerciseNames().nearest(to: exercise)
      }
      throw ExitStatus.noInputExists.noting(
        "\(arguments.store): no set of \"\(exercise)\"" + (user.map { " of \($0)" } ?? "")
          + known.suggestion)
    }
    var rows = output.style.printer([
      .init("day", .init("day")), .init("sets", .init("sets", .right)),
      .init("volume", .init("volume kg", .right)),
      .init("oneRepMaximum", .init("one-rep maximum kg", .right)),
      .init("user", .init("person")),
    ])
    for (user, figures) in statistics {
      switch output.format {
      case .table: try LineWriter.write(figures.lines(user))
      case .json, .ndjson:
        try rows.add(json: figures.jsonLine(user), cells: [])
        continue
      case .csv: break
      }
      for point in figures.trend {
        try rows.add(
          json: "",
          cells: [
            DateText.day(point.day), String(point.setCount), decimal(point.volume, 1),
            point.oneRepMaximum.map { decimal($0, 1) } ?? "", user ?? "",
          ])
      }
    }
    try rows.finish(emptyTable: false)
  }
}

extension ExerciseStatistics {
  /// Returns the statistics as text, without the days.
  fileprivate func lines(_ user: String?) -> [String] {
    func text(_ record: Record) -> String { "\(record.reps) × \(decimal(record.weight, 1)) kg" }
    var lines = [
      (user.map { "\($0): " } ?? "") + counted(setCount, "set") + " in "
        + counted(workoutCount, "workout") + ", "
        + counted(reps, "rep") + ", volume \(decimal(volume, 0)) kg"
    ]
    if let bestSet { lines.append("best set: \(text(bestSet))") }
    if let heaviestSet { lines.append("heaviest set: \(text(heaviestSet))") }
    if let oneRepMaximum {
      lines.append("one-rep maximum, estimated (Epley): \(decimal(oneRepMaximum, 1)) kg")
    }
    return lines + [""]
  }

  /// Returns the statistics as one line of NDJSON.
  fileprivate func jsonLine(_ user: String?) -> String {
    let points = trend.map { point in
      JSONObjectText([
        "day": .number(point.day), "sets": .number(point.setCount),
        "volume": .number(point.volume, decimals: 3),
        "oneRepMaximum": .number(point.oneRepMaximum, decimals: 2),
      ]).text
    }
    return JSONObjectText([
      "workouts": .number(workoutCount), "sets": .number(setCount), "reps": .number(reps),
      "volume": .number(volume, decimals: 3), "bestSet": .json(bestSet?.json),
      "heaviestSet": .json(heaviestSet?.json),
      "oneRepMaximum": .number(oneRepMaximum, decimals: 2),
      "oneRepMaximumPerWeek": .number(oneRepMaximumPerWeek, decimals: 3),
      "trend": .list(points), "user": .text(user),
    ]).text
  }
}

extension ExerciseStatistics.Record {
  fileprivate var json: String {
    JSONObjectText([
      "reps": .number(reps), "weight": .number(weight, decimals: 3),
      "date": .number(date?.timeIntervalSince1970, decimals: 3),
    ]).text
  }
}
