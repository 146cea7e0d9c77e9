import Foundation
import GRDB
import Motion
import TestSupport
import Testing

@testable import HistoryStorage
@testable import TimelineFormat
@testable import WorkoutHistory

@Suite struct HistoryMaintenanceTests {
  let (folder, store): (TemporaryFolder, HistoryStore)
  var path: String { store.path }

  init() throws {
    (folder, store) = try HistoryStore.temporary()
    try store.save(Recording(name: "a", samples: Example.samples()), sets: Example.twoSets)
  }

  @Test func backupIsCompleteAndPrivate() throws {
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
    // The error has the requested name, not a temporary one.
    let nowhere = folder.path("none/backup.sqlite")
    #expect(throws: HistoryError.cannotOpen(path: nowhere, reason: "No such file or directory")) {
      try store.backup(to: nowhere)
    }
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

  /// Remains of a killed backup are removed, and files of other programs are not replaced.
  @Test func backupLeavesNoOtherFiles() throws {
    let copy = folder.path("backup.sqlite")
    func names() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        .filter { $0.hasPrefix("backup") }
    }
    for suffix in ["", "-journal"] {
      try Data("left".utf8).write(to: URL(fileURLWithPath: copy + ".partial" + suffix))
    }
    try FileManager.default.createSymbolicLink(
      atPath: copy, withDestinationPath: folder.path("elsewhere.sqlite"))
    #expect(throws: HistoryError.self) { try store.backup(to: copy) }
    #expect(try names() == ["backup.sqlite"])
    try FileManager.default.removeItem(atPath: copy)
    try store.backup(to: copy)
    #expect(try names() == ["backup.sqlite"])
    #expect(try HistoryStore(path: copy, mode: .readOnly).setCount() == 2)
  }

  @Test func readOnlyHistoryCanBeBackedUp() throws {
    let reader = try HistoryStore(path: path, mode: .readOnly)
    try reader.backup(to: folder.path("backup.sqlite"))
    #expect(try HistoryStore(path: folder.path("backup.sqlite"), mode: .readOnly).setCount() == 2)
  }

  @Test func vacuumShrinksTheFile() throws {
    for seed in 0..<8 {
      try store.save(
        Recording(name: "\(seed)", samples: Example.samples(seed: UInt64(seed + 50))),
        sets: Example.twoSets)
    }
    try store.run("DELETE FROM recording WHERE id > 1")
    let size = try store.vacuum()
    #expect(size.after < size.before - 200_000)
    #expect(try store.verify().isIntact)
  }

  @Test func recountingChangesOnlyTheDetectedCount() throws {
    let row = try #require(try store.sets().first)
    try store.correct(set: row.id, reps: 7)
    let before = try store.timeline(ofSet: row.id)
    let counted = Example.set(.detected, 110, 126, reps: 9, confidence: 0.5)
    let provenance = TimelineProvenance(writer: "w", detector: "d 2", settings: [:])
    let curve = [MovementPoint(time: 0, movement: 0.5, completedRep: nil)]
    try store.replaceMachineCount(
      ofSet: row.id, with: counted, movementCurve: curve, provenance: provenance)
    let after = try #require(try store.sets().first)
    #expect(after.detectedReps == 9 && after.correctedReps == 7 && after.confidence == 0.5)
    #expect(after.detector == "d 2" && after.key == row.key && after.position == row.position)
    let timeline = try store.timeline(ofSet: row.id)
    #expect(timeline.set == counted && timeline.provenance == provenance)
    #expect(timeline.movementCurve.count == 1)
    #expect(sameBits(timeline.samples, before.samples))
    #expect(try store.timelineBytes(ofSet: row.id).count == after.byteCount)
    #expect(try store.verify().isIntact)
    #expect(throws: HistoryError.self) { try store.replaceMachineCount(ofSet: 99, with: counted) }
  }

  /// Values derived from a set's position follow the new count; declared values remain.
  @Test(arguments: [false, true]) func recountingMovesDates(isStarted: Bool) throws {
    let recording = Recording(
      name: "c", identity: SetIdentity(sessionId: "S", setId: "X"),
      samples: Example.samples(seed: 9), unixTimeOfFirstSample: 1_700_000_000)
    try store.save(recording, sets: Example.twoSets)
    if isStarted {
      try store.run("UPDATE workout_exercise SET completed = 1")
    }
    let before = try store.sets().suffix(2)
    let (first, second) = (before[before.startIndex], before[before.startIndex + 1])
    let (start, end) = (try #require(second.clockStart), try #require(second.clockEnd))
    try store.replaceMachineCount(
      ofSet: second.id, with: Example.set(.detected, start + 2, end + 3, reps: 4))
    let after = try store.sets().suffix(2)
    let moved = after[after.startIndex + 1]
    func shift(_ date: (HistorySetRow) -> Date?) throws -> Double {
      try #require(date(moved)).timeIntervalSince(try #require(date(second)))
    }
    #expect(try abs(shift(\.startTime) - (isStarted ? 0 : 2)) < 1e-3)
    #expect(try abs(shift(\.endTime) - (isStarted ? 0 : 3)) < 1e-3)
    let rest = try #require(after[after.startIndex].restTime)
    #expect(abs(rest - (first.restTime ?? 0) - (isStarted ? 0 : 2)) < 1e-3)
    #expect(try store.verify().isIntact)
  }

  @Test func writingToAReadOnlyStoreIsAnError() throws {
    try store.close()
    let reader = try HistoryStore(path: path, mode: .readOnly)
    #expect(throws: HistoryError.readOnly) { try reader.workouts.start("S") }
    #expect(throws: HistoryError.readOnly) {
      try reader.catalog.save(HistoryCatalogTests.benchPress())
    }
    #expect(try reader.setCount() == 2)
  }
}
