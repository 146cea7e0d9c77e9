import Foundation
import GRDB
import Motion
import TestSupport
import Testing

@testable import HistorySync
@testable import TimelineFormat
@testable import WorkoutHistory

/// Keys of sets and recordings.
struct HistoryNamingTests {
  let (folder, store): (TemporaryFolder, HistoryStore)

  init() throws { (folder, store) = try HistoryStore.temporary() }

  private func recording(_ session: String?, _ set: String?, seed: UInt64) -> Recording {
    Recording(
      name: "\(session ?? "-")/\(set ?? "-")",
      identity: SetIdentity(sessionId: session, exerciseId: "curl", setId: set),
      samples: Example.samples(seed: seed))
  }

  private let counted = [Example.set(.declared, 101, 120, reps: 3)]

  @Test func twoSessionsMayUseOneSetID() throws {
    let first = try store.save(recording("S1", "1", seed: 1), sets: counted)
    let second = try store.save(recording("S2", "1", seed: 2), sets: counted)
    #expect(first.id != second.id && second.isNew)
    #expect(try store.setCount() == 2)
    #expect(try store.samples(ofRecording: first.id).count == Example.samples(seed: 1).count)
    // Saving again duplicates nothing.
    #expect(try store.save(recording("S1", "1", seed: 1), sets: counted).id == first.id)
    #expect(try store.save(recording("S2", "1", seed: 2), sets: counted).id == second.id)
    #expect(throws: HistoryError.ambiguous(reference: "1", candidates: ["S2/1", "S1/1"])) {
      try store.set("1")
    }
    #expect(try store.set("S1/1")?.recordingId == first.id)
    #expect(try store.set("S2/1")?.recordingId == second.id)
    #expect(
      try store.sync.changes().filter { $0.entity == .historySet }.map(\.key) == ["S1/1", "S2/1"])
    #expect(try store.verify().isIntact)
  }

  /// Health data of two people is never mixed.
  @Test func twoPeopleMayUseOneSetID() throws {
    let ana = try #require(try store.users.save(HistoryUser(uuid: "A", name: "Ana")).id)
    let bea = try #require(try store.users.save(HistoryUser(uuid: "B", name: "Bea")).id)
    let first = try store.workouts.start("SA", user: ana)
    try first.startSet("1")
    let second = try store.workouts.start("SB", user: bea)
    try second.startSet("1")
    var batch = JournalBatch()
    batch.finalized = try [("SA", 1), ("SB", 2)].map { session, seed in
      .init(
        key: "set \(session)",
        recording: try PreparedRecording(
          recording(session, "1", seed: UInt64(seed)), sets: counted))
    }
    try store.journal.commit(batch)
    try first.end()
    try second.end()
    let rows = try store.sets()
    #expect(rows.map(\.user) == [ana, bea])
    #expect(Set(rows.map(\.recordingId)).count == 2)
    for row in rows { #expect(row.sampleCount > 0) }
    #expect(try store.set("1", user: ana)?.id == rows[0].id)
    #expect(try store.set("1", user: bea)?.id == rows[1].id)
    #expect(throws: HistoryError.self) { try store.set("1") }
    #expect(try store.set("2", user: ana) == nil)
    #expect(try store.set("2", user: bea)?.id == rows[1].id)
  }

  /// A recording without a session belongs to the open set.
  @Test func recordingWithoutSessionJoinsTheOpenSet() throws {
    let workout = try store.workouts.start("S1")
    try workout.startSet("1")
    try store.save(recording(nil, "1", seed: 1), sets: counted)
    try workout.end()
    #expect(try store.set("S1/1")?.detectedReps == 3)
    // Equal samples are one recording; other samples are another.
    #expect(try !store.save(recording(nil, "1", seed: 1), sets: counted).isNew)
    #expect(try store.save(recording(nil, "1", seed: 2), sets: counted).isNew)
    #expect(try store.setCount() == 2)
  }

  @Test func deletingASetKeepsItsNamesakeInAnotherSession() throws {
    try store.save(recording("S1", "1", seed: 1), sets: counted)
    try store.save(recording("S2", "1", seed: 2), sets: counted)
    try store.delete(set: try #require(try store.set("S1/1")).id)
    try store.save(recording("S1", "1", seed: 1), sets: counted)
    try store.save(recording("S2", "1", seed: 2), sets: counted)
    #expect(try store.sets().map(\.sessionId) == ["S2"])
    try store.undoDeletion(of: "S1/1")
    try store.save(recording("S1", "1", seed: 1), sets: counted)
    #expect(try store.setCount() == 2)
  }

  @Test(arguments: [
    ("S1", "1"), ("", "1"), ("a/b", "c"), ("a%2Fb", "c/d"), ("100%", "%25"), ("", "a/b"),
    ("ü/", "/"),
  ])
  func globalKeysRoundTrip(session: String, key: String) throws {
    let text = try store.write { db -> String? in
      try db.execute(
        sql: """
          INSERT INTO workout (id, userId, key) VALUES (1, 1, 'w');
          INSERT INTO workout_exercise (id, userId, workoutId, key, "order") VALUES (1, 1, 1, '', 0)
          """)
      try db.execute(
        sql: """
          INSERT INTO workout_set (userId, exerciseId, sessionKey, key, "order", cause)
          VALUES (1, 1, ?, ?, 0, 'declared')
          """, arguments: [session, key])
      return try String.fetchOne(db, sql: "SELECT globalKey FROM workout_set")
    }
    #expect(SetName(globalKey: try #require(text)) == SetName(session: session, key: key))
  }

  /// The views of `docs/data-model.md`.
  @Test func setsAndRepsInSQL() throws {
    try store.save(recording("S1", "1", seed: 1), sets: counted)
    let rows = try store.read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT o.exercise, o.recording, o.reps, r.number, r.time, r.duration, r.tempo, r.confidence
          FROM set_overview o JOIN rep r ON r.set_id = o.set_id ORDER BY r.number
          """)
    }
    #expect(rows.count == 3)
    #expect(rows.map { $0["number"] as Int } == [1, 2, 3])
    #expect(rows.allSatisfy { $0["exercise"] == "curl" && $0["reps"] == 3 })
    #expect((rows[0]["tempo"] as Double?) == nil && (rows[1]["tempo"] as Double?) != nil)
  }

  /// A log-in name is deleted with its person. A random id is kept, by which other copies delete them too.
  @Test func nameOfADeletedPersonIsNotKept() throws {
    let id = try #require(
      try store.users.save(HistoryUser(uuid: "ana@example.org", name: "Ana")).id)
    let uuid: HistoryUser.Key = "4F0C2A33-9E1B-4E0F-8A5B-0123456789AB"
    let other = try #require(try store.users.save(HistoryUser(uuid: uuid, name: "Bea")).id)
    try store.delete(user: id)
    try store.delete(user: other)
    let keys = try store.sync.changes().filter(\.isDeletion).map(\.key)
    #expect(keys == [HistoryStore.keyOfDeleted("ana@example.org"), uuid.rawValue])
    try store.close()
    for suffix in ["", "-wal"] {
      let bytes = FileManager.default.contents(atPath: folder.path("history.sqlite") + suffix)
      #expect(bytes?.range(of: Data("ana@example.org".utf8)) == nil)
    }
  }

  /// A deletion during a read reports that data remains.
  @Test func deletingDuringAReadReportsRemainingData() throws {
    let path = folder.path("history.sqlite")
    let saved = try store.save(recording("S1", "1", seed: 1), sets: counted)
    let other = try store.save(recording("S2", "1", seed: 2), sets: counted)
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let reader = try DatabaseQueue(path: path, configuration: configuration)
    try reader.inDatabase { db in
      try db.execute(sql: "BEGIN")
      _ = try Row.fetchAll(db, sql: "SELECT * FROM workout_set")
    }
    #expect(try !store.delete(recording: saved.id))
    try reader.inDatabase { try $0.execute(sql: "COMMIT") }
    try reader.close()
    #expect(try store.delete(recording: other.id))
  }

  @Test func claimAppliesToHardLinks() throws {
    let path = folder.path("history.sqlite")
    let second = folder.path("second.sqlite")
    let claim = try store.journal.claim()
    try store.close()
    try FileManager.default.linkItem(atPath: path, toPath: second)
    // Also within one process: each claim has its own descriptor.
    let other = try HistoryStore(path: second, mode: .readOnly)
    #expect(throws: HistoryError.claimed(path: second)) { try other.journal.claim() }
    withExtendedLifetime(claim) {}
  }
}
