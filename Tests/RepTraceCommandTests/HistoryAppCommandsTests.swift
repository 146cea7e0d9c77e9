import Foundation
import TestSupport
import Testing

/// The `history` commands for an app's back end.
@Suite struct HistoryAppCommandsTests {
  private let folder: ScratchFolder
  private let store: String

  init() throws {
    folder = try ScratchFolder()
    store = folder.path("history.sqlite")
  }

  private func history(_ arguments: String...) throws -> ReptraceRun {
    try ReptraceRun(["history"] + arguments)
  }

  private func rehearse(_ workouts: Int) throws {
    try #require(
      try history("rehearse", store, "--workouts", "\(workouts)", "--prefix", "R").status == 0)
  }

  @Test func workoutsPageStatisticsAndChanges() throws {
    try rehearse(5)
    var page = try history(
      "workouts", store, "--user", "R", "--limit", "3", "--output", "ndjson"
    ).objects()
    #expect(page.compactMap { $0["workout"] as? String } == ["R-4", "R-3", "R-2"])
    #expect(page.first?["sets"] as? Int == 4)
    #expect(page.first?["reps"] as? Int == 9 + 6 + 5 + 6)
    #expect(page.first?["status"] as? String == "completed")
    let cursor = try #require(page.last?["next"] as? String)
    page = try history(
      "workouts", store, "--user", "R", "--limit", "3", "--after", cursor, "--output", "ndjson"
    ).objects()
    #expect(page.compactMap { $0["workout"] as? String } == ["R-1", "R-0"])
    #expect(try history("workouts", store, "--user", "R", "--count").output == "5\n")
    #expect(try history("workouts", store, "--count").output == "5\n", "as list: everybody's")
    #expect(try history("workouts", store, "--user", "*", "--count", "--pending").output == "5\n")
    #expect(try history("workouts", store, "--user", "nobody").status == 66)
    #expect(try history("workouts", store, "--after", "x").status == 64)
    let statistics = try #require(
      try history("statistics", store, "Exercise 0", "--user", "R").objects().first)
    #expect(statistics["sets"] as? Int == 10)
    #expect(try history("statistics", store, "Yoga").status == 66)

    let changes = try history("changes", store).objects()
    #expect(
      changes.contains {
        $0["entity"] as? String == "historySet" && $0["key"] as? String == "R-0/R-0-00"
      })
    #expect(
      changes.contains {
        $0["deleted"] as? Bool == true && $0["key"] as? String == "R-2/R-2-11"
      })
    let last = try #require(changes.last?["number"] as? Int)
    #expect(try history("changes", store, "--since", "\(last)").output.isEmpty)
    #expect(try history("correct", store, "1", "--reps", "3").status == 0)
    let pending = try history("changes", store, "--pending", "--since", "\(last)").objects()
    #expect(pending.count == 1)
    #expect((pending.first?["metadata"] as? [String: Any])?["correctedReps"] as? Int == 3)
  }

  @Test func deletesUndoesBacksUpAndVacuums() throws {
    try rehearse(2)
    let backup = folder.path("backup.sqlite")
    #expect(try history("backup", store, backup).status == 0)
    #expect(try history("backup", store, backup).status == 73)
    #expect(try history("delete", store, "--workout", "R-0", "--user", "R").status == 0)
    #expect(try history("delete", store, "--workout", "R-0", "--user", "R").status == 66)
    #expect(try history("workouts", store, "--user", "R", "--count").output == "1\n")
    #expect(try history("delete", store, "--undo", "R-0-00", "--user", "R").status == 0)
    #expect(try history("delete", store, "--undo", "R-0-00", "--user", "R").status == 66)
    #expect(try history("delete", store, "--person", "--user", "R").status == 0)
    #expect(try history("workouts", store, "--user", "*", "--count").output == "0\n")
    #expect(try history("vacuum", store).status == 0)
    #expect(try history("verify", store).status == 0)
    #expect(try history("workouts", backup, "--user", "R", "--count").output == "2\n")
    #expect(try history("verify", backup).status == 0)
    for wrong in [["delete", store], ["delete", store, "1", "--workout", "a"]] {
      #expect(try ReptraceRun(["history"] + wrong).status == 64)
    }
  }

  @Test func exercisesAndPlansFromFiles() throws {
    let catalog = try folder.write(
      """
      [{"templateId": "chest_bench_press_001", "name": "Supino Reto", "muscleGroup": "Peitoral",
        "legSubgroup": null, "equipment": "Barra", "gripVariation": "Pronada"},
       {"templateId": "core_plank", "name": "Prancha", "muscleGroup": "abdomen"}]
      """, to: "catalog.json")
    #expect(try history("exercises", store, "--import", catalog).status == 0)
    let found = try history("exercises", store, "--search", "SUPÍNO bar").objects()
    #expect(found.map { $0["templateId"] as? String } == ["chest_bench_press_001"])
    let plans = try folder.write(
      "exercise,sets,reps\nsupino reto,4,8\nPramcha,1,1\nYoga,1,1\n", to: "plans.csv")
    let run = try history("plans", store, "--import", plans, "--limits", "premium")
    #expect(run.status == 1, "\(run.errors)")
    #expect(run.errors.contains("\"Pramcha\" taken for \"Prancha\""))
    #expect(run.errors.contains("\"Yoga\" left out"))
    #expect(try history("plans", store).objects().first?["autoTitle"] as? String == "Workout A")
    let refused = try history("plans", store, "--import", plans, "--limits", "free")
    #expect(refused.status == 64, "four sets are more than three")
    #expect(refused.errors.contains("\(plans): "))
    let listed = try history("plans", store, "--output", "csv")
    // 4 × (8 reps of 3 s and 60 s of rest) and one of the plank: 399 s.
    #expect(listed.lines.last?.split(separator: ",")[4] == "7", "\(listed.output)")
    #expect(try history("plans", store, "--import", folder.path("none")).status == 66)
    #expect(try history("exercises", store, "--import", plans).status == 65)
  }

  @Test func recountsAndImportsLegacyHistories() throws {
    let recording = try folder.writeCurls(reps: 6, to: "curls.csv")
    try #require(try ReptraceRun(["process", recording, "--store", store]).status == 0)
    let recount = try history("recount", store)
    #expect(recount.status == 0 && recount.output.isEmpty, "\(recount.errors)")
    #expect(recount.errors.contains("1 set counted, 0 counts changed"))
    let legacy = PackageFolder.path("fixtures/golden/legacy-app.sqlite")
    let imported = try history("import-legacy", store, legacy)
    #expect(imported.status == 1, "one set's data is damaged")
    #expect(imported.errors.contains("2 workouts, 4 sets"))
    #expect(try history("workouts", store, "--count").output == "3\n")
  }

  /// A streamed workout, followed by a person's correction.
  @Test func streamedWorkoutsAreStored() throws {
    let ids = "\"sessionId\":\"S\",\"exerciseId\":\"E\",\"setId\":\"X\""
    func chunk(_ part: Int) -> String {
      let samples = (0..<100).map { row -> String in
        let time = Double(part * 100 + row) / 50
        let angle = (1 - cos(.pi * time)) / 2 * 2
        let speed = Double.pi * sin(.pi * time)
        return """
          {"timestamp":\(100 + time),"accelerationX":0.001,"accelerationY":0,"accelerationZ":0,\
          "rotationX":\(speed),"rotationY":0,"rotationZ":0,"gravityX":0,"gravityY":\(-cos(angle)),\
          "gravityZ":\(sin(angle)),"roll":0,"pitch":0,"yaw":0}
          """
      }
      return "{\(ids),\"phase\":\"execution\",\"samples\":[\(samples.joined(separator: ","))]}"
    }
    func message(_ type: String, _ time: Int, _ more: String = "") -> String {
      "{\"type\":\"\(type)\",\(ids),\"timestamp\":\(1_700_000_000 + time)\(more)}"
    }
    let lines =
      [
        "{\"type\":\"startWorkout\",\"sessionId\":\"S\",\"userId\":\"ana\",\"timestamp\":1700000000}",
        message("startExercise", 5, ",\"exerciseName\":\"Rosca Direta\""),
        message("startSet", 10, ",\"targetReps\":8,\"weight\":12.5"),
      ] + (0..<8).map(chunk) + [
        message("endSet", 30), message("correctSet", 31, ",\"reps\":7"),
        message("endExercise", 40),
        "{\"type\":\"endWorkout\",\"sessionId\":\"S\",\"timestamp\":1700000050}",
      ]
    for round in 0..<2 {
      let run = try ReptraceRun(
        ["stream", "--store", store], input: Data(lines.joined(separator: "\n").utf8))
      #expect(run.status == 0, "\(run.errors)")
      if round == 0 { #expect(run.lines.contains { $0.contains("\"setEnded\"") }) }
      #expect(!run.lines.contains { $0.contains("\"workout\"") }, "\(run.output)")
      let workouts = try history("workouts", store, "--user", "ana", "--output", "ndjson").objects()
      #expect(workouts.count == 1)
      #expect(workouts.first?["workout"] as? String == "S")
      #expect(workouts.first?["durationMinutes"] as? Double == 0.83)
      #expect(workouts.first?["reps"] as? Int == 7)
      #expect(workouts.first?["volume"] as? Double == 87.5)
      let set = try #require(try history("list", store, "--output", "ndjson").objects().first)
      #expect(set["set"] as? String == "X" && set["correctedReps"] as? Int == 7)
      let reps = try #require(set["reps"] as? Int)
      #expect((7...8).contains(reps))
      #expect(set["samples"] as? Int == 800)
      #expect(set["startTime"] as? Double == 1_700_000_010)
    }
    // A workout that was left open is continued by the next start.
    let open = "{\"type\":\"startWorkout\",\"sessionId\":\"T\",\"userId\":\"ana\"}\n"
    _ = try ReptraceRun(["stream", "--store", store], input: Data(open.utf8))
    let next = try ReptraceRun(["stream", "--store", store], input: Data())
    #expect(next.output.contains("openWorkout") && next.output.contains("\"T\""))
    #expect(try history("verify", store).status == 0)
  }

  /// The person's correction of the exercise wins, in the run that counts the set and in a later one.
  @Test(arguments: [false, true]) func correctedExercisesAreKept(isLater: Bool) throws {
    let workout = """
      {"type":"startWorkout","sessionId":"S","timestamp":1700000000}
      {"type":"startSet","sessionId":"S","exerciseId":"E","setId":"X","timestamp":1700000010}
      {"type":"endSet","sessionId":"S","setId":"X","reps":8,"timestamp":1700000030}
      {"type":"endWorkout","sessionId":"S","timestamp":1700000060}

      """
    let correction = """
      {"type":"correctSet","sessionId":"S","setId":"X","exerciseId":"F","exerciseName":"Squat"}

      """
    for lines in isLater ? [workout, correction] : [workout + correction] {
      let run = try ReptraceRun(["stream", "--store", store], input: Data(lines.utf8))
      #expect(run.status == 0, "\(run.errors)")
    }
    let set = try #require(try history("list", store, "--output", "ndjson").objects().first)
    #expect(set["exerciseId"] as? String == "F" && set["exerciseName"] as? String == "Squat")
    #expect(set["correctedReps"] as? Int == 8)
  }

  /// A small selection of what `.ci/full/history-kills` does 300 times.
  @Test(.enabled(if: hasPython, "needs python3")) func survivesKillsAtAnyMoment() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "python3", PackageFolder.path("Tests/Kills/history_kills.py"),
      try ReptraceRun.executable().path, "9",
    ]
    let output = folder.path("output")
    try Data().write(to: URL(fileURLWithPath: output))
    process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
    process.standardError = process.standardOutput
    try process.run()
    process.waitUntilExit()
    let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: output)), as: UTF8.self)
    #expect(process.terminationStatus == 0, "\(text)")
    #expect(text.contains("9 kills -9 of a workout: 0 failures"))
  }
}
