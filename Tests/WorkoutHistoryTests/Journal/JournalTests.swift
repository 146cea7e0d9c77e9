import Foundation
import GRDB
import Motion
import Testing

@testable import WorkoutHistory

@Suite struct JournalTests {
  private func withStore(_ body: (HistoryStore) throws -> Void) throws {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("reptrace-journal-\(UUID().uuidString).sqlite").path
    defer {
      for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }
    }
    let store = try HistoryStore(path: path, mode: .create)
    try body(store)
    try store.close()
  }

  private func entry(_ key: String, _ bytes: [UInt8]) -> JournalEntry {
    JournalEntry(
      setKey: key, part: 0, sessionId: "s", exerciseId: nil, phase: .rest, controlUnixTime: 5,
      data: bytes)
  }

  private func entries(_ store: HistoryStore, _ key: String) throws -> [JournalEntry] {
    var entries: [JournalEntry] = []
    try store.journal.forEachEntry(ofSet: key) { entries.append($0) }
    return entries
  }

  /// Returns the `synchronous` level of the committing connection: 2 is FULL.
  private func synchronousLevel(_ store: HistoryStore) throws -> Int? {
    try store.database.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
  }

  private let set = JournalSet(
    key: "set A", kind: .declared, identity: SetIdentity(sessionId: "s", setId: "a"))

  /// An acknowledged chunk must survive the loss of power: NORMAL is not enough.
  @Test func commitsAreFullySynchronous() throws {
    try withStore { store in
      #expect(try synchronousLevel(store) == 2)
      // Also after checkpoints and reconnections caused by writes.
      var batch = JournalBatch()
      batch.sets = [set]
      batch.entries = (0..<50).map { entry("set A", [UInt8](repeating: $0, count: 100_000)) }
      try store.journal.commit(batch)
      #expect(try synchronousLevel(store) == 2)
    }
  }

  @Test func flippedDigitIsDetected() throws {
    try withStore { store in
      var batch = JournalBatch()
      batch.sets = [set]
      batch.entries = [entry("set A", [1, 2, 3]), entry("set A", [4])]
      try store.journal.commit(batch)
      #expect(try entries(store, "set A").allSatisfy { !$0.isDamaged })
      for change in ["data = x'010302'", "part = 3", "sessionId = 't'", "phase = NULL", "date = 6"]
      {
        try store.database.write { db in
          try db.execute(sql: "UPDATE journal_entry SET \(change) WHERE id = 1")
        }
        #expect(try entries(store, "set A").map(\.isDamaged) == [true, false], "\(change)")
        #expect(try store.verify().problems.map(\.description).contains { $0.contains("set A") })
        try store.database.write { try $0.execute(sql: "DELETE FROM journal_entry") }
        try store.journal.commit(batch)
      }
    }
  }

  /// On startup, the progress of each set is read without its messages.
  @Test func lastEntryHasTheProgressOfASet() throws {
    try withStore { store in
      var batch = JournalBatch()
      var other = set
      other.key = "set B"
      batch.sets = [set, other]
      for samples in [100, 200] {
        var entry = entry("set A", [1])
        var progress = JournalProgress(identity: SetIdentity(sessionId: "s", setId: "a"))
        (progress.samples, progress.time) = (samples, Double(samples) / 50)
        (progress.clock, progress.unixTime) = (.unix, 7)
        entry.progress = progress
        batch.entries.append(entry)
      }
      try store.journal.commit(batch)
      #expect(try store.journal.sets().map(\.progress?.samples) == [200, 0])
      let progress = try #require(try store.journal.sets().first?.progress)
      #expect(progress == batch.entries.last?.progress)

      // Entries of older programs lack the progress, and the part in the history may be deleted.
      batch = JournalBatch()
      batch.entries = [entry("set A", [2])]
      other.joinsHistory = true
      batch.sets = [other]
      try store.journal.commit(batch)
      #expect(try store.journal.sets().map(\.progress) == [nil, nil])
    }
  }

  /// A snapshot is replaced, includes the entries of its batch, and is deleted with its set.
  @Test func snapshotIsDeletedWithItsSet() throws {
    try withStore { store in
      for number in UInt8(1)...3 {
        var batch = JournalBatch()
        batch.sets = [set]
        batch.entries = [entry("set A", [number]), entry("set A", [number])]
        batch.snapshots = [("set A", [number])]
        try store.journal.commit(batch)
      }
      let snapshot = try #require(try store.journal.snapshot(ofSet: "set A"))
      #expect(snapshot.data == [3])
      #expect(try snapshot.entry == entries(store, "set A").last?.id)
      #expect(try store.journal.snapshot(ofSet: "set B") == nil)
      var batch = JournalBatch()
      batch.discarded = ["set A"]
      try store.journal.commit(batch)
      let left = try store.read {
        try Int.fetchOne($0, sql: "SELECT count(*) FROM journal_set WHERE snapshot IS NOT NULL")
      }
      #expect(left == 0)
    }
  }

  /// Includes pages in the middle of the file. Later commits do not pay for it.
  @Test func reclaimsFreePages() throws {
    try withStore { store in
      func pragma(_ name: String) throws -> Int {
        try store.database.write { try Int.fetchOne($0, sql: "PRAGMA \(name)") ?? -1 }
      }
      let pages = try pragma("page_count")
      var batch = JournalBatch()
      var other = set
      other.key = "set B"
      batch.sets = [set, other]
      for number in UInt8(0)..<50 {
        batch.entries.append(
          entry(number == 49 ? "set B" : "set A", .init(repeating: number, count: 50_000)))
      }
      try store.journal.commit(batch)
      #expect(try pragma("page_count") > pages + 600)
      batch = JournalBatch()
      batch.discarded = ["set A"]
      try store.journal.commit(batch)
      let free = try pragma("freelist_count")
      #expect(free > 500)
      try store.journal.reclaimPages(limit: 100)
      #expect(try pragma("freelist_count") < free)
      try store.journal.reclaimPages()
      #expect(try pragma("freelist_count") == 0)
      #expect(try pragma("page_count") < pages + 40)
      #expect(try pragma("auto_vacuum") == 2)
      #expect(try entries(store, "set B").map(\.data) == [.init(repeating: 49, count: 50_000)])
    }
  }

  @Test func keepsBytesAsReceivedUntilFinalized() throws {
    try withStore { store in
      var batch = JournalBatch()
      batch.sets = [set]
      batch.entries = [entry("set A", [1, 0, 255]), entry("set A", [])]
      batch.contexts = [JournalContext(session: "S", state: "{}")]
      try store.journal.commit(batch)
      #expect(try store.journal.sets() == [set])
      let entries = try self.entries(store, "set A")
      #expect(entries.map(\.data) == [[1, 0, 255], []])
      #expect(entries[0].phase == .rest)
      #expect(entries[0].controlUnixTime == 5)
      #expect(try store.journal.contexts() == batch.contexts)

      var end = JournalBatch()
      let samples = MotionBatch([.time: [1, 2, 3], .rotationRateX: [0.5, 1, 2]])
      let recording = Recording(name: "x", identity: set.identity, samples: samples)
      end.finalized = [.init(key: "set A", recording: try PreparedRecording(recording, sets: []))]
      end.contexts = [JournalContext(session: "S", state: "{\"life\":\"over\"}")]
      try store.journal.commit(end)
      #expect(try store.journal.sets().isEmpty)
      #expect(try self.entries(store, "set A").isEmpty)
      #expect(try store.journal.contexts().isEmpty)
      #expect(try store.journal.context("S") == end.contexts[0])
      let finalized = try #require(
        try store.journal.finalizedRecording(ofStreamed: "set A", identity: SetIdentity()))
      #expect(finalized.recording.samples.digest() == samples.digest())
      #expect(
        try store.journal.finalizedRecording(ofStreamed: "set B", identity: SetIdentity(setId: "a"))
          != nil)
      #expect(
        try store.journal.finalizedRecording(ofStreamed: "set B", identity: SetIdentity(setId: "b"))
          == nil)
    }
  }

  /// More samples change the key of a recording without an id, but not its identity.
  @Test func longerRecordingReplacesTheShorterOne() throws {
    try withStore { store in
      for count in 2...4 {
        var batch = JournalBatch()
        let recording = Recording(
          name: "x", identity: SetIdentity(sessionId: "s"),
          samples: MotionBatch([.time: (0..<count).map(Double.init)]))
        let set = CountedSet(
          cause: .detected, start: 0, end: 1,
          reps: [CountedRep(start: 0, end: 1, confidence: 0.5)], confidence: 0.5)
        batch.finalized = [
          .init(key: "session S", recording: try PreparedRecording(recording, sets: [set]))
        ]
        try store.journal.commit(batch)
        if count == 2 { try store.correct(set: try #require(try store.set("1")).id, reps: 9) }
      }
      #expect(try store.recordings().map(\.sampleCount) == [4])
      #expect(try store.sets().map(\.correctedReps) == [9])
    }
  }

  /// A correction may arrive in the batch that finalizes its set, whether or not its workout was started.
  @Test(arguments: [false, true]) func countMayArriveWithItsSet(isStarted: Bool) throws {
    try withStore { store in
      func step(_ step: WorkoutAction.Step) -> JournalBatch.WorkoutStep {
        .init(action: WorkoutAction(session: "s", step, date: 1000, user: nil), line: 3)
      }
      func finalize(_ steps: WorkoutAction.Step...) throws -> [WorkoutStepFailure] {
        let recording = Recording(
          name: "x", identity: SetIdentity(sessionId: "s", setId: "a"),
          samples: MotionBatch([.time: [0, 1, 2]]))
        let counted = CountedSet(
          cause: .declared, start: 0, end: 1,
          reps: [CountedRep(start: 0, end: 1, confidence: 0.5)], confidence: 0.5)
        var batch = JournalBatch()
        batch.workoutSteps = steps.map(step)
        batch.finalized = [
          .init(key: set.key, recording: try PreparedRecording(recording, sets: [counted]))
        ]
        return try store.journal.commit(batch)
      }
      if isStarted {
        var batch = JournalBatch()
        batch.workoutSteps = [step(.startWorkout())]
        try store.journal.commit(batch)
      }
      #expect(try finalize(.endSet("a", reps: 7, weight: 20)).isEmpty)
      if isStarted { #expect(try finalize(.endWorkout).isEmpty) }
      var row = try #require(try store.set("a"))
      #expect(row.correctedReps == 7 && row.weight == 20)
      #expect(try finalize(.correct("a", reps: 9)).isEmpty)
      // Sending the end again changes nothing.
      #expect(try finalize(.endSet("a", reps: 7)).isEmpty)
      row = try #require(try store.set("a"))
      #expect(row.correctedReps == 9)
      #expect(try finalize(.correct("b", reps: 9)).map(\.line) == [3])
      #expect(try store.setCount() == 1)
      #expect(try store.verify().isIntact)
    }
  }

  @Test func correctionMayArriveWithItsSet() throws {
    try withStore { store in
      let recording = Recording(
        name: "x", identity: SetIdentity(sessionId: "s", setId: "a"),
        samples: MotionBatch([.time: [0, 1, 2]]))
      let counted = CountedSet(cause: .declared, start: 0, end: 1, reps: [], confidence: 0.5)
      var batch = JournalBatch()
      batch.workoutSteps = [8, 9].map { reps in
        .init(action: WorkoutAction(session: "s", .correct("a", reps: reps), user: nil), line: 3)
      }
      batch.finalized = [
        .init(key: set.key, recording: try PreparedRecording(recording, sets: [counted]))
      ]
      #expect(try store.journal.commit(batch).isEmpty)
      #expect(try store.set("a")?.correctedReps == 9)
    }
  }

  /// If a batch does not fit on the disk, no part of it is written.
  @Test func fullDiskLeavesTheJournalUnchanged() throws {
    try withStore { store in
      var batch = JournalBatch()
      batch.sets = [set]
      batch.entries = [entry("set A", [1])]
      try store.journal.commit(batch)
      try store.database.writeWithoutTransaction { db in
        let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
        try db.execute(sql: "PRAGMA max_page_count = \(pages + 5)")
      }
      batch.entries = [entry("set A", [2])]
      batch.entries += (0..<20).map { entry("set A", [UInt8](repeating: $0, count: 10_000)) }
      #expect(throws: HistoryError.diskFull) { try store.journal.commit(batch) }
      #expect(try entries(store, "set A").map(\.data) == [[1]])
    }
  }
}
