import Foundation
import GRDB

extension HistoryStore {
  /// Times of the recordings' first samples, in seconds on their samples' clocks.
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

  /// The names of the exercises that were done, and of those in the catalogue.
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
