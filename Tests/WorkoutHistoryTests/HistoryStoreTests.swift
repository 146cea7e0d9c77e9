import Foundation
import GRDB
import Motion
import TestSupport
import Testing

@testable import MotionSynthesis
@testable import TimelineFormat
@testable import WorkoutHistory

struct HistoryStoreTests {
  let (folder, store): (TemporaryFolder, HistoryStore)
  var path: String { store.path }

  init() throws { (folder, store) = try HistoryStore.temporary() }

  @Test func savedRecordingRoundTrips() throws {
    var recording = Recording(
      name: "monday/curl.csv", samples: Example.samples(), unixTimeOfFirstSample: 1_700_000_000)
    recording.phases = [
      PhaseSpan(rows: 0..<1000, phase: .execution), PhaseSpan(rows: 1000..<3000, phase: .rest),
    ]
    recording.health = (0..<30).map {
      HealthReading(unixTime: 1_700_000_000 + 2 * Double($0), heartRateBPM: 100 + Double($0))
    }
    let provenance = TimelineProvenance(writer: "test", detector: "d 1", settings: ["a": "b"])
    let saved = try store.save(recording, sets: Example.twoSets, provenance: provenance)
    #expect(saved.isNew && saved.sets.allSatisfy(\.isNew))
    let rows = try store.sets()
    #expect(rows.map(\.number) == [1, 2])
    #expect(rows.map(\.detectedReps) == [8, 5])
    #expect(rows.map(\.key) == ["\(saved.key)-1", "\(saved.key)-2"])
    #expect(rows.map(\.startTime) == [1_700_000_010, 1_700_000_040])
    #expect(rows.map(\.restTime) == [15, nil])
    #expect(rows.map(\.recordingName) == ["monday/curl.csv", "monday/curl.csv"])
    #expect(rows.map(\.detector) == ["d 1", "d 1"])
    let back = try store.recording(saved.id)
    #expect(sameBits(back.samples, recording.samples))
    #expect(back.phases == recording.phases)
    #expect(back.health == recording.health)
    #expect(back.unixTimeOfFirstSample == recording.unixTimeOfFirstSample)
    let timeline = try store.timeline(ofSet: saved.sets[0].id)
    #expect(timeline.set == Example.twoSets[0])
    #expect(timeline.provenance == provenance)
    #expect(timeline.samples.count == rows[0].sampleCount)
    #expect(timeline.samples.times.first == 108)
    #expect(timeline.unixTimeOfFirstSample == 1_700_000_008)
    #expect(try store.verify().isIntact)
    let summary = try #require(try store.recordings().first)
    #expect(summary.sampleCount == 3000 && summary.setCount == 2)
    #expect(abs(summary.duration - 59.98) < 1e-9)
  }

  /// SQLite would truncate them, and two sets would become one.
  @Test func idsWithNULAreRejected() throws {
    for identity in [
      SetIdentity(sessionId: "a\0b"), SetIdentity(exerciseId: "a\0b"), SetIdentity(setId: "a\0b"),
    ] {
      let recording = Recording(name: "a", identity: identity, samples: Example.samples())
      #expect(throws: HistoryError.self) { try store.save(recording, sets: []) }
    }
    #expect(try store.recordings().isEmpty)
  }

  @Test func savingAgainChangesNothing() throws {
    let recording = Recording(name: "a.csv", samples: Example.samples())
    let first = try store.save(recording, sets: Example.twoSets)
    let before = try store.dump()
    let second = try store.save(recording, sets: Example.twoSets)
    #expect(try store.dump() == before)
    #expect(second.sets.map(\.id) == first.sets.map(\.id))
    #expect(!second.isNew && second.sets.allSatisfy { !$0.isNew })
  }

  @Test func correctionStaysWithItsMovement() throws {
    let recording = Recording(name: "a.csv", samples: Example.samples())
    let first = try store.save(recording, sets: Example.twoSets)
    try store.correct(set: first.sets[1].id, reps: 6)
    // A better detector finds an additional set before them.
    let three = [Example.set(.detected, 102, 106, reps: 3)] + Example.twoSets
    let second = try store.save(recording, sets: three)
    #expect(second.sets.map(\.id) == [second.sets[0].id, first.sets[0].id, first.sets[1].id])
    let rows = try store.sets(ofRecording: first.id)
    #expect(rows.map(\.position) == [1, 2, 3])
    #expect(rows.map(\.correctedReps) == [nil, nil, 6])
    #expect(rows.map(\.reps) == [3, 8, 6])
    #expect(rows.map(\.detectedReps) == [3, 8, 5])
    #expect(rows.map(\.key) == (1...3).map { "\(first.key)-\($0)" })
    #expect(sameBits(try store.samples(ofRecording: first.id), recording.samples))
    #expect(try store.verify().isIntact)
  }

