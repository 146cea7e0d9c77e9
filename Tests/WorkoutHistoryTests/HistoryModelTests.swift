import Foundation
import Motion
import TestSupport
import Testing

@testable import MotionSynthesis
@testable import WorkoutHistory

/// Random valid and invalid calls give equal results in a history and in a simple model in memory.
@Suite struct HistoryModelTests {
  /// A minimal reference model of a history.
  private struct Model {
    struct SetEntry: Equatable {
      var key: HistorySetRow.Key
      var exercise: HistoryExerciseRow.Key
      var corrected: Int?
      var weight: Double?
      var target: Int?
      /// True if a call corrected it, which is later than all messages.
      var isCorrectedLater = false

      static func == (a: SetEntry, b: SetEntry) -> Bool {
        (a.key, a.exercise, a.corrected, a.weight, a.target)
          == (b.key, b.exercise, b.corrected, b.weight, b.target)
      }
    }
    struct Current {
      var session: HistoryWorkoutRow.Key
      var start: Double
      var activeExercise: HistoryExerciseRow.Key?
      var activeSet: HistorySetRow.Key?
      var exerciseStart: [HistoryExerciseRow.Key: Double] = [:]
      var setStart: [HistorySetRow.Key: Double] = [:]
      var exercises: [HistoryExerciseRow.Key] = []
      var sets: [SetEntry] = []
      var ended: Set<HistorySetRow.Key> = []
    }
    struct Workout: Equatable {
      var status: WorkoutStatus
      var exercises: [HistoryExerciseRow.Key]
      var sets: [SetEntry]
      var start = 0.0
      var exerciseStart: [HistoryExerciseRow.Key: Double] = [:]
      var setStart: [HistorySetRow.Key: Double] = [:]
    }

    var current: Current?
    var workouts: [HistoryWorkoutRow.Key: Workout] = [:]
    /// Keys of deleted sets, as `SESSION/SET`, which do not come back.
    var deleted: Set<HistorySetRow.Key> = []

    mutating func start(_ session: HistoryWorkoutRow.Key, _ date: Double) -> String? {
      if let current {
        return current.session == session
          ? nil : "\(RuleViolation.workoutUnderWay(sessionId: current.session))"
      }
      current = Current(session: session, start: date)
      // A finished workout is resumed.
      if let before = workouts.removeValue(forKey: session) {
        current = Current(
          session: session, start: min(before.start, date), exerciseStart: before.exerciseStart,
          setStart: before.setStart, exercises: before.exercises, sets: before.sets,
          ended: Set(before.sets.map(\.key)))
      }
      return nil
    }

    mutating func startExercise(_ key: HistoryExerciseRow.Key, _ date: Double) -> String? {
      guard var current else { return "\(RuleViolation.noWorkoutUnderWay)" }
      if !current.exercises.contains(key) {
        current.exercises.append(key)
        current.exerciseStart[key] = date
      }
      if current.activeExercise != key {
        if let set = current.activeSet { current.ended.insert(set) }
        current.activeSet = nil
      }
      current.activeExercise = key
      self.current = current
      return nil
    }

    mutating func startSet(
      _ key: HistorySetRow.Key, _ exercise: HistoryExerciseRow.Key?, weight: Double?, target: Int?,
      _ date: Double
    ) -> String? {
      if let target, !(0...999).contains(target) {
        return "\(RuleViolation.range(.targetReps, 0...999, found: target))"
      }
      guard let before = current else { return "\(RuleViolation.noWorkoutUnderWay)" }
      if let known = before.sets.firstIndex(where: { $0.key == key }) {
        guard exercise == nil || before.sets[known].exercise == exercise else {
          return "\(RuleViolation.setElsewhere(key))"
        }
        if before.sets[known].weight == nil { current?.sets[known].weight = weight }
        if before.sets[known].target == nil { current?.sets[known].target = target }
        return nil
      }
      let wanted = exercise ?? before.activeExercise ?? ""
      if before.activeExercise != wanted { _ = startExercise(wanted, date) }
      if let active = current?.activeSet { current?.ended.insert(active) }
      current?.sets.append(
        SetEntry(key: key, exercise: wanted, corrected: nil, weight: weight, target: target))
      current?.setStart[key] = date
      current?.activeSet = key
      return nil
    }

