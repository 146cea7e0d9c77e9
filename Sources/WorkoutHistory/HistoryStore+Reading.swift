import Foundation
import GRDB
import Motion
import TimelineFormat

extension HistoryStore {
  /// Returns a page of sets in order of insertion. Does not read timelines.
  ///
  /// - Parameter damaged: Called for each damaged row, which is skipped; if nil, a damaged row is an error.
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
        // SQLite treats a negative limit as no limit.
        let found = try Row.fetchCursor(db, sql: Self.pageQuery, arguments: [id, max(0, limit)])
        while let row = try found.next() {
          let next: HistorySetRow.ID = try row.value("id")
          guard next.rawValue > end.rawValue else {
            throw HistoryError.damaged(reason: "the rows of sets are not in their order")
          }
          end = next
          let place = rows.count + damage.count + 1
          do {
            var set = try HistoryError.translating(path: path) { try HistorySetRow(row) }
            set.number = number + place
            rows.append(set)
          } catch let error as HistoryError where damaged != nil {
            damage.append((place, error))
          }
        }
      }
      // Damaged rows after the last set are reported with the next page.
      let lastPlace = rows.last.map { $0.number - number } ?? .max
      for (place, error) in damage where place < lastPlace { damaged?(error) }
      guard rows.isEmpty, !damage.isEmpty else { return rows }
      number += damage.count
      id = end
    }
  }

  static let pageQuery = """
    SELECT 0 AS number, \(HistorySetRow.columns) FROM \(HistorySetRow.tables)
    WHERE s.id > ? ORDER BY s.id LIMIT ?
    """

  package func setCount() throws -> Int {
    try read { db in
      try db.value(
        """
        SELECT count(*) - (SELECT count(*) FROM workout_set o
          WHERE \(HistorySetRow.isInProgress("o.exerciseId"))) FROM workout_set
        """, as: Int.self) ?? 0
    }
  }

  /// Returns a set by its key, by `SESSION/KEY`, or else by its number in the list of all sets, from 1.
  public func set(
    _ reference: HistorySetRow.Key, user: HistoryUser.ID? = nil, checksRow: Bool = true
  ) throws -> HistorySetRow? {
    try read { db in
      var id = try Self.setId(db, named: reference, user: user)
      if id == nil, let number = Int(reference.rawValue), number >= 1 {
        id = try db.value(
          """
          SELECT id FROM workout_set WHERE NOT \(HistorySetRow.isInProgress("exerciseId"))
          ORDER BY id LIMIT 1 OFFSET ?
          """, number - 1)
      }
      let rows = try HistorySetRow.fetchAll(
        db, "WHERE s.id = ?1 AND (?2 IS NULL OR s.userId = ?2)", [id, user], isNumbered: true,
        checksRows: checksRow)
      return rows.first
    }
  }

  /// Returns a set's row by its key, or by its session and its key.
  ///
  /// - Parameter session: Restricts the search to sets of this session or without one.
  static func setId(
    _ db: Database, named reference: HistorySetRow.Key, session: HistoryWorkoutRow.Key? = nil,
    user: HistoryUser.ID?
  ) throws -> HistorySetRow.ID? {
    let name = SetName(globalKey: reference.rawValue)
    let users =
      try user.map { [$0] }
      ?? db.values("SELECT id FROM user LIMIT 10000", as: HistoryUser.ID.self)
    var rows: [Row] = []
    for user in users {
      rows += try db.rows(
        """
        SELECT id, globalKey FROM workout_set WHERE userId = ?1 AND key = ?2
          AND (?3 IS NULL OR sessionKey IN (?3, '')) ORDER BY sessionKey DESC, id LIMIT 10
        """, user, reference, session)
    }
    if rows.isEmpty, !name.session.isEmpty {
      rows = try users.compactMap { user in
        try db.row(
          """
          SELECT id, globalKey FROM workout_set WHERE userId = ? AND sessionKey = ? AND key = ?
          """, user, name.session, name.key)
      }
    }
    if rows.isEmpty {
      let session = name.session.isEmpty ? session?.rawValue ?? "" : name.session
      rows = try streamedSets(db, named: SetName(session: session, key: name.key), user: user)
    }
    if rows.count > 1, session == nil {
      throw HistoryError.ambiguous(
        reference: reference.rawValue, candidates: try rows.map { try $0.value("globalKey") })
    }
    return try rows.first.value("id")
  }

  /// Returns the sets of a stream by their name in its events.
  private static func streamedSets(
    _ db: Database, named name: SetName, user: HistoryUser.ID?
  ) throws -> [Row] {
    let (detected, declared) = (name.detectedNumber, name.declaredNumber)
    guard detected != nil || declared != nil else { return [] }
    return try db.rows(
      """
      SELECT s.id, s.globalKey FROM recording r JOIN workout_set s ON s.recordingId = r.id
      WHERE r.streamKey = iif(?2 IS NULL, json_array('numberedSet', ?1, CAST(?3 AS TEXT)), 'session ' || ?1)
        AND s.key = r.key || '-' || coalesce(?2, 1) AND (?4 IS NULL OR s.userId = ?4)
      """, name.session.uppercased(), detected, declared, user)
  }

  static func setId(_ db: Database, _ name: SetName, user: HistoryUser.ID) throws -> HistorySetRow
    .ID?
  {
    try db.value(
      "SELECT id FROM workout_set WHERE userId = ? AND sessionKey = ? AND key = ?", user,
      name.session, name.key, as: HistorySetRow.ID.self)
  }

  package func timelineBytes(ofSet id: HistorySetRow.ID) throws -> [UInt8] {
    try segment(ofSet: id).bytes
  }

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
    try read { db in
      try db.row(
        """
        SELECT g.sampleCount, b.data FROM segment g
        JOIN blob b ON b.segmentId = g.id WHERE g.setId = ?
        """, id
      ).map { (try $0.value("sampleCount") as Int, [UInt8](try $0.value("data") as Data)) }
        .orNotFound("timeline of set \(id)")
    }
  }

  /// Returns all recordings in order of insertion.
  ///
  /// - Parameter damaged: Called for each damaged row, which is skipped; if nil, a damaged row is an error.
  package func recordings(
    damaged: ((HistoryError) -> Void)? = nil
  ) throws -> [HistoryRecordingRow] {
    try read { db in
      try db.rows(HistoryRecordingRow.query + " ORDER BY r.id").compactMap { row in
        do {
          return try HistoryError.translating(path: path) { try HistoryRecordingRow(row) }
        } catch let error as HistoryError where damaged != nil {
          damaged?(error)
          return nil
        }
      }
    }
  }

  package func sets(ofRecording id: HistoryRecordingRow.ID) throws -> [HistorySetRow] {
    try read { db in
      try HistorySetRow.fetchAll(
        db, "WHERE s.recordingId = ? ORDER BY s.position", [id], isNumbered: true)
    }
  }

  /// Returns the encoded timelines of a recording's segments in order: rest, set, rest, …
  package func timelineBytes(ofRecording id: HistoryRecordingRow.ID) throws -> [[UInt8]] {
    try segments(ofRecording: id).map(\.bytes)
  }

  private func segments(ofRecording id: HistoryRecordingRow.ID) throws -> [(
    sampleCount: Int, bytes: [UInt8]
  )] {
    try read { db in
      try db.rows(
        """
        SELECT g.id, g.sampleCount, b.data FROM segment g
        LEFT JOIN blob b ON b.segmentId = g.id
        WHERE g.recordingId = ? ORDER BY g.position
        """, id
      ).map { row in
        guard let data: Data = try row.value("data") else {
          let segment: Int64 = try row.value("id")
          throw HistoryError.damaged(reason: "the timeline of segment \(segment) is missing")
        }
        return (try row.value("sampleCount"), [UInt8](data))
      }
    }
  }

  public func samples(ofRecording id: HistoryRecordingRow.ID) throws -> MotionBatch {
    try recording(id).samples
  }

  /// Returns a recording as saved: name, ids, samples, phases, health data and date.
  public func recording(_ id: HistoryRecordingRow.ID) throws -> Recording {
    let row = try read { db in
      try db.row(
        """
        SELECT r.name, r.startTime, w.sessionId, s.setId,
          \(ProtectedTable.named("recording").isDamaged(as: "r")) AS isDamaged
        FROM recording r LEFT JOIN workout w ON w.id = r.workoutId
        LEFT JOIN workout_set s ON s.recordingId = r.id AND s.position = 1
        WHERE r.id = ?
        """, id
      ).orNotFound("recording \(id)")
    }
    try HistoryError.translating(path: path) {
      try ProtectedTable.named("recording").requireIntact(row, id: id.rawValue)
    }
    var recording = try Recording(
      name: row.value("name"),
      identity: SetIdentity(sessionId: row.value("sessionId"), setId: row.value("setId")),
      samples: MotionBatch(), unixTimeOfFirstSample: row.value("startTime"))
    var byteCount = 0
    for segment in try segments(ofRecording: id) {
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
      recording.append(timeline)
    }
    return recording
  }

  /// Returns the times of the recordings' first samples, in seconds on the samples' clocks.
  package func recordingOrigins() throws -> [HistoryRecordingRow.ID: Double] {
    try read { db in
      try db.rows("SELECT id, firstTime FROM recording").reduce(into: [:]) { origins, row in
        origins[try row.value("id")] = try row.value("firstTime") as Double?
      }
    }
  }

  /// Returns a page of a person's sets, newest first. Does not read timelines.
  package func newestSets(
    of user: HistoryUser.ID, before id: HistorySetRow.ID?, limit: Int
  ) throws -> [HistorySetRow] {
    try read { db in
      try HistorySetRow.fetchAll(
        db, "WHERE s.userId = ?1 AND (?2 IS NULL OR s.id < ?2) ORDER BY s.id DESC LIMIT ?3",
        [user, id, limit])
    }
  }

  package func exerciseNames() throws -> [String] {
    try read { db in
      try db.values(
        """
        SELECT name FROM workout_exercise WHERE name IS NOT NULL
        UNION SELECT name FROM exercise
        """, as: String.self)
    }
  }
}
