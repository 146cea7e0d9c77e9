import Foundation
import GRDB

extension HistoryStore {
  /// Returns the times of the recordings' first samples, in seconds on the samples' clocks.
  package func recordingOrigins() throws -> [HistoryRecordingRow.ID: Double] {
    try read { db in
      var origins: [HistoryRecordingRow.ID: Double] = [:]
      let rows = try Row.fetchCursor(db, sql: "SELECT id, firstTime FROM recording")
      while let row = try rows.next() {
        let origin: Double? = try row.value("firstTime")
        origins[try row.value("id")] = origin
      }
      return origins
    }
  }

  /// Returns a page of a person's sets, newest first. Does not touch timelines.
  ///
  /// - Parameter id: The last set of the previous page; nil for the first page.
  package func newestSets(
    of user: HistoryUser.ID, before id: HistorySetRow.ID?, limit: Int
  ) throws -> [HistorySetRow] {
    try read { db in
      try Row.fetchAll(
        db,
        cached: """
          SELECT \(HistorySetRow.columns) FROM \(HistorySetRow.tables)
          WHERE s.userId = ?1 AND (?2 IS NULL OR s.id < ?2) ORDER BY s.id DESC LIMIT ?3
          """, arguments: [user, id, limit]
      ).map { try HistorySetRow($0, number: 0) }
    }
  }

  /// Returns the names of exercises in workouts and in the catalogue.
  package func exerciseNames() throws -> [String] {
    try read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT name FROM workout_exercise WHERE name IS NOT NULL
          UNION SELECT name FROM exercise
          """)
    }
  }
}
