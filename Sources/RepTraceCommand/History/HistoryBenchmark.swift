import RepTrace

/// A synthetic history for timing queries.
enum HistoryBenchmark {
  /// Row of the person with the most sets of the first exercise.
  static let firstUser: HistoryUser.ID = 1
  private static let workoutsAtOnce = 500

  /// Returns the UUID of a catalog exercise by index, from 0.
  static func exercise(_ number: Int) -> CatalogExercise.Key { "benchmark-\(number)" }

  /// Fills an empty history with ten people, fifty exercises, and workouts of ten sets each. Every set has a
  /// recording and a 64-byte blob, which is not a timeline. Two sets of each workout are of the first
  /// exercise, so that 100,000 workouts give each person 20,000 sets of it.
  static func fill(_ history: HistoryStore, workouts: Int) throws {
    for number in 1..<10 {
      try history.users.save(HistoryUser(uuid: "benchmark-\(number)", name: "Person \(number)"))
    }
    for number in 0..<50 {
      try history.catalog.save(
        CatalogExercise(
          uuid: exercise(number), name: "Exercício \(number)",
          muscleGroup: MuscleGroup.allCases[number % MuscleGroup.allCases.count]))
    }
    for first in stride(from: 0, to: workouts, by: workoutsAtOnce) {
      try history.run(script(first..<min(first + workoutsAtOnce, workouts)))
    }
    try history.run("ANALYZE")
  }

  /// Returns the SQL that inserts workouts. Keys are random, like those of apps, so order helps no index.
  private static func script(_ workouts: Range<Int>) -> String {
    let rows = "BETWEEN \(workouts.lowerBound + 1) AND \(workouts.upperBound)"
    return """
      INSERT INTO workout (id, userId, key, sessionId, date, endTime, status)
        WITH RECURSIVE n (i) AS (VALUES (\(workouts.lowerBound))
            UNION ALL SELECT i + 1 FROM n WHERE i + 1 < \(workouts.upperBound)),
          w AS MATERIALIZED (SELECT i, i % 10 + 1 AS user, hex(randomblob(16)) AS key,
            1.5e9 + (i / 10) * 43200.0 + i % 10 AS date FROM n)
        SELECT i + 1, user, key, key, date, date + 3600, 'completed' FROM w;
      INSERT INTO workout_exercise (userId, workoutId, key, exerciseId, name, "order", templateId,
          startTime, endTime, completed)
        WITH place (o) AS (VALUES (0), (1), (2), (3)),
          e AS (SELECT userId, id, date, o, CASE o WHEN 0 THEN 0 WHEN 1 THEN 1 + id % 48
              WHEN 2 THEN 1 + (id * 7 + 3) % 48 ELSE 49 END AS x
            -- The last exercise is rare.
            FROM workout CROSS JOIN place WHERE id \(rows) AND (o < 3 OR id % 1000 < 10))
        SELECT userId, id, 'benchmark-' || x || iif(o = 2, 'b', ''), 'benchmark-' || x,
          'Exercício ' || x, o, x + 1, date + o * 900, date + o * 900 + 800, 1 FROM e;
      INSERT INTO recording (userId, workoutId, key, name, digest, sampleCount, clock, firstTime,
          lastTime, startTime, isLossless)
        WITH place (o) AS (VALUES (0), (1), (2), (3))
        SELECT userId, workoutId, hex(randomblob(16)), id, randomblob(32), 1500, 0, 100, 130,
          startTime + o * 200, 1
        FROM workout_exercise CROSS JOIN place
        WHERE workoutId \(rows) AND o < CASE "order" WHEN 0 THEN 2 WHEN 3 THEN 2
          ELSE iif(workoutId % 1000 < 10, 3, 4) END;
      INSERT INTO workout_set (userId, exerciseId, recordingId, key, setId, position, "order", cause,
          targetReps, detectedReps, confidence, weight, startTime, endTime, timestamp, restTime,
          clockStart, clockEnd, detector)
        SELECT userId, CAST(name AS INTEGER), id, key, key, 1,
          row_number() OVER (PARTITION BY name ORDER BY startTime) - 1, 'declared', 10, 6 + id % 7,
          0.93, 20 + id % 160 * 0.5, startTime, startTime + 40, startTime + 40, 90, 101, 129, 'reptrace'
        FROM recording WHERE workoutId \(rows);
      INSERT INTO segment (recordingId, position, setId, firstSample, sampleCount, byteCount, digest)
        SELECT r.id, 0, s.id, 0, 1500, 64, r.digest
        FROM recording r JOIN workout_set s ON s.recordingId = r.id WHERE r.workoutId \(rows);
      INSERT INTO blob (segmentId, data)
        SELECT g.id, randomblob(64)
        FROM recording r JOIN segment g ON g.recordingId = r.id WHERE r.workoutId \(rows);
      """
  }
}
