import Foundation
import GRDB
import Motion
import TestSupport
import Testing

@testable import WorkoutHistory

@Suite struct HistoryStatisticsTests {
  let (folder, store): (TemporaryFolder, HistoryStore)

  init() throws {
    (folder, store) = try HistoryStore.temporary()
    try store.catalog.save(HistoryCatalogTests.benchPress())
  }

  private func workout(
    _ id: HistoryWorkoutRow.Key, day: Double, _ sets: [(reps: Int, weight: Double?)],
    user: HistoryUser.ID = .local
  ) throws {
    let start = Date(timeIntervalSince1970: day * 86_400 + 3600)
    let workout = try store.workouts.start(id, at: start, user: user)
    try workout.startExercise("E1", at: start)
    for (index, set) in sets.enumerated() {
      try workout.startSet("\(id)-\(index)", weight: set.weight, at: start + Double(index) * 100)
      try workout.endSet(reps: set.reps, at: start + Double(index) * 100 + 40)
    }
    try workout.end()
  }

  @Test func volumeBestSetMaximumAndTrend() throws {
    try workout("A", day: 19_000, [(10, 60), (8, 70), (1, 85)])
    try workout("B", day: 19_007, [(10, 66), (40, 20), (5, nil)])
    let statistics = try store.statistics(of: .catalog("chest_bench_press_001"))
    #expect(statistics.workoutCount == 2 && statistics.setCount == 6)
    #expect(statistics.reps == 74)
    #expect(statistics.volume == 600 + 560 + 85 + 660 + 800)
    // 70 kg 8 times: 88.67; 66 kg 10 times: 88; 85 kg once: 85.
    #expect(statistics.bestSet?.reps == 8 && statistics.bestSet?.weight == 70)
    #expect(abs((statistics.oneRepMaximum ?? 0) - 70 * (1 + 8.0 / 30)) < 1e-9)
    #expect(statistics.heaviestSet?.weight == 85)
    #expect(statistics.trend.map(\.day) == [19_000, 19_007])
    #expect(statistics.trend.map(\.setCount) == [3, 3])
    #expect(statistics.trend.map(\.volume) == [1245, 1460])
    let expected = 66 * (1 + 10.0 / 30) - 70 * (1 + 8.0 / 30)
    #expect(abs((statistics.oneRepMaximumPerWeek ?? 0) - expected) < 1e-9)
    #expect(try store.statistics(of: .named("Supino Reto")) == statistics)
    let one = try store.statistics(of: .catalog("E1"), dates: 0..<1_641_686_400)
    #expect(one.setCount == 3 && one.oneRepMaximumPerWeek == nil)
    #expect(try store.statistics(of: .catalog("none")) == ExerciseStatistics())
    #expect(try store.statistics(of: .named("none")) == ExerciseStatistics())
  }

  @Test func correctionsCountInStatistics() throws {
    try workout("A", day: 19_000, [(10, 60)])
    try store.correct(set: "A-0", reps: 12)
    #expect(try store.statistics(of: .catalog("E1")).reps == 12)
  }

  /// Another program may have written such counts.
  @Test func absurdCountsDoNotOverflow() throws {
    try workout("A", day: 19_000, [(10, 60), (8, 70)])
    try store.run("UPDATE workout_set SET detectedReps = ?, correctedReps = NULL", Int64.max)
    #expect(try store.statistics(of: .catalog("E1")).reps == .max)
    #expect(try store.workouts.page().map(\.reps) == [.max])
  }

  @Test func statisticsCoverOnePerson() throws {
    let other = try #require(try store.users.save(HistoryUser(uuid: "U", name: "Ana")).id)
    try workout("A", day: 19_000, [(10, 60)])
    try workout("B", day: 19_000, [(7, 60)], user: other)
    #expect(try store.statistics(of: .catalog("E1")).reps == 10)
    #expect(try store.statistics(of: .catalog("E1"), user: other).reps == 7)
    #expect(try store.statistics(of: .catalog("E1"), user: nil).reps == 17)
    // An exercise deleted from the catalog is found by its name.
    try store.catalog.delete("E1")
    #expect(try store.statistics(of: .catalog("E1")).setCount == 0)
    #expect(try store.statistics(of: .named("Supino Reto")).reps == 10)
  }

  @Test func oneRepMaximumIsEstimated() {
    #expect(ExerciseStatistics.oneRepMaximum(weight: 100, reps: 1) == 100)
    #expect(ExerciseStatistics.oneRepMaximum(weight: 90, reps: 10) == 120)
    for (weight, reps) in [(0.0, 5), (50, 0), (50, 31), (-5, 5), (Double.nan, 5)] {
      #expect(ExerciseStatistics.oneRepMaximum(weight: weight, reps: reps) == nil)
    }
  }

  @Test func templatesHaveARowPerPersonAndExercise() throws {
    let other = try #require(try store.users.save(HistoryUser(uuid: "U", name: "Ana")).id)
    #expect(try store.patterns.all()["E1"] == nil)
    let first = StoredPattern(version: 1, data: [1, 2, 3])
    try store.patterns.set(first, ofExercise: "E1")
    try store.patterns.set(StoredPattern(version: 2, data: [4]), ofExercise: "E1", user: other)
    #expect(try store.patterns.all()["E1"] == first)
    #expect(try store.patterns.all(of: other)["E1"]?.version == 2)
    try store.patterns.set(StoredPattern(version: 3, data: []), ofExercise: "E1")
    #expect(try store.patterns.all()["E1"] == StoredPattern(version: 3, data: []))
    try store.patterns.set(nil, ofExercise: "E1")
    #expect(try store.patterns.all()["E1"] == nil)
  }
}