    mutating func endSet(_ key: HistorySetRow.Key?, reps: Int?, _ date: Double) -> String? {
      guard let before = current else { return "\(RuleViolation.noWorkoutUnderWay)" }
      if let reps, reps < 0 {
        return "\(RuleViolation.range(.actualReps, 0...100_000, found: reps))"
      }
      guard let wanted = key ?? before.activeSet,
        let index = before.sets.firstIndex(where: { $0.key == wanted })
      else { return "\(RuleViolation.noSetUnderWay)" }
      if date < before.setStart[wanted] ?? 0 { return "\(RuleViolation.endBeforeStart)" }
      // A later correction is kept.
      if let reps, before.sets[index].corrected == nil || !before.sets[index].isCorrectedLater {
        current?.sets[index].corrected = reps
        current?.sets[index].isCorrectedLater = false
      }
      current?.ended.insert(wanted)
      if before.activeSet == wanted { current?.activeSet = nil }
      return nil
    }

    mutating func endExercise(_ date: Double) -> String? {
      guard let before = current else { return "\(RuleViolation.noWorkoutUnderWay)" }
      guard let exercise = before.activeExercise else {
        return "\(RuleViolation.noExerciseUnderWay)"
      }
      if date < before.exerciseStart[exercise] ?? 0 { return "\(RuleViolation.endBeforeStart)" }
      if let set = before.activeSet { current?.ended.insert(set) }
      current?.activeSet = nil
      current?.activeExercise = nil
      return nil
    }

    mutating func finish(_ status: WorkoutStatus, _ date: Double) -> String? {
      guard let before = current else { return "\(RuleViolation.noWorkoutUnderWay)" }
      if date < before.start { return "\(RuleViolation.endBeforeStart)" }
      let done = before.sets.filter {
        (before.ended.contains($0.key) || $0.corrected != nil)
          && !deleted.contains("\(before.session)/\($0.key)")
      }
      current = nil
      if status == .interrupted, done.isEmpty { return nil }
      workouts[before.session] = Workout(
        status: status, exercises: before.exercises, sets: done, start: before.start,
        exerciseStart: before.exerciseStart, setStart: before.setStart)
      return nil
    }

    mutating func correct(
      _ session: HistoryWorkoutRow.Key, _ key: HistorySetRow.Key, _ reps: Int?
    ) -> String? {
      if let reps, reps < 0 {
        return "\(RuleViolation.range(.actualReps, 0...100_000, found: reps))"
      }
      if current?.session == session,
        let index = current?.sets.firstIndex(where: { $0.key == key })
      {
        current?.sets[index].corrected = reps
        current?.sets[index].isCorrectedLater = true
        return nil
      }
      guard let index = workouts[session]?.sets.firstIndex(where: { $0.key == key }) else {
        return "\(HistoryError.notFound(reference: "set \(session)/\(key)"))"
      }
      workouts[session]?.sets[index].corrected = reps
      workouts[session]?.sets[index].isCorrectedLater = true
      return nil
    }

    mutating func delete(_ name: HistoryWorkoutRow.Key, _ key: HistorySetRow.Key) {
      guard var workout = workouts[name],
        let index = workout.sets.firstIndex(where: { $0.key == key })
      else { return }
      deleted.insert("\(name)/\(key)")
      let exercise = workout.sets.remove(at: index).exercise
      if !workout.sets.contains(where: { $0.exercise == exercise }) {
        workout.exercises.removeAll { $0 == exercise }
      }
      workouts[name] = workout.exercises.isEmpty ? nil : workout
    }
  }

  private func answer(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch { return "\(error)" }
  }

