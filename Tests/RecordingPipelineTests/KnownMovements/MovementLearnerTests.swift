import Foundation
import Motion
import MotionSynthesis
import MovementAnalysis
import RecordingPipeline
import RepDetection
import TestSupport
import Testing
import WorkoutHistory

@Suite struct MovementLearnerTests {
  let folder: TemporaryFolder
  let store: HistoryStore

  init() throws {
    folder = try TemporaryFolder()
    store = try HistoryStore(path: folder.path("history.sqlite"), mode: .create)
  }

  /// Saves a set and returns its row.
  @discardableResult
  private func save(
    _ id: String, exercise: String?, seconds: Double = 2, confidence: Double = 0.9, day: Int = 0
  ) throws -> HistorySetRow.ID {
    let samples = SyntheticMotion.curls(reps: 8, period: seconds, pause: 0, restSeconds: 10).samples
    var recording = Recording(
      name: id, identity: SetIdentity(sessionId: "S\(day)", exerciseId: exercise, setId: id),
      samples: samples)
    recording.unixTimeOfFirstSample = 1_763_800_000 + Double(day) * 86_400
    var set = RepDetector.countSet(in: samples)
    try #require(set.reps.count == 8)
    set.confidence = confidence
    return try store.save(recording, sets: [set]).sets[0].id
  }

  private func learned() throws -> [String: StoredPattern] { try store.patterns.all() }

  @Test func resultDependsOnlyOnTheHistory() throws {
    for index in 0..<4 {
      try save("A\(index)", exercise: "curl", seconds: 2 + 0.1 * Double(index), day: index)
      try MovementLearner().learn(store)
    }
    try save("B", exercise: "slow curl", seconds: 4)
    try save("C", exercise: nil)
    let known = try MovementLearner().learn(store)
    #expect(known.movements.map(\.exercise) == ["curl", "slow curl"])
    #expect(known.movements.map(\.examples.count) == [4, 1])
    let times = known.movements[0].examples.map(\.unixTime)
    #expect(times == times.sorted { ($0 ?? 0) > ($1 ?? 0) })
    let step = try learned()
    try MovementLearner().learn(store, fromScratch: true)
    #expect(try learned() == step)
    #expect(try KnownMovements(store).movements == known.movements)
    #expect(try store.verify().isIntact)
  }

  @Test func doubtfulSetsAreSkippedUntilConfirmed() throws {
    let set = try save("A", exercise: "curl", confidence: 0.3)
    #expect(try MovementLearner().learn(store).isEmpty)
    try store.correct(set: set, reps: 8)
    #expect(try MovementLearner().learn(store).movements.map(\.exercise) == ["curl"])
  }

  @Test func correctedSetsAreForgotten() throws {
    let set = try save("A", exercise: "curl")
    #expect(try !MovementLearner().learn(store).isEmpty)
    for unexplained in [0, 5] {
      try store.correct(set: set, reps: unexplained)
      #expect(try MovementLearner().learn(store).isEmpty)
      #expect(try learned().isEmpty)
    }
    try store.correct(set: set, reps: nil)
    #expect(try !MovementLearner().learn(store).isEmpty)
    try store.delete(set: set)
    #expect(try learned().isEmpty)
    #expect(try MovementLearner().learn(store).isEmpty)
  }

  /// Any deletion takes effect at once, without another run of the learner.
  @Test func deletedSetsAreForgotten() throws {
    for what in 0..<3 {
      let set = try save("\(what)", exercise: "curl", day: what)
      #expect(try !MovementLearner().learn(store).isEmpty)
      let row = try #require(try store.set("\(what)"))
      switch what {
      case 0: try store.delete(set: set)
      case 1: try store.delete(recording: try #require(row.recordingId))
      default: try store.delete(workout: try #require(try store.workouts.page().first?.id))
      }
      #expect(try learned().isEmpty)
    }
  }

  @Test func idsAreCaseInsensitive() throws {
    try save("A", exercise: "aefb", day: 0)
    try save("B", exercise: "AEFB", day: 1)
    let known = try MovementLearner().learn(store)
    #expect(known.movements.map(\.exercise) == ["AEFB"])
    #expect(known.movements.map(\.examples.count) == [2])
    #expect(try learned().count == 1)
  }

  @Test func halvingTheCountDoublesThePeriod() throws {
    let set = try save("A", exercise: "curl")
    let before = try MovementLearner().learn(store).movements[0].examples[0].pattern
    try store.correct(set: set, reps: 4)
    let after = try MovementLearner().learn(store).movements[0].examples[0].pattern
    #expect((1.8...2.3).contains(after.durationSeconds / before.durationSeconds))
  }

  @Test func onlyTheNewestSetsAreKept() throws {
    for index in 0..<(KnownMovement.capacity + 2) {
      try save("A\(index)", exercise: "curl", day: index)
    }
    let examples = try #require(try MovementLearner().learn(store).movements.first?.examples)
    #expect(examples.count == KnownMovement.capacity)
    let oldest = try #require(examples.last?.unixTime)
    #expect(oldest > 1_763_800_000 + 2 * 86_400)
  }

  @Test func namingASetTeachesItsExercise() throws {
    try save("A", exercise: "curl")
    let unnamed = try save("B", exercise: nil, day: 1)
    try MovementLearner().learn(store)
    try store.setExercise("curl", ofSet: unnamed)
    let known = try MovementLearner().learn(store)
    #expect(known.movements.map(\.examples.count) == [2])
    // The source still names no exercise.
    try save("B", exercise: nil, day: 1)
    #expect(try store.set("B")?.exerciseId == "curl")
    #expect(try MovementLearner().learn(store).movements == known.movements)
  }
}
