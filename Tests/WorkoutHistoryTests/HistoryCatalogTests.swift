import Foundation
import GRDB
import TestSupport
import Testing

@testable import HistorySync
@testable import TrainingPlans
@testable import WorkoutHistory

/// Exercise, MuscleGroup, Muscle and ExerciseType of the seeds.
@Suite struct HistoryCatalogTests {
  let (folder, store): (TemporaryFolder, HistoryStore)

  init() throws { (folder, store) = try HistoryStore.temporary() }

  static func benchPress() -> CatalogExercise {
    var exercise = CatalogExercise(uuid: "E1", name: "Supino Reto", muscleGroup: .chest)
    exercise.templateId = "chest_bench_press_001"
    exercise.furtherMuscleGroups = [.triceps, .shoulders]
    exercise.muscleSubgroup = "Peitoral maior"
    exercise.muscles = ["Pectoralis major", "Triceps brachii"]
    exercise.type = "Força"
    exercise.equipment = "Barra"
    exercise.gripVariation = "Pronada"
    exercise.setup = "Banco 3"
    exercise.description = "Exercício fundamental para peitorais"
    exercise.videoURL = "https://storage.googleapis.com/videos/supino_reto.mp4"
    exercise.defaultSets = 4
    exercise.defaultReps = 10
    exercise.defaultRestTime = 90
    exercise.defaultWeight = 60
    exercise.createdAt = 1_704_067_200
    return exercise
  }

  @Test func everyFieldRoundTrips() throws {
    let saved = try store.catalog.save(Self.benchPress())
    for reference: CatalogExercise.Key in ["E1", "chest_bench_press_001"] {
      let read = try #require(try store.catalog.exercise(reference))
      var expected = Self.benchPress()
      expected.furtherMuscleGroups = [.shoulders, .triceps]
      expected.id = saved.id
      #expect(read == expected)
    }
    #expect(try store.catalog.exercise("nothing") == nil)
  }

  @Test func defaultsMatchTheSeed() {
    let exercise = CatalogExercise(uuid: "E", name: "Supino", muscleGroup: .chest)
    #expect(exercise.defaultSets == 3 && exercise.defaultReps == 12)
    #expect(exercise.defaultRestTime == 60)
  }

  @Test func everyChangeUpdatesItsTimeAndIsPending() throws {
    var exercise = try store.catalog.save(Self.benchPress())
    try store.sync.acknowledge(try store.sync.pendingObjects(limit: 1000), position: 1)
    func change() throws -> HistoryChange? { try store.sync.changes().first { $0.key == "E1" } }
    let before = try #require(try change())
    #expect(before.isSynced)
    try store.catalog.save(exercise)
    #expect(try change() == before)
    exercise.muscles = ["Pectoralis major"]
    try store.catalog.save(exercise)
    #expect(try store.catalog.exercise("E1")?.muscles == ["Pectoralis major"])
    let after = try #require(try change())
    #expect(!after.isSynced && after.changedAt >= before.changedAt && after.number > before.number)
  }

  @Test func searchIgnoresAccentsCaseAndOrder() throws {
    try store.catalog.save(Self.benchPress())
    var squat = CatalogExercise(uuid: "E2", name: "Agachamento Búlgaro", muscleGroup: .legs)
    squat.equipment = "Halteres"
    try store.catalog.save(squat)
    for text in ["supino", "SUPINO RETO", "reto sup", "peito", "pectoralis", "barra", "pronáda"] {
      #expect(try store.catalog.search(text).map(\.uuid) == ["E1"], "\(text)")
    }
    for text in ["bulgaro", "BÚLG", "agachamento halt", "pernas", "legs"] {
      #expect(try store.catalog.search(text).map(\.uuid) == ["E2"], "\(text)")
    }
    for text in ["", "  ", "remada", "\"", "supino agachamento", "* OR name:"] {
      #expect(try store.catalog.search(text).isEmpty, "\(text)")
    }
    squat.name = "Passada"
    try store.catalog.save(squat)
    #expect(try store.catalog.search("agachamento").isEmpty)
    #expect(try store.catalog.search("passada").map(\.uuid) == ["E2"])
    try store.catalog.delete("E2")
    #expect(try store.catalog.search("passada").isEmpty)
  }

  @Test func privateExercisesAreVisibleToTheirOwnerOnly() throws {
    let other = try #require(try store.users.save(HistoryUser(uuid: "U2", name: "Ana")).id)
    var own = CatalogExercise(uuid: "E3", name: "Minha Remada", muscleGroup: .back)
    own.userId = other
    try store.catalog.save(own)
    try store.catalog.save(Self.benchPress())
    #expect(try store.catalog.exercises(of: other).map(\.uuid) == ["E3", "E1"])
    #expect(try store.catalog.exercises().map(\.uuid) == ["E1"])
    #expect(try store.catalog.search("remada").isEmpty)
    #expect(try store.catalog.search("remada", of: other).count == 1)
    #expect(try store.catalog.exercises(group: .triceps).map(\.uuid) == ["E1"])
    #expect(try store.catalog.exercises(group: .legs).isEmpty)
    try store.delete(user: other)
    #expect(try store.catalog.exercise("E3") == nil)
  }

