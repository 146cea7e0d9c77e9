import Foundation
import GRDB
import Motion
import TimelineFormat

extension HistoryStore {
  /// Sets in the order in which they came into the history, a page at a time. Touches no timeline.
  ///
  /// - Parameters:
  ///   - last: The last set of the page before; nil for the first page.
  ///   - limit: Sets on the page at most.
  public func sets(after last: HistorySetRow? = nil, limit: Int = .max) throws -> [HistorySetRow] {
    try read { db in
      var number = last?.number ?? 0
      return try Row.fetchAll(db, sql: Self.pageQuery, arguments: [last?.id ?? 0, limit]).map {
        number += 1
        return HistorySetRow($0, number: number)
      }
    }
  }

  static let pageQuery = """
    SELECT \(HistorySetRow.columns) FROM \(HistorySetRow.tables)
    WHERE s.id > ? ORDER BY s.id LIMIT ?
    """

  /// The number of sets in the history.
  public func setCount() throws -> Int {
    try read { try Int.fetchOne($0, sql: "SELECT count(*) FROM historySet") ?? 0 }
  }

  /// A set by its key, or else by its number in the list of all sets, from 1.
  ///
  /// - Returns: Nil where there is none.
  public func set(
    _ reference: String, user: Int64 = HistoryStore.localUser
  ) throws -> HistorySetRow? {
    try read { db in
      let named = try Row.fetchOne(
        db,
        sql: """
          SELECT \(HistorySetRow.columns),
            (SELECT count(*) FROM historySet WHERE id <= s.id) AS number
          FROM \(HistorySetRow.tables) WHERE s.userId = ? AND s.key = ?
          """, arguments: [user, reference])
      if let named { return HistorySetRow(named, number: named["number"]) }
      guard let number = Int(reference), number >= 1 else { return nil }
      return try Row.fetchOne(
        db,
        sql: """
          SELECT \(HistorySetRow.columns) FROM \(HistorySetRow.tables)
          WHERE s.id = (SELECT id FROM historySet ORDER BY id LIMIT 1 OFFSET ?)
          """, arguments: [number - 1]
      ).map { HistorySetRow($0, number: number) }
    }
  }

  /// The timeline's bytes of a set.
  ///
  /// - Throws: ``HistoryError/notFound(reference:)`` where the set has no timeline.
  public func timelineBytes(ofSet id: Int64) throws -> [UInt8] {
    let data = try read { db in
      try Row.fetchOne(
        db,
        sql: """
          SELECT b.data FROM timelineSegment g JOIN timelineBlob b ON b.segmentId = g.id
          WHERE g.setId = ?
          """, arguments: [id]
      ).map { [UInt8]($0["data"] as Data) }
    }
    guard let data else { throw HistoryError.notFound(reference: "timeline of set \(id)") }
    return data
  }

  /// The whole timeline of a set.
  public func timeline(ofSet id: Int64) throws -> Timeline {
    try TimelineDecoder().decode(try timelineBytes(ofSet: id))
  }

  /// All recordings, in the order in which they came into the history.
  public func recordings() throws -> [HistoryRecordingRow] {
    try read { db in
      try Row.fetchAll(db, sql: HistoryRecordingRow.query + " ORDER BY r.id").map {
        HistoryRecordingRow($0)
      }
    }
  }

  /// The sets that were found in a recording, in order.
  public func sets(ofRecording id: Int64) throws -> [HistorySetRow] {
    try read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT \(HistorySetRow.columns),
            (SELECT count(*) FROM historySet WHERE id <= s.id) AS number
          FROM \(HistorySetRow.tables) WHERE s.recordingId = ? ORDER BY s.position
          """, arguments: [id]
      ).map { HistorySetRow($0, number: $0["number"]) }
    }
  }

  /// The timelines of a recording's segments in order: rest, set, rest, …
  public func timelineBytes(ofRecording id: Int64) throws -> [[UInt8]] {
    try read { db in
      try Data.fetchAll(
        db,
        sql: """
          SELECT b.data FROM timelineSegment g JOIN timelineBlob b ON b.segmentId = g.id
          WHERE g.recordingId = ? ORDER BY g.position
          """, arguments: [id]
      ).map { [UInt8]($0) }
    }
  }

  /// Every sample of a recording in order.
  public func samples(ofRecording id: Int64) throws -> MotionBatch {
    try recording(id).samples
  }

  /// A recording as it was saved: name, ids, samples, phases, health data and date.
  ///
  /// - Throws: ``HistoryError/notFound(reference:)``; ``TimelineError`` where a segment is damaged.
  public func recording(_ id: Int64) throws -> Recording {
    let row = try read { db in
      try Row.fetchOne(
        db,
        sql: """
          SELECT r.name, r.startTime, w.sessionId, e.exerciseId, s.setId
          FROM recording r LEFT JOIN workoutHistory w ON w.id = r.workoutId
          LEFT JOIN historySet s ON s.recordingId = r.id AND s.position = 1
          LEFT JOIN historyExercise e ON e.id = s.exerciseId
          WHERE r.id = ?
          """, arguments: [id])
    }
    guard let row else { throw HistoryError.notFound(reference: "recording \(id)") }
    var recording = Recording(
      name: row["name"],
      identity: SetIdentity(
        sessionId: row["sessionId"], exerciseId: row["exerciseId"], setId: row["setId"]),
      samples: MotionBatch(), unixTimeOfFirstSample: row["startTime"])
    let decoder = TimelineDecoder()
    for (index, bytes) in try timelineBytes(ofRecording: id).enumerated() {
      let timeline = try decoder.decode(bytes)
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
  /// Appends a span, joined with the last where it goes on in the same phase: a span that was cut
  /// between two segments is one again.
  fileprivate mutating func appendJoining(_ span: PhaseSpan) {
    if let last, last.phase == span.phase, last.rows.upperBound == span.rows.lowerBound {
      self[count - 1].rows = last.rows.lowerBound..<span.rows.upperBound
    } else {
      append(span)
    }
  }
}
