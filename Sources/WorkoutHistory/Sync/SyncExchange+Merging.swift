import Foundation
import GRDB

/// The result of a merge.
package struct MergeReport: Sendable, Hashable {
  /// Number of objects that now equal the centre's.
  package var applied = 0
  /// Number of objects with newer local fields, which are pending.
  package var kept = 0
  /// Objects that a rule of this history forbids, as sentences. They were not changed.
  package var refused: [String] = []

  package init() {}
}

extension SyncExchange {
  /// Merges objects that the centre sent: per field the later value wins, deletions apply, and a person's
  /// decision outranks a detector's. `docs/sync.md` states the rules.
  ///
  /// - Parameters:
  ///   - objects: The received objects. Their ``SyncObject/references`` must be among them or stored here,
  ///     recursively.
  ///   - position: The number of the centre's last change among them.
  ///   - time: The centre's current time, in milliseconds since 1970. Changes dated more than
  ///     ``SyncStamp/longestDrift`` after it are refused.
  ///   - lostSamples: Digests of samples that the centre has lost. Recordings that need them are refused.
  /// - Throws: ``HistoryError``, for example if samples were not received before. Nothing is changed then.
  @discardableResult
  package func merge(
    _ objects: [SyncObject], through position: Int64, at time: Int64,
    user: HistoryUser.ID = HistoryStore.localUser, lostSamples: Set<String> = []
  ) throws -> MergeReport {
    let (report, hasGone) = try store.write(.merging) { db -> (MergeReport, Bool) in
      // Correct the clock first: the floor, which is set below, must not follow a wrong clock.
      try Self.setClock(db, to: time)
      var merge = Merge(objects, at: time, user: user, lostSamples: lostSamples)
      do { try merge.run(db) } catch let missing as MissingSamples {
        throw HistoryError.invalidValue(
          reason: "the samples \(missing.digest) of recording \(missing.recording) have not come")
      }
      try db.execute(sql: "DELETE FROM sync_blob WHERE length(data) = size")
      if merge.hasGone { try HistoryPatterns.forget(db, user: user) }
      try Self.setPosition(db, position, user: user)
      try db.execute(sql: "UPDATE clock SET floor = max(floor, time)")
      return (merge.report, merge.hasGone)
    }
    if hasGone { try store.reclaimSpace() }
    return report
  }
}

/// One merge: part of a transaction.
private struct Merge {
  private typealias Name = SyncObject.Name

  var report = MergeReport()
  /// True if rows were deleted.
  var hasGone = false
  /// Written recordings, with the centre's version.
  private var recordings: [(row: Int64, remote: SyncObject)] = []
  private let user: HistoryUser.ID
  private let lostSamples: Set<String>
  /// The objects, those that others refer to first.
  private let objects: [SyncObject]
  private let byName: [Name: SyncObject]

  /// - Parameter time: The centre's time, in milliseconds since 1970.
  init(_ objects: [SyncObject], at time: Int64, user: HistoryUser.ID, lostSamples: Set<String>) {
    self.user = user
    self.lostSamples = lostSamples
    let objects = SyncEntity.allCases.flatMap { entity in
      objects.filter { $0.entity == entity }.map { $0.normalized() }
    }
    var refused: [Name: String] = [:]
    for object in objects {
      let parent = object.parent.flatMap { refused[$0] }
      // An object may occur twice: a problem of one applies to the other.
      refused[object.name] =
        refused[object.name] ?? object.stampProblem(at: time) ?? object.valueProblem()
        ?? parent.map { "\(object.entity) \(object.key) belongs to it: \($0)" }
    }
    report.refused = refused.values.sorted()
    self.objects = objects.filter { refused[$0.name] == nil }
    byName = Dictionary(self.objects.map { ($0.name, $0) }, uniquingKeysWith: { _, last in last })
  }

