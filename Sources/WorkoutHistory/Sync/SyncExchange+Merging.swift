import Foundation
import GRDB

/// What a merge has done.
public struct MergeReport: Sendable, Hashable {
  /// Objects that are now here as they are at the centre.
  public var applied = 0
  /// Objects of which something here is newer: they wait to be sent.
  public var kept = 0
  /// Objects that a rule of this history forbids, as sentences. They stay as they were.
  public var refused: [String] = []

  public init() {}
}

extension SyncExchange {
  /// Takes over objects that the centre sent: of each field the later value stays, what has gone
  /// goes, and a person's word outlives a machine's. `docs/sync.md` has the rules.
  ///
  /// - Parameters:
  ///   - objects: What they name (``SyncObject/references``) must be among them, or here, at every remove.
  ///   - position: The centre's last change among them.
  ///   - time: The centre's time now, in milliseconds since 1970. What was changed more than
  ///     ``SyncStamp/longestDrift`` after it is refused.
  ///   - lostSamples: Digests of samples that the centre cannot give: recordings that need them are
  ///     refused.
  /// - Throws: ``HistoryError``, as where samples were not received before; nothing was changed then.
  @discardableResult
  public func merge(
    _ objects: [SyncObject], through position: Int64, at time: Int64,
    user: HistoryUser.ID = HistoryStore.localUser, lostSamples: Set<String> = []
  ) throws -> MergeReport {
    let (report, hasGone) = try store.write(.merging) { db -> (MergeReport, Bool) in
      // The floor, which follows below, must not be where a wrong clock put it.
      try Self.setClock(db, to: time)
      var merge = Merge(objects, at: time, user: user, lostSamples: lostSamples)
      do {
        try merge.run(db)
      } catch let missing as MissingSamples {
        throw HistoryError.invalidValue(
          reason:
            "the samples \(missing.digest) of recording \(missing.recording) have not come")
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
  /// Whether rows were deleted.
  var hasGone = false
  /// Recordings that were written, with what the centre has.
  private var recordings: [(row: Int64, remote: SyncObject)] = []
  private let user: HistoryUser.ID
  private let lostSamples: Set<String>
  /// What others refer to comes first.
  private let objects: [SyncObject]
  private let byName: [Name: SyncObject]

  /// - Parameter time: The centre's, in milliseconds since 1970.
  init(
    _ objects: [SyncObject], at time: Int64, user: HistoryUser.ID, lostSamples: Set<String>
  ) {
    self.user = user
    self.lostSamples = lostSamples
    let objects = SyncEntity.allCases.flatMap { entity in
      objects.filter { $0.entity == entity }.map { $0.normalized() }
    }
    var refused: [Name: String] = [:]
    for object in objects {
      let parent = object.parent.flatMap { refused[$0] }
      // An object may come twice: what is wrong with one is wrong with the other.
      refused[object.name] =
        refused[object.name] ?? object.stampProblem(at: time) ?? object.valueProblem()
        ?? parent.map { "\(object.entity) \(object.key) belongs to it: \($0)" }
    }
    report.refused = refused.values.sorted()
    self.objects = objects.filter { refused[$0.name] == nil }
    byName = Dictionary(
      self.objects.map { ($0.name, $0) }, uniquingKeysWith: { _, last in last })
  }

  mutating func run(_ db: Database) throws {
    // What is done here from now on is later than all of them.
    try db.execute(
      sql: "UPDATE clock SET time = max(time, ?)",
      arguments: [objects.map(\.latestStamp.time).max() ?? 0])
    var gone: [(local: PendingObject, joined: SyncObject, remote: SyncObject)] = []
    // What must not come back is known before the recordings come.
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
    // What belongs to something goes before it: whether that is empty shows only then.
    for (local, ended, remote) in gone.reversed() {
      var joined = ended
      if let row = local.row, try isAlive(db, &joined, row: row) {
        try write(db, joined, over: local, remote: remote)
      } else {
        try end(db, joined, row: local.row, remote: remote)
      }
    }
    // What was cut here waits to be sent: the centre and the other copies have it still.
    for (row, remote) in recordings
    where try SyncExchange.segments(db, recording: HistoryRecordingRow.ID(row)) != remote.segments()
    {
      try SyncExchange.markPending(db, recording: row)
    }
    try SyncExchange.activateAwaitedPlan(db, user: user)
    // Which plan is active may have changed with the plans.
    try HistoryPlans.touchOwner(db, user)
  }

  /// Deletes the row of an object that has gone, and remembers that it has.
  private mutating func end(
    _ db: Database, _ joined: SyncObject, row: Int64?, remote: SyncObject
  ) throws {
    let reason = try Self.refusal(db) {
      var cut: (recording: HistoryRecordingRow.ID, segments: [SyncSegment])?
      if let row {
        if joined.entity == .historySet { cut = try SyncExchange.looseSegments(db, ofSet: row) }
        try db.execute(
          cached: "DELETE FROM \(SyncTable.of(joined.entity).name) WHERE id = ?",
          arguments: [row])
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

  /// Does a step as a whole, or not at all.
  ///
  /// - Returns: Why it cannot be done; nil where it was.
  private static func refusal(_ db: Database, _ step: () throws -> Void) throws -> String? {
    do {
      try db.inSavepoint {
        try step()
        return .commit
      }
    } catch let error as RuleViolation {
      return "\(error)"
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
      return error.message ?? "\(error)"
    } catch HistoryError.invalidValue(let reason) {
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

  /// Whether an object is there after the merge. What a machine removed is there nonetheless where a
  /// person has corrected it or written notes, or something belongs to it.
  ///
  /// - Parameter row: Of the object, where what belongs to it is merged already.
  private func isAlive(_ db: Database, _ joined: inout SyncObject, row: Int64?) throws -> Bool {
    if joined.deletion.isSet || joined.values == nil { return false }
    guard joined.removal.isSet else { return true }
    let isWanted =
      switch joined.entity {
      case .historySet: joined.value("correctedReps") != .null || joined.value("notes") != .null
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

  /// Makes the row what the object says.
  private mutating func write(
    _ db: Database, _ object: SyncObject, over local: PendingObject, remote: SyncObject
  ) throws {
    var object = object
    var hasParent = false
    let problem = try Self.refusal(db) { hasParent = try self.hasParent(db, object) }
    if let problem { return refuse(object, problem) }
    guard hasParent else {
      // It belongs to what a person has deleted.
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

  /// The fields whose values are to change.
  private func changed(_ object: SyncObject, _ local: SyncObject) -> Set<String> {
    Set(
      SyncTable.of(object.entity).fields.filter { field in
        local.values == nil
          || field.members.contains { object.value($0.name) != local.value($0.name) }
      }.map(\.name))
  }

  /// Whether what the object belongs to is here; brings it back where only a machine removed it.
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
    // It has gone where it belongs to something that a person deleted.
    guard !joined.deletion.isSet, joined.values != nil, try hasParent(db, joined) else {
      return false
    }
    joined.removal = SyncRegister(isSet: false, stamp: try nextStamp(db))
    try write(db, joined, over: parent, remote: remote)
    return true
  }

  /// Notes the object's stamps, whether it is as the centre has it, and what is known of its end.
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
        // Whatever was written: at the end of the transaction the row is sealed, and its fields are taken as they are.
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
          key.changedAt,
          isPending, isPending ? nil : Date().timeIntervalSince1970,
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

  /// The owner's row; nil where all share the object.
  private func owner(_ db: Database, _ entity: SyncEntity, row: Int64) throws -> Int64? {
    guard entity == .exerciseTemplate else { return user.rawValue }
    return try Row.fetchOne(
      db, cached: "SELECT userId FROM exercise WHERE id = ?", arguments: [row]
    ).value("userId")
  }
}
