import Foundation
import GRDB
import Motion
import TimelineFormat

extension HistoryStore {
  /// Limit of the decoded bytes of all timelines, in addition to a multiple of their compressed size.
  private static let decodedBytes = 1 << 31
  private static let decodedBytesPerByte = 128
  /// Tolerated difference between a rep's row and its timeline, whose bound is 1e-4.
  private static let boundOfReps = 1.1e-4

  /// Checks the database's structure and references, every row's checksum, and every timeline: checksums,
  /// decoding, and the digest of its samples. Damage is reported and isolated.
  package func verify() throws -> VerificationReport {
    var report = VerificationReport()
    try isolatingDamage(&report, "the file") { report in
      let size = try self.read { try $0.fileSize() }
      let findings = try self.inspect(seconds: Self.longestRead + Double(size) / 2e7) { db in
        try String.fetchAll(db, sql: "PRAGMA integrity_check")
      }
      for finding in findings where finding != "ok" { report.add(finding) }
    }
    try isolatingDamage(&report, "the references between rows") { report in
      let violations: Int? = try self.read {
        try $0.value("SELECT count(*) FROM (SELECT 1 FROM pragma_foreign_key_check LIMIT 1000)")
      }
      if let violations, violations > 0 {
        report.add("\(violations) rows refer to rows that are gone")
      }
    }
    for table in ProtectedTable.all {
      try isolatingDamage(&report, table.name) { report in
        for row in try self.read({ try table.damagedRows($0, limit: 1000) }) { report.add(row) }
      }
    }
    try isolatingDamage(&report, "the journal") { report in
      for damage in try self.journalDamage() { report.add(damage) }
    }
    try isolatingDamage(&report, "the sets") { report in
      let isBehind = try self.read { db in
        try db.value(
          """
          SELECT max((SELECT coalesce(max(number), 0) FROM stamp),
            (SELECT coalesce(max(number), 0) FROM tombstone)) > number FROM clock
          """) ?? true
      }
      if isBehind { report.add("changes are numbered beyond their counter") }
      report.setCount = try self.setCount()
    }
    try isolatingDamage(&report, "the recordings") { report in
      let ids = try self.read {
        try Set($0.values("SELECT id FROM recording", as: HistoryRecordingRow.ID.self))
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

  private func journalDamage() throws -> [String] {
    try journal.damagedSets().map {
      "the journal: \($0.messages) messages of \($0.key) are not what was written"
    }
  }

  /// Size of a history up to which ``requireIntact()`` checks every page, in bytes.
  private static let completelyCheckedBytes = 64 << 20

  /// Checks the journal and the structure of the database before a stream writes to it. Opening has checked
  /// the rows. In a large history, pages of finished samples are left to ``verify()``, so that the time
  /// depends on the number of sets and not of samples.
  package func requireIntact() throws {
    let size = try read { try $0.fileSize() }
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
    let damage = try findings.first ?? journalDamage().first
    if let damage { throw HistoryError.damaged(path: path, reason: damage) }
  }

  /// Runs a part of the check, and reports damage that aborts it as a finding.
  private func isolatingDamage(
    _ report: inout VerificationReport, _ part: String? = nil,
    recording: HistoryRecordingRow.ID? = nil, _ body: (inout VerificationReport) throws -> Void
  ) throws {
    do {
      try body(&report)
    } catch HistoryError.damaged(_, let reason) {
      report.add((part.map { "\($0): " } ?? "") + reason, recording: recording)
    }
  }

  private struct SegmentRow: Decodable, FetchableRecord {
    var id: Int64
    var sampleCount: Int
    /// The key of its set; nil for rest.
    var key: HistorySetRow.Key?
  }

  private struct TimelineProblem: Error {
    var description: String
    var recoverable = 0
  }

  private func verify(
    recording id: HistoryRecordingRow.ID, into report: inout VerificationReport
  ) throws {
    let known = try read { db in
      try db.row(
        "SELECT digest, sampleCount, deletedSampleCount, isLossless FROM recording WHERE id = ?", id
      ).map { row in
        (
          digest: [UInt8](try row.value("digest") as Data),
          count: try row.value("sampleCount") as Int,
          deleted: try row.value("deletedSampleCount") as Int,
          isLossless: try row.value("isLossless") as Bool,
          segments: try db.records(
            """
            SELECT g.id, g.sampleCount, s.key FROM segment g LEFT JOIN workout_set s ON s.id = g.setId
            WHERE g.recordingId = ? ORDER BY g.position
            """, id) as [SegmentRow]
        )
      }
    }
    guard let known else { return }
    var samples = MotionBatch()
    var isComplete = true
    for (index, segment) in known.segments.enumerated() {
      report.timelineCount += 1
      do {
        let part = try verify(segment, into: &report)
        guard
          samples.decodedByteCount + part.decodedByteCount
            <= TimelineLimits.reading(report.byteCount).decodedBytes
        else {
          throw HistoryError.damaged(
            reason: "the recording claims more samples than can be checked")
        }
        if index == 0 { samples = part } else { samples.append(part) }
      } catch let problem as TimelineProblem {
        isComplete = false
        let recoverable = problem.recoverable
        report.problems.append(
          .init(
            recordingId: id, setKey: segment.key, description: problem.description,
            recoverableSamples: recoverable,
            // Not a sum, which a hostile count could overflow.
            lostSamples: segment.sampleCount > recoverable ? segment.sampleCount - recoverable : 0))
      }
    }
    guard isComplete else { return }
    let (stored, overflow) = samples.count.addingReportingOverflow(known.deleted)
    if overflow || stored != known.count {
      report.add(
        "the recording had \(known.count) samples, \(samples.count) are there", recording: id)
    } else if known.isLossless, known.deleted == 0, samples.digest() != known.digest {
      report.add("the samples are not those that were saved", recording: id)
    }
  }

  private func verify(
    _ segment: SegmentRow, into report: inout VerificationReport
  ) throws -> MotionBatch {
    let data: Data?
    do {
      data = try read { try $0.value("SELECT data FROM blob WHERE segmentId = ?", segment.id) }
    } catch HistoryError.damaged(_, let reason) {
      throw TimelineProblem(description: "the timeline cannot be read: \(reason)")
    }
    guard let data else { throw TimelineProblem(description: "the timeline is missing") }
    report.byteCount += data.count
    guard
      report.decodedByteCount <= Self.decodedBytes + Self.decodedBytesPerByte * report.byteCount
    else {
      throw TimelineProblem(description: "the timelines claim more samples than can be checked")
    }
    let recovery = TimelineDecoder(limits: .reading(data.count)).recover([UInt8](data))
    let samples = recovery.timeline.samples
    report.decodedByteCount += samples.decodedByteCount
    report.sampleCount += samples.count
    func require(_ condition: Bool, _ description: @autoclosure () -> String) throws {
      guard condition else {
        throw TimelineProblem(description: description(), recoverable: samples.count)
      }
    }
    try require(recovery.damage.isEmpty, "\(recovery.damage[0].error)")
    try require(
      samples.count == segment.sampleCount,
      "the timeline has \(samples.count) samples instead of \(segment.sampleCount)")
    let stored = try read { db in
      try db.rows(
        """
        SELECT clockStart, clockEnd, confidence FROM segment_rep WHERE segmentId = ? ORDER BY number
        """, segment.id
      ).map { row in try (0..<3).map { try row.value(at: $0) as Double? } }
    }
    let told = (segment.key == nil ? [] : recovery.timeline.set?.reps ?? []).map { rep in
      [rep.start, rep.end, rep.confidence.storedConfidence]
    }
    let isSame =
      told.count == stored.count
      && zip(told.joined(), stored.joined()).allSatisfy { a, b in
        guard let a, let b else { return (a ?? .nan).isNaN && b == nil }
        return a == b || abs(a - b) <= Self.boundOfReps
      }
    try require(isSame, "the rows of its reps are not those of the timeline")
    report.intactTimelineCount += 1
    return samples
  }
}
