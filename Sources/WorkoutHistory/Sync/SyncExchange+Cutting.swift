import Foundation
import GRDB
import Motion
import TimelineFormat

// Samples that a person deleted are cut out of received recordings, as they are when a recording is saved.

extension SyncExchange {
  /// Returns the local set of a received segment. A segment becomes rest if the detector no longer finds its
  /// set, or if a person deleted the set and the deleted samples are known: the others are kept.
  ///
  /// - Returns: Nil if the segment was deleted with its set.
  /// - Throws: ``HistoryError/invalidValue(reason:)`` if nothing is known of the set: without it, its samples
  ///   would be lost.
  static func find(
    _ db: Database, setOf segment: SyncSegment, deleted: [DeletedSamples], user: HistoryUser.ID
  ) throws -> (segment: SyncSegment, set: Int64?)? {
    guard let key = segment.set else { return (segment, nil) }
    if let row = try rowId(db, .historySet, key: key.rawValue, user: user) { return (segment, row) }
    let known = try object(db, .historySet, key: key.rawValue, user: user).object
    guard known.deletion.isSet || known.removal.isSet else {
      throw HistoryError.invalidValue(reason: "it has samples of set \(key), which is not here")
    }
    let name = SetName(globalKey: key.rawValue).key
    if known.deletion.isSet, !deleted.contains(where: { $0.setKey?.rawValue == name }) {
      return nil
    }
    return (segment.asRest, nil)
  }

  /// Detaches a set that is about to be deleted from its segment.
  ///
  /// - Returns: The previous segments of its recording; nil if the set has no recording.
  static func looseSegments(
    _ db: Database, ofSet set: Int64
  ) throws -> (HistoryRecordingRow.ID, [SyncSegment])? {
    let recording = try HistoryRecordingRow.ID.fetchOne(
      db, cached: "SELECT recordingId FROM segment WHERE setId = ?", arguments: [set])
    guard let recording else { return nil }
    let segments = try segments(db, recording: recording)
    try db.execute(cached: "UPDATE segment SET setId = NULL WHERE setId = ?", arguments: [set])
    return (recording, segments)
  }

  /// Rewrites the segments of a stored recording, without samples that were deleted meanwhile.
  static func rewrite(
    _ db: Database, _ segments: [SyncSegment], recording: HistoryRecordingRow.ID,
    user: HistoryUser.ID
  ) throws {
    let name = try Row.fetchOne(
      db, cached: "SELECT sessionKey, key FROM recording WHERE id = ?", arguments: [recording])
    try write(
      db, segments, recording: recording,
      name: SetName(session: try name.value("sessionKey"), key: try name.value("key") ?? ""),
      user: user)
    try markPending(db, recording: recording.rawValue)
  }

  /// Marks a recording as pending under a new change number, so that an acknowledgement of its previous state
  /// does not apply.
  static func markPending(_ db: Database, recording: Int64) throws {
    let number = try HistoryClock.use(db) { clock in
      clock.number += 1
      return clock.number
    }
    try db.execute(
      cached: """
        UPDATE stamp SET isPending = 1, number = ?, checksum = NULL WHERE entity = ? AND row = ?
        """, arguments: [number, SyncEntity.recording.rawValue, recording])
  }

  /// Cuts samples that a person deleted out of the stored recordings.
  static func cut(_ db: Database, deletedSamples row: Int64, user: HistoryUser.ID) throws {
    let recordings = try HistoryRecordingRow.ID.fetchAll(
      db,
      sql: """
        SELECT r.id FROM recording r JOIN deleted_samples d ON d.userId = r.userId
          AND d.recordingKey = r.key AND (d.sessionKey IS NULL OR d.sessionKey = r.sessionKey)
        WHERE d.id = ? AND EXISTS (SELECT 1 FROM segment g
          WHERE g.recordingId = r.id AND g.firstSample < coalesce(d.endSample, g.firstSample + 1)
            AND g.firstSample + g.sampleCount > d.firstSample)
        """, arguments: [row])
    for recording in recordings {
      try rewrite(db, try segments(db, recording: recording), recording: recording, user: user)
    }
  }
}

extension SyncSegment {
  fileprivate var asRest: SyncSegment {
    var copy = self
    (copy.set, copy.position, copy.clockStart, copy.clockEnd) = (nil, nil, nil, nil)
    return copy
  }

  /// Returns the pieces of the segment without deleted samples, as saving the recording again would. Returns
  /// nothing for unreadable data.
  func pieces(_ data: Data, without deleted: [DeletedSamples], isLossless: Bool) -> [(
    SyncSegment, Data
  )] {
    guard let timeline = try? TimelineDecoder(limits: .reading(data.count)).decode([UInt8](data)),
      let prepared = try? PreparedRecording(
        Recording(
          name: "", identity: timeline.identity, samples: timeline.samples, phases: timeline.phases,
          health: timeline.health, unixTimeOfFirstSample: timeline.unixTimeOfFirstSample),
        digest: [], sets: set == nil ? [] : timeline.set.map { [$0] } ?? [],
        precision: isLossless ? .lossless : .bounded(), provenance: timeline.provenance,
        movementCurves: [timeline.movementCurve]
      ).without(deleted.map { $0.counted(from: firstSample) })
    else { return [] }
    return prepared.segments.map { piece in
      var copy = piece.set == nil ? asRest : self
      let data = Data(piece.bytes)
      (copy.digest, copy.byteCount) = (SyncExchange.digest(of: data), data.count)
      (copy.firstSample, copy.sampleCount) = (firstSample + piece.firstSample, piece.sampleCount)
      return (copy, data)
    }
  }
}

extension DeletedSamples {
  /// Returns the range relative to a segment that it overlaps and that begins at sample `first`.
  fileprivate func counted(from first: Int) -> DeletedSamples {
    DeletedSamples(
      setKey: setKey, firstSample: max(firstSample, first) - first,
      endSample: endSample.map { $0 - first })
  }

  func touches(_ segment: SyncSegment) -> Bool {
    firstSample < segment.firstSample + segment.sampleCount
      && segment.firstSample < endSample ?? .max
  }
}
