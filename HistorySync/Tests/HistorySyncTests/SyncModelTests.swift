import Foundation
import GRDB
import HistorySync
import SyncTestSupport
import Testing

@testable import WorkoutHistory

/// Three copies and a centre live through random schedules: edits, corrections, counts, deletions and
/// their undoing, removals by the machine, plans, lost and repeated messages, long times without a
/// connection, syncs into each other, and clocks that are wrong by hours.
///
/// `REPTRACE_SYNC_SCHEDULES` says how many (50).
@Suite struct SyncModelTests {
  static let schedules =
    ProcessInfo.processInfo.environment["REPTRACE_SYNC_SCHEDULES"].flatMap(Int.init) ?? 50

  @Test func allCopiesConvergeAndNoEditIsLost() async throws {
    let folder = try TemporaryFolder()
    let empty = folder.path("empty.sqlite")
    try HistoryStore(path: empty, mode: .create).close()
    for seed in 0..<Self.schedules {
      var schedule = try Schedule(seed: UInt64(seed), empty: empty, folder: folder)
      do {
        try await schedule.run()
      } catch {
        Issue.record("schedule \(seed): \(error)")
      }
      for problem in schedule.problems { Issue.record("schedule \(seed): \(problem)") }
      try schedule.end()
      if !schedule.problems.isEmpty { return }
    }
  }
}

/// The true order of what people and machines did to one set, by a clock that is never wrong.
private struct Truth {
  var correction: Int??
  var weight: Double??
  var count: Int?
  var wasRemoved = false
  var wasDeleted = false
}

private struct Schedule {
  private static let copies = 3

  var problems: [String] = []
  private let seed: UInt64
  private var random: SeededGenerator
  private let stores: [HistoryStore]
  private let centre: MemoryCentre
  private let time: VirtualTime
  private let paths: [String]
  /// By how much each copy's clock is wrong, in milliseconds.
  private var errors: [Int64]
  /// The correction that each copy has learned.
  private var learned: [Int64]
  private var truth: [String: Truth] = [:]
  /// Whether a clock was set back. What its copy does then is later than what it has seen, and
  /// nobody can tell by how much: then values may be those of an edit at the same time elsewhere.
  private var wasSetBack = false

  init(seed: UInt64, empty: String, folder: TemporaryFolder) throws {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    let time = VirtualTime()
    self.time = time
    centre = MemoryCentre(id: "centre", now: { time.milliseconds })
    paths = (0..<Self.copies).map { folder.path("\(seed)-\($0).sqlite") }
    var stores: [HistoryStore] = []
    for (index, path) in paths.enumerated() {
      try FileManager.default.copyItem(atPath: empty, toPath: path)
      let store = try HistoryStore(path: path, mode: .readWrite)
      try store.write {
        try $0.execute(
          sql: "UPDATE syncClock SET device = ?", arguments: ["000000000000000\(index + 1)"])
      }
      stores.append(store)
    }
    self.stores = stores
    errors = [0, 0, 0]
    learned = [0, 0, 0]
    for index in 0..<Self.copies { errors[index] = wrongness() }
  }

  func end() throws {
    for store in stores { try store.close() }
    for path in paths {
      for suffix in ["", "-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: path + suffix)
      }
    }
  }

  private mutating func wrongness() -> Int64 {
    Bool.random(using: &random)
      ? 0 : Int64.random(in: -5 * 3_600_000...5 * 3_600_000, using: &random)
  }

  mutating func run() async throws {
    for _ in 0..<Int.random(in: 10...40, using: &random) {
      time.advance(10_000)
      let copy = Int.random(in: 0..<Self.copies, using: &random)
      try setClock(copy)
      if Int.random(in: 0..<5, using: &random) == 0 {
        try await sync(copy, faults: true)
      } else {
        try act(on: copy)
      }
    }
    var rounds = 0
    var didNothing = false
    while !didNothing, rounds < 6 {
      didNothing = true
      for copy in 0..<Self.copies {
        time.advance(10_000)
        try setClock(copy)
        let report = try await sync(copy, faults: false)
        didNothing = didNothing && report?.didNothing == true
        if !(report?.refused ?? []).isEmpty { problems.append("\(report?.refused ?? [])") }
      }
      rounds += 1
    }
    if !didNothing { problems.append("the copies do not come to rest") }
    for copy in 0..<Self.copies {
      let report = try await sync(copy, faults: false)
      if report?.roundTrips != 1 { problems.append("a sync with nothing to do costs more") }
    }
    try await compare()
    try checkTruth()
  }

