import Foundation
import GRDB
import Motion
import TimelineFormat

// What a person deleted is cut out of recordings wherever it arrives, as it is where they are saved.

extension SyncExchange {
  /// The set of a segment, where it is here. Samples of a set that a machine no longer finds are rest
  /// now; so is what nobody deleted of a set that a person deleted, where it is known what that was.
  ///
  /// - Returns: Nil where the segment has gone with its set.
  /// - Throws: ``HistoryError/invalidValue(reason:)`` where nothing is known of the set: without it, its
  ///   samples would be lost.
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

  /// Unties a set that is about to go from its segment.
  ///
  /// - Returns: Its recording's segments as they were; nil where it has none.
  static func looseSegments(
    _ db: Database, ofSet set: Int64
  ) throws -> (HistoryRecordingRow.ID, [SyncSegment])? {
    let recording = try HistoryRecordingRow.ID.fetchOne(
      db, cached: "SELECT recordingId FROM segment WHERE setId = ?", arguments: [set])
    guard let recording else { return nil }
    let segments = try segments(db, recording: recording)
    try db.execute(
      cached: "UPDATE segment SET setId = NULL WHERE setId = ?", arguments: [set])
    return (recording, segments)
  }

  /// Writes the segments of a recording that is here anew, without what has gone meanwhile.
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

  /// The recording has another number of its change now: that it was sent as it was before is no word about
  /// it as it is.
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

  /// Cuts samples that a person deleted out of the recordings that are here.
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

  /// What is left of it without samples that a person deleted, as a recording that is saved anew
  /// leaves it. Of what cannot be read nothing is left.
  func pieces(
    _ data: Data, without deleted: [DeletedSamples], isLossless: Bool
  ) -> [(SyncSegment, Data)] {
    guard
      let timeline = try? TimelineDecoder(limits: .reading(data.count)).decode([UInt8](data)),
      let prepared = try? PreparedRecording(
        Recording(
          name: "", identity: timeline.identity, samples: timeline.samples,
          phases: timeline.phases, health: timeline.health,
          unixTimeOfFirstSample: timeline.unixTimeOfFirstSample),
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
  /// As rows of a segment that they touch, which begins with some sample.
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
