import Foundation
import GRDB
import Motion

extension HistoryStore {
  /// Saves a recording with the sets found in it, in one transaction that survives the loss of
  /// power once the call returns.
  ///
  /// A recording is named by its set's id, or else by the digest of its samples; saving it again
  /// updates the same rows. Sets that were there before keep their rows and what a person
  /// corrected (``SetMatching`` says which are the same). A set that is no longer found loses its
  /// row, unless a person corrected it: then the row stays, without a position and a timeline,
  /// and with a machine's count of 0, since the person's word outlives the machine's opinion.
  ///
  /// Samples are compressed before the transaction begins: no lock is held meanwhile.
  ///
  /// - Parameters:
  ///   - recording: Its samples in order of time.
  ///   - sets: In order of time; times in seconds on the samples' clock.
  ///   - precision: How its samples are kept.
  ///   - provenance: The detector that found the sets.
  ///   - movementCurves: One for each set, empty where it has none; nothing is kept where left out.
  @discardableResult
  public func save(
    _ recording: Recording, sets: [CountedSet], precision: TimelinePrecision = .lossless,
    provenance: TimelineProvenance? = nil, movementCurves: [[MovementPoint]] = []
  ) throws -> SavedRecording {
    let prepared = try PreparedRecording(
      recording, sets: sets, precision: precision, provenance: provenance,
      movementCurves: movementCurves)
    return try write { try Self.save($0, prepared) }
  }

  /// Writes a recording as part of a transaction.
  static func save(_ db: Database, _ prepared: PreparedRecording) throws -> SavedRecording {
    let recording = prepared.recording
    let previous = try Int64.fetchOne(
      db, sql: "SELECT workoutId FROM recording WHERE userId = ? AND key = ?",
      arguments: [HistoryMigrations.localUserId, prepared.key])
    let workoutId = try saveWorkout(db, of: recording, key: prepared.key)
    let recordingId = try saveRecording(
      db, recording, sampleCount: prepared.sampleCount, key: prepared.key,
      digest: prepared.digest, workoutId: workoutId, isLossless: prepared.isLossless)
    let saved = try saveSets(
      db, prepared.sets, of: recording, recordingId: recordingId, workoutId: workoutId,
      detector: prepared.detector)
    try saveSegments(db, prepared.segments, recordingId: recordingId, sets: saved)
    for workout in Set([previous, workoutId].compactMap { $0 }) {
      try removeEmptyParents(db, workout: workout)
    }
    return SavedRecording(
      id: recordingId, key: prepared.key, isNew: previous == nil, sets: saved)
  }

  private static func saveWorkout(
    _ db: Database, of recording: Recording, key: String
  ) throws -> Int64 {
    let date = (recording.samples.times.first).flatMap {
      recording.unixTime(atSeconds: $0 / recording.samples.units.time.unitsPerSecond)
    }
    let id = try Int64.fetchOne(
      db,
      sql: """
        INSERT INTO workoutHistory (userId, key, sessionId, date) VALUES (?, ?, ?, ?)
        ON CONFLICT (userId, key) DO UPDATE SET
          date = coalesce(min(date, excluded.date), date, excluded.date),
          cloudSyncStatus = CASE WHEN date IS excluded.date OR date <= excluded.date
            THEN cloudSyncStatus ELSE 0 END
        RETURNING id
        """,
      arguments: [
        HistoryMigrations.localUserId, recording.identity.sessionId ?? key,
        recording.identity.sessionId, date,
      ])
    guard let id else { throw HistoryError.damaged(reason: "a workout was not written") }
    return id
  }

  private static func saveRecording(
    _ db: Database, _ recording: Recording, sampleCount: Int, key: String, digest: [UInt8],
    workoutId: Int64, isLossless: Bool
  ) throws -> Int64 {
    let samples = recording.samples
    let scale = samples.units.time.unitsPerSecond
    let id = try Int64.fetchOne(
      db,
      sql: """
        INSERT INTO recording (userId, workoutId, key, name, digest, sampleCount, clock,
          firstTime, lastTime, startTime, isLossless)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (userId, key) DO UPDATE SET workoutId = excluded.workoutId,
          name = excluded.name, digest = excluded.digest, sampleCount = excluded.sampleCount,
          deletedSampleCount = 0, clock = excluded.clock, firstTime = excluded.firstTime,
          lastTime = excluded.lastTime, startTime = excluded.startTime,
          isLossless = excluded.isLossless
        RETURNING id
        """,
      arguments: [
        HistoryMigrations.localUserId, workoutId, key, recording.name, Data(digest), sampleCount,
        Int(samples.clock.rawValue), samples.times.first.map { $0 / scale },
        samples.times.last.map { $0 / scale },
        samples.clock == .unix
          ? samples.times.first.map { $0 / scale } : recording.unixTimeOfFirstSample, isLossless,
      ])
    guard let id else { throw HistoryError.damaged(reason: "a recording was not written") }
    return id
  }

  private static func saveSegments(
    _ db: Database, _ segments: [PreparedRecording.Segment], recordingId: Int64,
    sets: [SavedRecording.SavedSet]
  ) throws {
    for (position, segment) in segments.enumerated() {
      let id = try Int64.fetchOne(
        db,
        sql: """
          INSERT INTO timelineSegment (recordingId, position, setId, sampleCount, byteCount)
          VALUES (?, ?, ?, ?, ?)
          ON CONFLICT (recordingId, position) DO UPDATE SET setId = excluded.setId,
            sampleCount = excluded.sampleCount, byteCount = excluded.byteCount
          RETURNING id
          """,
        arguments: [
          recordingId, position, segment.set.map { sets[$0].id }, segment.sampleCount,
          segment.bytes.count,
        ])
      try db.execute(
        sql: """
          INSERT INTO timelineBlob (segmentId, data) VALUES (?, ?)
          ON CONFLICT (segmentId) DO UPDATE SET data = excluded.data
          WHERE data IS NOT excluded.data
          """, arguments: [id, Data(segment.bytes)])
    }
    try db.execute(
      sql: "DELETE FROM timelineSegment WHERE recordingId = ? AND position >= ?",
      arguments: [recordingId, segments.count])
  }

  /// Removes exercises without sets from a workout, and the workout if nothing is left in it.
  static func removeEmptyParents(_ db: Database, workout id: Int64) throws {
    try db.execute(
      sql: """
        DELETE FROM historyExercise WHERE workoutId = ?
          AND NOT EXISTS (SELECT 1 FROM historySet WHERE exerciseId = historyExercise.id)
        """, arguments: [id])
    try db.execute(
      sql: """
        DELETE FROM workoutHistory WHERE id = ?1
          AND NOT EXISTS (SELECT 1 FROM historyExercise WHERE workoutId = ?1)
          AND NOT EXISTS (SELECT 1 FROM recording WHERE workoutId = ?1)
        """, arguments: [id])
  }
}
