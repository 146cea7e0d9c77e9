import Foundation
import GRDB

/// A synthetic history for timing queries.
package enum HistoryBenchmark {
  package static let userCount = 10
  package static let exerciseCount = 50
  /// The row of the person with the most sets of the first exercise.
  package static let firstUser: HistoryUser.ID = 1

  /// Returns the uuid of the catalogue exercise with an index, from 0.
  package static func exercise(_ number: Int) -> CatalogExercise.Key { "benchmark-\(number)" }
}

extension HistoryStore {
  /// Fills an empty history with ten persons, fifty exercises, and workouts of ten sets each. Every set has a
  /// recording and a 64-byte blob (which is no timeline). Two sets of each workout are of the first exercise,
  /// so that 100,000 workouts give each person 20,000 sets of it.
  package func fillForBenchmark(workouts: Int) throws {
    for number in 1..<HistoryBenchmark.userCount {
      try users.save(HistoryUser(uuid: "benchmark-\(number)", name: "Person \(number)"))
    }
    for number in 0..<HistoryBenchmark.exerciseCount {
      try catalog.save(
        CatalogExercise(
          uuid: HistoryBenchmark.exercise(number), name: "Exercício \(number)",
          muscleGroup: MuscleGroup.allCases[number % MuscleGroup.allCases.count]))
    }
    var number = 0
    while number < workouts {
      let end = min(number + 500, workouts)
      let range = number..<end
      try write { db in for workout in range { try Self.fillWorkout(db, workout) } }
      number = end
    }
    try HistoryError.translating(path: path) {
      try database.writeWithoutTransaction { try $0.execute(sql: "ANALYZE") }
    }
  }

  private static func fillWorkout(_ db: Database, _ number: Int) throws {
    let user = HistoryUser.ID(Int64(number % HistoryBenchmark.userCount) + 1)
    let visit = number / HistoryBenchmark.userCount
    let date = 1_500_000_000 + Double(visit) * 43_200 + Double(user.rawValue)
    try db.cachedStatement(
      sql: """
        INSERT INTO workout (userId, key, sessionId, date, endTime, status)
        VALUES (?1, ?2, ?2, ?3, ?4, 'completed')
        """
    ).execute(arguments: [user, identifier(1, number), date, date + 3600])
    let workout = HistoryWorkoutRow.ID(db.lastInsertedRowID)
    let exercises = [0, 1 + number % 48, 1 + (number * 7 + 3) % 48, 49]
    // The last exercise is rare.
    let count = number % 1000 < HistoryBenchmark.userCount ? 4 : 3
    for order in 0..<count {
      let template = Int64(exercises[order]) + 1
      try db.cachedStatement(
        sql: """
          INSERT OR IGNORE INTO workout_exercise (userId, workoutId, key, exerciseId, name, "order",
            templateId, startTime, endTime, completed)
          VALUES (?1, ?2, ?3, ?3, ?4, ?5, ?6, ?7, ?8, 1)
          """
      ).execute(arguments: [
        user, workout, "\(HistoryBenchmark.exercise(exercises[order]))\(order == 2 ? "b" : "")",
        "Exercício \(exercises[order])", order, template, date + Double(order) * 900,
        date + Double(order) * 900 + 800,
      ])
      let exercise = db.lastInsertedRowID
      let sets = order == 0 ? 2 : count == 4 ? [0, 3, 3, 2][order] : 4
      for set in 0..<sets {
        try fillSet(
          db, number * 16 + order * 4 + set, user: user, workout: workout, exercise: exercise,
          order: set, date: date + Double(order) * 900 + Double(set) * 200)
      }
    }
  }

  private static func fillSet(
    _ db: Database, _ number: Int, user: HistoryUser.ID, workout: HistoryWorkoutRow.ID,
    exercise: Int64, order: Int, date: Double
  ) throws {
    let key = identifier(2, number)
    var bytes = Data(count: 64)
    withUnsafeBytes(of: UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15) { word in
      for index in bytes.indices { bytes[index] = word[index % 8] &+ UInt8(index) }
    }
    try db.cachedStatement(
      sql: """
        INSERT INTO recording (userId, workoutId, key, name, digest, sampleCount, clock, firstTime,
          lastTime, startTime, isLossless)
        VALUES (?1, ?2, ?3, ?3, ?4, 1500, 0, 100, 130, ?5, 1)
        """
    ).execute(arguments: [user, workout, key, bytes.prefix(32), date])
    let recording = db.lastInsertedRowID
    try db.cachedStatement(
      sql: """
        INSERT INTO workout_set (userId, exerciseId, recordingId, key, setId, position, "order",
          cause, targetReps, detectedReps, confidence, weight, startTime, endTime, timestamp,
          restTime, clockStart, clockEnd, detector)
        VALUES (?1, ?2, ?3, ?4, ?4, 1, ?5, 'declared', 10, ?6, 0.93, ?7, ?8, ?8 + 40, ?8 + 40, 90,
          101, 129, 'reptrace 0.1.0')
        """
    ).execute(arguments: [
      user, exercise, recording, key, order, 6 + number % 7, 20 + Double(number % 160) * 0.5, date,
    ])
    let set = db.lastInsertedRowID
    try db.cachedStatement(
      sql: """
        INSERT INTO segment (recordingId, position, setId, firstSample, sampleCount, byteCount, digest)
        VALUES (?, 0, ?, 0, 1500, 64, ?)
        """
    ).execute(arguments: [recording, set, bytes.prefix(32)])
    try db.cachedStatement(sql: "INSERT INTO blob (segmentId, data) VALUES (?, ?)")
      .execute(arguments: [db.lastInsertedRowID, bytes])
  }

  /// Returns a UUID, as apps name their objects: in no order that an index could profit from.
  private static func identifier(_ kind: UInt64, _ number: Int) -> String {
    func mixed(_ value: UInt64) -> UInt64 {
      // SplitMix64's last step.
      var z = value &* 0x9E37_79B9_7F4A_7C15
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
    let digits = [mixed(UInt64(number) << 2 | kind), mixed(~(UInt64(number) << 2 | kind))].map {
      let hex = String($0, radix: 16, uppercase: true)
      return String(repeating: "0", count: 16 - hex.count) + hex
    }.joined()
    let text = Array(digits)
    return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(text[$0]) }
      .joined(separator: "-")
  }
}
