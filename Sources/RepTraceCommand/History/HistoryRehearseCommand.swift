import ArgumentParser
import Foundation
import RepTrace

/// Records workouts like an app and acknowledges durable steps. Used by tests that kill processes.
struct HistoryRehearseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rehearse",
    abstract: "Lives through made-up workouts, and acknowledges each step once it is durable.",
    shouldDisplay: false)

  @OptionGroup var arguments: StoreArgument

  @Option(help: "Workouts to live through.")
  var workouts = 10

  @Option(help: "Begins their names; two processes at once need different ones.")
  var prefix = "R"

  func run() throws {
    try HistoryOpening.writing {
      let history = try HistoryOpening.forWriting(arguments.store)
      var person = HistoryUser(uuid: HistoryUser.Key(prefix), name: prefix)
      person.createdAt = Date(timeIntervalSince1970: 1_700_000_000)
      guard let user = try history.users.save(person).id else { return }
      acknowledge("user", prefix)
      // Close the workout that an earlier run left open.
      if let open = try history.workouts.underWay(user: user) {
        try open.close()
        acknowledge("close", open.sessionId.rawValue)
      }
      for number in 0..<workouts { try live(number, in: history, user: user) }
    }
  }

  private func live(_ number: Int, in history: HistoryStore, user: HistoryUser.ID) throws {
    let id = "\(prefix)-\(number)"
    // A killed run has recorded some of the workouts.
    guard try history.workouts.workout(HistoryWorkoutRow.Key(id), user: user) == nil else { return }
    var now = Date(timeIntervalSince1970: 1_700_000_000 + Double(number) * 86_400)
    let workout = try history.workouts.start(HistoryWorkoutRow.Key(id), at: now, user: user)
    acknowledge("startWorkout", id)
    for exercise in 0..<2 {
      try workout.startExercise("E\(exercise)", name: "Exercise \(exercise)", at: now)
      acknowledge("startExercise", "\(id)/E\(exercise)")
      for set in 0..<2 {
        let key = "\(id)-\(exercise)\(set)"
        now += 60
        try workout.startSet(HistorySetRow.Key(key), targetReps: 10, weight: 60, at: now)
        acknowledge("startSet", key)
        try workout.add(health: [
          HealthReading(unixTime: now.timeIntervalSince1970 + 2, heartRateBPM: 120)
        ])
        acknowledge("health", key)
        let samples = Self.samples(seed: number * 4 + exercise * 2 + set)
        try history.save(
          Recording(
            name: key, identity: SetIdentity(sessionId: id, exerciseId: "E\(exercise)", setId: key),
            samples: samples),
          sets: [
            CountedSet(cause: .declared, start: 100, end: 110, reps: [], confidence: 0.5)
          ], user: user)
        acknowledge("save", key)
        now += 40
        try workout.endSet(reps: 5 + set, at: now)
        acknowledge("endSet", key, reps: 5 + set)
      }
      try workout.endExercise(at: now)
      acknowledge("endExercise", "\(id)/E\(exercise)")
    }
    try workout.end(at: now + 10)
    acknowledge("end", id)
    try history.correct(set: "\(id)-00", reps: 9, at: now + 20, user: user)
    acknowledge("correct", "\(id)-00", reps: 9)
    if number % 3 == 2, let row = try history.set("\(id)-11", user: user) {
      try history.delete(set: row.id)
      acknowledge("delete", "\(id)-11")
    }
  }

  /// Returns ten seconds of samples that no other set has.
  private static func samples(seed: Int) -> MotionBatch {
    let rows = 0..<500
    return MotionBatch([
      .time: rows.map { 100 + Double($0) / 50 },
      .rotationRateX: rows.map { sin(Double($0) / 20) + Double(seed) },
      .gravityZ: rows.map { _ in -1 },
    ])
  }

  private func acknowledge(_ step: String, _ key: String, reps: Int? = nil) {
    let object = JSONObjectText(["ack": .text(step), "key": .text(key), "reps": .number(reps)])
    try? StandardStreams.write(object.text + "\n", to: STDOUT_FILENO)
  }
}
