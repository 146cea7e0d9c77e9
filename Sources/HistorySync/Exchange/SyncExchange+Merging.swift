import Foundation
import GRDB
import WorkoutHistory

package struct MergeReport: Sendable, Hashable {
  /// Number of objects that now equal the center's.
  package var applied = 0
  /// Number of objects with newer local fields, which are pending.
  package var kept = 0
  package var refused: [String] = []
}

extension SyncExchange {
  /// Merges objects from the center by the rules of `docs/sync.md`. Their ``SyncObject/references`` must be
  /// among them or stored here, recursively, and their samples received.
  ///
  /// - Parameter lostSamples: Digests of samples lost by the center. Recordings that need them are rejected.
  @discardableResult
  package func merge(
    _ objects: [SyncObject], through position: Int64, at time: Int64,
    user: HistoryUser.ID = .local, lostSamples: Set<String> = []
  ) throws -> MergeReport {
    let (report, hasDeletions) = try store.write(.merging) { db -> (MergeReport, Bool) in
      // Correct the clock first: the floor, set below, must not follow a wrong clock.
      try Self.setClock(db, to: time)
      let session = SyncSession(db: db, user: user)
      var merge = Merge(objects, in: session, at: time, lostSamples: lostSamples)
      do { try merge.run() } catch let missing as MissingSamples {
        throw HistoryError.invalidValue(
          reason: "the samples \(missing.digest) of recording \(missing.recording) have not come")
      }
      try db.execute("DELETE FROM sync_blob WHERE length(data) = size")
      if merge.hasDeletions { try HistoryPatterns.forget(db, user: user) }
      try session.setPosition(position)
      try db.execute("UPDATE clock SET floor = max(floor, time)")
      return (merge.report, merge.hasDeletions)
    }
    if hasDeletions { try store.reclaimSpace() }
    return report
  }
}

/// One merge, within a transaction.
private struct Merge {
  private typealias Name = SyncObject.Name

  private var db: Database { session.db }
  private var user: HistoryUser.ID { session.user }

  var report = MergeReport()
  /// True if rows were deleted.
  var hasDeletions = false
  /// Written recordings, with the center's version.
  private var recordings: [(row: Int64, remote: SyncObject)] = []
  private let session: SyncSession
  private let lostSamples: Set<String>
  /// The objects, referenced ones first.
  private let objects: [SyncObject]
  private let byName: [Name: SyncObject]

  init(_ objects: [SyncObject], in session: SyncSession, at time: Int64, lostSamples: Set<String>) {
    self.session = session
    self.lostSamples = lostSamples
    let objects = SyncEntity.allCases.flatMap { entity in
      objects.filter { $0.entity == entity }.map { $0.normalized() }
    }
    var refused: [Name: String] = [:]
    for object in objects {
      let parent = object.parent.flatMap { refused[$0] }
      // An object may occur twice; if one is rejected, so is the other.
      refused[object.name] =
        refused[object.name] ?? object.stampProblem(at: time) ?? object.valueProblem()
        ?? parent.map { "\(object.entity) \(object.key) belongs to it: \($0)" }
    }
    report.refused = refused.values.sorted()
    self.objects = objects.filter { refused[$0.name] == nil }
    byName = Dictionary(self.objects.map { ($0.name, $0) }, uniquingKeysWith: { _, last in last })
  }

  mutating func run() throws {
    // Local changes from now on are later than all received ones.
    try db.execute(
      "UPDATE clock SET time = max(time, ?)", objects.map(\.latestStamp.time).max() ?? 0)
    var gone: [(local: PendingObject, joined: SyncObject, remote: SyncObject)] = []
    // Apply deletions of samples before recordings, so that deleted samples do not come back.
    let first = objects.filter { $0.entity == .deletedSamples }
    let others = objects.filter { $0.entity != .deletedSamples }
    for remote in first + others {
      let local = try session.object(remote.entity, key: remote.key)
      var joined = join(local.object, remote)
      if try isAlive(&joined, row: nil) {
        try write(joined, over: local, remote: remote)
      } else if remote.entity == .deletedSamples || local.row == nil {
        try end(joined, row: local.row, remote: remote)
      } else {
        gone.append((local, joined, remote))
      }
    }
    // Delete children before their parents, to know whether a parent is empty.
    for (local, ended, remote) in gone.reversed() {
      var joined = ended
      if let row = local.row, try isAlive(&joined, row: row) {
        try write(joined, over: local, remote: remote)
      } else {
        try end(joined, row: local.row, remote: remote)
      }
    }
    // Recordings whose samples were cut here are pending: the center and other copies still have the samples.
    for (row, remote) in recordings
    where try session.segments(recording: HistoryRecordingRow.ID(row)) != remote.segments() {
      try session.markPending(recording: row)
    }
    try session.activateAwaitedPlan()
    // The active plan may have changed with the plans.
    try HistoryPlans.markOwnerChanged(db, user)
  }