  /// The copy's clock shows the true time and its error; what it has learned of that stays learned.
  private mutating func setClock(_ copy: Int) throws {
    let now = Int64(Date().timeIntervalSince1970 * 1000)
    let correction = time.milliseconds + errors[copy] - now + learned[copy]
    try stores[copy].write {
      try $0.execute(sql: "UPDATE syncClock SET correction = ?", arguments: [correction])
    }
  }

  private func correction(_ copy: Int) throws -> Int64 {
    try stores[copy].read { try Int64.fetchOne($0, sql: "SELECT correction FROM syncClock") ?? 0 }
  }

  // MARK: - Syncing

  @discardableResult
  private mutating func sync(_ copy: Int, faults: Bool) async throws -> SyncReport? {
    let before = try correction(copy)
    var transport: any SyncTransport = centre
    if faults {
      var other: (@Sendable () async throws -> Void)?
      let second = Int.random(in: 0..<Self.copies, using: &random)
      if second != copy, Int.random(in: 0..<4, using: &random) == 0 {
        // Another copy syncs meanwhile.
        try setClock(second)
        let synchronizer = Synchronizer(
          store: stores[second], transport: centre,
          backoff: Backoff(first: 0, longest: 0, attempts: 10), pageSize: 5)
        other = { _ = try await synchronizer.sync() }
      }
      transport = FaultyTransport(
        centre, seed: random.next(), rate: [0, 0.1, 0.3].randomElement(using: &random) ?? 0,
        beforePush: other)
    }
    let size = [1, 3, 7, 1000].randomElement(using: &random) ?? 1000
    let synchronizer = Synchronizer(
      store: stores[copy], transport: transport,
      backoff: Backoff(first: 0, longest: 0, attempts: faults ? 2 : 10), pageSize: size)
    var report: SyncReport?
    do {
      report = try await synchronizer.sync()
    } catch SyncError.unreachable where faults {}
    learned[copy] += try correction(copy) - before
    if report != nil, faults, Int.random(in: 0..<3, using: &random) == 0 {
      // Somebody sets the copy's clock.
      let before = errors[copy] + learned[copy]
      errors[copy] = wrongness()
      if errors[copy] + learned[copy] < before { wasSetBack = true }
    }
    return report
  }

  // MARK: - Acting

  private mutating func act(on copy: Int) throws {
    let store = stores[copy]
    switch Int.random(in: 0..<14, using: &random) {
    case 0, 1, 2: try addSet(store)
    case 3, 4, 5: try correct(store)
    case 6: try weigh(store)
    case 7: try recount(store)
    case 8: try removeByMachine(store)
    case 9: try deleteSet(store)
    case 10: if Int.random(in: 0..<3, using: &random) == 0 { try deleteWorkout(store) }
    case 11: try undo(store)
    default: try plan(store)
    }
  }

  private static func sets(_ store: HistoryStore) throws -> [(id: Int64, key: String)] {
    try store.read { db in
      try Row.fetchAll(db, sql: "SELECT id, globalKey FROM historySet ORDER BY globalKey").map {
        (try $0.value("id"), try $0.value("globalKey"))
      }
    }
  }

  private mutating func anySet(_ store: HistoryStore) throws -> (id: Int64, key: String)? {
    try Self.sets(store).randomElement(using: &random)
  }

