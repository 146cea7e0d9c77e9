import Foundation
import GRDB
import Motion
import TimelineFormat

extension HistoryStore {
  /// Returns heart rate and calories of a set in order of time, whether they came with its samples or
  /// separately.
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
    // Data is read first and decoded afterwards: no lock is held meanwhile.
    let (beside, data) = try read { db in
      (
        try Row.fetchAll(
          db,
          sql: """
            SELECT id, unixTime, heartRateBPM, calories,
              \(ProtectedTable.named("health").isDamaged()) AS isDamaged
            FROM health WHERE \(condition) ORDER BY unixTime
            """, arguments: arguments
        ).map { row in
          try ProtectedTable.named("health").requireIntact(row)
          return HealthReading(
            unixTime: try row.value("unixTime"), heartRateBPM: try row.value("heartRateBPM"),
            calories: try row.value("calories"))
        },
        try Int64.fetchAll(db, sql: timelines, arguments: arguments).compactMap {
          try Data.fetchOne(db, sql: "SELECT data FROM blob WHERE segmentId = ?", arguments: [$0])
        }
      )
    }
    var readings: [HealthReading] = []
    var known = Set<HealthReading>()
    for reading in try beside
      + data.flatMap({ try TimelineDecoder().healthReadings(in: [UInt8]($0)) })
    where known.insert(reading).inserted { readings.append(reading) }
    return readings.sorted { $0.unixTime < $1.unixTime }
  }
}