  /// Deletes the row of an object and leaves a tombstone.
  private mutating func end(_ joined: SyncObject, row: Int64?, remote: SyncObject) throws {
    let reason = try refusal {
      var cut: (recording: HistoryRecordingRow.ID, segments: [SyncSegment])?
      if let row {
        if joined.entity == .historySet { cut = try session.detachSegments(ofSet: row) }
        try db.execute("DELETE FROM \(SyncTable.of(joined.entity).name) WHERE id = ?", row)
        hasDeletions = true
      }
      var ended = joined
      ended.values = nil
      ended.stamps = [:]
      try settle(ended, row: nil, isPending: ended != remote)
      if let (recording, segments) = cut {
        try session.rewrite(segments, recording: recording)
      }
    }
    if let reason { refuse(joined, reason) }
  }

  /// Performs a step in a savepoint. Returns the reason for a failure; nil if it succeeded.
  private func refusal(_ step: () throws -> Void) throws -> String? {
    do {
      try db.inSavepoint {
        try step()
        return .commit
      }
    } catch let error as RuleViolation { return "\(error)" } catch let error as DatabaseError
      where error.resultCode == .SQLITE_CONSTRAINT
    { return error.message ?? "\(error)" } catch HistoryError.invalidValue(let reason) {
      return reason
    } catch HistoryError.notFound(let reference) {
      return "nothing here is \(reference)"
    }
    return nil
  }

  private mutating func refuse(_ object: SyncObject, _ reason: String) {
    report.refused.append("\(object.entity) \(object.key): \(reason)")
  }

  private func join(_ local: SyncObject, _ remote: SyncObject) -> SyncObject {
    var joined = local
    if local.values != nil, remote.values != nil {
      joined = local.fieldsJoined(with: remote)
    } else if local.values == nil {
      joined.values = remote.values
      joined.stamps = remote.stamps
    }
    joined.deletion = local.deletion.joined(with: remote.deletion)
    joined.removal = local.removal.joined(with: remote.removal)
    return joined
  }

  /// Returns whether an object exists after the merge. An object removed by a detector remains if a person
  /// corrected or named it, or if it still has children, which `row` finds once they are merged.
  private func isAlive(_ joined: inout SyncObject, row: Int64?) throws -> Bool {
    if joined.deletion.isSet || joined.values == nil { return false }
    guard joined.removal.isSet else { return true }
    let isWanted =
      switch joined.entity {
      case .historySet:
        ["correctedReps", "notes", "exerciseSource"].contains { joined.value($0) != .null }
      case .historyExercise: try row.map { try has("workout_set", "exerciseId", $0) } ?? false
      case .workoutHistory:
        try row.map {
          try has("workout_exercise", "workoutId", $0) || has("recording", "workoutId", $0)
        } ?? false
      default: false
      }
    if isWanted { joined.removal = SyncRegister(isSet: false, stamp: try nextStamp()) }
    return isWanted
  }

  private func has(_ table: String, _ column: String, _ id: Int64) throws -> Bool {
    try db.exists("SELECT 1 FROM \(table) WHERE \(column) = ?", id)
  }

  private func nextStamp() throws -> SyncStamp {
    try HistoryClock.use(db) { $0.tick() }
  }

