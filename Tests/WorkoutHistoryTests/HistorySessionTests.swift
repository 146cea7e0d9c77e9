import Foundation
import GRDB
import Motion
import TestSupport
import Testing

@testable import HistorySync
@testable import TimelineFormat
@testable import TrainingPlans
@testable import WorkoutHistory

/// CurrentSession, CurrentExercise and CurrentSet of the seed, and their transition to the history.
@Suite struct HistorySessionTests {
  let (folder, store): (TemporaryFolder, HistoryStore)
  var path: String { store.path }

  init() throws {
    (folder, store) = try HistoryStore.temporary()
    try store.catalog.save(HistoryCatalogTests.benchPress())
    try store.catalog.save(CatalogExercise(uuid: "E2", name: "Prancha", muscleGroup: .core))
    try store.plans.save(HistoryPlanTests.plan("P"))
  }

  private func recording(_ set: String, seed: UInt64 = 5) -> Recording {
    Recording(
      name: set, identity: SetIdentity(sessionId: "S", exerciseId: "E1", setId: set),
      samples: Example.samples(seed: seed), unixTimeOfFirstSample: 1_700_000_000)
  }

  private func isGone() throws -> Bool {
    try ["workout WHERE status", "workout_exercise WHERE isActive", "workout_set WHERE isActive"]
      .allSatisfy { try store.count("\($0) IN ('active', 1)") == 0 }
  }

  @Test func workoutMovesToTheHistoryAtItsEnd() throws {
    let workout = try store.workouts.start(
      "S", at: 1000, plan: "P", focus: "upper", intensity: "high")
    try workout.startExercise("E1", at: 1010)
    try workout.startSet("X", at: 1020)
    var current = try workout.exercises()
    #expect(current.map(\.name) == ["Supino Reto"] && current[0].isActive)
    #expect(current.activeSet?.key == "X")
    #expect(current.activeSet?.targetReps == 12 && current.activeSet?.weight == 60)
    try workout.add(health: [HealthReading(unixTime: 1022, heartRateBPM: 130, calories: 1)])
    let saved = try store.save(
      recording("X"), sets: [Example.set(.declared, 101, 120, reps: 9)],
      provenance: TimelineProvenance(writer: "t", detector: "d 1", settings: [:]))
    #expect(saved.isUnderWay)
    #expect(try store.setCount() == 0, "not before the workout ends")
    #expect(try store.workouts.count() == 0)
    try workout.endSet(at: 1050)
    try workout.add(health: [HealthReading(unixTime: 1060, heartRateBPM: 110)])
    try workout.startSet("Y", targetReps: 8, weight: 62.5, at: 1110)
    try workout.endSet(reps: 7, at: 1140)
    try workout.endExercise(at: 1150)
    try workout.add(health: [HealthReading(unixTime: 1160, heartRateBPM: 100)])
    try workout.startExercise("E2", at: 1170)
    current = try workout.exercises()
    #expect(
      current.map(\.isActive) == [false, true] && current.map(\.isCompleted) == [true, false])
    #expect(current[0].sets.map(\.reps) == [9, 7])
    #expect(current[0].sets.map(\.restTime) == [60, nil])
    try workout.endExercise(at: 1200)
    let id = try workout.end(at: 1210)

