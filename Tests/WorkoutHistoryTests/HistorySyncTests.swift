import Foundation
import GRDB
import Motion
import TestSupport
import Testing

@testable import HistorySync
@testable import MotionSynthesis
@testable import WorkoutHistory

@Suite struct HistorySyncTests {
  let (folder, store): (TemporaryFolder, HistoryStore)

  init() throws { (folder, store) = try HistoryStore.temporary() }

  @Test func feedHasMetadataAndNoSamples() throws {
    try store.live()
    let changes = try store.sync.changes()
    #expect(changes.map(\.number) == changes.map(\.number).sorted())
    #expect(Set(changes.map(\.entity)) == Set(SyncEntity.listed))
    let set = try #require(changes.first { $0.entity == .historySet })
    let metadata = try #require(set.metadata)
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(metadata.utf8)) as? [String: Any])
    #expect(object["detectedReps"] as? Int == 9)
    #expect(object["exercise"] as? String == "W/E1")
    #expect(changes.allSatisfy { ($0.metadata ?? "").count < 2000 })
    #expect(!changes.contains { $0.metadata?.contains("timeline") == true })
  }

  /// Every change of a synced column is recorded, by any statement.
  @Test func everySyncedColumnIsWatched() throws {
    try store.live()
    var untried: [String] = []
    for entity in SyncEntity.listed {
      let table = SyncTable.of(entity).name
      let watched = try store.read { db in
        try db.columns(in: table).map(\.name)
      }.filter {
        ![
          "id", "lastLoginDate", "createdAt", "recordingId", "position", "timestamp", "clockStart",
          "clockEnd", "detector",
          "correctedAt", "actualReps", "sortDate", "workoutDate", "foldedName", "userId", "setId",
          "checksum", "globalKey", "isActive",
        ].contains($0)
      }
      for column in watched {
        try store.sync.acknowledge(try store.sync.pendingObjects(limit: 1000), position: 1)
        let before = try store.sync.lastChangeNumber()
        let changed = try store.write { db -> Bool in
          let type = try String.fetchOne(
            db, sql: "SELECT type FROM pragma_table_info('\(table)') WHERE name = ?",
            arguments: [column])
          let id = try Int64.fetchOne(db, sql: "SELECT min(id) FROM \(table)")
          for value in type == "TEXT"
            ? ["'Treino Z'", "'completed'", "'detected'", "'legs'", "'https://a.b'"]
            : ["NULL", "1", "0", "2", "90"]
          {
            do {
              try db.inSavepoint {
                try db.execute(
                  """
                  UPDATE \(table) SET "\(column)" = \(value)
                  WHERE id = ? AND "\(column)" IS NOT \(value)
                  """, id)
                return .commit
              }
              if db.changesCount > 0 { return true }
            } catch { continue }
          }
          return false
        }
        guard changed else {
          untried.append("\(entity).\(column)")
          continue
        }
        let changes = try store.sync.changes(since: before)
        #expect(changes.contains { $0.entity == entity && !$0.isSynced }, "\(entity).\(column)")
      }
    }
    // Columns whose constraints allow no trial value.
    #expect(
      untried == [
        "exerciseTemplate.defaultRestTime", "workoutHistory.status", "historyExercise.workoutId",
        "historySet.exerciseId", "historySet.exerciseSource",
      ])
  }

  @Test func objectChangedDuringSendingStaysPending() throws {
    try store.live()
    let sent = try store.sync.pendingObjects(limit: 1000)
    try store.correct(set: "X", reps: 10)
    try store.sync.acknowledge(sent, position: 1)
    let pending = try store.sync.changes(pendingOnly: true)
    #expect(pending.map(\.key) == ["W/X"])
    #expect(try store.workouts.page().allSatisfy(\.isSynced))
    try store.sync.acknowledge(try store.sync.pendingObjects(limit: 1000), position: 2)
    #expect(try store.sync.changes(pendingOnly: true).isEmpty)
    try store.correct(set: "X", reps: 10)
    #expect(try store.sync.changes(pendingOnly: true).isEmpty, "the same word again")
  }

  @Test func deletionsAreInTheFeed() throws {
    try store.live()
    let since = try store.sync.lastChangeNumber()
    try store.delete(set: try #require(try store.set("X")).id)
    try store.plans.delete("P")
    let deleted = try store.sync.changes(since: since).filter(\.isDeletion)
    #expect(deleted.contains { $0.entity == .historySet && $0.key == "W/X" && $0.metadata == nil })
    #expect(deleted.contains { $0.entity == .workoutPlan && $0.key == "P" })
  }

  @Test func feedPagesCoverAllChanges() throws {
    try store.live()
    let all = try store.sync.changes()
    var paged: [HistoryChange] = []
    while case let page = try store.sync.changes(since: paged.last?.number ?? 0, limit: 3),
      !page.isEmpty
    {
      paged += page
    }
    #expect(paged == all)
    #expect(try store.sync.changes(since: try store.sync.lastChangeNumber()).isEmpty)
    #expect(
      try store.sync.changes(user: 99).map(\.entity) == [.exerciseTemplate, .exerciseTemplate])
  }
}