  private mutating func write(
    _ object: SyncObject, over local: PendingObject, remote: SyncObject
  ) throws {
    var object = object
    var hasParent = false
    let problem = try refusal { hasParent = try self.hasParent(object) }
    if let problem { return refuse(object, problem) }
    guard hasParent else {
      // The object belongs to one that a person has deleted.
      object.deletion = SyncRegister(isSet: true, stamp: try nextStamp())
      try end(object, row: local.row, remote: remote)
      report.kept += 1
      return
    }
    if object == local.object {
      try settle(object, row: local.row, isPending: object != remote)
      if object != remote { report.kept += 1 }
      return
    }
    var row = local.row
    let reason = try refusal {
      do {
        row = try session.write(object, id: local.row, changing: changed(object, local.object))
      } catch let missing as MissingSamples where lostSamples.contains(missing.digest) {
        throw HistoryError.invalidValue(
          reason: "the center does not have its samples \(missing.digest)")
      }
    }
    if let reason { return refuse(object, reason) }
    guard let row else { return }
    try settle(object, row: row, isPending: object != remote, isWritten: true)
    if object.entity == .recording { recordings.append((row, remote)) }
    if object.entity == .deletedSamples { hasDeletions = true }
    if object == remote { report.applied += 1 } else { report.kept += 1 }
  }

  private func changed(_ object: SyncObject, _ local: SyncObject) -> Set<String> {
    Set(
      SyncTable.of(object.entity).fields.filter { field in
        local.values == nil
          || field.members.contains { object.value($0.name) != local.value($0.name) }
      }.map(\.name))
  }

  /// Returns whether the object's parent exists. Restores a parent that only a detector removed.
  private mutating func hasParent(_ object: SyncObject) throws -> Bool {
    guard let name = object.parent else { return true }
    let parent = try session.object(name.entity, key: name.key)
    if parent.row != nil { return true }
    guard !parent.object.deletion.isSet else { return false }
    guard let remote = byName[name] else {
      throw HistoryError.invalidValue(
        reason: "\(name.entity) \(name.key), which it belongs to, is not here and did not come")
    }
    var joined = join(parent.object, remote)
    // The parent stays deleted if it belongs to an object that a person deleted.
    guard !joined.deletion.isSet, joined.values != nil, try hasParent(joined) else {
      return false
    }
    joined.removal = SyncRegister(isSet: false, stamp: try nextStamp())
    try write(joined, over: parent, remote: remote)
    return true
  }

  /// Stores the object's stamps, its tombstone if any, and whether it differs from the center's.
  private func settle(
    _ object: SyncObject, row: Int64?, isPending: Bool, isWritten: Bool = false
  ) throws {
    let number = try HistoryClock.use(db) { $0.nextNumber() }
    let changedAt = object.latestStamp.milliseconds
    if let row {
      let fields = object.stamps.filter { $0.key != "" }
      if isWritten {
        // The row is sealed at the end of the transaction, and its fields recorded as written.
        try db.execute(
          "UPDATE \(SyncTable.of(object.entity).name) SET checksum = NULL WHERE id = ?", row)
      }
      try db.execute(
        """
        INSERT INTO stamp (entity, row, userId, key, number, changedAt, isPending, syncedAt, created,
          fields, fieldChecksums)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, x'')
        ON CONFLICT DO UPDATE SET number = CASE WHEN created = ?9 AND fields = ?10 THEN number
            ELSE ?5 END,
          changedAt = ?6, isPending = ?7, syncedAt = coalesce(?8, syncedAt), created = ?9,
          fields = ?10, fieldChecksums = CASE WHEN ?11 THEN x'' ELSE fieldChecksums END,
          checksum = NULL
        """, object.entity.rawValue, row, try owner(object.entity, row: row), object.key,
        number,
        changedAt, isPending, isPending ? nil : Date().timeIntervalSince1970,
        object.stamps[""]?.text ?? "", try SyncStamp.text(of: fields), isWritten)
    }
    guard object.deletion != SyncRegister() || object.removal != SyncRegister() else { return }
    try Tombstone(
      user: user.rawValue, entity: object.entity, key: object.key, deletion: object.deletion,
      removal: object.removal
    ).save(db, number: number, changedAt: changedAt, isPending: isPending)
  }

  private func owner(_ entity: SyncEntity, row: Int64) throws -> Int64? {
    guard entity == .exerciseTemplate else { return user.rawValue }
    return try db.row("SELECT userId FROM exercise WHERE id = ?", row).value("userId")
  }
}