  @Test func vanishedSetIsRemovedUnlessCorrected() throws {
    let recording = Recording(name: "a.csv", samples: Example.samples())
    let first = try store.save(recording, sets: Example.twoSets)
    try store.correct(set: first.sets[1].id, reps: 6)
    try store.save(recording, sets: [])
    var rows = try store.sets()
    #expect(rows.map(\.id) == [first.sets[1].id])
    #expect(rows[0].position == nil && rows[0].detectedReps == 0 && rows[0].reps == 6)
    #expect(rows[0].byteCount == 0)
    #expect(sameBits(try store.samples(ofRecording: first.id), recording.samples))
    // A set that is found again keeps its row.
    try store.save(recording, sets: Example.twoSets)
    rows = try store.sets(ofRecording: first.id)
    #expect(rows.map(\.reps) == [8, 6])
    #expect(rows[1].id == first.sets[1].id)
    #expect(try store.verify().isIntact)
  }

  @Test func declaredSetIsIdentifiedByItsID() throws {
    let identity = SetIdentity(sessionId: "S", exerciseId: "E", setId: "X")
    let short = Recording(name: "S/X", identity: identity, samples: Example.samples(seconds: 30))
    let set = Example.set(.declared, 101, 120, reps: 9)
    let first = try store.save(short, sets: [set])
    try store.correct(set: first.sets[0].id, reps: 10)
    // A late chunk changes the samples and reps of the set, but not its row.
    let long = Recording(name: "S/X", identity: identity, samples: Example.samples(seconds: 40))
    let second = try store.save(long, sets: [Example.set(.declared, 105, 135, reps: 11)])
    #expect(second.id == first.id && second.sets[0].id == first.sets[0].id)
    let row = try #require(try store.set("X"))
    #expect(row.detectedReps == 11 && row.reps == 10 && row.sampleCount == 2000)
    #expect(row.sessionId == "S" && row.exerciseId == "E" && row.setId == "X")
    #expect(try store.recordings().map(\.sampleCount) == [2000])
    // Another set of this exercise and session shares both.
    var other = identity
    other.setId = "Y"
    try store.save(
      Recording(name: "S/Y", identity: other, samples: Example.samples(seed: 9)), sets: [set])
    #expect(try store.sets().map(\.order) == [0, 1])
    #expect(try store.count("workout") == 1 && store.count("workout_exercise") == 1)
  }

  @Test func setsAreFoundByKeyAndByNumber() throws {
    try store.save(Recording(name: "a", samples: Example.samples()), sets: Example.twoSets)
    try store.save(
      Recording(
        name: "b", identity: SetIdentity(setId: "1"), samples: Example.samples(seed: 6)),
      sets: [Example.set(.declared, 101, 120, reps: 4)])
    #expect(try store.set("2")?.detectedReps == 5)
    #expect(try store.set("3")?.detectedReps == 4)
    #expect(try store.set("1")?.number == 3)
    #expect(try store.set("4") == nil)
    #expect(try store.set("0") == nil)
    #expect(try store.set("nothing") == nil)
  }

  @Test func pagesCoverTheList() throws {
    for seed in 0..<5 {
      try store.save(
        Recording(name: "\(seed)", samples: Example.samples(seed: UInt64(seed))),
        sets: Example.twoSets)
    }
    let all = try store.sets()
    var paged: [HistorySetRow] = []
    while case let page = try store.sets(after: paged.last, limit: 3), !page.isEmpty {
      paged += page
    }
    #expect(paged == all && all.count == 10)
    #expect(all.map(\.number) == Array(1...10))
    #expect(try store.setCount() == 10)
  }

  @Test func deletingLeavesNothing() throws {
    let recording = Recording(name: "a.csv", samples: Example.samples())
    let saved = try store.save(recording, sets: Example.twoSets)
    try store.delete(set: saved.sets[0].id)
    #expect(try store.sets().map(\.detectedReps) == [5])
    #expect(try store.verify().isIntact)
    #expect(try store.samples(ofRecording: saved.id).count < 3000)
    try store.delete(recording: saved.id)
    for table in [
      "workout_set", "workout_exercise", "workout", "recording", "segment",
      "blob",
    ] { #expect(try store.count(table) == 0, "\(table)") }
    let free = try store.read { try Int.fetchOne($0, sql: "PRAGMA freelist_count") }
    #expect(free == 0)
    #expect(throws: HistoryError.notFound(reference: "set 99")) { try store.delete(set: 99) }
    #expect(throws: HistoryError.self) { try store.correct(set: 99, reps: 1) }
  }

  @Test func damageIsFoundAndIsolated() throws {
    for seed in 0..<3 {
      try store.save(
        Recording(name: "\(seed)", samples: Example.samples(seed: UInt64(seed))),
        sets: Example.twoSets)
    }
    try store.database.write { db in
      var data = try #require(
        try Data.fetchOne(db, sql: "SELECT data FROM blob WHERE segmentId = 2"))
      data[data.count - 10] ^= 1
      try db.execute("UPDATE blob SET data = ? WHERE segmentId = 2", data)
    }
    let report = try store.verify()
    #expect(report.problems.count == 1)
    #expect(report.problems.first?.setKey == (try store.sets().first?.key))
    #expect(report.intactTimelineCount == report.timelineCount - 1)
  }
}
