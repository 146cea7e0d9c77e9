import GRDB

extension HistoryStore {
  /// Records what a person says that a set's count was; the machine's count stays beside it.
  ///
  /// - Parameters:
  ///   - id: The set's row.
  ///   - reps: The person's count, 0 for "that was no set"; nil takes the correction back.
  /// - Throws: ``HistoryError/notFound(reference:)``; ``HistoryError/invalidValue(reason:)`` for a
  ///   negative count.
  public func correct(set id: Int64, reps: Int?) throws {
    if let reps, reps < 0 {
      throw HistoryError.invalidValue(reason: "a set cannot have \(reps) reps")
    }
    try write { db in
      try db.execute(
        sql: """
          UPDATE historySet SET correctedReps = :reps,
            cloudSyncStatus = CASE WHEN correctedReps IS :reps THEN cloudSyncStatus ELSE 0 END
          WHERE id = :id
          """, arguments: ["reps": reps, "id": id])
      guard db.changesCount == 1 else { throw HistoryError.notFound(reference: "set \(id)") }
    }
  }

  /// Deletes a set with its samples, and a recording and a workout that have nothing else.
  ///
  /// What was deleted is overwritten in the file, and its pages are given back.
  public func delete(set id: Int64) throws {
    try write { db in
      guard
        let set = try Row.fetchOne(
          db,
          sql: """
            SELECT s.recordingId, e.workoutId, g.sampleCount FROM historySet s
            JOIN historyExercise e ON e.id = s.exerciseId
            LEFT JOIN timelineSegment g ON g.setId = s.id WHERE s.id = ?
            """, arguments: [id])
      else { throw HistoryError.notFound(reference: "set \(id)") }
      try db.execute(sql: "DELETE FROM historySet WHERE id = ?", arguments: [id])
      if let recording: Int64 = set["recordingId"] {
        let count: Int = set["sampleCount"] ?? 0
        try db.execute(
          sql: """
            UPDATE recording SET deletedSampleCount = deletedSampleCount + ? WHERE id = ?
            """, arguments: [count, recording])
        try db.execute(
          sql: """
            DELETE FROM recording WHERE id = ?1
              AND NOT EXISTS (SELECT 1 FROM timelineSegment WHERE recordingId = ?1)
              AND NOT EXISTS (SELECT 1 FROM historySet WHERE recordingId = ?1)
            """, arguments: [recording])
      }
      try Self.removeEmptyParents(db, workout: set["workoutId"])
    }
    try reclaimSpace()
  }

  /// Deletes a recording with its sets, its samples, and a workout that has nothing else.
  public func delete(recording id: Int64) throws {
    try write { db in
      guard
        let workout = try Int64.fetchOne(
          db, sql: "SELECT workoutId FROM recording WHERE id = ?", arguments: [id])
      else { throw HistoryError.notFound(reference: "recording \(id)") }
      try db.execute(sql: "DELETE FROM historySet WHERE recordingId = ?", arguments: [id])
      try db.execute(sql: "DELETE FROM recording WHERE id = ?", arguments: [id])
      try Self.removeEmptyParents(db, workout: workout)
    }
    try reclaimSpace()
  }

  /// Gives free pages back and empties the write-ahead log, which may hold what was deleted.
  private func reclaimSpace() throws {
    try HistoryError.translating(path: path) {
      try database.writeWithoutTransaction { db in
        _ = try Row.fetchAll(db, sql: "PRAGMA incremental_vacuum")
        // Readers of an older state may prevent it; the next one does it then.
        _ = try? db.checkpoint(.truncate)
      }
    }
  }
}
