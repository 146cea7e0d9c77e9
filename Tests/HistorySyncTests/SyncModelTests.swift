import Foundation
import GRDB
import Motion
import MotionSynthesis
import SyncTestSupport
import Synchronization
import TestSupport
import Testing

@testable import HistorySync
@testable import WorkoutHistory

/// Three copies and a center run random schedules: edits, corrections, counts, deletions and undone deletions,
/// removals by the detector, recordings with varying segments, plans, lost and repeated messages, long offline
/// periods, concurrent syncs, and clocks that are wrong by hours.
///
/// `REPTRACE_SYNC_SCHEDULES` sets the number of schedules (50), `REPTRACE_SYNC_SEED` selects a single one.
@Suite struct SyncModelTests {
  static let schedules =
    ProcessInfo.processInfo.environment["REPTRACE_SYNC_SCHEDULES"].flatMap(Int.init) ?? 50
  static let onlySeed =
    ProcessInfo.processInfo.environment["REPTRACE_SYNC_SEED"].flatMap(Int.init)

  @Test func allCopiesConvergeAndNoEditIsLost() async throws {
    let folder = try TemporaryFolder(inMemory: true)
    let empty = folder.path("empty.sqlite")
    try HistoryStore(path: empty, mode: .create).close()
    // One schedule per processor at a time.
    let lanes = ProcessInfo.processInfo.activeProcessorCount
    try await withThrowingTaskGroup { group in
      for lane in 0..<lanes {
        group.addTask {
          let seeds = stride(from: lane, to: Self.schedules, by: lanes)
          for seed in Self.onlySeed.map({ lane == 0 ? [$0] : [] }) ?? Array(seeds) {
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
      try await group.waitForAll()
    }
  }
}

/// A change of a field by a person or the detector.
private struct Edit {
  /// Unique among the edits of the field.
  var value: String?
  var copy: Int
  /// Bounds of the true time at which a merge may date the edit. Both equal the edit's time, unless the
  /// copy's clock was set before the edit was sent: its time is then unknown, but not after the sending.
  var earliest: Int64
  var latest: Int64
  var isSent = false
  /// True if another edit was made with knowledge of this one.
  var isReplaced = false
}

/// A field's edits, several of which may count as the last.
private struct Edits {
  private(set) var all: [Edit] = []

  mutating func append(_ edit: Edit, replacing visible: String?) {
    for index in all.indices where visible != nil && all[index].value == visible {
      all[index].isReplaced = true
    }
    all.append(edit)
  }

  mutating func clockWasSet(of copy: Int) {
    for index in all.indices where all[index].copy == copy && !all[index].isSent {
      all[index].earliest = .min
      all[index].latest = .max
    }
  }

  mutating func wereSent(by copy: Int, at time: Int64) {
    for index in all.indices where all[index].copy == copy && !all[index].isSent {
      all[index].isSent = true
      all[index].latest = min(all[index].latest, time)
    }
  }

  func isUnsent(by copy: Int) -> Bool { all.contains { $0.copy == copy && !$0.isSent } }

  /// The permitted final values: edits that were not knowingly replaced, and that are not certainly earlier
  /// than another. A single value, unless a clock was set.
  var possible: [String?] {
    all.filter { edit in
      !edit.isReplaced && !all.contains { $0.earliest > edit.latest }
    }.map(\.value)
  }
}

/// The state of a set besides its fields.
private struct Fate {
  /// True if the detector no longer found the set or its workout was deleted, which dropped its fields.
  var wasRemoved = false
  var wasDeletedWithWorkout = false
}

private struct Schedule {
  private static let copies = 3

  var problems: [String] = []
  private let seed: UInt64
  private var random: RandomSource
  private let stores: [HistoryStore]
  private let center: MemoryCenter
  private let time: VirtualTime
  private let paths: [String]
  /// Error of each copy's clock, in milliseconds.
  private var errors: [Int64]
  /// Correction that each copy has learned, in milliseconds.
  private var learned: [Int64]
  /// Edits by object and field.
  private var edits: [String: Edits] = [:]
  private var fates: [String: Fate] = [:]
  /// Copies whose clock was set since their last sync, so that the times of their edits are unknown.
  private var isUnsure = [false, false, false]
  /// Counter that makes all values of a field unique.
  private var lastValue = 0

  init(seed: UInt64, empty: String, folder: TemporaryFolder) throws {
    self.seed = seed
    random = RandomSource(seed: seed)
    let time = VirtualTime()
    self.time = time
    center = MemoryCenter(id: "center", now: { time.milliseconds })
    paths = (0..<Self.copies).map { folder.path("\(seed)-\($0).sqlite") }
    var stores: [HistoryStore] = []
    for (index, path) in paths.enumerated() {
      try FileManager.default.copyItem(atPath: empty, toPath: path)
      let store = try HistoryStore(path: path, mode: .readWrite)
      try store.run("UPDATE clock SET device = ?", "000000000000000\(index + 1)")
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
      if Int.random(in: 0..<20, using: &random) == 0 { changeClock(copy) }
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

  /// Sets the copy's clock to the true time plus its error. The learned correction is kept.
  private mutating func setClock(_ copy: Int) throws {
    let now = Int64(Date().timeIntervalSince1970 * 1000)
    let correction = time.milliseconds + errors[copy] - now + learned[copy]
    try stores[copy].run("UPDATE clock SET correction = ?", correction)
  }

  private func correction(_ copy: Int) throws -> Int64 {
    try stores[copy].read { try Int64.fetchOne($0, sql: "SELECT correction FROM clock") ?? 0 }
  }

  // MARK: - Syncing

  @discardableResult
  private mutating func sync(_ copy: Int, faults: Bool) async throws -> SyncReport? {
    let jump = wrongness()
    let hasJumped = Atomic(false)
    var transport: any SyncTransport = center
    if faults {
      var other: (@Sendable () async throws -> Void)?
      let second = Int.random(in: 0..<Self.copies, using: &random)
      if second != copy, Int.random(in: 0..<4, using: &random) == 0 {
        // Another copy syncs at this time.
        try setClock(second)
        let synchronizer = Synchronizer(
          store: stores[second], transport: center,
          backoff: Backoff(first: 0, longest: 0, attempts: 10), pageSize: 5)
        other = { _ = try await synchronizer.sync() }
      } else if Int.random(in: 0..<6, using: &random) == 0 {
        // The clock is set at this time.
        let store = stores[copy]
        other = {
          hasJumped.store(true, ordering: .relaxed)
          try store.run("UPDATE clock SET correction = correction + ?", jump)
        }
      }
      transport = FaultyTransport(
        center, seed: random.next(), rate: [0, 0.1, 0.3].randomElement(using: &random) ?? 0,
        beforePush: other)
    }
    let size = [1, 3, 7, 1000].randomElement(using: &random) ?? 1000
    let synchronizer = Synchronizer(
      store: stores[copy], transport: transport,
      backoff: Backoff(first: 0, longest: 0, attempts: faults ? 2 : 10), pageSize: size)
    let before = try (0..<Self.copies).map(correction)
    var report: SyncReport?
    do {
      report = try await synchronizer.sync()
    } catch SyncError.unreachable where faults {}
    for other in 0..<Self.copies {
      learned[other] += try correction(other) - before[other]
    }
    let wasSet = hasJumped.load(ordering: .relaxed)
    if wasSet {
      errors[copy] += jump
      learned[copy] -= jump
      isUnsure[copy] = true
      for field in edits.keys { edits[field]?.clockWasSet(of: copy) }
    }
    if report != nil {
      for field in edits.keys { edits[field]?.wereSent(by: copy, at: time.milliseconds) }
      isUnsure[copy] = wasSet && jump < 0
      if faults, Int.random(in: 0..<3, using: &random) == 0 { changeClock(copy) }
    }
    return report
  }

  /// Sets the copy's clock. If nothing is pending and the clock moves forward, the next sync determines the
  /// error; otherwise only the order of the edits is known.
  private mutating func changeClock(_ copy: Int) {
    let before = errors[copy] + learned[copy]
    errors[copy] = wrongness()
    let waits = edits.values.contains { $0.isUnsent(by: copy) }
    if waits || errors[copy] + learned[copy] < before { isUnsure[copy] = true }
    for field in edits.keys { edits[field]?.clockWasSet(of: copy) }
  }

  private mutating func note(
    _ field: String, on copy: Int, _ value: String?, replacing visible: String?
  ) {
    let now = time.milliseconds
    edits[field, default: Edits()].append(
      Edit(value: value, copy: copy, earliest: now, latest: isUnsure[copy] ? .max : now),
      replacing: visible)
  }

  private mutating func nextValue() -> Int {
    lastValue += 1
    return lastValue
  }

  // MARK: - Acting

  private mutating func act(on copy: Int) throws {
    switch Int.random(in: 0..<17, using: &random) {
    case 0, 1, 2: try addSet(copy)
    case 3, 4, 5: try correct(copy)
    case 6: try weigh(copy)
    case 7: try recount(copy)
    case 8: try removeByMachine(copy)
    case 9: try deleteSet(copy)
    case 10: if Int.random(in: 0..<3, using: &random) == 0 { try deleteWorkout(copy) }
    case 11: try undo(copy)
    case 12, 13: try record(copy)
    case 14: try changeRecorded(copy)
    default: try plan(copy)
    }
  }

  private struct FoundSet {
    var id: HistorySetRow.ID
    var key: String
    var correction: String?
    var weight: String?
    var count: String?

    init(_ row: Row) {
      id = row["id"]
      key = row["globalKey"]
      correction = (row["correctedReps"] as Int?).map { "\($0)" }
      weight = (row["weight"] as Double?).map { "\($0)" }
      count = (row["detectedReps"] as Int?).map { "\($0)" }
    }
  }

  private mutating func anySet(_ copy: Int) throws -> FoundSet? {
    try stores[copy].read { db in
      // Sets of recordings have no session.
      try Row.fetchAll(
        db, sql: "SELECT * FROM workout_set WHERE sessionKey <> '' ORDER BY globalKey"
      ).map(FoundSet.init)
    }.randomElement(using: &random)
  }

  /// Processes a recording with a random detector version, each of which finds other sets.
  private mutating func record(_ copy: Int) throws {
    let number = Double(Int.random(in: 0..<2, using: &random))
    let found: [[(Double, Double)]] = [
      [(5, 9), (15, 19)], [(5, 19)], [(6, 9), (14, 20), (23, 26)], [(15, 20)], [],
    ]
    let sets = found.randomElement(using: &random) ?? []
    try stores[copy].save(
      Recording(
        name: "R",
        samples: MotionBatch([
          .time: (0..<300).map { Double($0) / 10 },
          .rotationRateX: (0..<300).map { number + Double($0) },
        ])),
      sets: sets.map { Example.set(.detected, $0, $1, reps: 1) })
  }

  private mutating func changeRecorded(_ copy: Int) throws {
    let set = try stores[copy].read {
      // Samples are required: without known samples, other copies delete a deleted set completely.
      try Row.fetchAll(
        $0,
        sql: """
          SELECT s.* FROM workout_set s JOIN segment g ON g.setId = s.id
          WHERE s.sessionKey = '' ORDER BY s.key
          """
      ).map(FoundSet.init)
    }.randomElement(using: &random)
    guard let set else { return }
    if Bool.random(using: &random) {
      try stores[copy].delete(set: set.id)
    } else {
      try stores[copy].correct(set: set.id, reps: nextValue())
    }
  }

  private mutating func addSet(_ copy: Int, key: String? = nil) throws {
    let key =
      key ?? "W\(Int.random(in: 0..<3, using: &random))/S\(Int.random(in: 0..<4, using: &random))"
    let name = SetName(globalKey: key)
    let reps = nextValue()
    let isAdded = try stores[copy].write { db -> Bool in
      // As in the library, deleted samples do not come back.
      let isDeleted = try Bool.fetchOne(
        db,
        sql: """
          SELECT EXISTS (SELECT 1 FROM deleted_samples WHERE recordingKey = ? AND sessionKey = ?)
          """, arguments: [name.key, name.session])
      guard isDeleted == false, try HistoryStore.setId(db, name, user: 1) == nil else {
        return false
      }
      try db.execute(
        """
        INSERT INTO workout (userId, key, sessionId, date) VALUES (1, ?1, ?1, 100)
        ON CONFLICT DO NOTHING
        """, name.session)
      let workout = try HistoryWorkoutRow.ID.fetchOne(
        db, sql: "SELECT id FROM workout WHERE key = ?", arguments: [name.session])
      try db.execute(
        """
        INSERT INTO workout_exercise (userId, workoutId, key, "order") VALUES (1, ?, 'E', 0)
        ON CONFLICT DO NOTHING
        """, workout)
      try db.execute(
        """
        INSERT INTO workout_set (userId, exerciseId, sessionKey, key, "order", cause, detectedReps,
          confidence)
        SELECT 1, id, ?, ?, 0, 'detected', ?, 0.5 FROM workout_exercise
        WHERE workoutId = ? AND key = 'E'
        """, name.session, name.key, reps, workout)
      return true
    }
    if isAdded { note("\(key) count", on: copy, "\(reps)", replacing: nil) }
  }

  private mutating func correct(_ copy: Int) throws {
    guard let set = try anySet(copy) else { return }
    let reps = Int.random(in: 0..<5, using: &random) == 0 ? nil : nextValue()
    try stores[copy].correct(set: set.id, reps: reps)
    let value = reps.map { "\($0)" }
    // Revoking a correction that does not exist is not an edit.
    if value != set.correction {
      note("\(set.key) correction", on: copy, value, replacing: set.correction)
    }
  }

  private mutating func weigh(_ copy: Int) throws {
    guard let set = try anySet(copy) else { return }
    let weight = Double(nextValue()) + 0.1
    try stores[copy].update(set: set.id, weight: weight)
    note("\(set.key) weight", on: copy, "\(weight)", replacing: set.weight)
  }

  private mutating func recount(_ copy: Int) throws {
    guard let set = try anySet(copy) else { return }
    let reps = nextValue()
    try stores[copy].run(
      "UPDATE workout_set SET detectedReps = ?, confidence = 0.7 WHERE id = ?", reps, set.id)
    note("\(set.key) count", on: copy, "\(reps)", replacing: set.count)
  }

  private mutating func removeByMachine(_ copy: Int) throws {
    guard let set = try anySet(copy) else { return }
    let isRemoved = try stores[copy].write { db -> Bool in
      let workout = try HistoryWorkoutRow.ID.fetchOne(
        db,
        sql: """
          SELECT e.workoutId FROM workout_set s JOIN workout_exercise e ON e.id = s.exerciseId
          WHERE s.id = ?
          """, arguments: [set.id])
      try db.execute("DELETE FROM workout_set WHERE id = ? AND correctedReps IS NULL", set.id)
      let isRemoved = db.changesCount > 0
      if let workout { try HistoryStore.removeEmptyParents(db, workout: workout) }
      return isRemoved
    }
    if isRemoved { fates[set.key, default: Fate()].wasRemoved = true }
  }

  private mutating func deleteSet(_ copy: Int) throws {
    guard let set = try anySet(copy) else { return }
    try stores[copy].delete(set: set.id)
    note("\(set.key) fate", on: copy, "deleted", replacing: nil)
  }

  private mutating func deleteWorkout(_ copy: Int) throws {
    let row = try stores[copy].read {
      try Row.fetchOne($0, sql: "SELECT id, key FROM workout ORDER BY key")
    }
    guard let row else { return }
    try stores[copy].delete(workout: try row.value("id"))
    for key in (0..<4).map({ "\(row["key"] as String)/S\($0)" }) {
      fates[key, default: Fate()].wasDeletedWithWorkout = true
    }
  }

  private mutating func undo(_ copy: Int) throws {
    let store = stores[copy]
    let keys = try store.read { db in
      try db.values(
        """
        SELECT coalesce(setKey, recordingKey) AS key FROM deleted_samples
        WHERE userId = 1 AND recordingKey <> '' GROUP BY key ORDER BY min(id)
        """, as: DeletedSamples.Key.self)
    }.filter { $0.rawValue.hasPrefix("S") }
    guard let key = keys.randomElement(using: &random) else { return }
    let sessions = try store.read {
      try String.fetchAll(
        $0,
        sql: """
          SELECT DISTINCT sessionKey FROM deleted_samples WHERE recordingKey = ? ORDER BY sessionKey
          """, arguments: [key])
    }
    try store.undoDeletion(of: key)
    for session in sessions {
      note("\(session)/\(key) fate", on: copy, "undone", replacing: nil)
      try addSet(copy, key: "\(session)/\(key)")
    }
  }

  private mutating func plan(_ copy: Int) throws {
    let store = stores[copy]
    let uuid: WorkoutPlan.Key = "P\(Int.random(in: 0..<3, using: &random))"
    switch Int.random(in: 0..<6, using: &random) {
    case 0: try store.plans.activate((try store.plans.plan(uuid))?.uuid)
    case 1:
      if try store.plans.plan(uuid) != nil {
        try store.plans.delete(uuid)
        note("\(uuid) fate", on: copy, "deleted", replacing: nil)
      }
    case 2:
      let exercise: CatalogExercise.Key = "X\(Int.random(in: 0..<2, using: &random))"
      let visible = try Self.name(ofExercise: exercise, store)
      let name = "Exercise \(nextValue())"
      try store.catalog.save(CatalogExercise(uuid: exercise, name: name, muscleGroup: .core))
      note("\(exercise) name", on: copy, name, replacing: visible)
    case 3:
      var user = try #require(try store.users.user(store.users.all()[0].uuid))
      let visible = user.weight.map { "\($0)" }
      // Body weight in kilograms, which cannot be 0.
      let weight = 50 + Double(nextValue()) / 16
      user.weight = weight
      try store.users.save(user)
      note("user weight", on: copy, "\(weight)", replacing: visible)
    default:
      // A plan deleted here no longer exists for its person.
      let isDeleted = try store.read {
        try Bool.fetchOne(
          $0, sql: "SELECT EXISTS (SELECT 1 FROM tombstone WHERE key = ? AND deleted)",
          arguments: [uuid])
      }
      guard isDeleted == false else { return }
      let visible = try Self.items(ofPlan: uuid, store)
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
      note("\(uuid) items", on: copy, Self.text(items), replacing: visible)
    }
  }

  private static func name(ofExercise uuid: CatalogExercise.Key, _ store: HistoryStore) throws
    -> String?
  {
    try store.read {
      try String.fetchOne(
        $0, sql: "SELECT name FROM exercise WHERE uuid = ?", arguments: [uuid])
    }
  }

  private static func items(ofPlan uuid: WorkoutPlan.Key, _ store: HistoryStore) throws -> String? {
    try store.plans.plan(uuid).map { text($0.items) }
  }

  private static func text(_ items: [PlanItem]) -> String {
    items.map(\.uuid.rawValue).joined(separator: " ")
  }

  // MARK: - Judging

  private func objects(_ store: HistoryStore) throws -> [String: SyncObject] {
    try store.read { db in
      var objects: [String: SyncObject] = [:]
      for table in SyncTable.all {
        for row in try Row.fetchAll(
          db, sql: SyncSession.query(table), arguments: [1])
        {
          var object = try SyncSession(db: db, user: .local).object(table, row).object
          // Stamps of flags that were never set need not be equal.
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
      await center.objects.filter { $0.values != nil }.map { "\($0.entity) \($0.key)" })
    if kept != Set(first.keys) {
      problems.append("the center has others: \(kept.symmetricDifference(first.keys))")
    }
    for (key, object) in first where object.entity == .recording {
      let name = SetName(globalKey: object.key)
      let deleted = try stores[0].read { try DeletedSamples.fetch($0, recording: name, user: 1) }
      var rows = [Int](repeating: 0, count: 300)
      for segment in try object.segments() {
        for row in segment.firstSample..<segment.firstSample + segment.sampleCount {
          rows[row] += 1
        }
      }
      for range in deleted { for row in range.rows(of: 300) { rows[row] += 1 } }
      // Two people may have deleted overlapping samples.
      if !rows.allSatisfy({ $0 > 0 }) { problems.append("samples of \(key) are lost") }
      for segment in try object.segments() where deleted.contains(where: { $0.touches(segment) }) {
        problems.append("samples of \(key) were deleted, and are there")
      }
    }
    for (index, store) in stores.enumerated() {
      let report = try store.verify()
      if !report.isIntact { problems.append("copy \(index) is damaged: \(report.problems)") }
    }
  }

  /// Checks that each field has the value of an edit that may be the last.
  private mutating func checkTruth() throws {
    let store = stores[0]
    for (field, edits) in edits.sorted(by: { $0.key < $1.key }) {
      let words = field.split(separator: " ").map(String.init)
      let (object, possible) = (words[0], edits.possible)
      if possible.isEmpty { problems.append("\(field): every edit is lost") }
      let value: String?
      switch (object.first, words[1]) {
      case (_, "fate"):
        try checkFate(of: object, possible)
        continue
      case ("P", _):
        if self.edits["\(object) fate"] != nil { continue }
        value = try Self.items(ofPlan: WorkoutPlan.Key(object), store)
      case ("X", _): value = try Self.name(ofExercise: CatalogExercise.Key(object), store)
      case ("u", _):
        value = try store.read {
          try Double.fetchOne($0, sql: "SELECT weight FROM user WHERE id = 1").map { "\($0)" }
        }
      default:
        let fate = fates[object] ?? Fate()
        if fate.wasDeletedWithWorkout || self.edits["\(object) fate"] != nil { continue }
        let set = try set(object)
        if set == nil, words[1] == "correction", possible.allSatisfy({ $0 != nil }) {
          problems.append("\(object) was corrected, and is gone")
        }
        if fate.wasRemoved { continue }
        if set == nil { problems.append("\(object) is gone") }
        value =
          switch words[1] {
          case "correction": set?.correction
          case "weight": set?.weight
          default: set?.count
          }
      }
      if !possible.contains(value) {
        problems.append(
          "\(field) is \(value ?? "-"), and should be \(possible.map { $0 ?? "-" }): \(edits.all)")
      }
    }
  }

  private func set(_ key: String) throws -> FoundSet? {
    try stores[0].read {
      try Row.fetchOne($0, sql: "SELECT * FROM workout_set WHERE globalKey = ?", arguments: [key])
        .map(FoundSet.init)
    }
  }

  /// Checks that deleted objects are gone, and that objects with an undone deletion exist.
  private mutating func checkFate(of object: String, _ possible: [String?]) throws {
    if object.first == "P" {
      if try stores[0].plans.plan(WorkoutPlan.Key(object)) != nil {
        problems.append("\(object) was deleted")
      }
      return
    }
    let fate = fates[object] ?? Fate()
    if fate.wasDeletedWithWorkout || Set(possible).count > 1 { return }
    let isThere = try set(object) != nil
    if possible == ["deleted"], isThere { problems.append("\(object) was deleted, and is there") }
    if possible == ["undone"], !isThere, !fate.wasRemoved {
      problems.append("\(object) came back, and is gone")
    }
  }
}