  mutating func run(_ db: Database) throws {
    // Local changes from now on are later than all received ones.
    try db.execute(
      sql: "UPDATE clock SET time = max(time, ?)",
      arguments: [objects.map(\.latestStamp.time).max() ?? 0])
    var gone: [(local: PendingObject, joined: SyncObject, remote: SyncObject)] = []
    // Deletions of samples are applied before recordings, so that deleted samples do not come back.
    let first = objects.filter { $0.entity == .deletedSamples }
    let others = objects.filter { $0.entity != .deletedSamples }
    for remote in first + others {
      let local = try SyncExchange.object(db, remote.entity, key: remote.key, user: user)
      var joined = join(local.object, remote)
      if try isAlive(db, &joined, row: nil) {
        try write(db, joined, over: local, remote: remote)
      } else if remote.entity == .deletedSamples || local.row == nil {
        try end(db, joined, row: local.row, remote: remote)
      } else {
        gone.append((local, joined, remote))
      }
    }
    // Children are deleted before their parents, since only then it is known whether a parent is empty.
    for (local, ended, remote) in gone.reversed() {
      var joined = ended
      if let row = local.row, try isAlive(db, &joined, row: row) {
        try write(db, joined, over: local, remote: remote)
      } else {
        try end(db, joined, row: local.row, remote: remote)
      }
    }
    // Samples that were cut here are pending: the centre and the other copies still have them.
    for (row, remote) in recordings
    where try SyncExchange.segments(db, recording: HistoryRecordingRow.ID(row)) != remote.segments()
    { try SyncExchange.markPending(db, recording: row) }
    try SyncExchange.activateAwaitedPlan(db, user: user)
    // The active plan may have changed with the plans.
    try HistoryPlans.touchOwner(db, user)
  }

  /// Deletes the row of an object, and leaves a tombstone.
  private mutating func end(
    _ db: Database, _ joined: SyncObject, row: Int64?, remote: SyncObject
  ) throws {
    let reason = try Self.refusal(db) {
      var cut: (recording: HistoryRecordingRow.ID, segments: [SyncSegment])?
      if let row {
        if joined.entity == .historySet { cut = try SyncExchange.looseSegments(db, ofSet: row) }
        try db.execute(
          cached: "DELETE FROM \(SyncTable.of(joined.entity).name) WHERE id = ?", arguments: [row])
        hasGone = true
      }
      var ended = joined
      ended.values = nil
      ended.stamps = [:]
      try settle(db, ended, row: nil, isPending: ended != remote)
      if let (recording, segments) = cut {
        try SyncExchange.rewrite(db, segments, recording: recording, user: user)
      }
    }
    if let reason { refuse(joined, reason) }
  }

