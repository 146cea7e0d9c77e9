import Foundation
import GRDB
import Motion
import TestSupport
import Testing

@testable import HistoryStorage
@testable import HistorySync
@testable import TrainingPlans
@testable import WorkoutHistory

/// Pages by key and by offset, filters, and the query plans behind them.
@Suite struct HistoryPagingTests {
  let (folder, store): (TemporaryFolder, HistoryStore)
  let other: HistoryUser.ID

  init() throws {
    (folder, store) = try HistoryStore.temporary()
    try store.catalog.save(HistoryCatalogTests.benchPress())
    try store.catalog.save(CatalogExercise(uuid: "E2", name: "Prancha", muscleGroup: .core))
    other = try #require(try store.users.save(HistoryUser(uuid: "U2", name: "Ana")).id)
  }

  /// Adds workouts of two persons, some with equal dates, some without; every third has E2.
  private func fill(_ count: Int) throws {
    var actions: [WorkoutAction] = []
    for number in 0..<count {
      let user = number % 4 == 0 ? other : HistoryUser.ID.local
      let date: Double? = number % 10 == 9 ? nil : 1_700_000_000 + Double(number / 2) * 3600
      func add(_ step: WorkoutAction.Step, _ offset: Double = 0) {
        actions.append(
          WorkoutAction(session: "S\(number)", step, date: date.map { $0 + offset }, user: user))
      }
      add(.startWorkout())
      for exercise: HistoryExerciseRow.Key in number % 3 == 0 ? ["E1", "E2"] : ["E1"] {
        add(.startExercise(exercise))
        add(.startSet("S\(number)\(exercise)", weight: Double(number % 50)))
        add(.endSet(reps: number % 12 + 1), 30)
        add(.endExercise(), 40)
      }
      add(.endWorkout, 60)
    }
    #expect(try store.workouts.perform(actions).allSatisfy { $0 == nil })
  }

  private func allPages(_ filter: HistoryFilter, limit: Int) throws -> [HistoryWorkoutRow] {
    var all: [HistoryWorkoutRow] = []
    while case let page = try store.workouts.page(filter, after: all.last?.cursor, limit: limit),
      !page.isEmpty
    {
      #expect(page.count <= limit)
      all += page
    }
    return all
  }

  @Test func pagesByKeyAndByOffsetCoverTheList() throws {
    try fill(75)
    let first = try store.workouts.page(HistoryFilter(user: nil), limit: 30)
    try store.sync.acknowledge(
      try store.sync.pendingObjects(limit: 1000).filter { $0.object.entity == .workoutHistory }
        .prefix(20).map { $0 }, position: 1)
    let all = try store.workouts.page(HistoryFilter(user: nil), limit: 1000)
    #expect(all.count == 75 && Array(all.prefix(30)).map(\.id) == first.map(\.id))
    #expect(all.map(\.sortDate) == all.map(\.sortDate).sorted(by: >))
    #expect(all.suffix(7).allSatisfy { $0.date == nil })
    let start = Date(timeIntervalSince1970: 1_700_000_000)
    let span = start + 3600 * 5..<start + 3600 * 25
    for user in [nil, HistoryUser.ID.local, other, 99] {
      for exercise in [
        nil, HistoryExerciseReference.catalog("E1"), .catalog("E2"), .named("Prancha"),
        .named("nothing"), .catalog("nothing"),
      ] {
        for dates in [nil, span] {
          for isSynced in [nil, true, false] {
            let filter = HistoryFilter(
              user: user, exercise: exercise, dates: dates, isSynced: isSynced)
            let expected = all.filter { row in
              let number = Int(row.key.rawValue.dropFirst()) ?? 0
              let hasExercise =
                switch exercise {
                case nil, .catalog("E1"): true
                case .catalog("E2"), .named("Prancha"): number % 3 == 0
                default: false
                }
              return (user == nil || row.user == user) && hasExercise
                && (dates == nil || row.date.map(span.contains) == true)
                && (isSynced == nil || row.isSynced == isSynced)
            }
            #expect(try allPages(filter, limit: 7).map(\.id) == expected.map(\.id))
            #expect(try store.workouts.count(filter) == expected.count)
            let offsets = try (0..<11).flatMap {
              try store.workouts.page(filter, offset: $0 * 7, limit: 7)
            }
            #expect(offsets.map(\.id) == expected.map(\.id))
          }
        }
      }
    }
  }

  @Test func negativeLimitReturnsNothing() throws {
    try fill(3)
    #expect(try store.sets(limit: -1).isEmpty)
    #expect(try store.workouts.page(limit: -1).isEmpty)
    #expect(try store.workouts.page(offset: 0, limit: -1).isEmpty)
    #expect(try store.catalog.exercises(limit: -1).isEmpty)
    #expect(try store.catalog.search("prancha", limit: -1).isEmpty)
  }

