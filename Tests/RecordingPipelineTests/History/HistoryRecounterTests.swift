import Foundation
import Motion
import MotionSynthesis
import RecordingPipeline
import RepDetection
import TestSupport
import Testing
import TimelineFormat

@testable import WorkoutHistory

@Suite struct HistoryRecounterTests {
  let folder: TemporaryFolder
  let store: HistoryStore

  init() throws {
    folder = try TemporaryFolder()
    store = try HistoryStore(path: folder.path("history.sqlite"), mode: .create)
  }

  private let provenance = TimelineProvenance(writer: "t", detector: "d 2")

  /// Returns curls, one every two seconds, with rest before and after.
  private func curls(_ reps: Int) -> MotionBatch {
    SyntheticMotion.curls(reps: reps, period: 2, pause: 0, restSeconds: 10).samples
  }

  @Test func onlyAutomaticCountsChange() throws {
    let samples = curls(8)
    let recording = Recording(
      name: "X", identity: SetIdentity(sessionId: "S", setId: "X"), samples: samples)
    let today = RepDetector.countSet(in: samples)
    let count = today.reps.count
    try #require(count > 4)
    var wrong = today
    wrong.reps.removeLast(3)
    let saved = try store.save(recording, sets: [wrong], provenance: provenance)
    try store.correct(set: saved.sets[0].id, reps: 7)
    let before = try store.samples(ofRecording: saved.id)
    let dry = try HistoryRecounter(provenance: provenance).recount(store, isDryRun: true)
    #expect(dry.changes.map(\.after) == [count])
    #expect(try store.set("X")?.detectedReps == count - 3)
    let report = try HistoryRecounter(provenance: provenance).recount(store)
    #expect(
      report.changes.map { [$0.before, $0.after, $0.correctedReps] } == [[count - 3, count, 7]])
    #expect(report.changes.map(\.set) == ["X"])
    let row = try #require(try store.set("X"))
    #expect(row.detectedReps == count && row.correctedReps == 7 && row.reps == 7)
    #expect(row.detector == "d 2")
    #expect(try store.timeline(ofSet: row.id).set?.reps.count == count)
    #expect(try store.samples(ofRecording: saved.id).times == before.times)
    #expect(try store.verify().isIntact)
    #expect(try HistoryRecounter(provenance: provenance).recount(store).changes.isEmpty)
  }

  /// Older versions lost the sets of a session that was interrupted by a restart, but kept its samples.
  @Test func recordingsWithoutSetsAreSearched() throws {
    let samples = curls(9)
    let found = RepDetector.detectSets(in: samples)
    try #require(found.count == 1)
    let saved = try store.save(
      Recording(name: "cut", identity: SetIdentity(sessionId: "S"), samples: samples), sets: [])
    // Samples between declared sets are rest.
    var rest = samples
    rest[.time] = rest[.time].map { $0 + 500 }
    try store.save(
      Recording(name: "rest", identity: SetIdentity(sessionId: "T"), samples: rest), sets: [])
    var declared = samples
    declared[.time] = declared[.time].map { $0 + 1000 }
    try store.save(
      Recording(
        name: "set", identity: SetIdentity(sessionId: "T", setId: "X"), samples: declared),
      sets: [RepDetector.countSet(in: declared)])
    let dry = try HistoryRecounter(provenance: provenance).recount(store, isDryRun: true)
    #expect(dry.changes.map(\.after) == [found[0].reps.count])
    #expect(try store.setCount() == 1)
    let report = try HistoryRecounter(provenance: provenance).recount(store)
    #expect(report.changes.map(\.before) == [nil])
    #expect(try store.sets(ofRecording: saved.id).map(\.detectedReps) == [found[0].reps.count])
    #expect(try store.recordings().count == 3)
    #expect(try store.samples(ofRecording: saved.id).digest() == samples.digest())
    #expect(try store.verify().isIntact)
    #expect(try HistoryRecounter(provenance: provenance).recount(store).changes.isEmpty)
  }

  @Test func unreadableRecordingsAreReported() throws {
    try store.save(Recording(name: "morning", samples: curls(5)), sets: [])
    try store.write { db in try db.execute(sql: "UPDATE blob SET data = zeroblob(9)") }
    let report = try HistoryRecounter(provenance: provenance).recount(store)
    #expect(report.failures.map(\.name) == ["recording morning"])
  }

  /// An earlier detector stored the bouts of a set as separate sets.
  @Test func boutsStoredAsSetsStaySeparate() throws {
    let first = curls(6)
    // Ten seconds of rest between the bouts.
    var samples = first[0..<first.count - 500]
    var second = curls(4)
    let offset = (samples.times.last ?? 0) + 0.02
    second[.time] = second[.time].map { $0 + offset }
    samples.append(second)
    var apart = DetectorConfiguration()
    apart.longestRestWithinSetSeconds = 0
    let sets = RepDetector.detectSets(in: samples, configuration: apart)
    try #require(sets.count == 2)
    try #require(RepDetector.detectSets(in: samples).count == 1)
    let recording = Recording(
      name: "W", identity: SetIdentity(sessionId: "S", setId: nil), samples: samples)
    try store.save(recording, sets: sets, provenance: provenance)
    let report = try HistoryRecounter(provenance: provenance).recount(store)
    #expect(report.changes.isEmpty)
  }

  /// The current detector finds the stored sets again.
  @Test func recountingCurrentResultsChangesNothing() throws {
    let samples = curls(8)
    let sets = RepDetector.detectSets(in: samples)
    try #require(!sets.isEmpty)
    try store.save(Recording(name: "a", samples: samples), sets: sets, provenance: provenance)
    let report = try HistoryRecounter(provenance: provenance).recount(store)
    #expect(report.setCount == sets.count && report.changes.isEmpty && report.failures.isEmpty)
  }
}
