import Foundation
import GRDB
import Motion
import TimelineFormat
import WorkoutHistory

// Deleted samples are cut out of received recordings, as when a recording is saved.

extension SyncSession {
  /// Returns a received segment with its local set. It becomes rest if the detector removed its set, or if a
  /// person deleted the set and the range of its samples is known.
  ///
  /// - Returns: Nil if the segment was deleted with its set.
  func find(
    setOf segment: SyncSegment, deleted: [DeletedSamples]
  ) throws -> (segment: SyncSegment, set: Int64?)? {
    guard let key = segment.set else { return (segment, nil) }
    if let row = try rowId(.historySet, key: key.rawValue) { return (segment, row) }
    let known = try object(.historySet, key: key.rawValue).object
    guard known.deletion.isSet || known.removal.isSet else {
      throw HistoryError.invalidValue(reason: "it has samples of set \(key), which is not here")
    }
    let name = SetName(globalKey: key.rawValue).key
    if known.deletion.isSet, !deleted.contains(where: { $0.setKey?.rawValue == name }) {
      return nil
    }
    return (segment.asRest, nil)
  }

  /// Detaches a set that is about to be deleted, and returns its recording's segments.
  func detachSegments(ofSet set: Int64) throws -> (HistoryRecordingRow.ID, [SyncSegment])? {
    let recording = try db.value(
      "SELECT recordingId FROM segment WHERE setId = ?", set, as: HistoryRecordingRow.ID.self)
    guard let recording else { return nil }
    let segments = try self.segments(recording: recording)
    try db.execute("UPDATE segment SET setId = NULL WHERE setId = ?", set)
    return (recording, segments)
  }

  /// Rewrites the segments of a stored recording without samples that were deleted in the meantime.
  func rewrite(_ segments: [SyncSegment], recording: HistoryRecordingRow.ID) throws {
    let name = try db.row("SELECT sessionKey, key FROM recording WHERE id = ?", recording)
    try write(
      segments, recording: recording,
      name: SetName(session: try name.value("sessionKey"), key: try name.value("key") ?? ""))
    try markPending(recording: recording.rawValue)
  }

  /// Marks a recording as pending under a new number, which earlier acknowledgements do not match.
  func markPending(recording: Int64) throws {
    let number = try HistoryClock.use(db) { $0.nextNumber() }
    try db.execute(
      """
      UPDATE stamp SET isPending = 1, number = ?, checksum = NULL WHERE entity = ? AND row = ?
      """, number, SyncEntity.recording.rawValue, recording)
  }

  func cut(deletedSamples row: Int64) throws {
    let recordings = try db.values(
      """
      SELECT r.id FROM recording r JOIN deleted_samples d ON d.userId = r.userId
        AND d.recordingKey = r.key AND (d.sessionKey IS NULL OR d.sessionKey = r.sessionKey)
      WHERE d.id = ? AND EXISTS (SELECT 1 FROM segment g
        WHERE g.recordingId = r.id AND g.firstSample < coalesce(d.endSample, g.firstSample + 1)
          AND g.firstSample + g.sampleCount > d.firstSample)
      """, row, as: HistoryRecordingRow.ID.self)
    for recording in recordings {
      try rewrite(try segments(recording: recording), recording: recording)
    }
  }
}

extension SyncSegment {
  fileprivate var asRest: SyncSegment {
    var copy = self
    (copy.set, copy.position, copy.clockStart, copy.clockEnd) = (nil, nil, nil, nil)
    return copy
  }

  /// Returns the pieces of the segment without deleted samples; none if the data is unreadable.
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
  func touches(_ segment: SyncSegment) -> Bool {
    firstSample < segment.firstSample + segment.sampleCount
      && segment.firstSample < endSample ?? .max
  }
}
