import Foundation
import MotionSynthesis
import RepTrace
import Testing

@Suite struct GymStoreTests {
  private let url = FileManager.default.temporaryDirectory
    .appending(path: "gym-store-\(UUID().uuidString).sqlite")
  private let date = Date(timeIntervalSince1970: 1_750_000_000)

  private func counted(seed: UInt64 = 3) throws -> (CountedSet, MotionBatch) {
    let options = SynthesisOptions(
      seed: seed, exercise: .curl, sets: 1, reps: 6, restSeconds: 6, rate: .constant(50))
    let samples = try RecordingSynthesizer(options).make().recording.samples
    return (try #require(RepDetector.detectSets(in: samples).first), samples)
  }

  @Test func savedSetIsReadBackUnchanged() throws {
    defer { try? FileManager.default.removeItem(at: url) }
    let (counted, samples) = try counted()
    var set = GymSet(counted, samples: samples, person: "ana", date: date)
    set.exercise = "Curl"
    set.weight = 12.5
    set.notes = "left elbow"
    try GymStore(at: url).save(set)

    let store = try GymStore(at: url)
    var saved = try #require(try store.sets(for: "ana").first)
    #expect(saved.id == set.id && saved.person == "ana" && saved.date == date)
    #expect(saved.exercise == "Curl" && saved.weight == 12.5 && saved.notes == "left elbow")
    #expect(saved.reps == 6 && saved.confidence == counted.confidence)
    #expect(saved.duration == counted.end - counted.start)
    #expect(try store.samples(of: saved).digest() == samples.digest())
    #expect(try store.reps(of: saved) == counted.reps)
    #expect(try store.sets().isEmpty && store.sets(for: "bea").isEmpty)

    saved.correctedReps = 7
    saved.weight = nil
    saved.notes = nil
    saved.date = date + 60
    try store.save(saved)
    saved = try #require(try store.sets(for: "ana").first)
    #expect(saved.reps == 7 && saved.countedReps == 6 && saved.weight == nil && saved.notes == nil)
    #expect(saved.exercise == "Curl")
    #expect(abs(try #require(saved.date).timeIntervalSince(date + 60)) < 1e-3)
    #expect(try store.samples(of: saved).digest() == samples.digest())

    try store.delete(saved)
    #expect(try store.sets(for: "ana").isEmpty)
    #expect(throws: HistoryError.self) { try store.delete(saved) }
    #expect(try store.history.verify().isIntact)
  }

  @Test func savingAgainCreatesNoDuplicate() throws {
    defer { try? FileManager.default.removeItem(at: url) }
    let store = try GymStore(at: url)
    let (counted, samples) = try counted()
    var first = GymSet(counted, samples: samples, date: date)
    try store.save(first)
    first.weight = 20
    try store.save(first)
    let (other, otherSamples) = try self.counted(seed: 4)
    try store.save(GymSet(other, samples: otherSamples, date: date - 3600))
    #expect(try store.sets().map(\.weight) == [nil, 20], "the oldest first")
    #expect(throws: RuleViolation.self) {
      first.weight = -1
      try store.save(first)
    }
  }

  @Test func numberIsNotAcceptedAsAnId() throws {
    defer { try? FileManager.default.removeItem(at: url) }
    let store = try GymStore(at: url)
    let (counted, samples) = try counted()
    try store.save(GymSet(counted, samples: samples))
    #expect(throws: HistoryError.self) {
      try store.delete(GymSet(counted, samples: samples, id: "1"))
    }
    #expect(try store.sets().count == 1)
  }

  /// The sets that the command or a `ProcessingPipeline` found in longer recordings.
  @Test func setsOfOtherToolsAreListed() throws {
    defer { try? FileManager.default.removeItem(at: url) }
    let store = try GymStore(at: url)
    let (counted, samples) = try counted()
    try store.history.save(Recording(name: "a", samples: samples), sets: [counted])
    try store.history.save(
      Recording(
        name: "b", identity: SetIdentity(sessionId: "S/1", exerciseId: "E", setId: "X"),
        samples: samples), sets: [counted])
    let sets = try store.sets()
    #expect(sets.map(\.reps) == [6, 6] && sets.map(\.exercise) == [nil, "E"])
    let part = try store.samples(of: sets[0])
    #expect(part.count < samples.count && counted.start > part.times[0])
    #expect(try store.samples(of: sets[1]).count == samples.count)
    for set in sets { try store.delete(set) }
    #expect(try store.sets().isEmpty)
  }
}
