import ChunkDecoding
import Foundation
import Motion
import MovementAnalysis
import RepDetection
import TimelineFormat
import WorkoutHistory

/// Imports the history of the app whose data model RepTrace adopted.
///
/// Each set's JSON becomes a timeline, counted by the current detector, since the app's own counts were
/// invented. A differing number of reps in the app was entered by a person and is kept as their correction.
/// Importing a file again changes nothing.
package struct LegacyImporter: Sendable {
  package struct Report: Sendable {
    package var workoutCount = 0
    package var setCount = 0
    package var sampleCount = 0
    /// Messages about data that could not be imported.
    package var warnings: [String] = []
  }

  package var detector = DetectorConfiguration()
  package var precision = TimelinePrecision.lossless
  package var provenance: TimelineProvenance
  package var user: HistoryUser.ID

  package init(provenance: TimelineProvenance, user: HistoryUser.ID = .local) {
    self.provenance = provenance
    self.user = user
  }

  package func importHistory(_ legacy: LegacyHistory, into store: HistoryStore) throws -> Report {
    var report = Report()
    for workout in legacy.workouts {
      try importWorkout(workout, into: store, &report)
      report.workoutCount += 1
    }
    return report
  }

  private func importWorkout(
    _ workout: LegacyHistory.Workout, into store: HistoryStore, _ report: inout Report
  ) throws {
    let session = try store.workouts.start(
      HistoryWorkoutRow.Key(workout.id), at: workout.date.map(Date.init(timeIntervalSince1970:)),
      user: user)
    var hasTimelines = false
    for exercise in workout.exercises {
      try session.startExercise(HistoryExerciseRow.Key(exercise.id), name: exercise.name)
      for set in exercise.sets {
        let weight = set.weight.flatMap { HistoryRules.weight.contains($0) ? $0 : nil }
        let target = set.targetReps.flatMap { HistoryRules.targetReps.contains($0) ? $0 : nil }
        try session.startSet(
          HistorySetRow.Key(set.id), targetReps: target, weight: weight,
          at: set.startTime.map(Date.init(timeIntervalSince1970:)))
        try session.add(
          health: LegacyHealth.readings(heartRate: set.heartRateData, calories: set.caloriesData))
        var detected: Int?
        if let json = set.repsCounterData {
          do {
            detected = try importTimeline(
              json, set: set, exercise: exercise.id, workout: workout.id, into: store, &report)
            hasTimelines = true
          } catch let failure as DecodingFailure {
            report.warnings.append("set \(set.id): \(failure)")
          }
        }
        let actual = set.actualReps.flatMap { HistoryRules.actualReps.contains($0) ? $0 : nil }
        let end = set.endTime.flatMap { end in set.startTime.map { max($0, end) } ?? end }
        try session.endSet(
          HistorySetRow.Key(set.id), reps: actual == detected ? nil : actual,
          at: end.map(Date.init(timeIntervalSince1970:)))
        report.setCount += 1
      }
      try session.endExercise(HistoryExerciseRow.Key(exercise.id))
    }
    try session.add(
      health: LegacyHealth.readings(
        heartRate: workout.heartRateData, calories: workout.caloriesData))
    // The workout's own samples repeat those of its sets and rests. They are needed only if the sets have
    // none.
    if !hasTimelines, let json = workout.sensorData {
      do {
        let recording = try recording(
          json, name: workout.id, identity: SetIdentity(sessionId: workout.id), date: workout.date)
        try store.save(
          recording, sets: [], precision: precision, provenance: provenance, user: user)
        report.sampleCount += recording.samples.count
      } catch let failure as DecodingFailure {
        report.warnings.append("workout \(workout.id): \(failure)")
      }
    }
    try session.end()
  }

  /// - Returns: The app's own count.
  private func importTimeline(
    _ json: [UInt8], set: LegacyHistory.Set, exercise: String, workout: String,
    into store: HistoryStore, _ report: inout Report
  ) throws -> Int? {
    let recording = try recording(
      json, name: set.id,
      identity: SetIdentity(sessionId: workout, exerciseId: exercise, setId: set.id),
      date: set.startTime)
    let counted = RepDetector.countSet(
      in: recording.samples, phases: recording.phases, configuration: detector)
    let curve = SetAnalyzer.analyze(counted, samples: recording.samples.inStandardUnits()).curve
    try store.save(
      recording, sets: [counted], precision: precision, provenance: provenance,
      movementCurves: [curve?.storedPoints ?? []], user: user)
    report.sampleCount += recording.samples.count
    let object = try? JSONSerialization.jsonObject(with: Data(json)) as? [String: Any]
    return (object?["detectedReps"] as? NSNumber)?.intValue
  }

  private func recording(
    _ json: [UInt8], name: String, identity: SetIdentity, date: Double?
  ) throws -> Recording {
    let decoded = try RecordingDecoder.decode(json, fileName: name + ".json")
    var reassembler = ChunkReassembler()
    for chunk in decoded.chunks { reassembler.add(chunk) }
    var recording = reassembler.assemble(name: name).recording
    recording.identity = identity
    if recording.unixTimeOfFirstSample == nil, recording.samples.clock == .device {
      recording.unixTimeOfFirstSample = date
    }
    return recording
  }
}

/// Heart rate and calories as the app stored them: parallel lists, with times in seconds since 2001.
enum LegacyHealth {
  private struct Metrics: Decodable {
    var heartRate: [Double]?
    var calories: [Double]?
    var timestamps: [Double]?
  }

  static func readings(heartRate: [UInt8]?, calories: [UInt8]?) -> [HealthReading] {
    var byTime: [Double: HealthReading] = [:]
    for bytes in [heartRate, calories].compactMap({ $0 }) {
      guard let metrics = try? JSONDecoder().decode(Metrics.self, from: Data(bytes)) else {
        continue
      }
      for (index, timestamp) in (metrics.timestamps ?? []).enumerated() {
        let time = timestamp + 978_307_200
        var reading = byTime[time] ?? HealthReading(unixTime: time)
        if let rates = metrics.heartRate, rates.indices.contains(index) {
          reading.heartRateBPM = rates[index]
        }
        if let energies = metrics.calories, energies.indices.contains(index) {
          reading.calories = energies[index]
        }
        byTime[time] = reading
      }
    }
    return byTime.values.sorted { $0.unixTime < $1.unixTime }
  }
}
