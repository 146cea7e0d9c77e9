import Foundation
import GRDB
import Motion
import TimelineFormat

extension HistoryStore {
  /// Writes a machine's new count of a set in place of the one before. Its samples, their
  /// compressed bytes, its row's place, and what a person said stay as they are.
  ///
  /// - Throws: ``HistoryError/notFound(reference:)``, ``TimelineError`` where the set's timeline is
  ///   damaged. Nothing was changed then.
  public func replaceMachineCount(
    ofSet id: Int64, with counted: CountedSet, movementCurve: [MovementPoint] = [],
    provenance: TimelineProvenance? = nil
  ) throws {
    let bytes = try timelineBytes(ofSet: id)
    let isLossless =
      try read {
        try Bool.fetchOne(
          $0,
          sql: """
            SELECT r.isLossless FROM historySet s JOIN recording r ON r.id = s.recordingId
            WHERE s.id = ?
            """, arguments: [id])
      } ?? true
    let replaced = try TimelineEncoder.replacingCount(
      in: bytes, with: counted, movementCurve: movementCurve, provenance: provenance,
      isLossless: isLossless)
    try write { db in
      let segment = try Row.fetchOne(
        db,
        sql: """
          SELECT g.id, b.data FROM timelineSegment g JOIN timelineBlob b ON b.segmentId = g.id
          WHERE g.setId = ?
          """, arguments: [id])
      // Saved again meanwhile: that is newer than what was counted here.
      guard let segment, [UInt8](segment["data"] as Data) == bytes else { return }
      try db.execute(
        sql: "UPDATE timelineBlob SET data = ? WHERE segmentId = ?",
        arguments: [Data(replaced), segment["id"] as Int64])
      try db.execute(
        sql: "UPDATE timelineSegment SET byteCount = ? WHERE id = ?",
        arguments: [replaced.count, segment["id"] as Int64])
      let confidence: Double? = counted.confidence >= 0 ? min(counted.confidence, 1) : nil
      try db.execute(
        sql: """
          UPDATE historySet SET detectedReps = ?, confidence = ?, clockStart = ?, clockEnd = ?,
            detector = ? WHERE id = ?
          """,
        arguments: [
          counted.reps.count, confidence, counted.start, counted.end,
          provenance?.detector ?? "", id,
        ])
    }
  }
}
