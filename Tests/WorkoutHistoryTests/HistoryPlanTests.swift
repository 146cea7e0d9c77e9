import Foundation
import GRDB
import TestSupport
import Testing

@testable import HistoryStorage
@testable import HistorySync
@testable import TrainingPlans
@testable import WorkoutHistory

/// WorkoutPlan, PlanExercise, WorkoutItem, Break and Split of the seeds.
@Suite struct HistoryPlanTests {
  let (folder, store): (TemporaryFolder, HistoryStore)

  init() throws {
    (folder, store) = try HistoryStore.temporary()
    try store.catalog.save(HistoryCatalogTests.benchPress())
    try store.catalog.save(CatalogExercise(uuid: "E2", name: "Prancha", muscleGroup: .core))
  }

  static func press(_ uuid: PlanItem.Key, sets: Int = 3, reps: Int = 12, rest: Int = 60) -> PlanItem
  {
    PlanItem(
      uuid: uuid,
      .exercise(
        PlannedExercise(
          exercise: "E1", .repetitions(sets: sets, reps: reps, restTime: rest), weight: 60)))
  }

  static func plan(_ uuid: WorkoutPlan.Key) -> WorkoutPlan {
    WorkoutPlan(
      uuid: uuid, title: "Peitoral Heavy",
      items: [
        press("\(uuid)1"), PlanItem(uuid: "\(uuid)2", .pause(duration: 90)),
        PlanItem(
          uuid: "\(uuid)3",
          .exercise(PlannedExercise(exercise: "E2", .time(duration: 45)))),
      ])
  }

