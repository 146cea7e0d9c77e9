import Foundation
import GRDB
import Motion
import TimelineFormat

extension HistoryStore {
  /// Saves a recording with its sets, in one durable transaction.
  ///
  /// A recording is identified by its set's id, or else by the digest of its samples; saving it again updates
  /// its rows. Sets that existed before keep their rows and a person's corrections (see `SetMatching`). A set
  /// that is no longer detected loses its row, unless a person corrected its count or exercise or wrote notes.
  /// In that case the row stays, without a position or a timeline and with a detected count of 0: a person's
  /// correction outranks the detector.
  ///
  /// A recording of a workout in progress (with a known `sessionId` or `setId`) belongs to that workout, and is
  /// listed when the workout has ended.
  ///
  /// Samples that a person deleted from a recording stay deleted when it is saved again.
  ///
  /// Samples are compressed before the transaction begins: no lock is held meanwhile.
  ///
  /// - Parameters:
  ///   - sets: The sets, in order of time; times in seconds on the samples' clock.
  ///   - precision: The precision with which samples are stored.
  ///   - provenance: The detector that found the sets.
  ///   - movementCurves: One curve per set, empty if it has none. If omitted, no curves are stored.
  @discardableResult
  public func save(
    _ recording: Recording, sets: [CountedSet], precision: TimelinePrecision = .lossless,
    provenance: TimelineProvenance? = nil, movementCurves: [[MovementPoint]] = [],
    user: HistoryUser.ID = HistoryStore.localUser
  ) throws -> SavedRecording {
    let prepared = try PreparedRecording(
      recording, sets: sets, precision: precision, provenance: provenance,
      movementCurves: movementCurves)
    return try save([prepared], user: user)[0]
  }

  /// Saves compressed recordings, all or none, in one durable transaction.
  ///
  /// Like ``save(_:sets:precision:provenance:movementCurves:user:)``, but waits for the disk only once.
  @discardableResult
  package func save(
    _ recordings: [PreparedRecording], user: HistoryUser.ID = HistoryStore.localUser
  ) throws -> [SavedRecording] {
    let ready = try recordings.map { prepared in
      try prepared.without(
        try read { db in
          try DeletedSamples.fetch(
            db, recording: Self.name(db, of: prepared, user: user), user: user)
        })
    }
    return try write { db in try ready.map { try Self.save(db, $0, user: user) } }
  }

  /// Writes a recording as part of a transaction.
  ///
  /// - Parameter name: The recording's key, if the caller knows it better than its ids tell.
  static func save(
    _ db: Database, _ prepared: PreparedRecording, as name: SetName? = nil,
    user: HistoryUser.ID = HistoryStore.localUser
  ) throws -> SavedRecording {
    let name = try name ?? self.name(db, of: prepared, user: user)
    let prepared = try prepared.without(DeletedSamples.fetch(db, recording: name, user: user))
    let recording = prepared.recording
    if prepared.isDeleted {
      return SavedRecording(id: 0, key: prepared.key, isNew: false, sets: [])
    }
    let known = try Row.fetchOne(
      db,
      cached: """
        SELECT r.workoutId, w.status = 'active' AS isActive, r.startTime - r.firstTime AS origin
        FROM recording r JOIN workout w ON w.id = r.workoutId
        WHERE r.userId = ? AND r.sessionKey = ? AND r.key = ?
        """, arguments: [user, name.session, name.key])
    let previous: HistoryWorkoutRow.ID? = try known.value("workoutId")
    let wasActive: Bool? = try known.value("isActive")
    let active =
      previous != nil && wasActive != true
      ? nil : try ActiveWorkout.find(db, of: recording.identity, user: user)?.id ?? previous
    let workoutId: HistoryWorkoutRow.ID
    if let active {
      workoutId = active
    } else {
      let owner =
        recording.identity.workoutKey
        ?? (name.session.isEmpty ? nil : HistoryWorkoutRow.Key(name.session))
      workoutId = try saveWorkout(
        db, of: recording, session: owner,
        key: try owner == nil
          ? dayKey(db, of: prepared, previous: previous, user: user)
          : HistoryWorkoutRow.Key(prepared.key.rawValue), user: user)
    }
    let recordingId = try saveRecording(db, prepared, name: name, workoutId: workoutId, user: user)
    let saved = try saveSets(
      db, prepared, name: name, recordingId: recordingId, workoutId: workoutId,
      isActive: active != nil, previousOrigin: try known.value("origin"), user: user)
    try saveSegments(
      db, prepared.segments, recordingId: recordingId, sets: saved,
      reps: prepared.sets.map(\.set.reps))
    for workout in Set([previous, workoutId].compactMap { $0 }) {
      try removeEmptyParents(db, workout: workout)
    }
    return SavedRecording(
      id: recordingId, key: prepared.key, isNew: known == nil, sets: saved,
      isUnderWay: active != nil)
  }

  /// Returns the key of a recording: its session and its set's id, or its digest. If the source names a set but
  /// no session, the session is that of the open set, or of a recording of these samples that is already
  /// stored.
  static func name(
    _ db: Database, of prepared: PreparedRecording, user: HistoryUser.ID
  ) throws -> SetName {
    let identity = prepared.recording.identity
    guard let setId = identity.setId else {
      return SetName(session: nil, key: prepared.key.rawValue)
    }
    let active = try ActiveWorkout.find(
      db, of: SetIdentity(sessionId: identity.sessionId, setId: setId), user: user)
    if let session = active?.key.rawValue ?? identity.sessionId {
      return SetName(session: session, key: setId)
    }
    let session = try String.fetchOne(
      db,
      cached: """
        SELECT sessionKey FROM recording WHERE userId = ? AND key = ? AND digest = ?
        ORDER BY sessionKey LIMIT 1
        """, arguments: [user, setId, Data(prepared.digest)])
    return SetName(session: session, key: setId)
  }