  @Test(arguments: 1...(isFullRun ? 60 : 6))
  func historyMatchesTheModel(seed: Int) throws {
    let folder = try TemporaryFolder()
    let store = try HistoryStore(path: folder.path("history.sqlite"), mode: .create)
    var generator = RandomSource(seed: UInt64(seed))
    var model = Model()
    var date = 1000.0
    func pick<T>(_ values: [T]) -> T { values[Int.random(in: 0..<values.count, using: &generator)] }
    for step in 0..<300 {
      // Mostly forward, sometimes backward: an end before its start.
      date += Double(Int.random(in: -3...20, using: &generator))
      let instant = Date(timeIntervalSince1970: date)
      let session: HistoryWorkoutRow.Key = "W\(Int.random(in: 0..<4, using: &generator))"
      let exercise: HistoryExerciseRow.Key = pick(["A", "B", "C"])
      let set: HistorySetRow.Key = "S\(Int.random(in: 0..<14, using: &generator))"
      let workout = WorkoutSession(
        store: store, sessionId: model.current?.session ?? session, user: HistoryUser.ID.local)
      let expected: String?
      let found: String?
      switch Int.random(in: 0..<16, using: &generator) {
      case 0, 1:
        expected = model.start(session, date)
        found = answer { _ = try store.workouts.start(session, at: instant) }
      case 2, 3:
        expected = model.startExercise(exercise, date)
        found = answer { try workout.startExercise(exercise, at: instant) }
      case 4, 5, 6, 7:
        let named = Bool.random(using: &generator) ? exercise : nil
        let target = pick([nil, 8, 12, 1000])
        let weight = pick([nil, 20.0, 62.5])
        expected = model.startSet(set, named, weight: weight, target: target, date)
        found = answer {
          try workout.startSet(
            set, exercise: named, targetReps: target, weight: weight, at: instant)
        }
      case 8, 9, 10:
        let named = Bool.random(using: &generator) ? set : nil
        let reps = pick([nil, 5, 10, -1])
        expected = model.endSet(named, reps: reps, date)
        found = answer { try workout.endSet(named, reps: reps, at: instant) }
      case 11:
        expected = model.endExercise(date)
        found = answer { try workout.endExercise(at: instant) }
      case 12:
        let status = pick([WorkoutStatus.completed, .interrupted])
        expected = model.finish(status, date)
        found = answer {
          if status == .completed {
            try workout.end(at: instant)
          } else {
            try workout.close(at: instant)
          }
        }
      case 13, 14:
        let reps = pick([nil, 3, 7, -2])
        expected = model.correct(session, set, reps)
        found = answer { try store.correct(set: "\(session)/\(set)", reps: reps) }
      default:
        expected = nil
        model.delete(session, set)
        found = answer {
          if let row = try store.set("\(session)/\(set)") { try store.delete(set: row.id) }
        }
      }
      #expect(found == expected, "seed \(seed), step \(step)")
      try compare(model, store, "seed \(seed), step \(step)")
    }
    #expect(try store.verify().isIntact)
  }

  private func compare(_ model: Model, _ store: HistoryStore, _ place: String) throws {
    let rows = try store.workouts.page(limit: 100)
    #expect(Set(rows.map(\.key)) == Set(model.workouts.keys), "\(place)")
    for row in rows {
      let expected = try #require(model.workouts[row.key])
      let exercises = try store.workouts.exercises(ofWorkout: row.id)
      let sets = exercises.flatMap { exercise in
        exercise.sets.map {
          Model.SetEntry(
            key: $0.key, exercise: exercise.key, corrected: $0.correctedReps, weight: $0.weight,
            target: $0.targetReps)
        }
      }
      #expect(row.status == expected.status, "\(place)")
      #expect(Set(exercises.map(\.key)) == Set(expected.exercises), "\(place)")
      #expect(
        sets.sorted { $0.key.rawValue < $1.key.rawValue }
          == expected.sets.sorted { $0.key.rawValue < $1.key.rawValue }, "\(place)")
      #expect(row.reps == expected.sets.reduce(0) { $0 + ($1.corrected ?? 0) }, "\(place)")
    }
    let session = try store.workouts.underWay()
    let current = try session?.exercises() ?? []
    #expect(session?.sessionId == model.current?.session, "\(place)")
    #expect(current.first(where: \.isActive)?.key == model.current?.activeExercise, "\(place)")
    #expect(current.activeSet?.key == model.current?.activeSet, "\(place)")
    #expect(
      Set(current.flatMap { $0.sets.map(\.key) }) == Set(model.current?.sets.map(\.key) ?? []),
      "\(place)")
  }
}
