import Foundation
import GRDB
import Motion
import TestSupport
import Testing
import TimelineFormat

@testable import MotionSynthesis
@testable import WorkoutHistory

/// Deleted data is gone and does not come back.
@Suite struct HistoryDeletingTests {
  let (folder, store): (TemporaryFolder, HistoryStore)
  var path: String { store.path }

  init() throws { (folder, store) = try HistoryStore.temporary() }

  private var recording: Recording {
    var recording = Recording(
      name: "a.csv", samples: Example.samples(), unixTimeOfFirstSample: 1_700_000_000)
    recording.health = (0..<30).map {
      HealthReading(unixTime: 1_700_000_000 + 2 * Double($0), heartRateBPM: 100 + Double($0))
    }
    return recording
  }

  @Test func deletedSetStaysDeleted() throws {
    let saved = try store.save(recording, sets: Example.twoSets)
    let key = saved.sets[0].key
    try store.delete(set: saved.sets[0].id)
    let before = try store.samples(ofRecording: saved.id)
    let healthBefore = try store.recording(saved.id).health
    #expect(before.count < 3000 && healthBefore.count < 30)
    let again = try store.save(recording, sets: Example.twoSets)
    #expect(!again.isNew && again.sets.map(\.id) == [saved.sets[1].id])
    #expect(try store.sets().map(\.key) == [saved.sets[1].key])
    #expect(sameBits(try store.samples(ofRecording: saved.id), before))
    #expect(try store.recording(saved.id).health == healthBefore)
    #expect(try store.verify().isIntact)
    #expect(try store.deletedKeys() == [DeletedSamples.Key(key)])
    // A changed detector restores nothing: a set is deleted if at least half of its samples are.
    let moved = [Example.set(.detected, 111, 127, reps: 9), Example.twoSets[1]]
    try store.save(recording, sets: moved)
    #expect(try store.sets().map(\.detectedReps) == [5])
    #expect(sameBits(try store.samples(ofRecording: saved.id), before))
    // A set that overlaps it less remains.
    try store.save(recording, sets: [Example.set(.detected, 125, 150, reps: 11)])
    #expect(try store.sets().map(\.detectedReps) == [11])
    #expect(sameBits(try store.samples(ofRecording: saved.id), before))
    #expect(try store.verify().isIntact)
  }

