import Foundation
import GRDB
import Motion
import TestSupport
import Testing

@testable import WorkoutHistory

/// A person's choice of a set's exercise against the source's earlier and later ones.
struct NamedExerciseTests {
  let (folder, store): (TemporaryFolder, HistoryStore)

  init() throws { (folder, store) = try HistoryStore.temporary() }

  private func save(
    _ exercise: String?, session: String = "S", set: String? = "X", seed: UInt64 = 5,
    sets: [CountedSet] = [Example.set(.declared, 101, 120, reps: 9)]
  ) throws {
    try store.save(
      Recording(
        name: "a", identity: SetIdentity(sessionId: session, exerciseId: exercise, setId: set),
        samples: Example.samples(seed: seed)), sets: sets)
  }

  private func exercises() throws -> [String?] {
    try store.sets().map { $0.exerciseId?.rawValue ?? $0.exerciseName }
  }

  /// - Parameter named: The person's exercise, which may differ from the source's or equal it.
  @Test(arguments: ["F", "E"]) func sourceCannotOverrideAPersonsExercise(named: String) throws {
    try save("F", set: "Y", seed: 6)
    try save("E")
    let set = try #require(try store.set("X"))
    try store.setExercise(named, ofSet: set.id)
    for exercise in ["E", "F", "G", "H", nil, "E"] {
      try save(exercise)
      #expect(try store.set("X")?.exerciseId?.rawValue == named, "\(exercise ?? "none")")
    }
    #expect(try store.verify().isIntact)
  }

  @Test func sourceCanChangeItsOwnExercise() throws {
    for exercise in ["E", "F", "G"] {
      try save(exercise)
      #expect(try exercises() == [exercise])
    }
    try save(nil)
    #expect(try exercises() == ["G"], "it names none: what is known stays")
  }

  /// The set's timeline contains the source's exercise.
  @Test func damagedTimelineKeepsTheExercise() throws {
    try save("E")
    try store.setExercise("Squat", ofSet: try #require(try store.set("X")).id)
    #expect(try store.recordings().map { try store.recording($0.id).identity.exerciseId } == ["E"])
    try store.run("UPDATE blob SET data = zeroblob(100)")
    for exercise in ["F", "G"] {
      try save(exercise)
      #expect(try exercises() == ["Squat"])
    }
  }

  /// Assigning one set to an exercise does not affect the others of its recording.
  @Test func otherSetsOfTheRecordingAreUnchanged() throws {
    try save("F", seed: 6)
    try save(nil, session: "T", set: nil, sets: Example.twoSets)
    let set = try #require(try store.sets().first { $0.sessionId == "T" })
    try store.setExercise("F", ofSet: set.id)
    // The stored recording is saved again, as after a late chunk.
    let kept = try store.recording(#require(set.recordingId))
    #expect(kept.identity.exerciseId == nil)
    try store.save(kept, sets: Example.twoSets)
    #expect(try exercises() == ["F", "F", nil])
  }

  @Test func vanishedSetKeepsItsExercise() throws {
    try save(nil, set: nil, sets: Example.twoSets)
    let set = try store.sets()[0]
    try store.setExercise("Squat", ofSet: set.id)
    // Another movement takes its key without the person's corrections.
    try save(nil, set: nil, sets: [Example.twoSets[1]])
    #expect(try exercises() == ["Squat", nil])
    #expect(try store.sets()[0].position == nil && store.sets()[0].reps == 0)
    try save(nil, set: nil, sets: Example.twoSets)
    #expect(try exercises() == ["Squat", nil])
    #expect(try store.sets()[0].reps == 8)
  }

  /// The source adds the session later.
  @Test func setMovedToAnotherWorkoutKeepsItsExercise() throws {
    let samples = Example.samples()
    try store.save(Recording(name: "a", samples: samples), sets: Example.twoSets)
    try store.setExercise("Squat", ofSet: try store.sets()[0].id)
    let identity = SetIdentity(sessionId: "S", exerciseId: "E")
    try store.save(
      Recording(name: "a", identity: identity, samples: samples), sets: Example.twoSets)
    #expect(try exercises() == ["Squat", "E"])
    #expect(try store.sets().map(\.sessionId) == ["S", "S"])
    #expect(try store.workouts.page(HistoryFilter()).count == 1)
    #expect(try store.verify().isIntact)
  }

  // MARK: - A workout under way

  private func perform(_ steps: [WorkoutAction.Step]) throws {
    for step in steps {
      let failures = try store.workouts.perform([WorkoutAction(session: "S", step)])
      #expect(failures.allSatisfy { $0 == nil }, "\(step): \(failures)")
    }
  }

  private let beginning: [WorkoutAction.Step] = [
    .startWorkout(), .startExercise("E"), .startSet("X", exercise: "E"), .endSet("X", reps: 7),
  ]

  /// Messages may be replayed before the workout's end and after it, with or without the person's exercise.
  @Test(arguments: [[], ["Squat"], ["Press"]]) func isKeptInOpenWorkout(said again: [String]) throws
  {
    try perform(beginning)
    try save("E")
    try perform([.correct("X", reps: nil, exerciseName: "Squat")])
    try perform(beginning)
    try save("F")
    try perform([.endWorkout])
    #expect(try exercises() == ["Squat"])
    try save("G")
    #expect(try exercises() == ["Squat"])
    try perform(beginning)
    try save("H")
    try perform(again.map { .correct("X", reps: nil, exerciseName: $0) } + [.endWorkout])
    #expect(try exercises() == [again.last ?? "Squat"], "the person's last word stays")
    #expect(try store.sets().map(\.order) == [0])
    #expect(try store.sets().map(\.correctedReps) == [7])
    #expect(try store.verify().isIntact)
  }

  /// A person names the exercise after the workout, and all messages are replayed.
  @Test func isKeptInEndedWorkout() throws {
    for isAgain in [false, true] {
      try perform(beginning)
      try save("E")
      try perform([.endWorkout])
      let set = try #require(try store.set("X"))
      #expect(set.exerciseName == (isAgain ? "Squat" : nil))
      try store.setExercise("Squat", ofSet: set.id)
    }
  }

  @Test func vanishedSetInAWorkoutInProgressKeepsItsExercise() throws {
    try perform([.startWorkout()])
    try save(nil, set: nil, sets: Example.twoSets)
    let key = try #require(
      try store.workouts.underWay()?.exercises().first?.sets.last?.key)
    try perform([.correct(key, reps: nil, exerciseName: "Squat")])
    try save(nil, set: nil, sets: [Example.twoSets[0]])
    try perform([.endWorkout])
    #expect(try exercises() == [nil, "Squat"])
  }
}