  private static func saveWorkout(
    _ db: Database, of recording: Recording, session: HistoryWorkoutRow.Key?,
    key: HistoryWorkoutRow.Key, user: HistoryUser.ID
  ) throws -> HistoryWorkoutRow.ID {
    let date = (recording.samples.times.first).flatMap {
      recording.unixTime(atSeconds: $0 / recording.samples.units.time.unitsPerSecond)
    }
    return try HistoryWorkoutRow.ID.fetchWritten(
      db,
      cached: """
        INSERT INTO workout (userId, key, sessionId, date) VALUES (?, ?, ?, ?)
        ON CONFLICT (userId, key) DO UPDATE SET
          date = coalesce(min(date, excluded.date), date, excluded.date)
        RETURNING id
        """, arguments: [user, session ?? key, session, date])
  }

  private static func saveRecording(
    _ db: Database, _ prepared: PreparedRecording, name: SetName, workoutId: HistoryWorkoutRow.ID,
    user: HistoryUser.ID
  ) throws -> HistoryRecordingRow.ID {
    let recording = prepared.recording
    let samples = recording.samples
    let scale = samples.units.time.unitsPerSecond
    let first = samples.times.first.map { $0 / scale }
    return try db.upsert(
      "recording", by: ["userId", "sessionKey", "key"],
      [
        "userId": user, "workoutId": workoutId, "sessionKey": name.session, "key": name.key,
        "name": recording.name, "digest": Data(prepared.digest),
        "sampleCount": prepared.sampleCount, "deletedSampleCount": prepared.deletedSampleCount,
        "clock": Int(samples.clock.rawValue), "firstTime": first,
        "lastTime": samples.times.last.map { $0 / scale },
        "startTime": samples.clock == .unix ? first : recording.unixTimeOfFirstSample,
        "isLossless": prepared.isLossless,
      ])
  }

  private static func saveSegments(
    _ db: Database, _ segments: [PreparedRecording.Segment], recordingId: HistoryRecordingRow.ID,
    sets: [SavedRecording.SavedSet], reps: [[CountedRep]]
  ) throws {
    for (position, segment) in segments.enumerated() {
      try saveSegment(
        db, recording: recordingId, position: position, set: segment.set.map { sets[$0].id },
        firstSample: segment.firstSample, sampleCount: segment.sampleCount,
        bytes: Data(segment.bytes), digest: Data(segment.digest),
        reps: segment.set.map { reps[$0] } ?? [])
    }
    try db.execute(
      cached: "DELETE FROM segment WHERE recordingId = ? AND position >= ?",
      arguments: [recordingId, segments.count])
  }

  static func saveSegment(
    _ db: Database, recording: HistoryRecordingRow.ID, position: Int, set: HistorySetRow.ID?,
    firstSample: Int, sampleCount: Int, bytes: Data, digest: Data, reps: [CountedRep]
  ) throws {
    let id: Int64 = try db.upsert(
      "segment", by: ["recordingId", "position"],
      [
        "recordingId": recording, "position": position, "setId": set, "firstSample": firstSample,
        "sampleCount": sampleCount, "byteCount": bytes.count, "digest": digest,
      ])
    try db.execute(
      cached: """
        INSERT INTO blob (segmentId, data) VALUES (?, ?)
        ON CONFLICT (segmentId) DO UPDATE SET data = excluded.data
        WHERE data IS NOT excluded.data
        """, arguments: [id, bytes])
    try saveReps(db, reps, segment: id)
  }

  /// Replaces the rep rows of a segment's set.
  static func saveReps(_ db: Database, _ reps: [CountedRep], segment: Int64) throws {
    try db.execute(cached: "DELETE FROM segment_rep WHERE segmentId = ?", arguments: [segment])
    for (index, rep) in reps.enumerated() {
      try db.execute(
        cached: """
          INSERT INTO segment_rep (segmentId, number, clockStart, clockEnd, confidence)
          VALUES (?, ?, ?, ?, ?)
          """, arguments: [segment, index + 1, rep.start, rep.end, rep.confidence.storedConfidence])
    }
  }

  /// Removes exercises without sets from a workout, and the workout if it is empty. Exercises and workouts that
  /// a person started stay.
  static func removeEmptyParents(_ db: Database, workout id: HistoryWorkoutRow.ID) throws {
    try db.execute(
      cached: """
        DELETE FROM workout_exercise WHERE workoutId = ? AND completed IS NULL
          AND NOT EXISTS (SELECT 1 FROM workout_set WHERE exerciseId = workout_exercise.id)
        """, arguments: [id])
    try db.execute(
      cached: """
        DELETE FROM workout WHERE id = ?1 AND status IS NULL
          AND NOT EXISTS (SELECT 1 FROM workout_exercise WHERE workoutId = ?1)
          AND NOT EXISTS (SELECT 1 FROM recording WHERE workoutId = ?1)
        """, arguments: [id])
  }
}

extension Double {
  /// The value as a confidence; nil, and so NULL, if it is negative or NaN.
  var storedConfidence: Double? { self >= 0 ? min(self, 1) : nil }
}