  private mutating func addSet(_ store: HistoryStore, key: String? = nil) throws {
    let key =
      key ?? "W\(Int.random(in: 0..<3, using: &random))/S\(Int.random(in: 0..<4, using: &random))"
    let name = SetName(globalKey: key)
    let reps = Int.random(in: 1...30, using: &random)
    let isAdded = try store.write { db -> Bool in
      // As the library sees to it: what a person deleted does not come again.
      let isDeleted = try Bool.fetchOne(
        db,
        sql: """
          SELECT EXISTS (SELECT 1 FROM deletedSamples WHERE recordingKey = ? AND sessionKey = ?)
          """, arguments: [name.key, name.session])
      guard isDeleted == false, try HistoryStore.setId(db, name, user: 1) == nil else {
        return false
      }
      try db.execute(
        sql: """
          INSERT INTO workoutHistory (userId, key, sessionId, date) VALUES (1, ?1, ?1, 100)
          ON CONFLICT DO NOTHING
          """, arguments: [name.session])
      let workout = try Int64.fetchOne(
        db, sql: "SELECT id FROM workoutHistory WHERE key = ?", arguments: [name.session])
      try db.execute(
        sql: """
          INSERT INTO historyExercise (userId, workoutId, key, "order") VALUES (1, ?, 'E', 0)
          ON CONFLICT DO NOTHING
          """, arguments: [workout])
      try db.execute(
        sql: """
          INSERT INTO historySet (userId, exerciseId, sessionKey, key, "order", cause, detectedReps,
            confidence)
          SELECT 1, id, ?, ?, 0, 'detected', ?, 0.5 FROM historyExercise
          WHERE workoutId = ? AND key = 'E'
          """, arguments: [name.session, name.key, reps, workout])
      return true
    }
    if isAdded { truth[key, default: Truth()].count = reps }
  }

  private mutating func correct(_ store: HistoryStore) throws {
    guard let set = try anySet(store) else { return }
    let reps =
      Int.random(in: 0..<5, using: &random) == 0 ? nil : Int.random(in: 0...99, using: &random)
    let before = try store.read {
      try Int.fetchOne($0, sql: "SELECT correctedReps FROM historySet WHERE id = \(set.id)")
    }
    try store.correct(set: set.id, reps: reps)
    // To say the same again is no edit.
    if before != reps { truth[set.key, default: Truth()].correction = .some(reps) }
  }

  private mutating func weigh(_ store: HistoryStore) throws {
    guard let set = try anySet(store) else { return }
    let weight = Double(Int.random(in: 1...200, using: &random)) + 0.1
    try store.update(set: set.id, weight: weight)
    truth[set.key, default: Truth()].weight = weight
  }

  private mutating func recount(_ store: HistoryStore) throws {
    guard let set = try anySet(store) else { return }
    let reps = Int.random(in: 100...200, using: &random)
    try store.write {
      try $0.execute(
        sql: "UPDATE historySet SET detectedReps = ?, confidence = 0.7 WHERE id = ?",
        arguments: [reps, set.id])
    }
    truth[set.key, default: Truth()].count = reps
  }

  private mutating func removeByMachine(_ store: HistoryStore) throws {
    guard let set = try anySet(store) else { return }
    let isRemoved = try store.write { db -> Bool in
      let workout = try Int64.fetchOne(
        db,
        sql: """
          SELECT e.workoutId FROM historySet s JOIN historyExercise e ON e.id = s.exerciseId
          WHERE s.id = ?
          """, arguments: [set.id])
      try db.execute(
        sql: "DELETE FROM historySet WHERE id = ? AND correctedReps IS NULL", arguments: [set.id])
      let isRemoved = db.changesCount > 0
      if let workout { try HistoryStore.removeEmptyParents(db, workout: workout) }
      return isRemoved
    }
    if isRemoved { truth[set.key, default: Truth()].wasRemoved = true }
  }

  private mutating func deleteSet(_ store: HistoryStore) throws {
    guard let set = try anySet(store) else { return }
    try store.delete(set: set.id)
    truth[set.key, default: Truth()].wasDeleted = true
  }

  private mutating func deleteWorkout(_ store: HistoryStore) throws {
    let row = try store.read {
      try Row.fetchOne($0, sql: "SELECT id, key FROM workoutHistory ORDER BY key")
    }
    guard let row else { return }
    try store.delete(workout: try row.value("id"))
    for key in (0..<4).map({ "\(row["key"] as String)/S\($0)" }) {
      truth[key, default: Truth()].wasDeleted = true
    }
  }

  private mutating func undo(_ store: HistoryStore) throws {
    guard let key = try store.deletedKeys().randomElement(using: &random) else { return }
    let session = try store.read {
      try String.fetchOne(
        $0, sql: "SELECT sessionKey FROM deletedSamples WHERE recordingKey = ?", arguments: [key])
    }
    try store.undoDeletion(of: key)
    if let session { try addSet(store, key: "\(session)/\(key)") }
  }