  /// Performs a step in a savepoint.
  ///
  /// - Returns: The reason why it failed; nil if it succeeded.
  private static func refusal(_ db: Database, _ step: () throws -> Void) throws -> String? {
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

  /// Returns whether an object exists after the merge. An object that a detector removed stays if a person
  /// corrected its count, named its exercise or wrote notes, or if it still has children.
  ///
  /// - Parameter row: The object's row, if its children have been merged already.
  private func isAlive(_ db: Database, _ joined: inout SyncObject, row: Int64?) throws -> Bool {
    if joined.deletion.isSet || joined.values == nil { return false }
    guard joined.removal.isSet else { return true }
    let isWanted =
      switch joined.entity {
      case .historySet:
        ["correctedReps", "notes", "exerciseSource"].contains { joined.value($0) != .null }
      case .historyExercise: try row.map { try has(db, "workout_set", "exerciseId", $0) } ?? false
      case .workoutHistory:
        try row.map {
          try has(db, "workout_exercise", "workoutId", $0) || has(db, "recording", "workoutId", $0)
        } ?? false
      default: false
      }
    if isWanted { joined.removal = SyncRegister(isSet: false, stamp: try nextStamp(db)) }
    return isWanted
  }

  private func has(_ db: Database, _ table: String, _ column: String, _ id: Int64) throws -> Bool {
    try Bool.fetchOne(
      db, cached: "SELECT EXISTS (SELECT 1 FROM \(table) WHERE \(column) = ?)", arguments: [id])
      ?? false
  }

  private func nextStamp(_ db: Database) throws -> SyncStamp {
    try HistoryClock.use(db) { $0.tick() }
  }

  // MARK: - Writing

  /// Writes an object to its row.
  private mutating func write(
    _ db: Database, _ object: SyncObject, over local: PendingObject, remote: SyncObject
  ) throws {
    var object = object
    var hasParent = false
    let problem = try Self.refusal(db) { hasParent = try self.hasParent(db, object) }
    if let problem { return refuse(object, problem) }
    guard hasParent else {
      // The object belongs to one that a person has deleted.
      object.deletion = SyncRegister(isSet: true, stamp: try nextStamp(db))
      try end(db, object, row: local.row, remote: remote)
      report.kept += 1
      return
    }
    if object == local.object {
      try settle(db, object, row: local.row, isPending: object != remote)
      if object != remote { report.kept += 1 }
      return
    }
    var row = local.row
    let reason = try Self.refusal(db) {
      do {
        row = try SyncExchange.write(
          db, object, id: local.row, user: user, changing: changed(object, local.object))
      } catch let missing as MissingSamples where lostSamples.contains(missing.digest) {
        throw HistoryError.invalidValue(
          reason: "the centre does not have its samples \(missing.digest)")
      }
    }
    if let reason { return refuse(object, reason) }
    guard let row else { return }
    try settle(db, object, row: row, isPending: object != remote, isWritten: true)
    if object.entity == .recording { recordings.append((row, remote)) }
    if object.entity == .deletedSamples { hasGone = true }
    if object == remote { report.applied += 1 } else { report.kept += 1 }
  }

  /// Returns the names of the fields whose values change.
  private func changed(_ object: SyncObject, _ local: SyncObject) -> Set<String> {
    Set(
      SyncTable.of(object.entity).fields.filter { field in
        local.values == nil
          || field.members.contains { object.value($0.name) != local.value($0.name) }
      }.map(\.name))
  }

  /// Returns whether the object's parent exists. Restores a parent that only a detector removed.
  private mutating func hasParent(_ db: Database, _ object: SyncObject) throws -> Bool {
    guard let name = object.parent else { return true }
    let parent = try SyncExchange.object(db, name.entity, key: name.key, user: user)
    if parent.row != nil { return true }
    guard !parent.object.deletion.isSet else { return false }
    guard let remote = byName[name] else {
      throw HistoryError.invalidValue(
        reason: "\(name.entity) \(name.key), which it belongs to, is not here and did not come")
    }
    var joined = join(parent.object, remote)
    // The parent stays deleted if it belongs to an object that a person deleted.
    guard !joined.deletion.isSet, joined.values != nil, try hasParent(db, joined) else {
      return false
    }
    joined.removal = SyncRegister(isSet: false, stamp: try nextStamp(db))
    try write(db, joined, over: parent, remote: remote)
    return true
  }

  /// Stores the object's stamps, its tombstone if any, and whether it still differs from the centre's.
  private func settle(
    _ db: Database, _ object: SyncObject, row: Int64?, isPending: Bool, isWritten: Bool = false
  ) throws {
    let number = try HistoryClock.use(db) { clock in
      clock.number += 1
      return clock.number
    }
    let key = (
      user: user, entity: object.entity.rawValue, changedAt: object.latestStamp.milliseconds
    )
    if let row {
      let fields = object.stamps.filter { $0.key != "" }
      if isWritten {
        // The row is sealed at the end of the transaction, and its fields are recorded as written.
        try db.execute(
          cached: "UPDATE \(SyncTable.of(object.entity).name) SET checksum = NULL WHERE id = ?",
          arguments: [row])
      }
      try db.execute(
        cached: """
          INSERT INTO stamp (entity, row, userId, key, number, changedAt, isPending, syncedAt, created,
            fields, fieldChecksums)
          VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, x'')
          ON CONFLICT DO UPDATE SET number = CASE WHEN created = ?9 AND fields = ?10 THEN number
              ELSE ?5 END,
            changedAt = ?6, isPending = ?7, syncedAt = coalesce(?8, syncedAt), created = ?9,
            fields = ?10, fieldChecksums = CASE WHEN ?11 THEN x'' ELSE fieldChecksums END,
            checksum = NULL
          """,
        arguments: [
          key.entity, row, try owner(db, object.entity, row: row), object.key, number,
          key.changedAt, isPending, isPending ? nil : Date().timeIntervalSince1970,
          object.stamps[""]?.text ?? "", try SyncStamp.text(of: fields), isWritten,
        ])
    }
    guard object.deletion != SyncRegister() || object.removal != SyncRegister() else { return }
    try db.execute(
      cached: """
        INSERT INTO tombstone (userId, entity, key, deleted, deletedStamp, removed, removedStamp,
          isPending, number, changedAt)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET deleted = excluded.deleted, deletedStamp = excluded.deletedStamp,
          removed = excluded.removed, removedStamp = excluded.removedStamp,
          isPending = excluded.isPending, number = excluded.number, changedAt = excluded.changedAt,
          checksum = NULL
        """,
      arguments: [
        key.user, key.entity, object.key, object.deletion.isSet, object.deletion.stamp.text,
        object.removal.isSet, object.removal.stamp.text, isPending, number, key.changedAt,
      ])
  }

  /// Returns the owner's row; nil if the object is shared.
  private func owner(_ db: Database, _ entity: SyncEntity, row: Int64) throws -> Int64? {
    guard entity == .exerciseTemplate else { return user.rawValue }
    return try Row.fetchOne(
      db, cached: "SELECT userId FROM exercise WHERE id = ?", arguments: [row]
    ).value("userId")
  }
}
