import Foundation
import GRDB
import Motion
import TimelineFormat

extension HistoryStore {
  /// Returns a page of sets in order of insertion. Does not touch timelines.
  ///
  /// - Parameters:
  ///   - last: The last set of the previous page; nil for the first page.
  ///   - damaged: Called for each damaged row, which is skipped; if nil, a damaged row is an error.
  /// - Returns: An empty array if no readable set follows.
  public func sets(
    after last: HistorySetRow? = nil, limit: Int = .max, damaged: ((HistoryError) -> Void)? = nil
  ) throws -> [HistorySetRow] {
    var number = last?.number ?? 0
    var id = last?.id ?? 0
    while true {
      var rows: [HistorySetRow] = []
      var damage: [(place: Int, error: HistoryError)] = []
      var end = id
      try read { db in
        // A negative limit means no limit to SQLite.
        let found = try Row.fetchCursor(
          db, sql: Self.pageQuery, arguments: [id, max(0, limit)])
        while let row = try found.next() {
          let next: HistorySetRow.ID = try row.value("id")
          guard next.rawValue > end.rawValue else {
            throw HistoryError.damaged(reason: "the rows of sets are not in their order")
          }
          end = next
          let place = rows.count + damage.count + 1
          do {
            rows.append(
              try HistoryError.translating(path: path) {
                try HistorySetRow(row, number: number + place)
              })
          } catch let error as HistoryError where damaged != nil {
            damage.append((place, error))
          }
        }
      }
      // Damaged rows behind the last set are reported with the next page.
      let lastPlace = rows.last.map { $0.number - number } ?? .max
      for (place, error) in damage where place < lastPlace { damaged?(error) }
      guard rows.isEmpty, !damage.isEmpty else { return rows }
      number += damage.count
      id = end
    }
  }

  static let pageQuery = """
    SELECT \(HistorySetRow.columns) FROM \(HistorySetRow.tables)
    WHERE s.id > ? ORDER BY s.id LIMIT ?
    """

  /// Returns the number of sets in the history.
  package func setCount() throws -> Int {
    try read { db in
      try Int.fetchOne(
        db,
        sql: """
          SELECT count(*) - (SELECT count(*) FROM workout_set o
            WHERE \(HistorySetRow.isInProgress("o.exerciseId"))) FROM workout_set
          """) ?? 0
    }
  }

  /// Returns a set by its key, by `SESSION/KEY`, or else by its number in the list of all sets, from 1.
  ///
  /// - Parameters:
  ///   - user: The owner of the set; nil for any.
  ///   - checksRow: Whether a damaged row is an error.
  /// - Throws: ``HistoryError/ambiguous(reference:candidates:)`` if several sets have the key.
  public func set(
    _ reference: HistorySetRow.Key, user: HistoryUser.ID? = nil, checksRow: Bool = true
  ) throws -> HistorySetRow? {
    try read { db in
      if let id = try Self.setId(db, named: reference, user: user) {
        return try Row.fetchOne(
          db,
          sql: """
            SELECT \(HistorySetRow.columns), \(HistorySetRow.number)
            FROM \(HistorySetRow.tables) WHERE s.id = ?
            """, arguments: [id]
        ).map { try HistorySetRow($0, number: try $0.value("number"), checksRow: checksRow) }
      }
      guard let number = Int(reference.rawValue), number >= 1 else { return nil }
      return try Row.fetchOne(
        db,
        sql: """
          SELECT \(HistorySetRow.columns) FROM \(HistorySetRow.tables)
          WHERE s.id = (SELECT id FROM workout_set
              WHERE NOT \(HistorySetRow.isInProgress("exerciseId")) ORDER BY id LIMIT 1 OFFSET ?1)
            AND (?2 IS NULL OR s.userId = ?2)
          """, arguments: [number - 1, user]
      ).map { try HistorySetRow($0, number: number, checksRow: checksRow) }
    }
  }

