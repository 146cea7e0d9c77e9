import Foundation
import GRDB
import Motion
import TestSupport
import Testing

@testable import HistoryStorage
@testable import HistorySync
@testable import WorkoutHistory

/// Two copies that exchange objects directly, without a center.
@Suite struct HistoryMergingTests {
  let folder: TemporaryFolder
  let one: HistoryStore
  let two: HistoryStore

  init() throws {
    folder = try TemporaryFolder()
    one = try HistoryStore(path: folder.path("one.sqlite"), mode: .create)
    two = try HistoryStore(path: folder.path("two.sqlite"), mode: .create)
    for store in [one, two] { try store.sync.begin(with: "center", time: now) }
  }

  private var now: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }

  /// Merges the other copy's pending objects.
  @discardableResult
  private func tell(_ other: HistoryStore, from store: HistoryStore) throws -> MergeReport {
    let pending = try store.sync.pendingObjects(limit: 1000)
    for object in pending.map(\.object) where object.entity == .recording {
      let samples = try store.sync.samples(of: HistoryRecordingRow.Key(object.key))
      for (segment, received) in try other.sync.missingSamples(of: [object]) {
        let bytes = try #require(samples[segment.digest])
        try other.sync.receive(bytes.dropFirst(received), at: received, of: segment)
      }
    }
    return try other.sync.merge(pending.map(\.object), through: 1, at: now)
  }

  /// Exchanges pending objects in both directions, often enough for everything to arrive.
  private func exchange() throws {
    for _ in 0..<3 {
      try tell(two, from: one)
      let back = try two.sync.pendingObjects(limit: 1000)
      try tell(one, from: two)
      try two.sync.acknowledge(back, position: 1)
      try one.sync.acknowledge(try one.sync.pendingObjects(limit: 1000), position: 1)
    }
    #expect(try objects(one) == objects(two))
  }

  private func objects(_ store: HistoryStore) throws -> [SyncObject] {
    try store.read { db in
      try SyncTable.all.flatMap { table in
        try Row.fetchAll(
          db, sql: SyncSession.query(table) + " ORDER BY syncKey", arguments: [1]
        ).map { row in
          var object = try SyncSession(db: db, user: .local).object(table, row).object
          object.deletion = SyncRegister()
          object.removal = SyncRegister()
          return object
        }
      }
    }
  }

  private func live() throws {
    try one.live()
    try exchange()
  }

  private var recording: Recording { HistoryStore.recording }

  private func set(_ store: HistoryStore) throws -> HistorySetRow? { try store.set("W/X") }

  /// Saves the set Y of the session.
  private func saveAnother(_ store: HistoryStore, exercise: String?) throws {
    try store.save(
      Recording(
        name: "Y", identity: SetIdentity(sessionId: "W", exerciseId: exercise, setId: "Y"),
        samples: Example.samples(seed: 9)), sets: [Example.set(.declared, 101, 120, reps: 4)])
  }

  /// A stamp of another copy at this time.
  private var stamp: SyncStamp { SyncStamp(time: now << 16, device: "0000000000000009") }

  @Test func copyHasEverything() throws {
    try live()
    #expect(try two.plans.plan("P")?.items == one.plans.plan("P")?.items)
    #expect(try two.catalog.search("supino").map(\.uuid) == ["E1"])
    #expect(try two.statistics(of: .catalog("E1")).volume == 540)
    #expect(try two.workouts.workout("W")?.plan == "P")
    #expect(try two.verify().isIntact)
    #expect(
      try one.sync.pendingObjects(limit: 10).isEmpty && two.sync.pendingObjects(limit: 10).isEmpty)
  }

  @Test func samplesArriveWithTheirSets() throws {
    try live()
    let (mine, theirs) = (try #require(try set(one)), try #require(try set(two)))
    #expect(theirs.sampleCount == mine.sampleCount && mine.sampleCount > 0)
    #expect(try two.count("rep") == 9)
    #expect(
      try two.recording(#require(theirs.recordingId)).samples.times
        == one.recording(#require(mine.recordingId)).samples.times)
  }

  private static func segment(of data: Data) -> SyncSegment {
    SyncSegment(
      digest: SyncExchange.digest(of: data), byteCount: data.count, firstSample: 0, sampleCount: 1)
  }

  @Test func samplesWithAWrongDigestAreRejected() throws {
    let segment = Self.segment(of: Data([1, 2, 3]))
    try two.sync.receive(Data([1]), at: 0, of: segment)
    #expect(try two.sync.receive(Data([2, 4]), at: 1, of: segment) == false)
    // Parts are received from the start; a part may be repeated.
    try two.sync.receive(Data([1, 2]), at: 0, of: segment)
    try two.sync.receive(Data([1, 2]), at: 0, of: segment)
    #expect(try two.sync.receive(Data([2, 3]), at: 1, of: segment))
    // The bytes before this part are missing.
    let other = Self.segment(of: Data([4, 5, 6]))
    #expect(throws: HistoryError.self) { try two.sync.receive(Data([6]), at: 2, of: other) }
  }

  /// Received bytes are not rewritten with each part.
  @Test func receivedPartsAreNotRewritten() throws {
    let whole = Data((0..<100).map { UInt8($0) })
    let segment = Self.segment(of: whole)
    func lengths() throws -> [Int] {
      try two.read {
        try Int.fetchAll($0, sql: "SELECT length(data) FROM sync_blob ORDER BY digest")
      }
    }
    for (offset, count) in [(0, 7), (7, 16), (23, 16), (20, 41), (61, 16)] {
      try two.sync.receive(whole.dropFirst(offset).prefix(count), at: offset, of: segment)
    }
    #expect(try lengths() == [7, 16, 16, 22, 16])
    #expect(try two.sync.receive(whole.dropFirst(77), at: 77, of: segment))
    #expect(try lengths() == [100])
  }

  @Test func laterEditOfEachFieldWins() throws {
    try live()
    try one.update(set: try #require(try set(one)).id, weight: 50)
    Thread.sleep(forTimeInterval: 0.01)
    try two.update(set: try #require(try set(two)).id, weight: 65, targetReps: 7)
    Thread.sleep(forTimeInterval: 0.01)
    try one.update(set: try #require(try set(one)).id, targetReps: 8)
    try exchange()
    for store in [one, two] {
      #expect(try set(store)?.weight == 65 && set(store)?.targetReps == 8)
    }
  }

  @Test func detectorNeverOverridesAPerson() throws {
    try live()
    try two.correct(set: "W/X", reps: 11)
    // A copy without the correction counts again later.
    try one.run("UPDATE workout_set SET detectedReps = 8")
    try exchange()
    for store in [one, two] {
      #expect(try set(store)?.reps == 11 && set(store)?.detectedReps == 8)
    }
    // Revoking a correction is also a person's decision.
    try one.correct(set: "W/X", reps: nil)
    try exchange()
    #expect(try set(two)?.reps == 8)
  }

  /// A new date without an edit would exist on one copy only.
  @Test func repeatingAValueIsNotAnEdit() throws {
    try live()
    let before = try objects(one)
    try one.correct(set: "W/X", reps: nil)
    #expect(try objects(one) == before)
    try one.correct(set: "W/X", reps: 11, at: 1100)
    try exchange()
    try one.correct(set: "W/X", reps: 11, at: 1200)
    #expect(try objects(one) == objects(two))
  }

  @Test func correctedSetRemainsWhenNoLongerDetected() throws {
    try live()
    try two.correct(set: "W/X", reps: 11)
    try one.run("DELETE FROM workout_set")
    try exchange()
    for store in [one, two] { #expect(try set(store)?.reps == 11) }
    // Without a person's correction, the set is removed.
    try two.correct(set: "W/X", reps: nil)
    try exchange()
    try one.run("DELETE FROM workout_set")
    try exchange()
    #expect(try set(two) == nil)
  }

  @Test func newRowDoesNotClearFieldsOfAnotherCopy() throws {
    try live()
    let third = try HistoryStore(path: folder.path("three.sqlite"), mode: .create)
    try one.correct(set: "W/X", reps: 12)
    try exchange()
    // A copy that lacks the values processes the recording again later.
    try third.save(recording, sets: [Example.set(.declared, 101, 120, reps: 9)])
    try third.sync.begin(with: "center", time: now)
    try third.sync.merge(
      try third.sync.pendingObjects(limit: 100).map(\.object)
        + objects(one).filter {
          $0.entity != .recording
        }, through: 1, at: now)
    #expect(try set(third)?.reps == 12)
  }

  @Test func deletionByAPersonIsKept() throws {
    try live()
    try one.delete(set: try #require(try set(one)).id)
    try two.correct(set: "W/X", reps: 99)
    try exchange()
    for store in [one, two] { #expect(try set(store) == nil) }
    // The other copy processes the recording again.
    try two.save(recording, sets: [Example.set(.declared, 101, 120, reps: 9)])
    #expect(try set(two) == nil)
    try exchange()
    #expect(try set(one) == nil)
  }

  @Test func undoneDeletionRestoresAllCopies() throws {
    try live()
    try one.delete(set: try #require(try set(one)).id)
    try exchange()
    try two.undoDeletion(of: "X")
    try two.save(recording, sets: [Example.set(.declared, 101, 120, reps: 9)])
    try exchange()
    for store in [one, two] { #expect(try set(store)?.reps == 9) }
    #expect(try one.deletedKeys().isEmpty)
  }

  /// A sync may be interrupted between deleting samples and their set. Undoing then keeps the set.
  @Test func undoingAPartlySyncedDeletionKeepsTheSet() throws {
    try live()
    try one.delete(set: try #require(try set(one)).id)
    let told = try one.sync.pendingObjects(limit: 1000).map(\.object)
    try two.sync.merge(told.filter { $0.entity == .deletedSamples }, through: 1, at: now)
    #expect(try set(two) != nil && !two.deletedKeys().isEmpty)
    try two.undoDeletion(of: "X")
    try exchange()
    for store in [one, two] { #expect(try set(store)?.reps == 9) }
  }

  @Test func deletedWorkoutTakesNewSetsAlong() throws {
    try live()
    try one.delete(workout: try #require(try one.workouts.workout("W")).id)
    try saveAnother(two, exercise: "E1")
    try exchange()
    for store in [one, two] { #expect(try store.workouts.workout("W") == nil) }
  }

  @Test func nonemptyParentIsNotRemoved() throws {
    try live()
    try one.write { db in
      try db.execute(sql: "DELETE FROM workout_exercise")
      try db.execute(sql: "DELETE FROM recording")
      try db.execute(sql: "DELETE FROM workout")
    }
    try saveAnother(two, exercise: "E1")
    try exchange()
    for store in [one, two] { #expect(try store.set("W/Y")?.reps == 4) }
  }

  /// Checks that processing the recording again does not change the exercise, on this copy or another.
  @Test func exerciseNamedByAPersonIsKept() throws {
    func process(_ exercise: String, _ store: HistoryStore) throws {
      var recording = self.recording
      recording.identity.exerciseId = exercise
      try store.save(recording, sets: [Example.set(.declared, 101, 120, reps: 9)])
    }
    try live()
    try one.setExercise("Squat", ofSet: try #require(try set(one)).id)
    try exchange()
    for exercise in ["E1", "F", "G"] {
      try process(exercise, two)
      try process(exercise, one)
      try exchange()
      for store in [one, two] { #expect(try set(store)?.exerciseName == "Squat", "\(exercise)") }
    }
    try two.setExercise("Row", ofSet: try #require(try set(two)).id)
    try exchange()
    for store in [two, one] { try process("H", store) }
    try exchange()
    for store in [one, two] { #expect(try set(store)?.exerciseName == "Row") }
    for store in [one, two] { #expect(try store.verify().isIntact) }
  }

  @Test func exerciseNamedByTheSourceIsUpdated() throws {
    try saveAnother(one, exercise: nil)
    try exchange()
    try saveAnother(two, exercise: "E")
    try exchange()
    for store in [one, two] { #expect(try store.set("W/Y")?.exerciseId == "E") }
  }

  @Test func itemsKeepTheirOrder() throws {
    try live()
    try two.moveItem(ofPlan: "P", from: 2, to: 0)
    try one.setTitle(ofPlan: "P")
    try exchange()
    #expect(try one.plans.plan("P")?.items.map(\.uuid) == ["P3", "P1", "P2"])
    #expect(try two.plans.plan("P")?.title == "Another title")
  }

  @Test func onlyOnePlanIsActive() throws {
    try live()
    try one.plans.save(HistoryPlanTests.plan("Q"))
    try one.plans.activate("P")
    try exchange()
    try one.plans.activate(nil)
    try one.plans.activate("Q")
    Thread.sleep(forTimeInterval: 0.01)
    try two.plans.activate(nil)
    try two.plans.activate("P")
    try exchange()
    for store in [one, two] {
      #expect(try store.plans.all().filter(\.isActive).map(\.uuid) == ["P"])
    }
  }

  @Test func wrongClockIsCorrectedBeforeStampsAreSent() throws {
    try live()
    let hours: Int64 = 5 * 3_600_000
    // One copy's clock is five hours ahead; the other corrects later.
    try one.run("UPDATE clock SET correction = ?", hours)
    try one.correct(set: "W/X", reps: 20)
    Thread.sleep(forTimeInterval: 0.01)
    try two.correct(set: "W/X", reps: 21)
    for store in [one, two] { try store.sync.begin(with: "center", time: now) }
    try exchange()
    for store in [one, two] { #expect(try set(store)?.reps == 21) }
    // Its clock is five hours behind from now on, and it corrects later.
    try one.run("UPDATE clock SET correction = ?", -hours)
    try two.correct(set: "W/X", reps: 30)
    Thread.sleep(forTimeInterval: 0.01)
    try one.correct(set: "W/X", reps: 31)
    for store in [one, two] { try store.sync.begin(with: "center", time: now) }
    try exchange()
    for store in [one, two] { #expect(try set(store)?.reps == 31) }
  }

  @Test func changeAfterAMergeGetsALaterStamp() throws {
    try live()
    try one.correct(set: "W/X", reps: 20)
    try tell(two, from: one)
    // The other copy's clock is behind, but its person has seen the 20.
    try two.run("UPDATE clock SET correction = -3600000")
    try two.correct(set: "W/X", reps: 22)
    try exchange()
    for store in [one, two] { #expect(try set(store)?.reps == 22) }
  }

  @Test func newCenterGetsEverything() throws {
    try live()
    #expect(try one.sync.pendingObjects(limit: 10).isEmpty)
    try one.sync.begin(with: "another", time: now)
    #expect(
      try one.sync.peer()
        == SyncPeer(device: one.sync.peer().device, center: "another", position: 0))
    #expect(try Set(one.sync.pendingObjects(limit: 1000).map(\.object.entity)).count == 8)
  }

  @Test func objectsThatBreakRulesAreRejected() throws {
    try live()
    func object(_ entity: SyncEntity, _ values: [String: SyncValue]) -> SyncObject {
      SyncObject(entity: entity, key: "Z", values: values, stamps: ["": stamp])
    }
    let report = try one.sync.merge(
      [
        object(.split, ["name": .text("")]),
        object(.exerciseTemplate, ["name": .text("a"), "muscleGroup": .text("hair")]),
        object(.workoutPlan, ["items": .text("[]")]),
        object(.workoutHistory, ["status": .text("lost")]),
      ], through: 2, at: now)
    #expect(report.refused.count == 4 && report.applied == 0)
    #expect(try one.plans.splits().map(\.name) == ["ABC"])
    #expect(try one.sync.peer().position == 2)
    let named: [String: SyncValue] = ["name": .text("new"), "intro": .text("")]
    let orphan = try one.sync.merge(
      [object(.historySet, ["exercise": .text("none/E")]), object(.split, named)],
      through: 3, at: now)
    #expect(orphan.applied == 1 && orphan.refused.count == 1)
    #expect(orphan.refused[0].contains("historySet Z: historyExercise none/E"))
  }

  @Test func impossibleNumbersAreRejected() throws {
    try live()
    var counted = try #require(try objects(one).first { $0.entity == .historySet })
    counted.values?["detectedReps"] = .integer(.max)
    counted.stamps["count"] = stamp
    var recorded = try #require(try objects(one).first { $0.entity == .recording })
    recorded.values?["sampleCount"] = .real(-1)
    recorded.stamps["samples"] = stamp
    let report = try one.sync.merge([counted, recorded], through: 2, at: now)
    #expect(report.refused.count == 2 && report.applied == 0)
    #expect(try set(one)?.reps == 9)
  }

  /// Checks numbers that would overflow in the search for deleted samples at every sync.
  @Test(arguments: [(1, Int.max, 1), (1, -1, 1), (1, 0, Int.max), (0, 0, 1), (1 << 28, 0, 1)])
  func impossibleSegmentsAreRejected(bytes: Int, first: Int, count: Int) throws {
    try live()
    let segment = SyncSegment(
      digest: "00", byteCount: bytes, firstSample: first, sampleCount: count)
    try refuses(.recording, "segments", try [segment].json())
  }

  /// One invalid object does not end a sync; the others are merged.
  @Test func unreadableObjectsAreRejected() throws {
    try live()
    try refuses(.recording, "digest", "abc")
    try refuses(.recording, "segments", "{}")
    try refuses(.exerciseTemplate, "muscles", "[")
  }

  private func refuses(_ entity: SyncEntity, _ member: String, _ value: String) throws {
    var object = try #require(try objects(one).first { $0.entity == entity })
    object.values?[member] = .text(value)
    let field = try #require(
      SyncTable.of(entity).fields.first { $0.members.contains { $0.name == member } })
    object.stamps[field.name] = stamp
    let split = SyncObject(
      entity: .split, key: value, values: ["name": .text("new"), "intro": .text("")],
      stamps: ["": stamp])
    let told = object
    #expect(try one.sync.missingSamples(of: [told]).isEmpty)
    let report = try one.sync.merge([told, split], through: 2, at: now)
    #expect(report.refused.count == 1 && report.refused[0].contains(told.key))
    #expect(report.applied == 1)
  }

  @Test func centerCannotDeleteAPerson() throws {
    try live()
    var user = try #require(try objects(one).first { $0.entity == .user })
    user.deletion = SyncRegister(isSet: true, stamp: stamp)
    #expect(try one.sync.merge([user], through: 2, at: now).refused.count == 1)
    #expect(try set(one) != nil)
  }

  @Test func exerciseOfAnotherPersonIsNotChanged() throws {
    let other = try #require(try one.users.save(HistoryUser(uuid: "bert", name: "Bert")).id)
    var exercise = HistoryCatalogTests.benchPress()
    exercise.userId = other
    try one.catalog.save(exercise)
    try two.catalog.save(CatalogExercise(uuid: exercise.uuid, name: "Mine", muscleGroup: .core))
    #expect(try tell(one, from: two).refused.count == 1)
    #expect(try one.catalog.exercise(exercise.uuid)?.userId == other)
    #expect(try one.catalog.exercise(exercise.uuid)?.name == exercise.name)
  }

  /// Both parts of an exercise's key may contain a slash.
  @Test func exerciseNameMayContainASlash() throws {
    for exercise in ["push/pull", "N/A", "a/\u{301}b"] {
      let recording = Recording(
        name: "X",
        identity: SetIdentity(sessionId: "V/W", exerciseId: exercise, setId: "X\(exercise)"),
        samples: Example.samples(seconds: 2))
      try one.save(recording, sets: [Example.set(.declared, 100, 102, reps: 1)])
    }
    try exchange()
    let found = try two.sets()
    #expect(found.count == 3)
    for set in found {
      let exercise = try #require(set.exerciseId)
      #expect(set.setId?.rawValue == "X\(exercise)" && set.sessionId == "V/W")
    }
    #expect(try two.verify().isIntact)
  }

  @Test(arguments: ["S/\u{301}x", "a%252F\u{301}%2F%25\u{301}/k"])
  func keysAreSplitBetweenBytes(_ key: String) throws {
    let name = SetName(globalKey: key)
    try one.write { db in
      try db.execute(
        """
        INSERT INTO deleted_samples (userId, recordingKey, sessionKey, firstSample)
        VALUES (1, ?, ?, 0)
        """, name.key, name.session)
      try db.execute(
        sql: """
          INSERT INTO workout (userId, key) VALUES (1, 'W');
          INSERT INTO workout_exercise (userId, workoutId, key, "order")
            SELECT 1, id, 'E', 0 FROM workout
          """)
      try db.execute(
        sql: """
          INSERT INTO workout_set (userId, exerciseId, sessionKey, key, "order", cause, detectedReps)
            SELECT 1, id, ?, ?, 0, 'detected', 1 FROM workout_exercise
          """, arguments: [name.session, name.key])
      let global = try String.fetchOne(db, sql: "SELECT globalKey FROM workout_set")
      #expect(global.map { Array($0.utf8) } == Array(key.utf8))
    }
  }

  @Test func equivalentTextWithOtherBytesIsAnEdit() throws {
    try live()
    try one.plans.save(TrainingSplit(uuid: "SP", name: "e\u{301}"))
    try exchange()
    try one.plans.save(TrainingSplit(uuid: "SP", name: "\u{e9}"))
    try exchange()
    #expect(try two.plans.splits().map { Array($0.name.utf8) } == [Array("\u{e9}".utf8)])
  }

  /// Another program may have stored an infinity, which would block all other objects.
  @Test func infinityIsSentAsNull() throws {
    try live()
    try one.run(
      """
      UPDATE workout_set SET restTime = 9e999, clockStart = -9e999, clockEnd = 9e999;
      UPDATE recording SET name = 'new'
      """)
    let objects = try one.sync.pendingObjects(limit: 10).map(\.object)
    _ = try JSONEncoder().encode(objects)
    #expect(objects.map(\.entity) == [.historySet, .recording])
    #expect(objects.first?.value("restTime") == .null)
    let segment = try #require(try objects.last?.segments().first { $0.set != nil })
    #expect(segment.clockStart == nil && segment.clockEnd == nil)
  }

  @Test(arguments: ["correction = \(Int64.min)", "correction = \(1 << 52)", "floor = \(Int64.max)"])
  func impossibleClockIsDamage(_ change: String) throws {
    try live()
    try one.correct(set: "W/X", reps: 1)
    try one.run("UPDATE clock SET \(change)")
    #expect(throws: HistoryError.self) { try one.sync.begin(with: "center", time: 0) }
    #expect(throws: HistoryError.self) { try one.sync.pendingObjects(at: 0, limit: 1) }
  }

  @Test func deletingAPersonDeletesIncomingSamples() throws {
    let segment = Self.segment(of: Data([1, 2, 3]))
    try one.sync.receive(Data([1]), at: 0, of: segment)
    #expect(try one.count("sync_blob") == 1)
    try one.delete(user: HistoryUser.ID.local)
    #expect(try one.count("sync_blob") == 0)
    try one.sync.receive(Data([1]), at: 0, of: segment)
    try one.sync.discardReceivedSamples()
    #expect(try one.count("sync_blob") == 0)
  }

  /// A recording without one of its sets would lose that set's samples, here and then everywhere.
  @Test func recordingWaitsForItsSets() throws {
    try live()
    let third = try HistoryStore(path: folder.path("three.sqlite"), mode: .create)
    try one.sync.begin(with: "another", time: now)
    let told = try one.sync.pendingObjects(limit: 100).map(\.object)
    let samples = try one.sync.samples(of: "W/X")
    func merge(_ objects: [SyncObject]) throws -> MergeReport {
      for (segment, _) in try third.sync.missingSamples(of: told) {
        try third.sync.receive(try #require(samples[segment.digest]), at: 0, of: segment)
      }
      return try third.sync.merge(objects, through: 1, at: now)
    }
    try third.sync.begin(with: "another", time: now)
    let report = try merge(told.filter { $0.entity != .historySet })
    #expect(report.refused.count == 1 && report.refused[0].contains("set W/X, which is not here"))
    #expect(try third.recordings().isEmpty)
    #expect(try merge(told).refused.isEmpty)
    #expect(try third.timeline(ofSet: #require(try set(third)).id).samples.count > 0)
  }

  // MARK: - Segmentations that differ

  private var long: Recording { Recording(name: "L", samples: Example.samples()) }

  private func segments(_ store: HistoryStore) throws -> [SyncSegment] {
    try objects(store).filter { $0.entity == .recording }.flatMap { try $0.segments() }
  }

  /// One copy detects two sets and a person deletes the second; another copy detects one set covering both.
  @Test(arguments: [false, true]) func deletedSamplesAreCutFromOtherSegments(_ first: Bool) throws {
    try one.save(long, sets: Example.twoSets)
    try exchange()
    let sets = try one.sets(ofRecording: #require(try one.recordings().first).id)
    let deleted = try #require(
      try segments(one).first { $0.set == sets[first ? 0 : 1].key })
    try one.delete(set: sets[first ? 0 : 1].id)
    try two.save(long, sets: [Example.set(.detected, 110, 150, reps: 13)])
    try exchange()
    for store in [one, two] {
      var rows = IndexSet()
      for segment in try segments(store) {
        rows.insert(integersIn: segment.firstSample..<segment.firstSample + segment.sampleCount)
      }
      let gone = deleted.firstSample..<deleted.firstSample + deleted.sampleCount
      #expect(rows == IndexSet(0..<3000).subtracting(IndexSet(gone)))
      #expect(try store.verify().isIntact)
      #expect(
        try store.sync.pendingObjects(limit: 1).isEmpty && store.recordings().count == 1)
    }
  }

  /// A push in progress contains the recording's previous state.
  @Test func cutRecordingIsPendingAgain() throws {
    try one.save(long, sets: Example.twoSets)
    try exchange()
    try two.run("UPDATE recording SET name = 'M'")
    let sent = try two.sync.pendingObjects(limit: 10)
    #expect(sent.map(\.object.entity) == [.recording])
    try one.delete(set: one.sets(ofRecording: #require(try one.recordings().first).id)[1].id)
    let told = try one.sync.pendingObjects(limit: 100).map(\.object)
    try two.sync.merge(told.filter { $0.entity == .deletedSamples }, through: 1, at: now)
    try two.sync.acknowledge(sent, position: 1)
    #expect(try two.sync.pendingObjects(limit: 10).map(\.object.entity).contains(.recording))
  }

  /// Samples of a set that no detector finds become rest.
  @Test func samplesOfAVanishedSetBecomeRest() throws {
    try one.save(long, sets: Example.twoSets)
    try exchange()
    try one.save(long, sets: [Example.twoSets[0]])
    Thread.sleep(forTimeInterval: 0.01)
    try two.save(
      long, sets: [Example.twoSets[0], Example.set(.detected, 140.5, 150, reps: 6)])
    try exchange()
    for store in [one, two] {
      #expect(try segments(store).reduce(0) { $0 + $1.sampleCount } == 3000)
      #expect(try store.verify().isIntact)
    }
  }

  /// Checks that the set exists once, whichever copies find that it vanished.
  @Test(arguments: [true, false], [0, 1])
  func vanishedCorrectedSetExistsOnce(both: Bool, set index: Int) throws {
    try one.save(long, sets: Example.twoSets)
    try one.correct(
      set: one.sets(ofRecording: #require(try one.recordings().first).id)[index].id, reps: 77)
    try exchange()
    for store in both ? [one, two] : [one] {
      try store.save(long, sets: [Example.set(.detected, 126, 139, reps: 3)])
    }
    try exchange()
    for store in [one, two] {
      let corrected = try store.read {
        try String.fetchAll($0, sql: "SELECT key FROM workout_set WHERE correctedReps = 77")
      }
      #expect(corrected.count == 1, "\(corrected)")
      #expect(try store.count("workout_set") == 2)
    }
  }

  /// Keys of sets without ids contain positions, which shift if the number of detected sets changes. A
  /// person's corrections stay with their set.
  @Test(arguments: [true, false]) func correctionsStayWithTheirSet(isMore: Bool) throws {
    try one.save(long, sets: Example.twoSets)
    let sets = try one.sets(ofRecording: #require(try one.recordings().first).id)
    try one.correct(set: sets[isMore ? 1 : 0].id, reps: 77)
    try one.update(set: sets[isMore ? 0 : 1].id, weight: 50)
    try exchange()
    let first = Example.set(.detected, 101, 105, reps: 3)
    try one.save(long, sets: isMore ? [first] + Example.twoSets : [Example.twoSets[1]])
    try exchange()
    // Detected count, corrected count, weight.
    let expected: Set<[Double?]> =
      isMore
      ? [[3, nil, nil], [8, nil, 50], [5, 77, nil]] : [[5, nil, 50], [0, 77, nil]]
    func said(_ set: HistorySetRow) -> [Double?] {
      [set.detectedReps.map { Double($0) }, set.correctedReps.map { Double($0) }, set.weight]
    }
    for store in [one, two] {
      let found = try store.sets()
      #expect(Set(found.map(said)) == expected)
      #expect(found.count == expected.count)
      for set in found where set.position != nil {
        #expect(try store.timeline(ofSet: set.id).set?.reps.count == set.detectedReps)
      }
    }
  }

  /// The recording cannot be rewritten without the removed set's samples, so the set remains and is reported.
  @Test func impossibleRecordingDoesNotEndTheMerge() throws {
    try live()
    try one.run("DELETE FROM workout_set")
    try two.write { db in
      try db.execute(sql: "PRAGMA ignore_check_constraints = ON")
      try db.execute(sql: "UPDATE segment SET firstSample = -1")
      try db.execute(sql: "PRAGMA ignore_check_constraints = OFF")
    }
    try one.plans.save(TrainingSplit(uuid: "NEW", name: "new"))
    let told = try one.sync.pendingObjects(limit: 100).map(\.object)
    let report = try two.sync.merge(
      told.filter { $0.entity != .recording }, through: 2, at: now)
    #expect(report.refused.count == 1 && report.refused[0].contains("recording X has segments"))
    #expect(try set(two) != nil && two.plans.splits().count == 2)
  }

  @Test(arguments: [Int64.min, -1, 1 << 46, .max])
  func impossibleTimesAreRejected(_ time: Int64) throws {
    try one.plans.save(TrainingSplit(uuid: "SP", name: "ABC"))
    #expect(throws: HistoryError.self) { try one.sync.begin(with: "center", time: time) }
    #expect(throws: HistoryError.self) { try one.sync.merge([], through: 2, at: time) }
    #expect(throws: HistoryError.self) { try one.sync.pendingObjects(at: time, limit: 1) }
    let object = SyncObject(entity: .split, key: "SP", stamps: ["": stamp])
    #expect((object.stampProblem(at: time) == nil) == (time > now))
  }

  /// Such stamps would win for years and advance this copy's clock.
  @Test func stampsInTheFutureAreRejected() throws {
    try live()
    let year: Int64 = 365 * 86_400_000
    func told(_ stamp: String) throws -> MergeReport {
      var object = try #require(try objects(one).first { $0.entity == .historySet })
      object.values?["correctedReps"] = .integer(99)
      object.stamps["correction"] = SyncStamp(text: stamp)
      return try one.sync.merge([object], through: 2, at: now)
    }
    let device = stamp.device
    let ahead = SyncStamp(time: (now + year) << 16, device: device).text
    for stamp in [
      ahead, "7fffffffffffffff" + device, "ffffffffffffffff" + device, ahead.uppercased(), "zz",
      ahead + "0",
    ] {
      let report = try told(stamp)
      #expect(report.refused.count == 1 && report.applied == 0, "\(stamp)")
      #expect(try set(one)?.reps == 9)
    }
    #expect(try told(ahead).refused[0].contains("historySet W/X was changed 3153"))
    // A repeated occurrence of the object is rejected too.
    var bad = try #require(try objects(one).first { $0.entity == .split })
    bad.values?["name"] = .text("bad")
    bad.stamps["name"] = SyncStamp(text: ahead)
    var again = bad
    again.stamps["name"] = stamp
    #expect(try one.sync.merge([bad, again], through: 2, at: now).applied == 0)
    // Objects that belong to a rejected object are rejected with it.
    let workout = SyncObject(
      entity: .workoutHistory, key: "V", values: [:], stamps: ["": SyncStamp(text: ahead)])
    let exercise = SyncObject(
      entity: .historyExercise, key: "V/E", values: ["workout": .text("V"), "key": .text("E")],
      stamps: ["": stamp])
    #expect(try one.sync.merge([workout, exercise], through: 2, at: now).refused.count == 2)
    // A stamp within the permitted drift is accepted, and later changes get later stamps.
    #expect(
      try told(SyncStamp(time: (now + 50_000) << 16, device: device).text).refused.isEmpty)
    #expect(try set(one)?.reps == 99)
    try one.correct(set: "W/X", reps: 1)
    try exchange()
    #expect(try set(two)?.reps == 1)
  }

  /// The machine's clock is set during a sync.
  @Test func noFutureStampsAreSent() throws {
    try live()
    try one.run("UPDATE clock SET correction = 36000000")
    try one.correct(set: "W/X", reps: 20)
    for object in try one.sync.pendingObjects(limit: 10).map(\.object) {
      #expect(object.stampProblem(at: now) == nil)
    }
    try one.run("UPDATE clock SET correction = 36000000")
    try one.correct(set: "W/X", reps: 21)
    try one.sync.merge([], through: 1, at: now)
    for object in try one.sync.pendingObjects(limit: 10).map(\.object) {
      #expect(object.stampProblem(at: now) == nil)
    }
  }

  /// Every exchanged member has a field whose changes are recorded, unless it never changes alone.
  @Test func everyFieldIsWatched() throws {
    let unwatched = SyncTable.all.flatMap { table in
      table.fields.filter(\.watched.isEmpty).map { "\(table.name).\($0.name)" }
    }
    #expect(unwatched == ["exercise.createdAt", "plan.createdAt", "workout_set.setId"])
    for table in SyncTable.all {
      #expect(ProtectedTable.named(table.name).columns.contains("id"))
      #expect(SyncTable.named(table.name) == table)
    }
  }
}

extension SyncExchange {
  /// Returns pending objects for a center with this machine's clock.
  func pendingObjects(limit: Int) throws -> [PendingObject] {
    try pendingObjects(at: Int64(Date().timeIntervalSince1970 * 1000), limit: limit)
  }
}

extension HistoryStore {
  fileprivate func setTitle(ofPlan uuid: WorkoutPlan.Key) throws {
    guard var plan = try plans.plan(uuid) else { return }
    plan.title = "Another title"
    try plans.save(plan)
  }
}
