import Foundation
import GRDB
import Motion
import TimelineFormat

extension HistoryStore {
  /// Checks the database's structure, its foreign keys, and every timeline: its checksums, that it
  /// decodes, and that a recording's samples are those that were saved.
  ///
  /// Damage is reported and isolated: what is wrong with one timeline does not keep the others
  /// from being checked. Changes nothing. Reads everything once, one timeline in memory at a time
  /// (and one recording's samples).
  public func verify() throws -> VerificationReport {
    var report = VerificationReport()
    do {
      let findings = try read { db in
        try String.fetchAll(db, sql: "PRAGMA integrity_check")
      }
      for finding in findings where finding != "ok" {
        report.problems.append(.init(description: finding))
      }
      let violations = try read { try Row.fetchAll($0, sql: "PRAGMA foreign_key_check").count }
      if violations > 0 {
        report.problems.append(.init(description: "\(violations) rows refer to rows that are gone"))
      }
      report.setCount = try setCount()
    } catch HistoryError.damaged(let reason) {
      report.problems.append(.init(description: reason))
    }
    let ids = try read { try Int64.fetchAll($0, sql: "SELECT id FROM recording ORDER BY id") }
    report.recordingCount = ids.count
    for id in ids { try verify(recording: id, into: &report) }
    return report
  }

  private func verify(recording id: Int64, into report: inout VerificationReport) throws {
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
            SELECT g.id, g.sampleCount, s.key FROM timelineSegment g
            LEFT JOIN historySet s ON s.id = g.setId
            WHERE g.recordingId = ? ORDER BY g.position
            """, arguments: [id])
      )
    }
    // Deleted meanwhile by another process.
    guard let row else { return }
    var samples = MotionBatch()
    var isComplete = true
    for (index, segment) in segments.enumerated() {
      report.timelineCount += 1
      let expected: Int = segment["sampleCount"]
      guard
        let part = try verify(
          segment: segment["id"], of: id, setKey: segment["key"], sampleCount: expected,
          into: &report)
      else {
        isComplete = false
        continue
      }
      if index == 0 { samples = part } else { samples.append(part) }
    }
    guard isComplete else { return }
    let stored = samples.count + (row["deletedSampleCount"] as Int)
    if stored != row["sampleCount"] {
      report.problems.append(
        .init(
          recordingId: id,
          description: "the recording had \(row["sampleCount"] as Int) samples, \(stored) are there"
        ))
    } else if row["isLossless"] == 1, row["deletedSampleCount"] == 0,
      samples.digest() != [UInt8](row["digest"] as Data)
    {
      report.problems.append(
        .init(recordingId: id, description: "the samples are not those that were saved"))
    }
  }

  /// The segment's samples; nil where something is wrong with it, which was reported.
  private func verify(
    segment: Int64, of recording: Int64, setKey: String?, sampleCount: Int,
    into report: inout VerificationReport
  ) throws -> MotionBatch? {
    func problem(_ description: String, recoverable: Int) {
      report.problems.append(
        .init(
          recordingId: recording, setKey: setKey, description: description,
          recoverableSamples: recoverable, lostSamples: max(0, sampleCount - recoverable)))
    }
    let data: Data?
    do {
      data = try read {
        try Data.fetchOne(
          $0, sql: "SELECT data FROM timelineBlob WHERE segmentId = ?", arguments: [segment])
      }
    } catch HistoryError.damaged(let reason) {
      problem("the timeline cannot be read: \(reason)", recoverable: 0)
      return nil
    }
    guard let data else {
      problem("the timeline is missing", recoverable: 0)
      return nil
    }
    report.byteCount += data.count
    let recovery = TimelineDecoder().recover([UInt8](data))
    let samples = recovery.timeline.samples
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
    report.intactTimelineCount += 1
    return samples
  }
}
