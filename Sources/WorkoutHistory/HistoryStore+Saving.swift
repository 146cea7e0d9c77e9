import Foundation
import GRDB
import Motion
import TimelineFormat

extension HistoryStore {
  /// Saves a recording with its sets in one durable transaction.
  ///
  /// A recording is identified by its set's id, or else by the digest of its samples; saving it again updates
  /// its rows. Existing sets keep their rows and a person's corrections (`SetMatching`). A set that is no
  /// longer detected loses its row, unless a person corrected its count or exercise or wrote notes. Such a
  /// row remains without a position or timeline, and with a detected count of 0.
  ///
  /// A recording with the `sessionId` or `setId` of a workout in progress belongs to that workout, and is
  /// listed when the workout has ended.
  ///
  /// - Parameters:
  ///   - sets: The sets in order of time; times in seconds on the samples' clock.
  ///   - movementCurves: One curve per set, empty if it has none. If omitted, no curves are stored.
  @discardableResult
  public func save(
    _ recording: Recording, sets: [CountedSet], precision: TimelinePrecision = .lossless,
    provenance: TimelineProvenance? = nil, movementCurves: [[MovementPoint]] = [],
    user: HistoryUser.ID = .local
  ) throws -> SavedRecording {
    let prepared = try PreparedRecording(
      recording, sets: sets, precision: precision, provenance: provenance,
      movementCurves: movementCurves)
    return try save([prepared], user: user)[0]
  }

  @discardableResult
  package func save(
    _ recordings: [PreparedRecording], user: HistoryUser.ID = .local
  ) throws -> [SavedRecording] {
    let ready = try recordings.map { prepared in
      try prepared.without(
        read {
          try DeletedSamples.fetch(
            $0, recording: Self.name($0, of: prepared, user: user), user: user)
        })
    }
    return try write { db in try ready.map { try Self.save(db, $0, user: user) } }
  }

  /// Saves a prepared recording.
  ///
  /// - Parameter name: The recording's key if the caller knows it; nil to derive it from the ids.
  static func save(
    _ db: Database, _ prepared: PreparedRecording, as name: SetName? = nil,
    user: HistoryUser.ID = .local
  ) throws -> SavedRecording {
    let name = try name ?? self.name(db, of: prepared, user: user)
    let prepared = try prepared.without(DeletedSamples.fetch(db, recording: name, user: user))
    let recording = prepared.recording
    if prepared.isDeleted {
      return SavedRecording(id: 0, key: prepared.key, isNew: false, sets: [])
    }
    let known = try db.row(
      """
      SELECT r.workoutId, w.status = 'active' AS isActive, r.startTime - r.firstTime AS origin
      FROM recording r JOIN workout w ON w.id = r.workoutId
      WHERE r.userId = ? AND r.sessionKey = ? AND r.key = ?
      """, user, name.session, name.key)
    let previous: HistoryWorkoutRow.ID? = try known.value("workoutId")
    let wasActive: Bool? = try known.value("isActive")
    let active =
      previous != nil && wasActive != true
      ? nil : try ActiveWorkout.find(db, of: recording.identity, user: user)?.id ?? previous
    let session = recording.identity.sessionId ?? (name.session.isEmpty ? nil : name.session)
    let workoutId =
      try active
      ?? saveWorkout(db, of: prepared, session: session, previous: previous, user: user)
    let recordingId = try saveRecording(db, prepared, name: name, workoutId: workoutId, user: user)
    let saved = try saveSets(
      db, prepared, name: name, recordingId: recordingId, workoutId: workoutId,
      isActive: active != nil, previousOrigin: try known.value("origin"), user: user)
    for (position, segment) in prepared.segments.enumerated() {
      try saveSegment(
        db, recording: recordingId, position: position, set: segment.set.map { saved[$0].id },
        firstSample: segment.firstSample, sampleCount: segment.sampleCount,
        bytes: Data(segment.bytes), digest: Data(segment.digest),
        reps: segment.set.map { prepared.sets[$0].set.reps } ?? [])
    }
    try db.execute(
      "DELETE FROM segment WHERE recordingId = ? AND position >= ?", recordingId,
      prepared.segments.count)
    for workout in Set([previous, workoutId].compactMap { $0 }) {
      try removeEmptyParents(db, workout: workout)
    }
    return SavedRecording(
      id: recordingId, key: prepared.key, isNew: known == nil, sets: saved,
      isUnderWay: active != nil)
  }

  /// Returns the key of a recording. If the source names a set but no session, the session is that of the
  /// open set or of a stored recording of these samples.
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
    let session = try db.value(
      """
      SELECT sessionKey FROM recording WHERE userId = ? AND key = ? AND digest = ?
      ORDER BY sessionKey LIMIT 1
      """, user, setId, Data(prepared.digest), as: String.self)
    return SetName(session: session, key: setId)
  }

  private static func saveWorkout(
    _ db: Database, of prepared: PreparedRecording, session: String?,
    previous: HistoryWorkoutRow.ID?, user: HistoryUser.ID
  ) throws -> HistoryWorkoutRow.ID {
    try db.written(
      """
      INSERT INTO workout (userId, key, sessionId, date) VALUES (?, ?, ?, ?)
      ON CONFLICT (userId, key) DO UPDATE SET
        date = coalesce(min(date, excluded.date), date, excluded.date)
      RETURNING id
      """, user,
      try session ?? dayKey(db, of: prepared, previous: previous, user: user).rawValue, session,
      prepared.recording.dates?.first)
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

  package static func saveSegment(
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
      """
      INSERT INTO blob (segmentId, data) VALUES (?, ?)
      ON CONFLICT (segmentId) DO UPDATE SET data = excluded.data
      WHERE data IS NOT excluded.data
      """, id, bytes)
    try saveReps(db, reps, segment: id)
  }

  static func saveReps(_ db: Database, _ reps: [CountedRep], segment: Int64) throws {
    try db.execute("DELETE FROM segment_rep WHERE segmentId = ?", segment)
    for (index, rep) in reps.enumerated() {
      try db.execute(
        """
        INSERT INTO segment_rep (segmentId, number, clockStart, clockEnd, confidence)
        VALUES (?, ?, ?, ?, ?)
        """, segment, index + 1, rep.start, rep.end, rep.confidence.storedConfidence)
    }
  }

  /// Removes a workout's exercises without sets, and the workout if it is empty. Exercises that a person
  /// started remain, unless their last set was deleted.
  static func removeEmptyParents(
    _ db: Database, workout id: HistoryWorkoutRow.ID, started exercise: HistoryExerciseRow.ID? = nil
  ) throws {
    try db.execute(
      """
      DELETE FROM workout_exercise WHERE workoutId = ? AND (completed IS NULL OR id = ?)
        AND NOT EXISTS (SELECT 1 FROM workout_set WHERE exerciseId = workout_exercise.id)
      """, id, exercise)
    try db.execute(
      """
      DELETE FROM workout WHERE id = ?1
        AND (status IS NULL OR status <> 'active' AND ?2 IS NOT NULL)
        AND NOT EXISTS (SELECT 1 FROM workout_exercise WHERE workoutId = ?1)
        AND NOT EXISTS (SELECT 1 FROM recording WHERE workoutId = ?1)
      """, id, exercise)
  }
}

extension Double {
  /// The value as a confidence; nil, stored as NULL, if it is negative or NaN.
  var storedConfidence: Double? { self >= 0 ? min(self, 1) : nil }
}