  @Test func deletionCanBeUndone() throws {
    let saved = try store.save(recording, sets: Example.twoSets)
    try store.delete(set: saved.sets[0].id)
    #expect(throws: HistoryError.notFound(reference: "deleted nothing")) {
      try store.undoDeletion(of: "nothing")
    }
    try store.undoDeletion(of: DeletedSamples.Key(saved.sets[0].key))
    #expect(try store.deletedKeys().isEmpty)
    try store.save(recording, sets: Example.twoSets)
    #expect(try store.sets(ofRecording: saved.id).map(\.detectedReps) == [8, 5])
    #expect(sameBits(try store.samples(ofRecording: saved.id), recording.samples))
    #expect(try store.recording(saved.id).health == recording.health)
    #expect(try store.verify().isIntact)
  }

  @Test func bothSetsCanBeDeletedInTurn() throws {
    let saved = try store.save(recording, sets: Example.twoSets)
    for set in saved.sets { try store.delete(set: set.id) }
    try store.save(recording, sets: Example.twoSets)
    #expect(try store.sets().isEmpty)
    #expect(try store.verify().isIntact)
    try store.undoDeletion(of: DeletedSamples.Key(saved.sets[1].key))
    try store.save(recording, sets: Example.twoSets)
    #expect(try store.sets().map(\.key) == [saved.sets[1].key])
    #expect(try store.verify().isIntact)
  }

  /// A declared set is identified by its id; late samples of it do not come back.
  @Test func lateSamplesOfADeletedDeclaredSetAreDropped() throws {
    let identity = SetIdentity(sessionId: "S", exerciseId: "E", setId: "X")
    let short = Recording(name: "X", identity: identity, samples: Example.samples(seconds: 30))
    let set = Example.set(.declared, 101, 120, reps: 9)
    let saved = try store.save(short, sets: [set])
    try store.delete(set: saved.sets[0].id)
    #expect(try store.recordings().isEmpty && store.workouts.page().isEmpty)
    let long = Recording(name: "X", identity: identity, samples: Example.samples(seconds: 40))
    #expect(try store.save(long, sets: [set]).sets.isEmpty)
    #expect(try store.sets().isEmpty && store.recordings().isEmpty)
    try store.undoDeletion(of: "X")
    #expect(try store.save(long, sets: [set]).sets.count == 1)
  }

  @Test func deletedWorkoutStaysDeletedWithItsContents() throws {
    let workout = try store.workouts.start("W", at: 1000)
    try workout.startSet("X", exercise: "E", at: 1010)
    try workout.add(health: [HealthReading(unixTime: 1011, heartRateBPM: 140)])
    let set = Recording(
      name: "X", identity: SetIdentity(sessionId: "W", exerciseId: "E", setId: "X"),
      samples: Example.samples())
    try store.save(set, sets: [Example.set(.declared, 101, 120, reps: 9)])
    try workout.endSet(at: 1040)
    let id = try workout.end(at: 1100)
    try store.delete(workout: id)
    for table in [
      "workout", "workout_exercise", "workout_set", "recording", "segment",
      "blob", "health",
    ] {
      #expect(try store.count(table) == 0)
    }
    #expect(try store.save(set, sets: [Example.set(.declared, 101, 120, reps: 9)]).sets.isEmpty)
    #expect(try store.recordings().isEmpty)
    #expect(throws: HistoryError.notFound(reference: "workout \(id)")) {
      try store.delete(workout: id)
    }
  }

  /// Another program may have written such numbers.
  @Test func setsWithAbsurdSampleNumbersCanBeDeleted() throws {
    let saved = try store.save(recording, sets: Example.twoSets)
    try store.run(
      "UPDATE segment SET firstSample = ?1, sampleCount = ?1, byteCount = ?1", Int64.max)
    #expect(try store.recordings().map(\.byteCount) == [.max])
    for set in saved.sets { try store.delete(set: set.id) }
    #expect(try store.sets().isEmpty)
  }

  /// A tombstone has sample numbers but no samples.
  @Test func tombstonesContainNoHealthData() throws {
    let saved = try store.save(recording, sets: Example.twoSets)
    try store.delete(set: saved.sets[0].id)
    let row = try #require(
      try store.read { try Row.fetchOne($0, sql: "SELECT * FROM deleted_samples") })
    #expect(
      Set(row.columnNames) == [
        "id", "userId", "recordingKey", "setKey", "firstSample", "endSample", "sessionKey",
        "checksum",
      ])
    #expect(row["firstSample"] == 400 && row["endSample"] == 1351)
    let tombstone = try #require(
      try store.read { try Row.fetchOne($0, sql: "SELECT * FROM tombstone") })
    #expect(
      Set(tombstone.columnNames) == [
        "userId", "entity", "key", "deleted", "deletedStamp", "removed", "removedStamp",
        "isPending",
        "number", "changedAt", "checksum",
      ])
  }

  @Test func deletedBytesAreGoneFromTheFiles() throws {
    // Values that can be found in a file: incompressible data is stored raw.
    let saved = try store.save(recording, sets: Example.twoSets)
    let blob = try store.timelineBytes(ofSet: saved.sets[0].id)
    let needle = Data(blob[(blob.count / 2)..<(blob.count / 2 + 64)])
    try store.close()
    func isInFiles() throws -> Bool {
      try ["", "-wal"].contains { suffix in
        guard FileManager.default.fileExists(atPath: path + suffix) else { return false }
        return try Data(contentsOf: URL(fileURLWithPath: path + suffix)).range(of: needle) != nil
      }
    }
    #expect(try isInFiles())
    let again = try HistoryStore(path: path, mode: .readWrite)
    try again.delete(set: saved.sets[0].id)
    #expect(try !isInFiles())
    #expect(
      try again.read { try Int.fetchOne($0, sql: "PRAGMA freelist_count") } == 0)
  }

  @Test func remainingSegmentsCoverUndeletedSamples() {
    var generator = RandomSource(seed: 4)
    for _ in 0..<300 {
      let samples = Example.samples(seconds: 20)
      let sets = (0..<Int.random(in: 0...4, using: &generator)).map { index in
        let start = 101 + Double(index) * 5
        return Example.set(
          .detected, start, start + Double.random(in: 0.5...4, using: &generator), reps: 3)
      }
      let deleted = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
        let first = Int.random(in: 0...1000, using: &generator)
        return DeletedSamples(
          setKey: nil, firstSample: first,
          endSample: first + Int.random(in: 0...300, using: &generator))
      }
      let remaining = RemainingSegments(
        of: samples, sets: sets, without: deleted.map { $0.rows(of: samples.count) })
      var isExpected = [Bool](repeating: true, count: samples.count)
      for range in deleted { for row in range.rows(of: samples.count) { isExpected[row] = false } }
      var isThere = [Bool](repeating: false, count: samples.count)
      var last = 0
      for segment in remaining.segments {
        #expect(segment.rows.lowerBound >= last && !segment.rows.isEmpty)
        last = segment.rows.upperBound
        for row in segment.rows { isThere[row] = true }
      }
      #expect(isThere == isExpected)
      #expect(remaining.deletedSampleCount == isExpected.count { !$0 })
      #expect(remaining.segments.compactMap(\.set) == Array(remaining.sets.indices))
    }
  }
}