  /// As in the test of seed 001's history page.
  @Test func twentyOnTheFirstPageTenOnTheSecond() throws {
    try fill(40)
    #expect(try store.workouts.page(offset: 0, limit: 20).count == 20)
    #expect(try store.workouts.page(offset: 20, limit: 20).count == 10)
    #expect(try store.workouts.count() == 30)
    let ids = try [0, 20].map { Set(try store.workouts.page(offset: $0, limit: 20).map(\.id)) }
    #expect(ids[0].isDisjoint(with: ids[1]))
  }

  /// A page does not depend on later insertions before it.
  @Test func pageByKeyDoesNotShift() throws {
    try fill(30)
    let first = try store.workouts.page(limit: 5)
    let second = try store.workouts.page(after: first.last?.cursor, limit: 5)
    let workout = try store.workouts.start("new", at: 1_800_000_000)
    try workout.startSet("newset", at: 1_800_000_000)
    try workout.endSet(reps: 1)
    try workout.end()
    #expect(try store.workouts.page(after: first.last?.cursor, limit: 5) == second)
    #expect(try store.workouts.page(limit: 1).map(\.key) == ["new"])
    let cursor = try #require(first.last?.cursor)
    #expect(WorkoutCursor(text: cursor.text) == cursor)
    for text in ["", "1", "a,b", "1,2,3"] { #expect(WorkoutCursor(text: text) == nil) }
  }

  private func plan(_ sql: String, _ arguments: StatementArguments = []) throws -> [String] {
    try store.read { db in
      try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + sql, arguments: arguments).map {
        $0["detail"] as String
      }
    }
  }

  /// No query of the history scans or sorts a table, or reads a blob.
  @Test func everyQueryUsesAnIndex() throws {
    let cursor = WorkoutCursor(sortDate: 0, id: 0)
    var plans: [(String, [String])] = []
    for user in [nil, HistoryUser.ID(1)] {
      for exercise in [nil, .template(1), .names(["a"])] as [FoundExercise?] {
        // A filter by exercise name applies to one person's history only.
        if case .names = exercise, user == nil { continue }
        for dates in [nil, Range<Date>?(0..<1)] {
          for after in [nil, cursor] {
            for isSynced in [nil, true] {
              var filter = HistoryFilter(user: user)
              filter.dates = dates
              filter.isSynced = isSynced
              let query = WorkoutQuery(filter, exercise, after: after, limit: 20)
              plans.append((query.sql, try plan(query.sql, query.arguments)))
            }
          }
        }
        guard let exercise else { continue }
        let query = HistoryStore.statisticsQuery(exercise, user: user, dates: nil)
        plans.append((query.sql, try plan(query.sql, query.arguments)))
      }
    }
    plans.append((HistoryWorkoutRow.sums, try plan(HistoryWorkoutRow.sums, [1])))
    plans.append((HistoryUsers.inactiveQuery, try plan(HistoryUsers.inactiveQuery, [1])))
    plans.append((HistoryStore.pageQuery, try plan(HistoryStore.pageQuery, [0, 20])))
    for hasUser in [false, true] {
      for table in ["stamp", "tombstone"] {
        let sql = SyncExchange.changesQuery(table, hasUser: hasUser, pendingOnly: false)
        var arguments: StatementArguments = ["since": 0, "limit": 9]
        if hasUser { arguments += ["user": 1] }
        plans.append((sql, try plan(sql, arguments)))
      }
    }
    for entity in SyncEntity.listed {
      let sql = SyncTable.of(entity).metadataQuery
      plans.append((sql, try plan(sql, [1])))
    }
    for (sql, plan) in plans {
      #expect(!plan.isEmpty)
      for step in plan {
        // An index scan in order, limited to the rows of the page.
        let isInOrder = step.hasPrefix("SCAN w USING INDEX workout_by_date")
        // A scan of a plan's few items, in order.
        let isItem = step == "SCAN i" && sql.contains("FROM plan t")
        // A scan of the few workouts in progress.
        let isActive = step == "SCAN v USING INDEX workout_active"
        // A scan of the rows that the index of exercises has found.
        let isFound = step == "SCAN e" && sql.contains("e AS MATERIALIZED")
        #expect(
          !step.hasPrefix("SCAN") || isInOrder || isItem || isActive || isFound,
          "\(step) in \(sql)")
        #expect(!step.contains("TEMP B-TREE"), "\(step) in \(sql)")
        #expect(!step.contains(" blob"), "\(step) in \(sql)")
      }
    }
    // The statistics find their sets by an index.
    let statistics = HistoryStore.statisticsQuery(.template(1), user: 1, dates: nil)
    #expect(
      try plan(statistics.sql, statistics.arguments).contains {
        $0.contains("j USING COVERING INDEX workout_set_by_exercise")
      })
  }
}