  @Test func muscleGroupsInBothLanguages() {
    for (name, group) in [
      ("Peitoral", MuscleGroup.chest), ("Peito", .chest), ("COSTAS", .back), ("pernas", .legs),
      ("Ombros", .shoulders), ("bracos", .arms), ("Braços", .arms), ("Abdômen", .core),
      ("Cardio", .cardio), ("Full Body", .fullBody), ("Calves", .calves), ("Forearms", .forearms),
      ("Glutes", .glutes), ("Biceps", .biceps), ("Tríceps", .triceps), ("Core", .core),
    ] { #expect(MuscleGroup(named: name) == group, "\(name)") }
    #expect(MuscleGroup(named: "cabelo") == nil)
    #expect(MuscleGroup.allCases.count == 13)
  }

  @Test func catalogRulesAreEnforced() throws {
    func violation(_ change: (inout CatalogExercise) -> Void) -> RuleViolation? {
      var exercise = Self.benchPress()
      change(&exercise)
      do {
        try store.catalog.save(exercise)
        return nil
      } catch { return error as? RuleViolation }
    }
    #expect(violation { $0.name = "  " } == .missing(.exerciseName))
    #expect(violation { $0.name = "" }?.description == "The exercise name is required.")
    #expect(
      violation { $0.name = String(repeating: "a", count: 101) }
        == .length(.exerciseName, 1...100, found: 101))
    #expect(violation { $0.name = String(repeating: "é", count: 100) } == nil)
    #expect(violation { $0.name = "a\0b" } == .notText(.exerciseName))
    #expect(violation { $0.defaultSets = 11 } == .range(.defaultSets, 1...10, found: 11))
    #expect(violation { $0.defaultSets = 0 } == .range(.defaultSets, 1...10, found: 0))
    #expect(violation { $0.defaultReps = 51 } == .range(.defaultReps, 1...50, found: 51))
    #expect(
      violation { $0.defaultRestTime = 45 }
        == .notAmong(.defaultRestTime, [30, 60, 90, 120, 180], found: 45))
    for good in [30, 60, 90, 120, 180] { #expect(violation { $0.defaultRestTime = good } == nil) }
    #expect(violation { $0.defaultWeight = .nan } != nil)
    #expect(violation { $0.defaultWeight = -1 } != nil)
    #expect(
      violation { $0.description = String(repeating: "a", count: 501) }
        == .length(.description, 0...500, found: 501))
    for bad in [
      "supino", "ftp://a.b/c", "https://youtube.com/watch?x=1", "https://youtu.be/",
      "https://www.youtube.com/shorts", "https://", "https://a b.com",
    ] { #expect(violation { $0.videoURL = bad } == .videoURL(bad), "\(bad)") }
    for good in [
      "https://www.youtube.com/watch?v=abc", "https://youtu.be/abc", "http://a.b/c.mp4", "",
    ] { #expect(violation { $0.videoURL = good } == nil, "\(good)") }
    #expect(
      violation { $0.uuid = "E9" } == nil, "the template id tells that it is the same exercise")
    #expect(try store.catalog.exercises().count == 1)
  }

  /// An exercise deleted from the catalog remains in plans by name, and in the history.
  @Test func deletingAPlannedExerciseNeedsConfirmation() throws {
    try store.catalog.save(Self.benchPress())
    try store.plans.save(
      WorkoutPlan(
        uuid: "P",
        items: [
          PlanItem(
            uuid: "I",
            .exercise(
              PlannedExercise(
                exercise: "E1", .repetitions(sets: 3, reps: 10, restTime: 60))))
        ]))
    #expect(throws: RuleViolation.exerciseInUse(plans: 1)) { try store.catalog.delete("E1") }
    try store.catalog.delete("E1", confirmed: true)
    let item = try #require(try store.plans.plan("P")?.exercises.first)
    #expect(item.exercise == nil && item.name == "Supino Reto")
    #expect(throws: HistoryError.self) { try store.catalog.delete("E1") }
  }

  @Test func databaseEnforcesTheLibrarysRules() throws {
    try store.catalog.save(Self.benchPress())
    for change in [
      "name = ''", "muscleGroup = 'hair'", "defaultSets = 11", "defaultReps = 0",
      "defaultRestTime = 61", "videoURL = 'file:///etc'",
    ] {
      #expect(throws: HistoryError.self, "\(change)") {
        try store.run("UPDATE exercise SET \(change)")
      }
    }
  }
}
