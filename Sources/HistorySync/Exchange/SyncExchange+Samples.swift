import Digests
import Foundation
import GRDB
import Motion
import TimelineFormat
import WorkoutHistory

/// A recording's segment as exchanged between copies of a history. Its samples are sent separately.
package struct SyncSegment: Sendable, Hashable, Codable, FetchableRecord {
  package var digest: String
  package var byteCount: Int
  var firstSample: Int
  var sampleCount: Int
  /// The set's key; nil for rest.
  var set: HistorySetRow.Key?
  var position: Int?
  /// Start and end of the set, in seconds on the samples' clock.
  var clockStart: Double?
  var clockEnd: Double?

  /// Range of a segment's size in bytes, limited by the size of a row.
  private static let byteCounts = 1...Int(HistoryRules.longestValue) - SyncExchange.longestPart

  fileprivate var hasPossibleNumbers: Bool {
    Self.byteCounts.contains(byteCount)
      && [firstSample, sampleCount].allSatisfy { SyncObject.wholeNumbers.contains(Int64($0)) }
  }
}

extension SyncObject {
  /// Returns a recording's segments; none for other objects.
  package func segments() throws -> [SyncSegment] {
    guard entity == .recording, case .text(let text) = value("segments") else { return [] }
    guard let segments = try? JSONDecoder().decode([SyncSegment].self, from: Data(text.utf8)),
      segments.allSatisfy(\.hasPossibleNumbers)
    else {
      throw HistoryError.invalidValue(reason: "the segments of recording \(key) are unreadable")
    }
    return segments
  }
}

extension SyncExchange {
  /// Maximum size of a part of samples that is sent or stored, in bytes.
  public static let longestPart = 1 << 20

  public static func digest(of bytes: Data) -> String {
    SHA256.hash(bytes).hexadecimalDigits
  }

  package func samples(
    of key: HistoryRecordingRow.Key, user: HistoryUser.ID = .local
  ) throws -> [String: Data] {
    try store.read { db in
      let session = SyncSession(db: db, user: user)
      let id = try session.rowId(.recording, key: key.rawValue)
      return try id.map { try session.samples(recording: HistoryRecordingRow.ID($0)) } ?? [:]
    }
  }

  /// Returns segments whose samples are missing here, with the number of bytes received of each.
  package func missingSamples(
    of objects: [SyncObject], user: HistoryUser.ID = .local
  ) throws -> [(segment: SyncSegment, received: Int)] {
    var missing: [String: (SyncSegment, Int)] = [:]
    for object in objects where object.entity == .recording && object.values != nil {
      // The merge rejects unreadable segments.
      guard let segments = try? object.segments() else { continue }
      let here = try samples(of: HistoryRecordingRow.Key(object.key), user: user)
      for segment in segments where here[segment.digest] == nil {
        let received = try store.read { try Self.received($0, segment.digest) }
        if received != segment.byteCount { missing[segment.digest] = (segment, received ?? 0) }
      }
    }
    return missing.values.map { ($0.0, $0.1) }.sorted { $0.segment.digest < $1.segment.digest }
  }

  /// Stores a part of a segment's samples until its recording is merged. If the complete samples do not match
  /// the digest, discards them and returns false; they must be sent again.
  @discardableResult
  package func receive(_ part: Data, at offset: Int, of segment: SyncSegment) throws -> Bool {
    let digest = segment.digest
    return try store.write { db -> Bool in
      let received = try Self.received(db, digest) ?? 0
      guard offset <= received else {
        throw HistoryError.invalidValue(reason: "the beginning of the samples \(digest) has gone")
      }
      guard offset + part.count > received else { return true }
      let new = Data(part.dropFirst(received - offset))
      guard received + new.count >= segment.byteCount else {
        try db.execute(
          "INSERT INTO sync_blob VALUES (?, ?, ?)",
          digest + String(format: ":%016llx", Int64(received)), segment.byteCount, new)
        return true
      }
      var whole = Data()
      let earlier = try Data.fetchCursor(
        db, sql: "SELECT data FROM sync_blob WHERE \(Self.isPart) ORDER BY digest",
        arguments: [digest])
      while let part = try earlier.next() { whole.append(part) }
      whole.append(new)
      try db.execute("DELETE FROM sync_blob WHERE \(Self.isPart)", digest)
      guard Self.digest(of: whole) == digest else { return false }
      try db.execute("INSERT INTO sync_blob VALUES (?, ?, ?)", digest, segment.byteCount, whole)
      return true
    }
  }

  /// An SQL condition for the rows of a segment's samples: `DIGEST` for the whole, `DIGEST:OFFSET` for parts
  /// in order (";" follows ":"). Appending to a single row would take quadratic time.
  private static let isPart = "digest >= ?1 AND digest < ?1 || ';'"

  /// Returns the number of bytes received; nil for none. SQLite reads each row completely.
  private static func received(_ db: Database, _ digest: String) throws -> Int? {
    let last = try db.row(
      """
      SELECT digest, length(data) AS count FROM sync_blob WHERE \(isPart)
      ORDER BY digest DESC LIMIT 1
      """, digest)
    guard let last else { return nil }
    let count: Int = try last.value("count")
    let place = Int((try last.value("digest") as String).dropFirst(digest.count + 1), radix: 16)
    // A store may contain arbitrary numbers.
    return min(max(0, place ?? 0), 1 << 40) + count
  }

