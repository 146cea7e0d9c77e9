import Digests
import Foundation
import GRDB
import Motion
import TimelineFormat

/// The description of a recording's segment that copies of a history exchange. Its samples are identified by
/// their digest and sent separately.
package struct SyncSegment: Sendable, Hashable, Codable {
  /// The SHA-256 of its bytes, in hexadecimal digits.
  package var digest: String
  package var byteCount: Int
  var firstSample: Int
  var sampleCount: Int
  /// The set's key; nil for rest.
  var set: HistorySetRow.Key?
  /// The set's position in the recording.
  var position: Int?
  /// Begin and end of the set, in seconds on the samples' clock.
  var clockStart: Double?
  var clockEnd: Double?

  /// Limits of a segment's size: no row can hold more.
  private static let byteCounts = 1...Int(HistoryConnection.longestValue) - SyncExchange.longestPart

  fileprivate var hasPossibleNumbers: Bool {
    Self.byteCounts.contains(byteCount)
      && [firstSample, sampleCount].allSatisfy { SyncObject.wholeNumbers.contains(Int64($0)) }
  }

  /// Encodes segments as the text of the member `segments`.
  static func text(_ segments: [SyncSegment]) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(segments), as: UTF8.self)
  }
}

extension SyncObject {
  /// Returns a recording's segments; none for other objects.
  ///
  /// - Throws: ``HistoryError/invalidValue(reason:)``.
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
  /// Maximum size of a part of samples that is sent or stored at once, in bytes.
  public static let longestPart = 1 << 20

  /// Returns the identifier of samples: the SHA-256 of their bytes in hexadecimal digits.
  public static func digest(of bytes: Data) -> String {
    SHA256.hash(bytes).hexadecimalDigits
  }

