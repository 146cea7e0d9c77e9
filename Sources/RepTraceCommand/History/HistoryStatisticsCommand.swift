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

  @Argument(help: "The exercise: its uuid or template id in the catalogue, or its name.")
  var exercise: String

  @Option(help: HistoryOpening.userHelp)
  var user: String?

  @OptionGroup var output: OutputOptions

  func run() throws {
    let history = try HistoryOpening.existing(arguments.store, mode: .readOnly)
    let people = try HistoryOpening.names(in: history)
    let owners = try HistoryOpening.users(user, in: history)
    let statistics = try HistoryOpening.reporting(opening: true) {
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
      let known = try HistoryOpening.reporting(opening: true) {
        try history.exerciseNames().nearest(to: exercise)
      }
      StandardStreams.note(
        "\(arguments.store): no set of \"\(exercise)\"" + (user.map { " of \($0)" } ?? "")
          + known.suggestion)
      throw ExitStatus.noInputExists
    }
    var rows = RowPrinter(
      output.format, csv: output.csv,
      [
        .init("day", .init("day")), .init("sets", .init("sets", .right)),
        .init("volume", .init("volume kg", .right)),
        .init("oneRepMaximum", .init("one-rep maximum kg", .right)),
        .init("user", .init("person")),
      ])
    for (user, figures) in statistics {
      switch output.format {
      case .table:
        var writer = LineWriter()
        for line in figures.lines(user) { try writer.write(line) }
        try writer.flush()
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
  /// The statistics in words, without the days.
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
      lines.append(
        "one-rep maximum, estimated (Epley): \(decimal(oneRepMaximum, 1)) kg")
    }
    return lines + [""]
  }

  /// The statistics as one line of NDJSON.
  fileprivate func jsonLine(_ user: String?) -> String {
    var object = JSONObjectText()
    object.add("workouts", workoutCount)
    object.add("sets", setCount)
    object.add("reps", reps)
    object.add("volume", volume, decimals: 3)
    if let bestSet { object.add("bestSet", json: bestSet.json) }
    if let heaviestSet { object.add("heaviestSet", json: heaviestSet.json) }
    if let oneRepMaximum { object.add("oneRepMaximum", oneRepMaximum, decimals: 2) }
    if let oneRepMaximumPerWeek {
      object.add("oneRepMaximumPerWeek", oneRepMaximumPerWeek, decimals: 3)
    }
    let points = trend.map { point in
      var object = JSONObjectText()
      object.add("day", point.day)
      object.add("sets", point.setCount)
      object.add("volume", point.volume, decimals: 3)
      if let maximum = point.oneRepMaximum {
        object.add("oneRepMaximum", maximum, decimals: 2)
      }
      return object.text
    }
    object.add("trend", json: "[" + points.joined(separator: ",") + "]")
    if let user { object.add("user", user) }
    return object.text
  }
}

extension ExerciseStatistics.Record {
  fileprivate var json: String {
    var object = JSONObjectText()
    object.add("reps", reps)
    object.add("weight", weight, decimals: 3)
    if let date { object.add("date", date.timeIntervalSince1970, decimals: 3) }
    return object.text
  }
}