  /// Discards samples whose recordings were never merged. They can be requested again.
  package func discardReceivedSamples() throws {
    let isEmpty = try store.read {
      try $0.value("SELECT NOT EXISTS (SELECT 1 FROM sync_blob)", as: Bool.self)
    }
    if isEmpty == false { try store.write { try $0.execute(sql: "DELETE FROM sync_blob") } }
  }
}

extension SyncSession {
  func segments(recording: HistoryRecordingRow.ID) throws -> [SyncSegment] {
    // Messages cannot express an infinity (see ``SyncValue``).
    func finite(_ column: String) -> String {
      "iif(abs(s.\(column)) < 9e999, s.\(column), NULL) AS \(column)"
    }
    return try db.records(
      """
      SELECT lower(hex(g.digest)) AS digest, g.byteCount, g.firstSample, g.sampleCount,
        s.globalKey AS "set", s.position, \(finite("clockStart")), \(finite("clockEnd"))
      FROM segment g LEFT JOIN workout_set s ON s.id = g.setId
      WHERE g.recordingId = ? ORDER BY g.position
      """, recording)
  }

  func samples(recording: HistoryRecordingRow.ID) throws -> [String: Data] {
    let blobs = try db.values(
      """
      SELECT b.data FROM segment g JOIN blob b ON b.segmentId = g.id
      WHERE g.recordingId = ?
      """, recording, as: Data.self)
    return Dictionary(blobs.map { (SyncExchange.digest(of: $0), $0) }, uniquingKeysWith: { $1 })
  }

  func write(
    recording object: SyncObject, id: Int64?,
    changing fields: Set<String>
  ) throws -> Int64 {
    guard case .text(let workoutKey) = object.value("workout"),
      let workout = try rowId(.workoutHistory, key: workoutKey)
    else { throw HistoryError.invalidValue(reason: "recording \(object.key) has no workout") }
    guard case .text(let hexadecimal) = object.value("digest"),
      let digest = [UInt8](hexadecimalDigits: hexadecimal).map({ Data($0) })
    else { throw HistoryError.invalidValue(reason: "recording \(object.key) has no digest") }
    let name = SetName(globalKey: object.key)
    let row = try writeColumns(
      of: object, id: id, changing: fields, fixed: ["sessionKey": name.session, "key": name.key],
      given: ["workout": ("workoutId", workout), "digest": ("digest", digest), "segments": nil])
    if fields.contains("samples") {
      try write(try object.segments(), recording: HistoryRecordingRow.ID(row), name: name)
    }
    return row
  }

  /// Replaces the segments of a recording, omitting samples that a person deleted.
  func write(_ segments: [SyncSegment], recording: HistoryRecordingRow.ID, name: SetName) throws {
    guard segments.allSatisfy(\.hasPossibleNumbers) else {
      throw HistoryError.invalidValue(reason: "recording \(name.key) has segments that cannot be")
    }
    let here = try samples(recording: recording)
    let deleted = try DeletedSamples.fetch(db, recording: name, user: user)
    let isLossless =
      try db.value("SELECT isLossless FROM recording WHERE id = ?", recording, as: Bool.self)
      ?? true
    var kept: [(SyncSegment, Data, set: Int64?)] = []
    for told in segments {
      let data =
        try here[told.digest]
        ?? db.value(
          "SELECT data FROM sync_blob WHERE digest = ? AND length(data) = size", told.digest,
          as: Data.self)
      guard let data else { throw MissingSamples(digest: told.digest, recording: name.key) }
      guard let (segment, set) = try find(setOf: told, deleted: deleted) else {
        continue
      }
      let touching = deleted.filter { $0.touches(segment) }
      let pieces =
        touching.isEmpty
        ? [(segment, data)] : segment.pieces(data, without: touching, isLossless: isLossless)
      kept += pieces.map { ($0, $1, $0.set == nil ? nil : set) }
    }
    let (before, after) = (segments.map(\.sampleCount), kept.map(\.0.sampleCount))
    try db.execute(
      """
      UPDATE recording SET deletedSampleCount = min(deletedSampleCount + ?, \(Int64.max))
      WHERE id = ?
      """, max(0, before.reduce(0, +) - after.reduce(0, +)), recording)
    try db.execute("DELETE FROM segment WHERE recordingId = ?", recording)
    try db.execute("UPDATE workout_set SET position = NULL WHERE recordingId = ?", recording)
    for (position, (segment, data, set)) in kept.enumerated() {
      try db.execute("DELETE FROM segment WHERE setId = ?", set)
      let counted = set == nil ? nil : try? TimelineDecoder().countedSet(in: [UInt8](data))
      try HistoryStore.saveSegment(
        db, recording: recording, position: position, set: set.map(HistorySetRow.ID.init(_:)),
        firstSample: segment.firstSample, sampleCount: segment.sampleCount, bytes: data,
        digest: Data(SHA256.hash(data)), reps: counted?.reps ?? [])
      guard let set else { continue }
      try db.execute(
        """
        UPDATE workout_set SET recordingId = ?, position = ?, clockStart = ?, clockEnd = ?
        WHERE id = ?
        """, recording, segment.position, segment.clockStart, segment.clockEnd, set)
    }
  }
}

/// An error for samples that should have been received before their recording was merged.
struct MissingSamples: Error {
  var digest: String
  var recording: String
}
