import Foundation
import HistorySync
import RecordingPipeline
import TestSupport
import Testing

@testable import TrainingPlans
@testable import WorkoutHistory

/// Import of plans: flow 3 of seed 003.
@Suite struct PlanImporterTests {
  let folder: TemporaryFolder
  let store: HistoryStore

  init() throws {
    folder = try TemporaryFolder()
    store = try HistoryStore(path: folder.path("history.sqlite"), mode: .create)
    for (id, name, group) in [
      ("E1", "Supino Reto", MuscleGroup.chest), ("E2", "Supino Inclinado", .chest),
      ("E3", "Agachamento Livre", .legs), ("E4", "Agachamento Búlgaro", .legs),
      ("E5", "Rosca Direta", .biceps), ("E6", "Tríceps Testa", .triceps), ("E7", "Prancha", .core),
      ("E8", "Leg Press", .legs), ("E9", "Remada Curvada", .back),
    ] {
      var exercise = CatalogExercise(uuid: CatalogExercise.Key(id), name: name, muscleGroup: group)
      exercise.templateId = "t_\(id)"
      exercise.defaultWeight = id == "E1" ? 40 : nil
      try store.catalog.save(exercise)
    }
  }

  @Test func namesMatchDespiteMisspellings() throws {
    let matcher = ExerciseNameMatcher(try store.catalog.exercises())
    for (name, uuid) in [
      ("Supino Reto", "E1"), ("SUPINO RETO", "E1"), ("supino  reto.", "E1"),
      ("Supino reto (barra)", "E1"), ("Supinho Reto", "E1"), ("Suipno Reto", "E1"),
      ("agachamento bulgaro", "E4"), ("Agachamento Búlgaro", "E4"), ("Triceps testa", "E6"),
      ("Tricpes Testa", "E6"), ("legpress", "E8"), ("Leg-Press", "E8"), ("remada curvda", "E9"),
    ] { #expect(matcher.match(name).exercise?.rawValue == uuid, "\(name): \(matcher.match(name))") }
    for name in ["Supino", "Agachamento", "Rosca Martelo", "Corrida", "", "!!!", "Remada"] {
      #expect(matcher.match(name).exercise == nil, "\(name): \(matcher.match(name))")
    }
    #expect(matcher.match("anything", templateId: "t_E5").exercise == "E5")
    if case .exact = matcher.match("supino reto") {} else { Issue.record("equal but for case") }
  }

  @Test func importsPlansFromJSON() throws {
    let text = """
      {"plans": [
        {"title": "Peito e tríceps", "description": "A",
         "exercises": [
           {"name": "supino réto", "sets": 4, "reps": 8, "weight": 62.5, "rest": 90},
           {"break": 120},
           {"exercício": "Triceps Testa", "séries": "3", "repetições": 15, "descanso": 45},
           {"name": "Prancha", "duration": 60},
           {"name": "Voador"}]},
        {"exercises": ["Leg Press", {"templateId": "t_E3", "order": 1}]},
        {"title": "Nada", "exercises": ["Yoga"]}]}
      """
    let report = try PlanImporter(date: Date(timeIntervalSince1970: 5)).importPlans(
      text, into: store)
    #expect(report.plans.map(\.displayTitle) == ["Peito e tríceps", "Workout B"])
    let items = report.plans[0].items
    #expect(items.count == 4)
    #expect(
      items[0].content
        == .exercise(
          PlannedExercise(
            exercise: "E1", name: "Supino Reto", .repetitions(sets: 4, reps: 8, restTime: 90),
            weight: 62.5)))
    #expect(items[1].content == .pause(duration: 120))
    #expect(items[2].exercise?.configuration == .repetitions(sets: 3, reps: 15, restTime: 45))
    #expect(items[3].exercise?.configuration == .time(duration: 60))
    #expect(report.plans[1].exercises.map(\.exercise) == ["E8", "E3"])
    #expect(
      report.plans[1].exercises[0].configuration == .repetitions(sets: 3, reps: 12, restTime: 60))
    #expect(report.unmatched.map(\.name) == ["Voador", "Yoga"])
    #expect(report.unmatched.map(\.place) == ["plan 1, item 5", "plan 3, item 1"])
    #expect(report.emptyPlans == ["Nada"])
    // Importing the file again changes nothing.
    let changes = try store.sync.changes()
    let again = try PlanImporter(date: Date(timeIntervalSince1970: 9)).importPlans(
      text, into: store)
    #expect(again.plans.map(\.uuid) == report.plans.map(\.uuid))
    #expect(try store.sync.changes() == changes)
  }

  @Test(arguments: [",", ";", "\t"])
  func importsPlansFromCSV(delimiter: String) throws {
    let rows = [
      ["Treino", "Exercício", "Séries", "Repetições", "Carga", "Descanso", "Duração", "Pausa"],
      ["Dia A", "Supino Reto", "4", "10", delimiter == "," ? "62.5 kg" : "62,5 kg", "90", "", ""],
      ["Dia A", "", "", "", "", "", "", "60"],
      ["Dia A", "\"agachamento\nlivre\"", "3", "12", "", "", "", ""],
      ["Dia B", "Prancha", "", "", "", "", "45", ""],
      ["Dia B", "Corrida", "", "", "", "", "600", ""],
    ]
    let text = rows.map { $0.joined(separator: delimiter) }.joined(separator: "\r\n")
    let report = try PlanImporter(date: nil).importPlans(text, into: store)
    #expect(report.plans.map(\.title) == ["Dia A", "Dia B"])
    #expect(report.plans[0].exercises.map(\.exercise) == ["E1", "E3"])
    #expect(report.plans[0].exercises[0].weight == 62.5)
    #expect(report.plans[0].items.count == 3)
    #expect(report.plans[1].exercises.map(\.configuration) == [.time(duration: 45)])
    #expect(report.unmatched.map(\.place) == ["line 7"])
  }

  @Test func exceedingALimitImportsNothing() throws {
    let many = (0..<5).map { _ in "{\"exercises\":[\"Prancha\"]}" }.joined(separator: ",")
    #expect(throws: RuleViolation.tooManyPlans(limit: 4)) {
      try PlanImporter(limits: .free, date: nil).importPlans("[\(many)]", into: store)
    }
    #expect(try store.plans.all().isEmpty)
    let wide = [String](repeating: "\"Prancha\"", count: 7).joined(separator: ",")
    #expect(throws: RuleViolation.tooManyExercises(limit: 6, found: 7)) {
      try PlanImporter(limits: .free, date: nil)
        .importPlans("{\"exercises\":[\(wide)]}", into: store)
    }
    #expect(throws: RuleViolation.tooManySets(limit: 3, found: 4)) {
      try PlanImporter(limits: .free, date: nil)
        .importPlans("{\"exercises\":[{\"name\":\"Prancha\",\"sets\":4}]}", into: store)
    }
    #expect(throws: RuleViolation.range(.reps, 1...999, found: 0)) {
      try PlanImporter(date: nil)
        .importPlans("{\"exercises\":[{\"name\":\"Prancha\",\"reps\":0}]}", into: store)
    }
    #expect(try PlanImporter(date: nil).importPlans("[\(many)]", into: store).plans.count == 5)
  }

  @Test func parseErrorsNameThePlace() throws {
    for (text, place) in [
      ("", ""), ("[]", ""), ("{", ""), ("[1]", "plan 1"), ("{\"title\":\"a\"}", "plan 1"),
      ("{\"exercises\":[1]}", "plan 1, item 1"),
      ("{\"exercises\":[{\"sets\":3}]}", "plan 1, item 1"),
      ("{\"exercises\":[{\"name\":\"a\",\"sets\":2.5}]}", "plan 1, item 1"),
      ("{\"exercises\":[{\"name\":\"a\",\"weight\":\"heavy\"}]}", "plan 1, item 1"),
      ("a,b\n1,2", "line 1"), ("exercise,sets\nPrancha,many", "line 2"),
      ("exercise,sets\n,3", "line 2"),
    ] {
      do {
        _ = try PlanFile.plans(in: text)
        Issue.record("\(text)")
      } catch { #expect(error.place == place, "\(text): \(error)") }
    }
  }
}
