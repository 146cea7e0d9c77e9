import Foundation
import GRDB
import Motion
import TestSupport
import Testing

@testable import MotionSynthesis
@testable import WorkoutHistory

@Suite struct HistorySyncTests {
  let folder: TemporaryFolder
  let store: HistoryStore
  let copy: HistoryStore

  init() throws {
    folder = try TemporaryFolder()
    store = try HistoryStore(path: folder.path("history.sqlite"), mode: .create)
    copy = try HistoryStore(path: folder.path("copy.sqlite"), mode: .create)
  }

  private func live() throws {
    try store.save(exercise: HistoryCatalogTests.benchPress())
    try store.save(exercise: CatalogExercise(uuid: "E2", name: "Prancha", muscleGroup: .core))
    try store.save(split: TrainingSplit(uuid: "SP", name: "ABC"))
    var plan = HistoryPlanTests.plan("P")
    plan.split = "SP"
    try store.save(plan: plan)
    let workout = try store.startWorkout("W", at: 1000, plan: "P")
    try workout.startSet("X", exercise: "E1", at: 1010)
    try store.save(
      Recording(
        name: "X", identity: SetIdentity(sessionId: "W", exerciseId: "E1", setId: "X"),
        samples: Example.samples()), sets: [Example.set(.declared, 101, 120, reps: 9)])
    try workout.endSet(at: 1050)
    try workout.end(at: 1100)
  }

  /// Takes over everything that has changed, as a client would.
  private func follow(since: Int64 = 0) throws -> [MergeOutcome] {
    try store.changes(since: since).map { try copy.merge($0) }
  }

  @Test func aCopyThatFollowsTheFeedIsTheSame() throws {
    try live()
    #expect(try follow().allSatisfy { $0 == .applied || $0 == .keptLocal })
    let mine = try store.changes().filter { $0.entity != .user }
    let theirs = try copy.changes().filter { $0.entity != .user }
    #expect(Set(mine.map(\.key)) == Set(theirs.map(\.key)))
    for change in mine {
      #expect(theirs.first { $0.key == change.key }?.metadata == change.metadata)
    }
    #expect(theirs.allSatisfy { $0.isSynced })
    #expect(try copy.plan("P")?.items == store.plan("P")?.items)
    #expect(try copy.searchCatalog("supino").map(\.uuid) == ["E1"])
    let set = try #require(try copy.set("X"))
    #expect(set.reps == 9 && set.sampleCount == 0, "samples stay where they are")
    #expect(try copy.statistics(of: .catalog("E1")).volume == 540)
    // Once more changes nothing.
    let number = try copy.lastChangeNumber()
    #expect(try follow().allSatisfy { $0 == .keptLocal })
    #expect(try copy.lastChangeNumber() == number)
  }