  @Test func planItemsKeepTheirOrder() throws {
    var plan = Self.plan("P")
    plan.description = "Segunda e quinta"
    plan.createdAt = 1_700_000_000
    let saved = try store.plans.save(plan)
    #expect(saved.autoTitle == "Workout A" && saved.displayTitle == "Peitoral Heavy")
    #expect(saved.items.map(\.uuid) == ["P1", "P2", "P3"])
    #expect(saved.exercises.map(\.name) == ["Supino Reto", "Prancha"])
    #expect(
      saved.exercises.map(\.configuration)
        == [.repetitions(sets: 3, reps: 12, restTime: 60), .time(duration: 45)])
    #expect(saved.estimatedDuration == 3 * (36 + 60) + 90 + 45)
    #expect(saved.muscleGroups == [.chest, .core])
    #expect(saved.items[0].exercise?.weight == 60)
    #expect(saved.description == "Segunda e quinta" && saved.createdAt == 1_700_000_000)
    #expect(!saved.isActive)
    #expect(try store.plans.plan("P") == saved)
  }

  /// A plan that is being entered has a duration before it is validated.
  @Test func durationsSaturate() {
    for (number, duration) in [(Int.max, Int.max), (.min, .max)] {
      let item = Self.press("P1", sets: number, reps: number, rest: number)
      #expect(item.estimatedDuration == duration)
      #expect(WorkoutPlan(uuid: "P", items: [item, item]).estimatedDuration == duration)
    }
    let pause = PlanItem(uuid: "P2", .pause(duration: .min))
    #expect(WorkoutPlan(uuid: "P", items: [pause, pause]).estimatedDuration == .min)
  }

  @Test func automaticTitlesTakeTheFirstFreeLetter() throws {
    for uuid: WorkoutPlan.Key in ["P", "Q", "R"] { try store.plans.save(Self.plan(uuid)) }
    #expect(try store.plans.all().map(\.autoTitle) == ["Workout A", "Workout B", "Workout C"])
    try store.plans.delete("Q")
    try store.plans.save(Self.plan("S"))
    #expect(try store.plans.all().map(\.autoTitle) == ["Workout A", "Workout C", "Workout B"])
    #expect(try store.plans.all().map(\.order) == [0, 2, 3])
    #expect(
      [0, 25, 26, 51, 52, 701, 702].map { AutomaticTitle.title($0, prefix: "W").dropFirst(2) }
        == ["A", "Z", "AA", "AZ", "BA", "ZZ", "AAA"])
  }

  @Test func automaticTitlesInAnyLanguage() throws {
    for uuid: WorkoutPlan.Key in ["P", "Q"] {
      try store.plans.save(Self.plan(uuid), titlePrefix: "Treino")
    }
    try store.plans.save(Self.plan("R"), titlePrefix: "Тренировка")
    #expect(try store.plans.all().map(\.autoTitle) == ["Treino A", "Treino B", "Тренировка A"])
    #expect(throws: RuleViolation.self) {
      try store.plans.save(Self.plan("S"), titlePrefix: " ")
    }
  }

  @Test func oneActivePlanAtATime() throws {
    for uuid: WorkoutPlan.Key in ["P", "Q"] { try store.plans.save(Self.plan(uuid)) }
    #expect(try store.plans.active() == nil)
    try store.plans.activate("P")
    try store.plans.activate("Q")
    #expect(try store.plans.active()?.uuid == "Q")
    #expect(try store.plans.all().map(\.isActive) == [false, true])
    #expect(throws: HistoryError.self) {
      try store.run("UPDATE plan SET isActive = 1")
    }
    try store.plans.activate(nil)
    #expect(try store.plans.active() == nil)
    #expect(throws: HistoryError.self) { try store.plans.activate("nothing") }
  }

  @Test func plansAreReordered() throws {
    for uuid: WorkoutPlan.Key in ["P", "Q", "R"] { try store.plans.save(Self.plan(uuid)) }
    try store.plans.order(["R", "P", "Q"])
    #expect(try store.plans.all().map(\.uuid) == ["R", "P", "Q"])
    let wrongOrders: [[WorkoutPlan.Key]] = [["R", "P"], ["R", "P", "Q", "Q"], ["R", "P", "X"]]
    for wrong in wrongOrders {
      #expect(throws: RuleViolation.incompleteOrder) { try store.plans.order(wrong) }
    }
  }

  @Test func itemsKeepConsecutivePositions() throws {
    try store.plans.save(Self.plan("P"))
    try store.moveItem(ofPlan: "P", from: 0, to: 2)
    #expect(try store.plans.plan("P")?.items.map(\.uuid) == ["P2", "P3", "P1"])
    try store.moveItem(ofPlan: "P", from: 2, to: 0)
    #expect(try store.plans.plan("P")?.items.map(\.uuid) == ["P1", "P2", "P3"])
    var plan = try #require(try store.plans.plan("P"))
    plan.items.remove(at: 1)
    try store.plans.save(plan)
    #expect(
      try store.read {
        try Int.fetchAll($0, sql: "SELECT position FROM plan_item ORDER BY position")
      } == [0, 1])
  }

  @Test func planRulesAreEnforced() throws {
    func violation(_ change: (inout WorkoutPlan) -> Void) -> RuleViolation? {
      var plan = Self.plan("P")
      change(&plan)
      do {
        try store.plans.save(plan)
        return nil
      } catch { return error as? RuleViolation }
    }
    #expect(violation { $0.title = "ab" } == .length(.planTitle, 3...100, found: 2))
    #expect(
      violation { $0.title = "ab" }?.description
        == "The plan title must have at least 3 characters.")
    #expect(violation { $0.title = "abc" } == nil)
    #expect(violation { $0.title = "   " } == nil, "then the automatic title is shown")
    #expect(
      violation { $0.title = String(repeating: "a", count: 101) }
        == .length(.planTitle, 3...100, found: 101))
    #expect(
      violation { $0.description = String(repeating: "a", count: 501) }
        == .length(.description, 0...500, found: 501))
    #expect(violation { $0.items = [] } == .emptyPlan)
    #expect(violation { $0.items = [$0.items[1]] } == .emptyPlan)
    #expect(violation { $0.items[0] = Self.press("x", sets: 0) } == .range(.sets, 1...99, found: 0))
    #expect(
      violation { $0.items[0] = Self.press("x", sets: 100) } == .range(.sets, 1...99, found: 100))
    #expect(
      violation { $0.items[0] = Self.press("x", reps: 1000) } == .range(.reps, 1...999, found: 1000)
    )
    #expect(
      violation { $0.items[0] = Self.press("x", rest: 601) } == .range(.rest, 0...600, found: 601))
    #expect(violation { $0.items[0] = Self.press("x", sets: 99, reps: 999, rest: 600) } == nil)
    for (duration, isGood) in [(0, false), (1, true), (600, true), (601, false)] {
      #expect(
        (violation { $0.items[1] = PlanItem(uuid: "y", .pause(duration: duration)) } == nil)
          == isGood)
    }
    for (duration, isGood) in [(0, false), (1, true), (3600, true), (3601, false)] {
      let item = PlanItem(
        uuid: "z", .exercise(PlannedExercise(exercise: "E2", .time(duration: duration))))
      #expect((violation { $0.items[2] = item } == nil) == isGood)
    }
    for weight in [-1, 2001, Double.nan, .infinity] {
      #expect(
        violation {
          $0.items[0] = PlanItem(
            uuid: "w",
            .exercise(PlannedExercise(exercise: "E2", .time(duration: 1), weight: weight)))
        } != nil)
    }
    let nameless = PlanItem(
      uuid: "n", .exercise(PlannedExercise(exercise: nil, .time(duration: 1))))
    #expect(violation { $0.items = [nameless] } == .missing(.exerciseName))
    let absent = PlanItem(
      uuid: "n", .exercise(PlannedExercise(exercise: "none", .time(duration: 1))))
    #expect(throws: HistoryError.notFound(reference: "exercise none")) {
      try store.plans.save(WorkoutPlan(uuid: "A", items: [absent]))
    }
    #expect(try store.plans.plan("A") == nil)
  }

  @Test func databaseEnforcesTheLibrarysRules() throws {
    try store.plans.save(Self.plan("P"))
    for column in [
      "sets = 0", "sets = 100", "reps = 0", "reps = 1000", "restTime = -1", "restTime = 601",
      "weight = -1", "weight = 2001", "duration = 5", "exerciseName = NULL", "sets = NULL",
    ] {
      #expect(throws: HistoryError.self, "\(column)") {
        try store.run("UPDATE plan_item SET \(column) WHERE position = 0")
      }
    }
    for column in ["duration = 0", "duration = 601", "duration = NULL", "sets = 1"] {
      #expect(throws: HistoryError.self, "\(column)") {
        try store.run("UPDATE plan_item SET \(column) WHERE position = 1")
      }
    }
    for column in ["title = 'ab'", "autoTitle = ''", "\"order\" = -1", "isActive = 2"] {
      #expect(throws: HistoryError.self, "\(column)") {
        try store.run("UPDATE plan SET \(column)")
      }
    }
  }

  @Test func callerSetsPlanLimits() throws {
    for uuid: WorkoutPlan.Key in ["P", "Q", "R", "S"] {
      try store.plans.save(Self.plan(uuid), limits: .free)
    }
    #expect(throws: RuleViolation.tooManyPlans(limit: 4)) {
      try store.plans.save(Self.plan("T"), limits: .free)
    }
    try store.plans.save(Self.plan("T"), limits: .none)
    try store.plans.save(Self.plan("P"), limits: .free)
    var long = Self.plan("P")
    long.items = (0..<7).map { Self.press("L\($0)") }
    #expect(throws: RuleViolation.tooManyExercises(limit: 6, found: 7)) {
      try store.plans.save(long, limits: .free)
    }
    long.items = [Self.press("L", sets: 4)]
    #expect(throws: RuleViolation.tooManySets(limit: 3, found: 4)) {
      try store.plans.save(long, limits: .free)
    }
    try store.plans.save(long, limits: .none)
    var user = HistoryUser(uuid: "U", name: "Ana")
    #expect(user.limits(at: 0) == .free)
    user.subscriptionType = .premium
    #expect(user.limits(at: 0) == .none)
    user.subscriptionValidUntil = 100
    #expect(user.limits(at: 99) == .none && user.limits(at: 101) == .free)
  }

  @Test func splitsContainPlans() throws {
    try store.plans.save(TrainingSplit(uuid: "S", name: " ABC ", intro: "Três dias"))
    var plan = Self.plan("P")
    plan.split = "S"
    try store.plans.save(plan)
    #expect(try store.plans.plan("P")?.split == "S")
    #expect(try store.plans.splits().map(\.name) == ["ABC"])
    #expect(throws: RuleViolation.missing(.splitName)) {
      try store.plans.save(TrainingSplit(uuid: "T", name: ""))
    }
    try store.plans.deleteSplit("S", withPlans: false)
    #expect(try store.plans.plan("P")?.split == nil)
    try store.plans.save(TrainingSplit(uuid: "S2", name: "ABC"))
    plan.split = "S2"
    try store.plans.save(plan)
    try store.plans.deleteSplit("S2", withPlans: true)
    #expect(try store.plans.all().isEmpty)
    plan.split = "gone"
    #expect(throws: HistoryError.notFound(reference: "split gone")) { try store.plans.save(plan) }
  }

  @Test func deletingAPlanDeletesItsItemsAndKeepsItsWorkouts() throws {
    try store.plans.save(Self.plan("P"))
    let workout = try store.workouts.start("S", at: 1000, plan: "P")
    try workout.startExercise("E1", at: 1000)
    try workout.startSet("X", at: 1001)
    try workout.endSet(reps: 9, at: 1030)
    try workout.end(at: 1100)
    try store.plans.delete("P")
    #expect(try store.count("plan_item") == 0)
    let row = try #require(try store.workouts.workout("S"))
    #expect(row.plan == nil && row.planTitle == "Peitoral Heavy" && row.setCount == 1)
    #expect(throws: HistoryError.self) { try store.plans.delete("P") }
  }

  @Test func changingAnItemChangesItsPlan() throws {
    try store.plans.save(Self.plan("P"))
    try store.sync.acknowledge(try store.sync.pendingObjects(limit: 1000), position: 1)
    try store.plans.save(Self.plan("P"))
    #expect(try store.sync.changes(pendingOnly: true).isEmpty, "nothing has changed")
    try store.moveItem(ofPlan: "P", from: 0, to: 1)
    #expect(try store.sync.changes(pendingOnly: true).map(\.key) == ["P"])
  }
}