  /// Returns a set's row by its key, or by its session and its key.
  ///
  /// - Parameters:
  ///   - reference: `KEY`, or `SESSION/KEY`.
  ///   - session: Restricts the search to sets of this session or of none.
  ///   - user: The owner of the set; nil for any.
  /// - Throws: ``HistoryError/ambiguous(reference:candidates:)`` if sets of several sessions have that key.
  static func setId(
    _ db: Database, named reference: HistorySetRow.Key, session: HistoryWorkoutRow.Key? = nil,
    user: HistoryUser.ID?
  ) throws -> HistorySetRow.ID? {
    let name = SetName(globalKey: reference.rawValue)
    let users =
      try user.map { [$0] }
      ?? HistoryUser.ID.fetchAll(db, sql: "SELECT id FROM user LIMIT 10000")
    var rows: [Row] = []
    for user in users {
      rows += try Row.fetchAll(
        db,
        cached: """
          SELECT id, globalKey FROM workout_set WHERE userId = ?1 AND key = ?2
            AND (?3 IS NULL OR sessionKey IN (?3, '')) ORDER BY sessionKey DESC, id LIMIT 10
          """, arguments: [user, reference, session])
    }
    if rows.isEmpty, !name.session.isEmpty {
      rows = try users.compactMap { user in
        try Row.fetchOne(
          db,
          cached: """
            SELECT id, globalKey FROM workout_set WHERE userId = ? AND sessionKey = ? AND key = ?
            """, arguments: [user, name.session, name.key])
      }
    }
    if rows.isEmpty {
      let session = name.session.isEmpty ? session?.rawValue ?? "" : name.session
      rows = try streamedSets(
        db, named: SetName(session: session, key: name.key), user: user)
    }
    if rows.count > 1, session == nil {
      throw HistoryError.ambiguous(
        reference: reference, candidates: try rows.map { try $0.value("globalKey") })
    }
    return try rows.first.value("id")
  }

  /// Returns the sets of a stream by the name that its events gave them.
  private static func streamedSets(
    _ db: Database, named name: SetName, user: HistoryUser.ID?
  ) throws -> [Row] {
    let (detected, declared) = (name.detectedNumber, name.declaredNumber)
    guard detected != nil || declared != nil else { return [] }
    return try Row.fetchAll(
      db,
      cached: """
        SELECT s.id, s.globalKey FROM recording r JOIN workout_set s ON s.recordingId = r.id
        WHERE r.streamKey = iif(?2 IS NULL, json_array('numberedSet', ?1, CAST(?3 AS TEXT)), 'session ' || ?1)
          AND s.key = r.key || '-' || coalesce(?2, 1) AND (?4 IS NULL OR s.userId = ?4)
        """, arguments: [name.session.uppercased(), detected, declared, user])
  }

  static func setId(_ db: Database, _ name: SetName, user: HistoryUser.ID) throws -> HistorySetRow
    .ID?
  {
    try HistorySetRow.ID.fetchOne(
      db,
      cached: "SELECT id FROM workout_set WHERE userId = ? AND sessionKey = ? AND key = ?",
      arguments: [user, name.session, name.key])
  }

  /// Returns the encoded timeline of a set.
  ///
  /// - Throws: ``HistoryError/notFound(reference:)`` if the set has no timeline.
  package func timelineBytes(ofSet id: HistorySetRow.ID) throws -> [UInt8] {
    try segment(ofSet: id).bytes
  }

  /// Returns the decoded timeline of a set.
  ///
  /// - Throws: ``HistoryError/notFound(reference:)``; ``HistoryError/damaged(path:reason:)`` if its number of
  ///   samples differs from the stored one; `TimelineError`.
  public func timeline(ofSet id: HistorySetRow.ID) throws -> Timeline {
    let (sampleCount, bytes) = try segment(ofSet: id)
    let timeline = try TimelineDecoder(limits: .reading(bytes.count)).decode(bytes)
    guard timeline.samples.count == sampleCount else {
      throw HistoryError.damaged(
        path: path,
        reason: "set \(id) has \(timeline.samples.count) samples instead of \(sampleCount)")
    }
    return timeline
  }

  private func segment(ofSet id: HistorySetRow.ID) throws -> (sampleCount: Int, bytes: [UInt8]) {
    let segment = try read { db in
      try Row.fetchOne(
        db,
        sql: """
          SELECT g.sampleCount, b.data FROM segment g
          JOIN blob b ON b.segmentId = g.id WHERE g.setId = ?
          """, arguments: [id]
      ).map { (try $0.value("sampleCount") as Int, [UInt8](try $0.value("data") as Data)) }
    }
    guard let segment else { throw HistoryError.notFound(reference: "timeline of set \(id)") }
    return segment
  }

  /// Returns all recordings in order of insertion.
  ///
  /// - Parameter damaged: Called for each damaged row, which is skipped; if nil, a damaged row is an error.
  package func recordings(
    damaged: ((HistoryError) -> Void)? = nil
  ) throws -> [HistoryRecordingRow] {
    try read { db in
      try Row.fetchAll(db, sql: HistoryRecordingRow.query + " ORDER BY r.id").compactMap {
        row -> HistoryRecordingRow? in
        do {
          return try HistoryError.translating(path: path) { try HistoryRecordingRow(row) }
        } catch let error as HistoryError where damaged != nil {
          damaged?(error)
          return nil
        }
      }
    }
  }

