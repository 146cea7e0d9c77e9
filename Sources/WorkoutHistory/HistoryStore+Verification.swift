import Foundation
import GRDB
import Motion
import TimelineFormat

extension HistoryStore {
  /// Limit of the decoded bytes of all timelines together, beside a multiple of their compressed size. No watch
  /// records more than that.
  private static let decodedBytes = 1 << 31
  private static let decodedBytesPerByte = 128
  /// Tolerated difference between a rep's row and its timeline: a bounded timeline keeps it to 1e-4.
  private static let boundOfReps = 1.1e-4

  /// Checks the database's structure, its foreign keys, every row's checksum, and every timeline: its
  /// checksums, its decoding, and its samples against the digest of the saved recording.
  ///
  /// Damage is reported and isolated: a damaged row or timeline does not keep the others from being checked.
  /// Changes nothing. Reads everything once, with one timeline and one recording's samples in memory at a time.
  package func verify() throws -> VerificationReport {
    var report = VerificationReport()
    try isolatingDamage(&report, "the file") { report in
      let size = try self.fileSize()
      let findings = try self.inspect(seconds: Self.longestRead + Double(size) / 2e7) { db in
        try String.fetchAll(db, sql: "PRAGMA integrity_check")
      }
      for finding in findings where finding != "ok" {
        report.problems.append(.init(description: finding))
      }
    }
    try isolatingDamage(&report, "the references between rows") { report in
      let violations = try self.read {
        try Int.fetchOne(
          $0, sql: "SELECT count(*) FROM (SELECT 1 FROM pragma_foreign_key_check LIMIT 1000)") ?? 0
      }
      if violations > 0 {
        report.problems.append(.init(description: "\(violations) rows refer to rows that are gone"))
      }
    }
    for table in ProtectedTable.all {
      try isolatingDamage(&report, table.name) { report in
        for finding in try self.read({ try table.damagedRows($0, limit: 1000) }) {
          report.problems.append(.init(description: finding))
        }
      }
    }
    try isolatingDamage(&report, "the journal") { report in
      for set in try self.journal.damagedSets() {
        report.problems.append(
          .init(
            description:
              "the journal: \(set.messages) messages of \(set.key) are not what was written"))
      }
    }
    try isolatingDamage(&report, "the sets") { report in
      let isBehind = try self.read { db in
        try Bool.fetchOne(
          db,
          sql: """
            SELECT max((SELECT coalesce(max(number), 0) FROM stamp),
              (SELECT coalesce(max(number), 0) FROM tombstone)) > number FROM clock
            """) ?? true
      }
      if isBehind {
        report.problems.append(.init(description: "changes are numbered beyond their counter"))
      }
      report.setCount = try self.setCount()
    }
    try isolatingDamage(&report, "the recordings") { report in
      let ids = try self.read {
        try HistoryRecordingRow.ID.fetchSet($0, sql: "SELECT id FROM recording")
      }
      report.recordingCount = ids.count
      for id in ids.sorted(by: { $0.rawValue < $1.rawValue }) {
        try self.isolatingDamage(&report, recording: id) { report in
          try self.verify(recording: id, into: &report)
        }
      }
    }
    return report
  }

  /// Returns the size of the database, in bytes.
  private func fileSize() throws -> Int {
    try read { db in
      try (Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0)
        * (Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0)
    }
  }

  /// Size of a history up to which ``requireIntact()`` checks every page, in bytes.
  private static let completelyCheckedBytes = 64 << 20

  /// Checks the journal and the structure of the database, before a stream writes on top of it. Opening has checked the
  /// rows. In a large history, the pages of finished samples are left to ``verify()``: the time depends on the number of
  /// sets, not on their samples.
  ///
  /// - Throws: ``HistoryError/damaged(path:reason:)``.
  package func requireIntact() throws {
    let size = try fileSize()
    let findings = try inspect(seconds: Self.longestRead + Double(size) / 2e7) { db -> [String] in
      guard size > Self.completelyCheckedBytes else {
        return try String.fetchAll(db, sql: "PRAGMA quick_check(3)")
      }
      let tables = try String.fetchAll(
        db,
        sql: """
          SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'
            AND name NOT IN ('blob', 'segment', 'segment_rep', 'sync_blob')
          """)
      return try tables.flatMap { try String.fetchAll(db, sql: "PRAGMA quick_check('\($0)')") }
    }.filter { $0 != "ok" }
    let damage =
      try findings.first
      ?? journal.damagedSets().first.map {
        "the journal: \($0.messages) messages of \($0.key) are not what was written"
      }
    if let damage { throw HistoryError.damaged(path: path, reason: damage) }
  }

  /// Runs a part of the check; damage that aborts the part is reported as a finding of its own.
  private func isolatingDamage(
    _ report: inout VerificationReport, _ part: String? = nil,
    recording: HistoryRecordingRow.ID? = nil, _ body: (inout VerificationReport) throws -> Void
  ) throws {
    do {
      try body(&report)
    } catch HistoryError.damaged(_, let reason) {
      report.problems.append(
        .init(
          recordingId: recording, description: (part.map { "\($0): " } ?? "") + reason))
    }
  }