  @Test func theFeedHasMetadataAndNoSamples() throws {
    try live()
    let changes = try store.changes()
    #expect(changes.map(\.number) == changes.map(\.number).sorted())
    #expect(Set(changes.map(\.entity)) == Set(HistoryEntity.allCases))
    let set = try #require(changes.first { $0.entity == .historySet })
    let metadata = try #require(set.metadata)
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(metadata.utf8)) as? [String: Any])
    #expect(object["actualReps"] as? Int == 9)
    #expect(object["exercise"] as? String == "W/E1")
    #expect(changes.allSatisfy { ($0.metadata ?? "").count < 2000 })
    #expect(!changes.contains { $0.metadata?.contains("timeline") == true })
  }

  /// Whoever writes, and whatever: no change of a synced column escapes.
  @Test func everyColumnThatIsSentIsWatched() throws {
    try live()
    for entity in HistoryEntity.allCases {
      let watched = try store.read { db in
        try db.columns(in: entity.rawValue).map(\.name)
      }.filter {
        ![
          "id", "updatedAt", "changeNumber", "cloudSyncStatus", "lastCloudSync", "lastLoginDate",
          "createdAt", "recordingId", "position", "timestamp", "clockStart", "clockEnd", "detector",
          "correctedAt", "actualReps", "sortDate", "workoutDate", "foldedName", "userId", "setId",
          "checksum", "globalKey",
        ].contains($0)
      }
      for column in watched {
        try store.markSynced(try store.changes(), at: 1)
        let before = try store.lastChangeNumber()
        let changed = try store.write { db -> Bool in
          let type = try String.fetchOne(
            db, sql: "SELECT type FROM pragma_table_info('\(entity.rawValue)') WHERE name = ?",
            arguments: [column])
          let id = try Int64.fetchOne(db, sql: "SELECT min(id) FROM \(entity.rawValue)")
          for value in type == "TEXT"
            ? ["'Treino Z'", "'completed'", "'detected'", "'legs'", "'https://a.b'"]
            : ["NULL", "1", "0", "2", "90"]
          {
            do {
              try db.inSavepoint {
                try db.execute(
                  sql: """
                    UPDATE \(entity.rawValue) SET "\(column)" = \(value)
                    WHERE id = ? AND "\(column)" IS NOT \(value)
                    """, arguments: [id])
                return .commit
              }
              if db.changesCount > 0 { return true }
            } catch { continue }
          }
          return false
        }
        guard changed else { continue }
        let changes = try store.changes(since: before)
        #expect(changes.contains { $0.entity == entity && !$0.isSynced }, "\(entity).\(column)")
      }
    }
  }

  @Test func whatChangesWhileItIsSentStaysPending() throws {
    try live()
    let sent = try store.changes(pendingOnly: true)
    try store.correct(set: "X", reps: 10)
    try store.markSynced(sent, at: 2000)
    let pending = try store.changes(pendingOnly: true)
    #expect(pending.map(\.key) == ["W/X"])
    #expect(try store.workouts().allSatisfy(\.isSynced))
    try store.markSynced(pending, at: 2001)
    #expect(try store.changes(pendingOnly: true).isEmpty)
    try store.correct(set: "X", reps: 10)
    #expect(try store.changes(pendingOnly: true).isEmpty, "the same word again")
    #expect(
      try store.read { try Double.fetchOne($0, sql: "SELECT lastCloudSync FROM historySet") }
        == 2001)
  }

  @Test func pagesOfTheFeedJoinToTheWhole() throws {
    try live()
    let all = try store.changes()
    var paged: [HistoryChange] = []
    while case let page = try store.changes(since: paged.last?.number ?? 0, limit: 3), !page.isEmpty
    {
      paged += page
    }
    #expect(paged == all)
    #expect(try store.changes(since: try store.lastChangeNumber()).isEmpty)
    #expect(try store.changes(user: 99).map(\.entity) == [.exerciseTemplate, .exerciseTemplate])
  }

  @Test func deletionsAreInTheFeedAndWin() throws {
    try live()
    _ = try follow()
    let since = try store.lastChangeNumber()
    try store.delete(set: try #require(try store.set("X")).id)
    try store.delete(plan: "P")
    let changes = try store.changes(since: since)
    let deleted = changes.filter(\.isDeletion)
    #expect(deleted.contains { $0.entity == .historySet && $0.key == "W/X" && $0.metadata == nil })
    #expect(deleted.contains { $0.entity == .workoutPlan && $0.key == "P" })
    // The other side corrects the set afterwards: it has gone nonetheless.
    try copy.correct(set: "X", reps: 99, at: 9e9)
    let correction = try #require(
      try copy.changes(pendingOnly: true).first { $0.entity == .historySet })
    #expect(try store.merge(correction) == .ignored)
    #expect(try store.set("X") == nil)
    for change in changes { try copy.merge(change) }
    #expect(try copy.set("X") == nil)
    #expect(try copy.plan("P") == nil)
    #expect(try copy.workout("W") == nil)
    try store.forgetDeletions(through: try store.lastChangeNumber())
    #expect(try store.changes(since: since).filter(\.isDeletion).isEmpty)
  }

  /// A set as another copy sends it: one of before version 5 of the schema, which names no session.
  private func remote(
    updatedAt: Double, detected: Int, corrected: Int? = nil, correctedAt: Double? = nil
  ) -> HistoryChange {
    var members = [
      "\"key\":\"X\"", "\"exercise\":\"W/E1\"", "\"detectedReps\":\(detected)",
      "\"cause\":\"declared\"", "\"order\":0",
    ]
    if let corrected { members.append("\"correctedReps\":\(corrected)") }
    if let correctedAt { members.append("\"correctedAt\":\(correctedAt)") }
    return HistoryChange(
      number: 1, entity: .historySet, key: "X", user: 7, isDeletion: false, isSynced: false,
      changedAt: updatedAt, metadata: "{" + members.joined(separator: ",") + "}")
  }

  @Test func newestWinsAndAPersonBeatsTheMachine() throws {
    try live()
    let far = 9e9
    // An older machine's count does nothing.
    #expect(try store.merge(remote(updatedAt: 1, detected: 3)) == .keptLocal)
    #expect(try store.set("X")?.machineReps == 9)
    // A newer one wins over a machine's.
    #expect(try store.merge(remote(updatedAt: far, detected: 8)) == .applied)
    #expect(try store.set("X")?.reps == 8)
    #expect(try store.changes(pendingOnly: true).allSatisfy { $0.key != "W/X" })
    // A person's word here stays, though the machine there counted later.
    try store.correct(set: "X", reps: 10, at: 5000)
    #expect(try store.merge(remote(updatedAt: far + 1, detected: 7)) == .merged)
    #expect(try store.set("X")?.reps == 10 && store.set("X")?.machineReps == 7)
    #expect(try store.changes(pendingOnly: true).contains { $0.key == "W/X" })
    // A later word there wins, an earlier one does not, whatever the age of the rest.
    #expect(
      try store.merge(remote(updatedAt: 1, detected: 1, corrected: 11, correctedAt: 4000))
        == .keptLocal)
    #expect(try store.set("X")?.reps == 10)
    #expect(
      try store.merge(remote(updatedAt: 1, detected: 1, corrected: 12, correctedAt: 6000))
        == .merged)
    #expect(try store.set("X")?.reps == 12 && store.set("X")?.machineReps == 7)
    // Taking a correction back is a person's word, too.
    #expect(
      try store.merge(remote(updatedAt: far + 2, detected: 7, correctedAt: 7000)) == .applied)
    #expect(try store.set("X")?.reps == 7)
  }

  /// Two copies that hear of each other's changes in either order agree.
  @Test func theOrderOfSendingDoesNotMatter() throws {
    var generator = RandomSource(seed: 11)
    try live()
    for round in 0..<30 {
      let a = try HistoryStore(path: folder.path("a\(round).sqlite"), mode: .create)
      let b = try HistoryStore(path: folder.path("b\(round).sqlite"), mode: .create)
      let base = try store.changes()
      for copy in [a, b] { for change in base { try copy.merge(change) } }
      let messages = (0..<4).map { _ in
        let time = Double(Int.random(in: 1...8, using: &generator)) * 2e9
        let person = Bool.random(using: &generator)
        return remote(
          updatedAt: time + Double.random(in: 0...1, using: &generator),
          detected: .random(in: 1...20, using: &generator),
          corrected: person ? .random(in: 1...20, using: &generator) : nil,
          correctedAt: person ? time + Double.random(in: 0...1, using: &generator) : nil)
      }
      for message in messages { try a.merge(message) }
      for message in messages.shuffled(using: &generator) { try b.merge(message) }
      #expect(try a.set("X")?.correctedReps == b.set("X")?.correctedReps)
      #expect(try a.set("X")?.machineReps == b.set("X")?.machineReps)
    }
  }

  @Test func whatIsNoChangeChangesNothing() throws {
    try live()
    func change(_ entity: HistoryEntity, _ key: String, _ json: String?) -> HistoryChange {
      HistoryChange(
        number: 1, entity: entity, key: key, user: 1, isDeletion: false, isSynced: false,
        changedAt: 9e9, metadata: json)
    }
    #expect(throws: HistoryError.self) { try store.merge(change(.split, "Z", "[]")) }
    #expect(throws: HistoryError.self) { try store.merge(change(.split, "Z", "{\"name\":\"\"}")) }
    #expect(throws: RuleViolation.self) {
      try store.merge(change(.exerciseTemplate, "Z", "{\"name\":\"a\",\"muscleGroup\":\"hair\"}"))
    }
    #expect(throws: RuleViolation.emptyPlan) { try store.merge(change(.workoutPlan, "Z", "{}")) }
    #expect(throws: HistoryError.self) {
      try store.merge(change(.workoutHistory, "Z", "{\"status\":\"lost\"}"))
    }
    #expect(try store.merge(change(.split, "Z", nil)) == .ignored)
    #expect(try store.merge(change(.historySet, "Z", "{\"exercise\":\"none/E\"}")) == .ignored)
    #expect(try store.merge(change(.historyExercise, "none/E", "{\"key\":\"E\"}")) == .ignored)
    #expect(try store.splits().map(\.name) == ["ABC"])
  }
}