  /// Returns the sets of a recording, in order.
  package func sets(ofRecording id: HistoryRecordingRow.ID) throws -> [HistorySetRow] {
    try read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT \(HistorySetRow.columns), \(HistorySetRow.number)
          FROM \(HistorySetRow.tables) WHERE s.recordingId = ? ORDER BY s.position
          """, arguments: [id]
      ).map { try HistorySetRow($0, number: try $0.value("number")) }
    }
  }

  /// Returns the encoded timelines of a recording's segments in order: rest, set, rest, …
  ///
  /// - Throws: ``HistoryError/damaged(path:reason:)`` if one of them is missing.
  package func timelineBytes(ofRecording id: HistoryRecordingRow.ID) throws -> [[UInt8]] {
    try segments(ofRecording: id).map(\.bytes)
  }

  private func segments(ofRecording id: HistoryRecordingRow.ID) throws -> [(
    sampleCount: Int, bytes: [UInt8]
  )] {
    try read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT g.id, g.sampleCount, b.data FROM segment g
          LEFT JOIN blob b ON b.segmentId = g.id
          WHERE g.recordingId = ? ORDER BY g.position
          """, arguments: [id]
      ).map { row in
        guard let data: Data = try row.value("data") else {
          let segment: Int64 = try row.value("id")
          throw HistoryError.damaged(reason: "the timeline of segment \(segment) is missing")
        }
        return (try row.value("sampleCount"), [UInt8](data))
      }
    }
  }

  /// Returns all samples of a recording in order.
  public func samples(ofRecording id: HistoryRecordingRow.ID) throws -> MotionBatch {
    try recording(id).samples
  }

  /// Returns a recording as it was saved: name, ids, samples, phases, health data and date.
  ///
  /// - Throws: ``HistoryError/notFound(reference:)``; `TimelineError` if a segment is damaged.
  public func recording(_ id: HistoryRecordingRow.ID) throws -> Recording {
    let row = try read { db in
      try Row.fetchOne(
        db,
        sql: """
          SELECT r.name, r.startTime, w.sessionId, s.setId,
            \(ProtectedTable.named("recording").isDamaged(as: "r")) AS isDamaged
          FROM recording r LEFT JOIN workout w ON w.id = r.workoutId
          LEFT JOIN workout_set s ON s.recordingId = r.id AND s.position = 1
          WHERE r.id = ?
          """, arguments: [id])
    }
    guard let row else { throw HistoryError.notFound(reference: "recording \(id)") }
    try HistoryError.translating(path: path) {
      try ProtectedTable.named("recording").requireIntact(row, id: id.rawValue)
    }
    var recording = Recording(
      name: try row.value("name"),
      identity: SetIdentity(
        sessionId: try row.value("sessionId"), setId: try row.value("setId")),
      samples: MotionBatch(), unixTimeOfFirstSample: try row.value("startTime"))
    var byteCount = 0
    for (index, segment) in try segments(ofRecording: id).enumerated() {
      let bytes = segment.bytes
      byteCount += bytes.count
      let limits = TimelineLimits.reading(byteCount)
      let timeline = try TimelineDecoder(limits: limits).decode(bytes)
      guard timeline.samples.count == segment.sampleCount else {
        throw HistoryError.damaged(
          path: path,
          reason: "recording \(id) has \(timeline.samples.count) samples in a segment of "
            + "\(segment.sampleCount)")
      }
      guard
        recording.samples.decodedByteCount + timeline.samples.decodedByteCount
          <= limits.decodedBytes
      else { throw TimelineError.tooLarge(place: "recording \(id)") }
      // A person may have moved the set's row to another exercise.
      recording.identity.exerciseId = recording.identity.exerciseId ?? timeline.identity.exerciseId
      let offset = recording.samples.count
      if index == 0 {
        recording.samples = timeline.samples
      } else {
        recording.samples.append(timeline.samples)
      }
      for span in timeline.phases {
        recording.phases.appendJoining(
          PhaseSpan(
            rows: offset + span.rows.lowerBound..<offset + span.rows.upperBound,
            phase: span.phase))
      }
      recording.health += timeline.health
    }
    return recording
  }
}

extension [PhaseSpan] {
  /// Appends a span, merging it with the last one if it continues the phase. Restores spans that were split at
  /// a segment boundary.
  fileprivate mutating func appendJoining(_ span: PhaseSpan) {
    if let last, last.phase == span.phase, last.rows.upperBound == span.rows.lowerBound {
      self[count - 1].rows = last.rows.lowerBound..<span.rows.upperBound
    } else {
      append(span)
    }
  }
}