  private func verify(recording id: HistoryRecordingRow.ID, into report: inout VerificationReport)
    throws
  {
    let (row, segments) = try read { db in
      (
        try Row.fetchOne(
          db,
          sql: """
            SELECT digest, sampleCount, deletedSampleCount, isLossless FROM recording WHERE id = ?
            """, arguments: [id]),
        try Row.fetchAll(
          db,
          sql: """
            SELECT g.id, g.sampleCount, s.key FROM segment g
            LEFT JOIN workout_set s ON s.id = g.setId
            WHERE g.recordingId = ? ORDER BY g.position
            """, arguments: [id])
      )
    }
    // Another process deleted it meanwhile.
    guard let row else { return }
    let deletedCount: Int = try value("deletedSampleCount", of: row)
    let sampleCount: Int = try value("sampleCount", of: row)
    let digest: Data = try value("digest", of: row)
    var samples = MotionBatch()
    var isComplete = true
    for (index, segment) in segments.enumerated() {
      report.timelineCount += 1
      guard
        let part = try verify(
          segment: try value("id", of: segment), of: id, setKey: try value("key", of: segment),
          sampleCount: try value("sampleCount", of: segment), into: &report)
      else {
        isComplete = false
        continue
      }
      guard
        samples.decodedByteCount + part.decodedByteCount
          <= TimelineLimits.reading(report.byteCount).decodedBytes
      else {
        throw HistoryError.damaged(reason: "the recording claims more samples than can be checked")
      }
      if index == 0 { samples = part } else { samples.append(part) }
    }
    guard isComplete else { return }
    let (stored, overflow) = samples.count.addingReportingOverflow(deletedCount)
    if overflow || stored != sampleCount {
      report.problems.append(
        .init(
          recordingId: id,
          description: "the recording had \(sampleCount) samples, \(samples.count) are there"
        ))
    } else if try value("isLossless", of: row) == 1, deletedCount == 0,
      samples.digest() != [UInt8](digest)
    {
      report.problems.append(
        .init(recordingId: id, description: "the samples are not those that were saved"))
    }
  }

  /// Returns a column's value outside a transaction, and reports damage as ``HistoryError``.
  private func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(
    _ column: String, of row: Row
  ) throws -> Value {
    try HistoryError.translating(path: path) { try row.value(column) }
  }

  /// Returns the segment's samples; nil if it is damaged, which has been reported.
  private func verify(
    segment: Int64, of recording: HistoryRecordingRow.ID, setKey: HistorySetRow.Key?,
    sampleCount: Int,
    into report: inout VerificationReport
  ) throws -> MotionBatch? {
    func problem(_ description: String, recoverable: Int) {
      report.problems.append(
        .init(
          recordingId: recording, setKey: setKey, description: description,
          recoverableSamples: recoverable,
          // No sum, which a hostile count could overflow.
          lostSamples: sampleCount > recoverable ? sampleCount - recoverable : 0))
    }
    let data: Data?
    do {
      data = try read {
        try Data.fetchOne(
          $0, sql: "SELECT data FROM blob WHERE segmentId = ?", arguments: [segment])
      }
    } catch HistoryError.damaged(_, let reason) {
      problem("the timeline cannot be read: \(reason)", recoverable: 0)
      return nil
    }
    guard let data else {
      problem("the timeline is missing", recoverable: 0)
      return nil
    }
    report.byteCount += data.count
    guard
      report.decodedByteCount
        <= Self.decodedBytes + Self.decodedBytesPerByte * report.byteCount
    else {
      problem("the timelines claim more samples than can be checked", recoverable: 0)
      return nil
    }
    let recovery = TimelineDecoder(limits: .reading(data.count)).recover([UInt8](data))
    let samples = recovery.timeline.samples
    report.decodedByteCount += samples.decodedByteCount
    report.sampleCount += samples.count
    if let damage = recovery.damage.first {
      problem("\(damage.error)", recoverable: samples.count)
      return nil
    }
    guard samples.count == sampleCount else {
      problem(
        "the timeline has \(samples.count) samples instead of \(sampleCount)",
        recoverable: samples.count)
      return nil
    }
    let reps = try read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT clockStart, clockEnd, confidence FROM segment_rep WHERE segmentId = ? ORDER BY number
          """, arguments: [segment])
    }
    let told = (setKey == nil ? [] : recovery.timeline.set?.reps ?? []).map { rep in
      [rep.start, rep.end, rep.confidence.storedConfidence]
    }
    let stored = try reps.map { row in
      try (0..<3).map { index in
        try HistoryError.translating(path: path) { try row.value(at: index) as Double? }
      }
    }
    let isSame =
      told.count == stored.count
      && zip(told.joined(), stored.joined()).allSatisfy { a, b in
        guard let a, let b else { return (a ?? .nan).isNaN && b == nil }
        return a == b || abs(a - b) <= Self.boundOfReps
      }
    guard isSame else {
      problem("the rows of its reps are not those of the timeline", recoverable: samples.count)
      return nil
    }
    report.intactTimelineCount += 1
    return samples
  }
}
