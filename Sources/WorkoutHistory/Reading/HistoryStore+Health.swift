import Foundation
import GRDB
import Motion
import TimelineFormat

extension HistoryStore {
  /// Returns heart rate and calories of a set in order of time.
  public func health(ofSet id: HistorySetRow.ID) throws -> [HealthReading] {
    try health(beside: "setId = ?", timelines: "SELECT id FROM segment WHERE setId = ?", [id])
  }

  /// Returns heart rate and calories of an exercise, during its sets and between them.
  package func health(ofExercise id: HistoryExerciseRow.ID) throws -> [HealthReading] {
    try health(
      beside: "exerciseId = ?",
      timelines: """
        SELECT g.id FROM segment g JOIN workout_set s ON s.id = g.setId WHERE s.exerciseId = ?
        """, [id])
  }

  /// Returns heart rate and calories of a workout, during its exercises and between them.
  public func health(ofWorkout id: HistoryWorkoutRow.ID) throws -> [HealthReading] {
    try health(
      beside: "workoutId = ?",
      timelines: """
        SELECT g.id FROM segment g JOIN recording r ON r.id = g.recordingId WHERE r.workoutId = ?
        """, [id])
  }

  private func health(
    beside condition: String, timelines: String, _ arguments: StatementArguments
  ) throws -> [HealthReading] {
    // Read first and decode afterwards, without holding a lock.
    let (beside, data) = try read { db in
      (
        try db.rows(
          """
          SELECT id, unixTime, heartRateBPM, calories,
            \(ProtectedTable.named("health").isDamaged()) AS isDamaged
          FROM health WHERE \(condition) ORDER BY unixTime
          """, arguments
        ).map { row in
          try ProtectedTable.named("health").requireIntact(row)
          return try HealthReading(
            unixTime: row.value("unixTime"), heartRateBPM: row.value("heartRateBPM"),
            calories: row.value("calories"))
        },
        try db.rows("SELECT data FROM blob WHERE segmentId IN (\(timelines))", arguments)
          .map { try $0.value("data") as Data }
      )
    }
    let readings =
      try beside + data.flatMap { try TimelineDecoder().healthReadings(in: [UInt8]($0)) }
    var known = Set<HealthReading>()
    return readings.filter { known.insert($0).inserted }.sorted { $0.unixTime < $1.unixTime }
  }
}
