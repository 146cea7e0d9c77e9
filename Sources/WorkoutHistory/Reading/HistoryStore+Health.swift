import Foundation
import GRDB
import Motion
import TimelineFormat

extension HistoryStore {
  /// Heart rate and calories of a set, in order of time, whether they came with its samples or
  /// beside them.
  public func health(ofSet id: HistorySetRow.ID) throws -> [HealthReading] {
    try health(
      blobs: ("setId = ?", [id]),
      timelines: "SELECT id FROM timelineSegment WHERE setId = ?", [id])
  }

  /// Heart rate and calories of an exercise: those of its sets, and those between them.
  public func health(ofExercise id: HistoryExerciseRow.ID) throws -> [HealthReading] {
    try health(
      blobs: ("exerciseId = ?", [id]),
      timelines: """
        SELECT g.id FROM timelineSegment g JOIN historySet s ON s.id = g.setId
        WHERE s.exerciseId = ?
        """, [id])
  }

  /// Heart rate and calories of a workout: those of its exercises, and those between them.
  public func health(ofWorkout id: HistoryWorkoutRow.ID) throws -> [HealthReading] {
    try health(
      blobs: ("workoutId = ?", [id]),
      timelines: """
        SELECT g.id FROM timelineSegment g JOIN recording r ON r.id = g.recordingId
        WHERE r.workoutId = ?
        """, [id])
  }

  private func health(
    blobs: (condition: String, arguments: StatementArguments), timelines: String,
    _ arguments: StatementArguments
  ) throws -> [HealthReading] {
    // Read first, decode afterwards: no lock is held meanwhile.
    let data = try read { db in
      try Self.healthBlobs(db, blobs.condition, blobs.arguments)
        + Int64.fetchAll(db, sql: timelines, arguments: arguments).compactMap {
          try Data.fetchOne(
            db, sql: "SELECT data FROM timelineBlob WHERE segmentId = ?", arguments: [$0]
          ).map { [UInt8]($0) }
        }
    }
    var readings: [HealthReading] = []
    var known = Set<HealthReading>()
    for reading in try data.flatMap(TimelineDecoder().healthReadings(in:))
    where known.insert(reading).inserted {
      readings.append(reading)
    }
    return readings.sorted { $0.unixTime < $1.unixTime }
  }

  static func healthBlobs(
    _ db: Database, _ condition: String, _ arguments: StatementArguments
  ) throws -> [[UInt8]] {
    try Data.fetchAll(
      db, sql: "SELECT data FROM healthBlob WHERE \(condition) ORDER BY id", arguments: arguments
    ).map { [UInt8]($0) }
  }
}
