import ArgumentParser
import Foundation
import RepTrace

/// Fills a history with years of workouts and times an app's queries on it.
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
        try HistoryOpening.writing { try HistoryBenchmark.fill(history, workouts: workouts) }
      }
      try history.close()
    }
    let size = try FileManager.default.attributesOfItem(atPath: arguments.store)[.size] as? Int ?? 0
    // Reopen the history, so that SQLite's cache is empty.
    let history = try HistoryOpening.existing(arguments.store, mode: .readOnly)
    var object = JSONObjectText()
    try HistoryOpening.reading {
      object.add([
        "workouts": .number(try history.workouts.count(HistoryFilter(user: nil))),
        "sets": .number(try history.setCount()), "bytes": .number(size),
        "fillSeconds": .number(filling.map { $0 / .seconds(1) }, decimals: 1),
      ])
      try time(history, &object)
    }
    try LineWriter.write([object.text])
  }

  private func time(_ history: HistoryStore, _ object: inout JSONObjectText) throws {
    let clock = ContinuousClock()
    func milliseconds(_ body: () throws -> Void) rethrows -> Double {
      try clock.measure(body) / .milliseconds(1)
    }
    func add(_ name: String, _ times: [Double]) {
      let sorted = times.sorted()
      guard let last = sorted.last else { return }
      object.add(name + "Median", .number(sorted[sorted.count / 2], decimals: 3))
      object.add(name + "Worst", .number(last, decimals: 3))
    }
    func add(_ name: String, times: Int, _ body: (Int) throws -> Void) rethrows {
      add(name, try (0..<times).map { index in try milliseconds { try body(index) } })
    }
    let filter = HistoryFilter(user: HistoryBenchmark.firstUser)
    let cold = try milliseconds { _ = try history.workouts.page(filter) }
    object.add("firstPageColdMs", .number(cold, decimals: 3))
    var pages: [Double] = []
    var cursor: WorkoutCursor?
    while true {
      var page: [HistoryWorkoutRow] = []
      pages.append(try milliseconds { page = try history.workouts.page(filter, after: cursor) })
      guard let last = page.last else { break }
      cursor = last.cursor
    }
    object.add("pages", .number(pages.count))
    add("pageMs", pages)
    let tenth = max(1, pages.count / 10)
    let atStart = pages.prefix(tenth).sorted()
    let atEnd = pages.suffix(tenth).sorted()
    let (startMedian, endMedian) = (atStart[atStart.count / 2], atEnd[atEnd.count / 2])
    object.add([
      "pageMsAtStart": .number(startMedian, decimals: 3),
      "pageMsAtEnd": .number(endMedian, decimals: 3),
      "ratioOfEndToStart": .number(endMedian / startMedian, decimals: 2),
    ])
    let everybody = HistoryFilter(user: nil)
    try add("pageOfEverybodyMs", times: 50) { _ in _ = try history.workouts.page(everybody) }
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
    try add("pageOfPendingMs", times: 50) { _ in _ = try history.workouts.page(pending) }
    var sets = 0
    try add("statisticsMs", times: 20) { _ in
      sets = try history.statistics(
        of: .catalog(HistoryBenchmark.exercise(0)), user: HistoryBenchmark.firstUser
      ).setCount
    }
    object.add("statisticsSets", .number(sets))
    try add("changesMs", times: 20) { index in
      _ = try history.sync.changes(since: Int64(index) * 50_000, limit: 100)
    }
    try add("searchMs", times: 20) { _ in _ = try history.catalog.search("exercicio 4") }
  }
}
