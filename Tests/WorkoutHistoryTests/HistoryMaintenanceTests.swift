import Foundation
import GRDB
import Motion
import TestSupport
import Testing

@testable import TimelineFormat
@testable import WorkoutHistory

@Suite struct HistoryMaintenanceTests {
  let folder: TemporaryFolder
  let path: String
  let store: HistoryStore

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("history.sqlite")
    store = try HistoryStore(path: path, mode: .create)
    try store.save(Recording(name: "a", samples: Example.samples()), sets: Example.twoSets)
  }

  @Test func aBackupIsTheWholeHistoryAndItsOwnersAlone() throws {
    let copy = folder.path("backup.sqlite")
    try store.backup(to: copy)
    let attributes = try FileManager.default.attributesOfItem(atPath: copy)
    #expect((attributes[.posixPermissions] as? Int) == 0o600)
    let backup = try HistoryStore(path: copy, mode: .readOnly)
    #expect(try backup.sets() == store.sets())
    #expect(try backup.verify().isIntact)
    #expect(throws: HistoryError.cannotOpen(path: copy, reason: "it exists already")) {
      try store.backup(to: copy)
    }
    #expect(throws: HistoryError.self) { try store.backup(to: folder.path("none/backup.sqlite")) }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        .filter { $0.contains("partial") }.isEmpty)
    let again = try HistoryStore(path: copy, mode: .readWrite)
    try again.correct(set: 1, reps: 3)
    try again.database.writeWithoutTransaction { (db: Database) throws in
      #expect(try Int.fetchOne(db, sql: "PRAGMA auto_vacuum") == 2)
      #expect(try Int32.fetchOne(db, sql: "PRAGMA application_id") == HistoryStore.applicationId)
    }
  }

  @Test func aBackupOfAHistoryThatCanOnlyBeRead() throws {
    let reader = try HistoryStore(path: path, mode: .readOnly)
    try reader.backup(to: folder.path("backup.sqlite"))
    #expect(try HistoryStore(path: folder.path("backup.sqlite"), mode: .readOnly).setCount() == 2)
  }

  @Test func vacuumGivesRoomBack() throws {
    for seed in 0..<8 {
      try store.save(
        Recording(name: "\(seed)", samples: Example.samples(seed: UInt64(seed + 50))),
        sets: Example.twoSets)
    }
    try store.write { try $0.execute(sql: "DELETE FROM recording WHERE id > 1") }
    let size = try store.vacuum()
    #expect(size.after < size.before - 200_000)
    #expect(try store.verify().isIntact)
  }

  @Test func recountingChangesTheMachinesCountAlone() throws {
    let row = try #require(try store.sets().first)
    try store.correct(set: row.id, reps: 7)
    let before = try store.timeline(ofSet: row.id)
    let counted = Example.set(.detected, 110, 126, reps: 9, confidence: 0.5)
    let provenance = TimelineProvenance(writer: "w", detector: "d 2", settings: [:])
    let curve = [MovementPoint(time: 0, movement: 0.5, completedRep: nil)]
    try store.replaceMachineCount(
      ofSet: row.id, with: counted, movementCurve: curve, provenance: provenance)
    let after = try #require(try store.sets().first)
    #expect(after.machineReps == 9 && after.correctedReps == 7 && after.confidence == 0.5)
    #expect(after.detector == "d 2" && after.key == row.key && after.position == row.position)
    let timeline = try store.timeline(ofSet: row.id)
    #expect(timeline.set == counted && timeline.provenance == provenance)
    #expect(timeline.movementCurve.count == 1)
    #expect(sameBits(timeline.samples, before.samples))
    #expect(try store.timelineBytes(ofSet: row.id).count == after.byteCount)
    #expect(try store.verify().isIntact)
    #expect(throws: HistoryError.self) { try store.replaceMachineCount(ofSet: 99, with: counted) }
  }

  @Test func aStoreThatMayNotBeWrittenSaysSo() throws {
    try store.close()
    let reader = try HistoryStore(path: path, mode: .readOnly)
    #expect(throws: HistoryError.readOnly) { try reader.workouts.start("S") }
    #expect(throws: HistoryError.readOnly) {
      try reader.catalog.save(HistoryCatalogTests.benchPress())
    }
    #expect(try reader.setCount() == 2)
  }
}