  private mutating func plan(_ store: HistoryStore) throws {
    let uuid = "P\(Int.random(in: 0..<3, using: &random))"
    switch Int.random(in: 0..<6, using: &random) {
    case 0: try store.plans.activate((try store.plans.plan(uuid))?.uuid)
    case 1: if try store.plans.plan(uuid) != nil { try store.plans.delete(uuid) }
    case 2:
      try store.catalog.save(
        CatalogExercise(
          uuid: "X\(Int.random(in: 0..<2, using: &random))",
          name: "Exercise \(Int.random(in: 0..<9, using: &random))", muscleGroup: .core))
    case 3:
      var user = try #require(try store.users.user(store.users.all()[0].uuid))
      user.bodyWeight = Double(Int.random(in: 50...90, using: &random))
      try store.users.save(user)
    default:
      // A plan that a person here has deleted is theirs no more.
      let isDeleted = try store.read {
        try Bool.fetchOne(
          $0, sql: "SELECT EXISTS (SELECT 1 FROM tombstone WHERE key = ? AND deleted)",
          arguments: [uuid])
      }
      guard isDeleted == false else { return }
      let items = (0..<Int.random(in: 1...5, using: &random)).map { _ in
        PlanItem(
          uuid: "\(uuid)-\(random.next())",
          .exercise(
            PlannedExercise(
              exercise: nil, name: "E\(Int.random(in: 0..<9, using: &random))",
              .repetitions(
                sets: Int.random(in: 1...9, using: &random), reps: 10, restTime: 60))))
      }
      try store.plans.save(WorkoutPlan(uuid: uuid, title: "Plan \(uuid)", items: items))
    }
  }

  // MARK: - Judging

  private func objects(_ store: HistoryStore) throws -> [String: SyncObject] {
    try store.read { db in
      var objects: [String: SyncObject] = [:]
      for table in SyncTable.all {
        for row in try Row.fetchAll(
          db, sql: HistoryStore.objectQuery(table), arguments: ["user": 1])
        {
          var object = try HistoryStore.object(db, table, row).object
          // Where nobody ever said anything, nothing need be told.
          object.deletion = SyncRegister(isSet: object.deletion.isSet)
          object.removal = SyncRegister(isSet: object.removal.isSet)
          objects["\(object.entity) \(object.key)"] = object
        }
      }
      return objects
    }
  }

  private mutating func compare() async throws {
    let first = try objects(stores[0])
    for copy in 1..<Self.copies {
      let other = try objects(stores[copy])
      for key in Set(first.keys).union(other.keys).sorted() where first[key] != other[key] {
        problems.append(
          "copies differ in \(key): \(first[key].map { "\($0)" } ?? "-") and "
            + (other[key].map { "\($0)" } ?? "-"))
      }
    }
    let kept = Set(
      await centre.objects.filter { $0.values != nil }.map { "\($0.entity) \($0.key)" })
    if kept != Set(first.keys) {
      problems.append("the centre has others: \(kept.symmetricDifference(first.keys))")
    }
    for (index, store) in stores.enumerated() {
      let report = try store.verify()
      if !report.isIntact { problems.append("copy \(index) is damaged: \(report.problems)") }
    }
  }

  private mutating func checkTruth() throws {
    for (key, truth) in truth {
      let row = try stores[0].read {
        try Row.fetchOne($0, sql: "SELECT * FROM historySet WHERE globalKey = ?", arguments: [key])
      }
      if truth.wasDeleted { continue }
      if case .some(.some(let reps)) = truth.correction {
        guard let row else {
          problems.append("\(key) was corrected, and is gone")
          continue
        }
        if !wasSetBack, row["correctedReps"] as Int? != reps {
          problems.append(
            "\(key): the person said \(reps), not \(row["correctedReps"] as Int? ?? -1)")
        }
      }
      if truth.wasRemoved { continue }
      guard let row else {
        problems.append("\(key) is gone")
        continue
      }
      if wasSetBack { continue }
      if row["detectedReps"] as Int? != truth.count {
        problems.append(
          "\(key): counted last \(truth.count ?? -1), not \(row["detectedReps"] as Int? ?? -1)")
      }
      if let weight = truth.weight, row["weight"] as Double? != weight {
        problems.append("\(key): the weight is not \(weight ?? -1)")
      }
    }
  }
}