    #expect(try isGone())
    #expect(try workout.exercises().isEmpty)
    let row = try #require(try store.workouts.workout("S"))
    #expect(row.id == id && row.status == .completed && row.date == 1000 && row.endTime == 1210)
    #expect(row.durationMinutes == 3.5)
    #expect(row.plan == "P" && row.planTitle == "Peitoral Heavy")
    #expect(row.focus == "upper" && row.intensity == "high")
    #expect(row.exerciseCount == 2 && row.setCount == 2 && row.reps == 16)
    // 9 · 60 + 7 · 62.5. The compiler would take seconds for sums of literals.
    #expect(row.volume == 977.5)
    #expect(!row.isSynced)
    let exercises = try store.workouts.exercises(ofWorkout: id)
    #expect(exercises.map(\.name) == ["Supino Reto", "Prancha"])
    #expect(exercises.map(\.catalogExercise) == ["E1", "E2"])
    #expect(exercises.map(\.order) == [0, 1] && exercises.map(\.isCompleted) == [true, true])
    #expect(exercises.map(\.startTime) == [1010, 1170] && exercises[0].endTime == 1150)
    let sets = exercises[0].sets
    #expect(sets.map(\.key) == ["X", "Y"] && sets.map(\.order) == [0, 1])
    #expect(sets.map(\.detectedReps) == [9, nil] && sets.map(\.correctedReps) == [nil, 7])
    #expect(sets.map(\.reps) == [9, 7] && sets.map(\.targetReps) == [12, 8])
    #expect(sets.map(\.weight) == [60, 62.5])
    #expect(sets.map(\.startTime) == [1020, 1110] && sets.map(\.endTime) == [1050, 1140])
    #expect(sets[0].restTime == 60 && sets[0].confidence == 0.9 && sets[0].detector == "d 1")
    // The timeline was moved rather than copied.
    #expect(sets[0].sampleCount == 3000)
    #expect(try store.timeline(ofSet: sets[0].id).set?.reps.count == 9)
    #expect(try store.recordings().map(\.key) == ["X"])
    #expect(try store.verify().isIntact)
    // Health data of a set, an exercise and a workout.
    #expect(try store.health(ofSet: sets[0].id).map(\.unixTime) == [1022])
    #expect(try store.health(ofSet: sets[0].id).map(\.calories) == [1])
    #expect(try store.health(ofExercise: exercises[0].id).map(\.unixTime) == [1022, 1060])
    #expect(
      try store.health(ofWorkout: id).map(\.heartRateBPM) == [130, 110, 100])
  }

  @Test func onlyOneWorkoutIsInProgress() throws {
    let first = try store.workouts.start("S", at: 1000)
    #expect(throws: RuleViolation.workoutUnderWay(sessionId: "S")) {
      try store.workouts.start("T", at: 1001)
    }
    _ = try store.workouts.start("S", at: 1002)
    let other = try #require(try store.users.save(HistoryUser(uuid: "U2", name: "Ana")).id)
    _ = try store.workouts.start("T", at: 1001, user: other)
    #expect(try store.workouts.allInProgress().map(\.sessionId) == ["S", "T"])
    #expect(throws: HistoryError.self) {
      try store.run("INSERT INTO workout (userId, key, status) VALUES (1, 'Z', 'active')")
    }
    try first.end()
    _ = try store.workouts.start("T", at: 1003)
  }

  @Test func rules() throws {
    #expect(throws: RuleViolation.missing(.sessionId)) { try store.workouts.start(" ") }
    #expect(throws: HistoryError.notFound(reference: "plan none")) {
      try store.workouts.start("S", plan: "none")
    }
    try store.write { db in
      // The library writes no plan without exercises; one written by another program cannot be started.
      try db.execute(
        sql:
          "INSERT INTO plan (userId, uuid, autoTitle, \"order\") VALUES (1, 'Q', 'Treino Q', 9)"
      )
    }
    #expect(throws: RuleViolation.emptyPlan) { try store.workouts.start("S", plan: "Q") }
    let workout = try store.workouts.start("S", at: 1000)
    #expect(throws: RuleViolation.noSetUnderWay) { try workout.endSet() }
    #expect(throws: RuleViolation.noExerciseUnderWay) { try workout.endExercise() }
    #expect(throws: RuleViolation.missing(.setId)) { try workout.startSet("") }
    #expect(throws: RuleViolation.range(.targetReps, 0...999, found: 1000)) {
      try workout.startSet("X", targetReps: 1000)
    }
    #expect(throws: RuleViolation.self) { try workout.startSet("X", weight: 2001) }
    #expect(throws: RuleViolation.notADate(.startTime)) {
      try workout.startSet("X", at: Date(timeIntervalSince1970: .nan))
    }
    try workout.startSet("X", at: 1010)
    let never = Date(timeIntervalSince1970: .nan)
    for end in [
      { try workout.endSet(at: never) }, { try workout.endExercise(at: never) },
      { _ = try workout.end(at: never) },
    ] {
      #expect(throws: RuleViolation.notADate(.endTime)) { try end() }
    }
    #expect(throws: RuleViolation.endBeforeStart) { try workout.endSet(at: 1009) }
    #expect(throws: RuleViolation.range(.actualReps, 0...100_000, found: -1)) {
      try workout.endSet(reps: -1)
    }
    #expect(throws: RuleViolation.endBeforeStart) { try workout.end(at: 999) }
    #expect(throws: HistoryError.notFound(reference: "exercise none")) {
      try workout.startExercise("Z", catalogExercise: "none")
    }
    #expect(try workout.exercises().activeSet?.key == "X", "nothing of it has happened")
    try workout.endSet(at: 1020)
    try workout.end(at: 1030)
    #expect(throws: RuleViolation.noWorkoutUnderWay) { try workout.startSet("Y") }
    #expect(throws: RuleViolation.noWorkoutUnderWay) { try workout.end() }
    // Another session may use the set's id; within one session, a set has one exercise.
    let next = try store.workouts.start("T", at: 2000)
    try next.startSet("X", exercise: "E1", at: 2001)
    #expect(throws: RuleViolation.setElsewhere("X")) {
      try next.startSet("X", exercise: "E2", at: 2002)
    }
  }

  @Test func startingASetEndsThePreviousOne() throws {
    let workout = try store.workouts.start("S", at: 1000)
    try workout.startSet("X", exercise: "E1", at: 1010)
    try workout.startSet("Y", at: 1100)
    try workout.startSet("Z", exercise: "E2", at: 1200)
    let current = try workout.exercises()
    #expect(current.map(\.key) == ["E1", "E2"])
    #expect(current[0].sets.map(\.isActive) == [false, false])
    #expect(current[0].sets.map(\.endTime) == [1100, 1200])
    #expect(current[0].isCompleted == false, "it was left, not ended")
    #expect(current.activeSet?.key == "Z")
  }

  /// Repeats calls, like messages that a watch sends again.
  @Test func repeatingChangesNothing() throws {
    func script() throws {
      let workout = try store.workouts.start("S", at: 1000, plan: "P")
      try workout.startExercise("E1", at: 1010)
      let sets: [HistorySetRow.Key] = ["X", "Y"]
      for (index, set) in sets.enumerated() {
        let start = Date(timeIntervalSince1970: 1020 + 100 * Double(index))
        for _ in 0..<2 {
          try workout.startSet(set, at: start)
          try workout.add(health: [
            HealthReading(unixTime: start.timeIntervalSince1970 + 2, heartRateBPM: 99)
          ])
          try store.save(
            recording(set.rawValue, seed: UInt64(index)),
            sets: [Example.set(.declared, 101, 120, reps: 9)])
          try workout.endSet(set, reps: 8, at: start + 40)
        }
      }
      try workout.endExercise("E1", at: 1300)
      try workout.end(at: 1400)
    }
    try script()
    try store.correct(set: "X", reps: 10, at: 2000)
    try store.sync.acknowledge(store.sync.pendingObjects(limit: 1000), position: 1)
    let before = try store.dump()
    try script()
    #expect(try store.dump() == before)
    #expect(try store.set("X")?.reps == 10, "the later word stays")
    #expect(try store.sync.changes().allSatisfy(\.isSynced))
  }

  @Test func interruptedWorkoutCanBeResumed() throws {
    let workout = try store.workouts.start("S", at: 1000, plan: "P")
    try workout.startExercise("E1", at: 1010)
    try workout.startSet("X", at: 1020)
    try store.close()
    let again = try HistoryStore(path: path, mode: .create)
    let found = try #require(try again.workouts.allInProgress().first)
    #expect(try again.workouts.underWay()?.sessionId == "S")
    #expect(try again.workouts.underWay(session: "S") != nil)
    #expect(try again.workouts.underWay(session: "other") == nil)
    #expect(try found.exercises().activeSet?.key == "X")
    try found.endSet(reps: 5, at: 1050)
    try found.end(at: 1100)
    #expect(try again.set("X")?.reps == 5)
    #expect(try again.workouts.workout("S")?.status == .completed)
  }

  @Test func openWorkoutCanBeClosed() throws {
    let workout = try store.workouts.start("S", at: 1000)
    try workout.startSet("X", exercise: "E1", at: 1020)
    try workout.endSet(reps: 4, at: 1060)
    try workout.startSet("Y", at: 1090)
    let id = try #require(try workout.close())
    let row = try #require(try store.workouts.workout("S"))
    #expect(row.id == id && row.status == .interrupted && row.endTime == 1060)
    #expect(row.setCount == 1, "a set of which nothing is known was not done")
    #expect(try store.workouts.exercises(ofWorkout: id)[0].isCompleted == false)
    #expect(try isGone())
    let empty = try store.workouts.start("T", at: 2000)
    #expect(try empty.close() == nil)
    #expect(try isGone())
    #expect(try store.workouts.workout("T") == nil)
  }

  @Test func discardingDeletesTheSamples() throws {
    let workout = try store.workouts.start("S", at: 1000)
    try workout.startSet("X", at: 1020)
    try store.save(recording("X"), sets: [Example.set(.declared, 101, 120, reps: 9)])
    try workout.discard()
    #expect(try isGone())
    #expect(try store.setCount() == 0)
    #expect(try store.count("blob") == 0)
  }

  /// Rest between sets and undeclared sets of a workout in progress.
  @Test func detectedSetsAreListedWhenTheWorkoutEnds() throws {
    let workout = try store.workouts.start("S", at: 1000)
    try workout.startExercise("E1", at: 1000)
    let rest = Recording(
      name: "rest", identity: SetIdentity(sessionId: "S"), samples: Example.samples(seed: 8))
    var saved = try store.save(rest, sets: Example.twoSets)
    #expect(saved.isUnderWay && saved.isNew)
    #expect(try workout.exercises().first?.sets.map(\.detectedReps) == [8, 5])
    saved = try store.save(rest, sets: [Example.twoSets[1]])
    #expect(!saved.isNew)
    #expect(try workout.exercises().first?.sets.map(\.detectedReps) == [5])
    let id = try workout.end(at: 1100)
    #expect(try store.workouts.exercises(ofWorkout: id)[0].sets.map(\.reps) == [5])
    #expect(try store.verify().isIntact)
    // A late chunk: the set is already in the history.
    saved = try store.save(rest, sets: Example.twoSets)
    #expect(!saved.isUnderWay)
    #expect(try store.set("\(saved.key)-1")?.detectedReps == 8)
  }

  @Test func skippedWorkoutIsRecorded() throws {
    try store.workouts.skip("S", at: 1000, plan: "P")
    let row = try #require(try store.workouts.workout("S"))
    #expect(row.status == .skipped && row.planTitle == "Peitoral Heavy" && row.setCount == 0)
    #expect(try store.workouts.page(HistoryFilter(status: .skipped)).map(\.key) == ["S"])
    #expect(try store.workouts.page(HistoryFilter(status: .completed)).isEmpty)
  }

  /// Checks a chunk that moves the date of the recording's clock; a declared start outranks it.
  @Test func declaredStartReplacesADerivedOne() throws {
    func perform(_ step: WorkoutAction.Step, _ date: Double) throws {
      let failures = try store.workouts.perform([WorkoutAction(session: "S", step, date: date)])
      #expect(failures.allSatisfy { $0 == nil })
    }
    try perform(.startWorkout(), 1_699_999_900)
    var recording = self.recording("X")
    for date in [1_700_000_000, 1_700_000_000.006] {
      recording.unixTimeOfFirstSample = date
      try store.save(recording, sets: [Example.set(.declared, 101, 120, reps: 9)])
    }
    try perform(.startSet("X"), 1_699_999_990)
    recording.unixTimeOfFirstSample = 1_700_000_000.012
    try store.save(recording, sets: [Example.set(.declared, 101, 120, reps: 9)])
    try perform(.endWorkout, 1_700_000_100)
    let row = try #require(try store.set("X"))
    #expect(row.startTime == 1_699_999_990)
    let end = try #require(row.endTime).timeIntervalSince1970
    #expect(abs(end - 1_700_000_020.012) < 1e-4, "the machine's follows")
  }

  @Test func oneTransactionCanChangeManyWorkouts() throws {
    let failures = try store.workouts.perform([
      WorkoutAction(session: "S", .startWorkout(plan: "P"), date: 1000),
      WorkoutAction(session: "S", .startSet("X", exercise: "E1"), date: 1010),
      WorkoutAction(session: "T", .startWorkout(), date: 1011),
      WorkoutAction(session: "T", .startSet("Y"), date: 1012),
      WorkoutAction(session: "S", .startSet("Z", weight: -1), date: 1012),
      WorkoutAction(session: "S", .health([HealthReading(unixTime: 1015, calories: 3)])),
      WorkoutAction(session: "S", .endSet("X"), date: 1030),
      WorkoutAction(session: "S", .correct("X", reps: 11), date: 1031),
      WorkoutAction(session: "S", .endExercise(), date: 1040),
      WorkoutAction(session: "S", .endWorkout, date: 1050),
      WorkoutAction(session: "S", .correct("X", reps: 12), date: 1060),
      WorkoutAction(session: "S", .correct("none", reps: 12), date: 1060),
    ])
    #expect(
      failures.map { $0.map { "\($0)" } } == [
        nil, nil, "A workout is under way (S): resume it, end it or discard it first.",
        "No workout is under way.", "The weight must be between 0 and 2000 kg, not -1.0.", nil, nil,
        nil, nil, nil, nil, "the history holds nothing named set none",
      ])
    #expect(try store.set("X")?.correctedReps == 12)
    #expect(try isGone())
  }
}
