import ArgumentParser
import Foundation
import RepTrace

/// Fills a history with years of workouts, and times the queries of an app on it.
struct HistoryBenchmarkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "benchmark",
    abstract: "Fills a new history with workouts, and times the queries of an app on it.",
    shouldDisplay: false)

  @OptionGroup var arguments: StoreArgument

  @Option(help: "Workouts, of ten sets each.")
  var workouts = 100_000

  func run() throws {
    let clock = ContinuousClock()
    var filling: Duration?
    if !FileManager.default.fileExists(atPath: arguments.store) {
      let history = try HistoryOpening.forWriting(arguments.store)
      filling = try clock.measure {
        try HistoryOpening.reporting { try HistoryBenchmark.fill(history, workouts: workouts) }
      }
      try history.close()
    }
    let size =
      try FileManager.default.attributesOfItem(atPath: arguments.store)[.size] as? Int ?? 0
    // Opened anew: nothing is in SQLite's cache.
    let history = try HistoryOpening.existing(arguments.store, mode: .readOnly)
    var object = JSONObjectText()
    try HistoryOpening.reporting(opening: true) {
      object.add("workouts", try history.workouts.count(HistoryFilter(user: nil)))
      object.add("sets", try history.setCount())
      object.add("bytes", size)
      if let filling { object.add("fillSeconds", filling / .seconds(1), decimals: 1) }
      try time(history, &object)
    }
    var writer = LineWriter()
    try writer.write(object.text)
    try writer.flush()
  }

  private func time(_ history: HistoryStore, _ object: inout JSONObjectText) throws {
    let clock = ContinuousClock()
    func milliseconds(_ body: () throws -> Void) rethrows -> Double {
      try clock.measure(body) / .milliseconds(1)
    }
    func add(_ name: String, _ times: [Double]) {
      let sorted = times.sorted()
      guard let last = sorted.last else { return }
      object.add(name + "Median", sorted[sorted.count / 2], decimals: 3)
      object.add(name + "Worst", last, decimals: 3)
    }
    let filter = HistoryFilter(user: HistoryBenchmark.firstUser)
    object.add(
      "firstPageColdMs", try milliseconds { _ = try history.workouts.page(filter) }, decimals: 3)
    var pages: [Double] = []
    var cursor: WorkoutCursor?
    while true {
      var page: [HistoryWorkoutRow] = []
      pages.append(try milliseconds { page = try history.workouts.page(filter, after: cursor) })
      guard let last = page.last else { break }
      cursor = last.cursor
    }
    object.add("pages", pages.count)
    add("pageMs", pages)
    let tenth = max(1, pages.count / 10)
    let atStart = pages.prefix(tenth).sorted()
    let atEnd = pages.suffix(tenth).sorted()
    object.add("pageMsAtStart", atStart[atStart.count / 2], decimals: 3)
    object.add("pageMsAtEnd", atEnd[atEnd.count / 2], decimals: 3)
    object.add(
      "ratioOfEndToStart", atEnd[atEnd.count / 2] / atStart[atStart.count / 2], decimals: 2)
    let everybody = HistoryFilter(user: nil)
    add(
      "pageOfEverybodyMs",
      try (0..<50).map { _ in try milliseconds { _ = try history.workouts.page(everybody) } })
    for (name, exercise) in [("common", 0), ("rare", 49)] {
      var filter = filter
      filter.exercise = .catalog(HistoryBenchmark.exercise(exercise))
      var cursor: WorkoutCursor?
      var times: [Double] = []
      for _ in 0..<100 {
        var page: [HistoryWorkoutRow] = []
        times.append(try milliseconds { page = try history.workouts.page(filter, after: cursor) })
        guard let last = page.last else { break }
        cursor = last.cursor
      }
      add("pageOf\(name.capitalized)ExerciseMs", times)
    }
    var pending = filter
    pending.isSynced = false
    add(
      "pageOfPendingMs",
      try (0..<50).map { _ in try milliseconds { _ = try history.workouts.page(pending) } })
    var sets = 0
    add(
      "statisticsMs",
      try (0..<20).map { _ in
        try milliseconds {
          sets = try history.statistics(
            of: .catalog(HistoryBenchmark.exercise(0)), user: HistoryBenchmark.firstUser
          ).setCount
        }
      })
    object.add("statisticsSets", sets)
    add(
      "changesMs",
      try (0..<20).map { index in
        try milliseconds {
          _ = try history.sync.changes(since: Int64(index) * 50_000, limit: 100)
        }
      })
    add(
      "searchMs",
      try (0..<20).map { _ in try milliseconds { _ = try history.catalog.search("exercicio 4") } })
  }
}
