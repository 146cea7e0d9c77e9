import Foundation
import GRDB
import Motion
import TestSupport
import Testing

@testable import HistorySync
@testable import WorkoutHistory

/// AppUser of the seed, which owns every row.
@Suite struct HistoryUserTests {
  let (folder, store): (TemporaryFolder, HistoryStore)
  var path: String { store.path }

  init() throws { (folder, store) = try HistoryStore.temporary() }

  @Test func everyFieldRoundTrips() throws {
    var user = HistoryUser(uuid: "U", name: " João Silva ")
    user.email = "joao@email.com"
    user.providerId = "firebase-1"
    user.birthDate = 500_000_000
    user.gender = "male"
    user.height = 1.8
    user.weight = 82.5
    user.locale = "pt_BR"
    user.createdAt = 1_700_000_000
    user.lastLoginDate = 1_700_000_500
    user.subscriptionType = .premium
    user.subscriptionStartDate = 1_700_000_000
    user.subscriptionValidUntil = 1_731_536_000
    let saved = try store.users.save(user)
    user.name = "João Silva"
    user.id = saved.id
    #expect(saved == user)
    #expect(try store.users.user("U") == saved)
    #expect(try store.users.user("firebase-1") == saved)
    #expect(try store.users.all().map(\.name) == ["local", "João Silva"])
  }

  @Test func userRulesAreEnforced() throws {
    func violation(_ change: (inout HistoryUser) -> Void) -> RuleViolation? {
      var user = HistoryUser(uuid: "U", name: "Ana")
      change(&user)
      do {
        try store.users.save(user)
        return nil
      } catch { return error as? RuleViolation }
    }
    #expect(violation { _ in } == nil)
    #expect(violation { $0.name = " " } == .missing(.userName))
    #expect(violation { $0.height = 180 }?.description.contains("between 0.3 and 3 m") == true)
    #expect(violation { $0.weight = .nan } != nil)
    #expect(
      violation { $0.birthDate = Date(timeIntervalSince1970: .infinity) } == .notADate(.birthDate))
    #expect(violation { $0.providerId = "p" } == nil)
    #expect(
      violation {
        $0.uuid = "V"
        $0.providerId = "p"
      } == .providerIdTaken("p"))
  }

  @Test func usersAreInactiveAfterSevenDays() throws {
    var user = HistoryUser(uuid: "U", name: "Ana")
    user.lastLoginDate = 1_000_000
    try store.users.save(user)
    #expect(try store.users.inactive(at: 1_000_000 + 7 * 86_400 - 1).isEmpty)
    #expect(try store.users.inactive(at: 1_000_000 + 7 * 86_400).map(\.uuid) == ["U"])
  }

  /// Fills every table that has an owner.
  private func live(_ user: HistoryUser.ID, _ prefix: String) throws {
    var own = CatalogExercise(uuid: "\(prefix)E", name: prefix + "press", muscleGroup: .chest)
    own.userId = user
    own.muscles = [prefix + "muscle"]
    own.type = prefix + "type"
    own.furtherMuscleGroups = [.triceps]
    try store.catalog.save(own)
    try store.plans.save(TrainingSplit(uuid: "\(prefix)S", name: "Split"), user: user)
    let item = PlanItem(
      uuid: "\(prefix)I",
      .exercise(
        PlannedExercise(exercise: "\(prefix)E", .repetitions(sets: 3, reps: 9, restTime: 60))))
    var plan = WorkoutPlan(uuid: "\(prefix)P", items: [item])
    plan.split = "\(prefix)S"
    try store.plans.save(plan, user: user)
    let workout = try store.workouts.start(
      "\(prefix)W", at: 1_700_000_000, plan: "\(prefix)P", user: user)
    for (index, set) in ["X", "Y"].enumerated() {
      let start = Date(timeIntervalSince1970: 1_700_000_000 + Double(index) * 100)
      try workout.startSet("\(prefix)\(set)", exercise: "\(prefix)E", at: start)
      try workout.add(health: [
        HealthReading(unixTime: start.timeIntervalSince1970 + 1, heartRateBPM: 120)
      ])
      try store.save(
        Recording(
          name: prefix + set,
          identity: SetIdentity(
            sessionId: prefix + "W", exerciseId: prefix + "E", setId: prefix + set),
          samples: Example.samples(seed: UInt64(index + 1))),
        sets: [Example.set(.declared, 101, 120, reps: 9)], user: user)
      try workout.endSet(at: start + 60)
    }
    try workout.end(at: 1_700_000_400)
    try store.delete(set: try #require(try store.set("\(prefix)Y", user: user)).id)
    try store.patterns.set(
      StoredPattern(version: 1, data: [1, 2, 3]), ofExercise: prefix + "E", user: user)
    let open = try store.workouts.start("\(prefix)V", at: 1_700_001_000, user: user)
    try open.startSet("\(prefix)Z", exercise: "\(prefix)E", at: 1_700_001_000)
    try open.add(health: [HealthReading(unixTime: 1_700_001_002, calories: 9)])
  }

  private func counts() throws -> [String: Int] {
    let tables = try store.read { db in
      try db.values(
        """
        SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
          AND name <> 'grdb_migrations'
        """, as: String.self)
    }
    return try Dictionary(uniqueKeysWithValues: tables.map { ($0, try store.count($0)) })
  }

  @Test func deletingAPersonLeavesNothing() throws {
    let other = try #require(try store.users.save(HistoryUser(uuid: "U2", name: "secretname")).id)
    try live(HistoryUser.ID.local, "local")
    let before = try counts()
    try live(other, "secret")
    for (table, count) in try counts() {
      #expect(
        count > 0 || table.hasPrefix("journal") || table.hasPrefix("sync"), "\(table) is filled")
    }
    try store.delete(user: other)
    var expected = before
    expected["user"] = 1
    // The person's tombstone.
    expected["stamp"]? -= 1
    expected["tombstone"]? += 1
    #expect(try counts() == expected)
    #expect(try store.sync.changes(since: 0).filter { $0.key.contains("secret") }.isEmpty)
    #expect(
      try store.sync.changes(since: 0).filter(\.isDeletion).map(\.key).contains(
        HistoryStore.keyOfDeleted("U2")))
    try store.close()
    // No file contains any of their texts.
    for suffix in ["", "-wal"] {
      guard let data = FileManager.default.contents(atPath: path + suffix) else { continue }
      #expect(data.range(of: Data("secret".utf8)) == nil, "\(suffix)")
    }
    #expect(throws: HistoryError.self) {
      try HistoryStore(path: path, mode: .readWrite).delete(user: 77)
    }
  }

  @Test func deletingTheLocalUserLeavesAnEmptyOne() throws {
    try live(HistoryUser.ID.local, "secret")
    try store.delete(user: HistoryUser.ID.local)
    for (table, count) in try counts() {
      #expect(
        count == (["user", "stamp", "tombstone", "clock"].contains(table) ? 1 : 0), "\(table)")
    }
    try store.save(
      Recording(name: "a", samples: Example.samples()), sets: Example.twoSets)
    #expect(try store.setCount() == 2)
  }
}