  static func segments(_ db: Database, recording: HistoryRecordingRow.ID) throws -> [SyncSegment] {
    try Row.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT g.digest, g.byteCount, g.firstSample, g.sampleCount, s.globalKey, s.position,
            s.clockStart, s.clockEnd
          FROM segment g
          LEFT JOIN workout_set s ON s.id = g.setId WHERE g.recordingId = ? ORDER BY g.position
          """), arguments: [recording]
    ).map { row in
      SyncSegment(
        digest: [UInt8](try row.value("digest") as Data).hexadecimalDigits,
        byteCount: try row.value("byteCount"),
        firstSample: try row.value("firstSample"), sampleCount: try row.value("sampleCount"),
        set: try row.value("globalKey"), position: try row.value("position"),
        // No message can hold an infinity (see ``SyncValue``).
        clockStart: (try row.value("clockStart") as Double?).flatMap { $0.isFinite ? $0 : nil },
        clockEnd: (try row.value("clockEnd") as Double?).flatMap { $0.isFinite ? $0 : nil })
    }
  }

  /// Returns the bytes of a recording's segments by their digests.
  public func samples(
    of key: HistoryRecordingRow.Key, user: HistoryUser.ID = HistoryStore.localUser
  ) throws -> [String: Data] {
    try store.read { db in
      guard let id = try Self.rowId(db, .recording, key: key.rawValue, user: user) else {
        return [:]
      }
      return try Self.samples(db, recording: HistoryRecordingRow.ID(id))
    }
  }

  private static func samples(_ db: Database, recording: HistoryRecordingRow.ID) throws -> [String:
    Data]
  {
    let blobs = try Data.fetchAll(
      db,
      sql: """
        SELECT b.data FROM segment g JOIN blob b ON b.segmentId = g.id
        WHERE g.recordingId = ?
        """, arguments: [recording])
    return Dictionary(blobs.map { (digest(of: $0), $0) }, uniquingKeysWith: { $1 })
  }

  /// Returns the segments of received objects whose samples are missing here, and how many bytes of each have
  /// been received.
  package func missingSamples(
    of objects: [SyncObject], user: HistoryUser.ID = HistoryStore.localUser
  ) throws -> [(segment: SyncSegment, received: Int)] {
    var missing: [String: (SyncSegment, Int)] = [:]
    for object in objects where object.entity == .recording && object.values != nil {
      // Unreadable segments are refused by the merge.
      guard let segments = try? object.segments() else { continue }
      let here = try samples(of: HistoryRecordingRow.Key(object.key), user: user)
      for segment in segments where here[segment.digest] == nil {
        let received = try store.read { try Self.received($0, segment.digest) }
        if received != segment.byteCount { missing[segment.digest] = (segment, received ?? 0) }
      }
    }
    return missing.values.map { ($0.0, $0.1) }.sorted { $0.segment.digest < $1.segment.digest }
  }

  /// Stores a part of a segment's samples until its recording is merged. Checks the digest after the last part.
  ///
  /// - Parameter offset: The part's offset in bytes; bytes that were received before are skipped.
  /// - Returns: False if the complete samples do not match the digest: they are discarded, and must be sent
  ///   again.
  /// - Throws: ``HistoryError/invalidValue(reason:)`` if earlier bytes are missing.
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
        let place = String(received, radix: 16)
        let zeros = String(repeating: "0", count: 16 - place.count)
        try db.execute(
          cached: "INSERT INTO sync_blob VALUES (?, ?, ?)",
          arguments: ["\(digest):\(zeros)\(place)", segment.byteCount, new])
        return true
      }
      var whole = Data()
      let earlier = try Data.fetchCursor(
        db, sql: "SELECT data FROM sync_blob WHERE \(Self.isPart) ORDER BY digest",
        arguments: [digest])
      while let part = try earlier.next() { whole.append(part) }
      whole.append(new)
      try db.execute(sql: "DELETE FROM sync_blob WHERE \(Self.isPart)", arguments: [digest])
      guard Self.digest(of: whole) == digest else { return false }
      try db.execute(
        sql: "INSERT INTO sync_blob VALUES (?, ?, ?)",
        arguments: [digest, segment.byteCount, whole])
      return true
    }
  }

  /// An SQL condition for the rows of a segment's samples: `DIGEST` for the whole, `DIGEST:OFFSET` for its
  /// parts in order (";" follows ":"). Appending to a single row would take quadratic time.
  private static let isPart = "digest >= ?1 AND digest < ?1 || ';'"

  /// Returns the number of bytes received; nil for none. Looks at the last part only: SQLite reads the whole of
  /// each row that it passes.
  private static func received(_ db: Database, _ digest: String) throws -> Int? {
    let last = try Row.fetchOne(
      db,
      cached: """
        SELECT digest, length(data) AS count FROM sync_blob WHERE \(isPart)
        ORDER BY digest DESC LIMIT 1
        """, arguments: [digest])
    guard let last else { return nil }
    let count: Int = try last.value("count")
    let place = Int((try last.value("digest") as String).dropFirst(digest.count + 1), radix: 16)
    // A store may hold arbitrary numbers.
    return min(max(0, place ?? 0), 1 << 40) + count
  }

  /// Discards samples whose recordings were never merged. They can be requested again.
  package func forgetReceivedSamples() throws {
    let isEmpty = try store.read {
      try Bool.fetchOne($0, sql: "SELECT NOT EXISTS (SELECT 1 FROM sync_blob)")
    }
    if isEmpty == false { try store.write { try $0.execute(sql: "DELETE FROM sync_blob") } }
  }

  /// Writes a recording and its segments, whose samples have been received.
  static func write(
    _ db: Database, recording object: SyncObject, id: Int64?, user: HistoryUser.ID,
    changing fields: Set<String>
  ) throws -> Int64 {
    guard case .text(let workoutKey) = object.value("workout"),
      let workout = try rowId(db, .workoutHistory, key: workoutKey, user: user)
    else { throw HistoryError.invalidValue(reason: "recording \(object.key) has no workout") }
    guard case .text(let hexadecimal) = object.value("digest"),
      let digest = Data(hexadecimal: hexadecimal)
    else { throw HistoryError.invalidValue(reason: "recording \(object.key) has no digest") }
    let name = SetName(globalKey: object.key)
    func value(_ name: String) -> DatabaseValue { object.value(name).databaseValue }
    let row: HistoryRecordingRow.ID = try db.upsert(
      "recording", by: ["userId", "sessionKey", "key"],
      [
        "userId": user, "workoutId": workout, "sessionKey": name.session, "key": name.key,
        "name": value("name"), "digest": digest, "sampleCount": value("sampleCount"),
        "deletedSampleCount": value("deletedSampleCount"), "clock": value("clock"),
        "firstTime": value("firstTime"), "lastTime": value("lastTime"),
        "startTime": value("startTime"), "isLossless": value("isLossless"),
      ])
    if fields.contains("samples") {
      try write(db, try object.segments(), recording: row, name: name, user: user)
    }
    return row.rawValue
  }

  /// Replaces the segments of a recording, leaving out samples that a person deleted.
  static func write(
    _ db: Database, _ segments: [SyncSegment], recording: HistoryRecordingRow.ID, name: SetName,
    user: HistoryUser.ID
  ) throws {
    guard segments.allSatisfy(\.hasPossibleNumbers) else {
      throw HistoryError.invalidValue(reason: "recording \(name.key) has segments that cannot be")
    }
    let here = try samples(db, recording: recording)
    let deleted = try DeletedSamples.fetch(db, recording: name, user: user)
    let isLossless =
      try Bool.fetchOne(
        db, cached: "SELECT isLossless FROM recording WHERE id = ?", arguments: [recording]) ?? true
    var kept: [(SyncSegment, Data, set: Int64?)] = []
    for told in segments {
      let data =
        try here[told.digest]
        ?? Data.fetchOne(
          db, sql: "SELECT data FROM sync_blob WHERE digest = ? AND length(data) = size",
          arguments: [told.digest])
      guard let data else { throw MissingSamples(digest: told.digest, recording: name.key) }
      guard let (segment, set) = try find(db, setOf: told, deleted: deleted, user: user) else {
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
      cached: """
        UPDATE recording SET deletedSampleCount = min(deletedSampleCount + ?, \(Int64.max))
        WHERE id = ?
        """, arguments: [max(0, before.reduce(0, +) - after.reduce(0, +)), recording])
    try db.execute(sql: "DELETE FROM segment WHERE recordingId = ?", arguments: [recording])
    try db.execute(
      sql: "UPDATE workout_set SET position = NULL WHERE recordingId = ?", arguments: [recording])
    for (position, (segment, data, set)) in kept.enumerated() {
      try db.execute(cached: "DELETE FROM segment WHERE setId = ?", arguments: [set])
      let counted = set == nil ? nil : try? TimelineDecoder().countedSet(in: [UInt8](data))
      try HistoryStore.saveSegment(
        db, recording: recording, position: position, set: set.map(HistorySetRow.ID.init(_:)),
        firstSample: segment.firstSample, sampleCount: segment.sampleCount, bytes: data,
        digest: Data(SHA256.hash(data)), reps: counted?.reps ?? [])
      guard let set else { continue }
      try db.execute(
        cached: """
          UPDATE workout_set SET recordingId = ?, position = ?, clockStart = ?, clockEnd = ?
          WHERE id = ?
          """, arguments: [recording, segment.position, segment.clockStart, segment.clockEnd, set])
    }
  }
}

/// Samples that should have been received before their recording was merged.
struct MissingSamples: Error {
  var digest: String
  var recording: String
}

extension Data {
  fileprivate init?(hexadecimal text: String) {
    let digits = Array(text.utf8)
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let byte = UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16)
      else { return nil }
      bytes.append(byte)
    }
    self.init(bytes)
  }
}
