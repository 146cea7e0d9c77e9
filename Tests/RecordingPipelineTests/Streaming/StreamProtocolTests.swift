import Foundation
import Motion
import TestSupport
import Testing
import WorkoutHistory

@testable import MotionSynthesis
@testable import RecordingPipeline

/// Compares the engine and a store with a small model of the protocol. Owners, exercises, dates and samples
/// depend on the messages alone, not on batches, runs and repetitions.
@Suite struct StreamProtocolTests {
  /// Regressions: a sender goes back in 245 to an earlier session, in 478 to a reading, in 1051 to a chunk.
  private static let schedules = isFullRun ? Array(0..<2_000) : Array(0..<14) + [245, 478, 1051]

  @Test(arguments: schedules) func historyDependsOnlyOnMessages(seed: Int) throws {
    var random = RandomSource(seed: UInt64(70_000 + seed))
    let script = ProtocolScript(random: &random)
    let burst = try StreamTrial()
    try burst.run(script.messages, batch: script.messages.count)
    let expected = try script.summary(of: burst)
    #expect(expected.sets.map(\.owned) == script.expected, "\(script)")
    #expect(!burst.events.contains { $0.name == "error" }, "\(script)")

    let single = try StreamTrial()
    try single.run(script.messages, batch: 1)
    #expect(try script.summary(of: single) == expected, "line by line: \(script)")

    for isClean in [true, false] {
      let divided = try StreamTrial()
      let places = try script.run(in: divided, isClean: isClean, random: &random)
      let difference = try script.summary(of: divided).difference(from: expected)
      #expect(
        difference.isEmpty,
        "\(difference)\n\(isClean ? "ended" : "killed") at \(places): \(script)")
    }
  }
}

extension StreamProtocolTests {
  private static func message(_ type: String, _ members: String = "") -> [UInt8] {
    Array("{\"type\":\"\(type)\",\"sessionId\":\"A\"\(members)}".utf8)
  }

  private static func chunk(_ ids: String, at time: Int) -> [UInt8] {
    let samples = (0..<20).map {
      "{\"timestamp\":\(Double(time) + Double($0) / 50),\"accelerationX\":0.1}"
    }.joined(separator: ",")
    return Array("{\"sessionId\":\"A\"\(ids),\"samples\":[\(samples)]}".utf8)
  }

  /// After a kill a sender restarts at any earlier line, with messages that contain neither their set nor the
  /// time of sending.
  @Test func repeatedSetsWithoutIdsAreRecognized() throws {
    let messages = [
      Self.message("startWorkout", ",\"timestamp\":1760000000"), Self.message("startSet"),
      Self.chunk("", at: 10), Self.message("endSet", ",\"reps\":5"), Self.message("startSet"),
      Self.chunk("", at: 70), Self.chunk("", at: 71), Self.message("endSet", ",\"reps\":9"),
      Self.message("endWorkout"),
    ]
    for killed in 1...messages.count {
      for first in 0...killed {
        var random = RandomSource(seed: 1)
        let trial = try StreamTrial()
        let engine = trial.engine()
        try trial.feed(messages[..<killed], to: engine, firstNumber: 1, random: &random)
        let next = trial.engine()
        try trial.recover(next)
        try trial.feed(messages[first...], to: next, firstNumber: first + 1, random: &random)
        try trial.finish(next)
        #expect(
          try trial.store.sets().map(\.sampleCount).sorted() == [20, 40],
          "killed behind \(killed), again from \(first)")
      }
    }
  }

  enum Deleted: CaseIterable { case set, workout, person }

  /// A message for a deleted object is acknowledged and dropped, also after a restart.
  @Test(arguments: Deleted.allCases, [true, false])
  func deletedObjectsStayDeleted(what: Deleted, isRestarted: Bool) throws {
    for person in ["anna", nil] {
      var random = RandomSource(seed: 2)
      let trial = try StreamTrial()
      let set = ",\"setId\":\"1\""
      let messages = [
        Self.message("startWorkout", person.map { ",\"userId\":\"\($0)\"" } ?? ""),
        Self.chunk(set, at: 1), Self.message("endSet", set),
        Self.chunk(",\"setId\":\"2\"", at: 100), Self.message("endWorkout"),
      ]
      var engine = trial.engine()
      try trial.feed(messages[...], to: engine, firstNumber: 1, random: &random)
      let row = try #require(try trial.store.set("1"))
      switch what {
      case .set: try trial.store.delete(set: row.id)
      case .workout:
        let workout = try #require(try trial.store.workouts.page(HistoryFilter(user: nil)).first)
        try trial.store.delete(workout: workout.id)
      case .person: try trial.store.delete(user: row.user)
      }
      if isRestarted {
        try trial.finish(engine)
        engine = trial.engine()
        try trial.recover(engine)
      }
      let before = trial.events.count
      let health = Self.message("healthData", set + ",\"heartRate\":99,\"timestamp\":1760000012")
      try trial.feed(
        [Self.chunk(set, at: 2), health][...], to: engine, firstNumber: 6, random: &random)
      try trial.finish(engine)
      let left = try trial.store.sets()
      #expect(left.map(\.key) == (what == .set ? ["2"] : []), "\(person ?? "-")")
      #expect(left.allSatisfy { $0.user == row.user })
      #expect(try trial.store.recordings().map(\.sampleCount) == left.map(\.sampleCount))
      let answers = trial.events[before...].compactMap { event in
        switch event.kind {
        case .ack: "ack \(event.line ?? 0)"
        case .warning("deleted", _): "warning \(event.line ?? 0)"
        default: nil
        }
      }
      #expect(answers == ["warning 6", "ack 6", "warning 7", "ack 7"], "\(person ?? "-")")
    }
  }

  @Test func undoingADeletionAcceptsMessagesAgain() throws {
    var random = RandomSource(seed: 2)
    let trial = try StreamTrial()
    let set = ",\"setId\":\"1\""
    let engine = trial.engine()
    try trial.feed(
      [Self.message("startWorkout"), Self.chunk(set, at: 1), Self.message("endWorkout")][...],
      to: engine, firstNumber: 1, random: &random)
    let workout = try #require(try trial.store.workouts.page(HistoryFilter(user: nil)).first)
    try trial.store.delete(workout: workout.id)
    try trial.feed([Self.chunk(set, at: 2)][...], to: engine, firstNumber: 4, random: &random)
    try trial.store.undoDeletion(of: "1")
    try trial.feed([Self.chunk(set, at: 3)][...], to: engine, firstNumber: 5, random: &random)
    try trial.finish(engine)
    #expect(try trial.store.sets().map(\.sampleCount) == [20])
  }
}

/// A script of messages from a few people, with the expected sets.
struct ProtocolScript: CustomStringConvertible {
  /// A set in the model.
  struct Owned: Hashable, Comparable, CustomStringConvertible {
    var person: String
    var session: String
    var set: String
    var exercise: String
    var samples: Int

    var description: String { "\(person)/\(session)/\(set) \(exercise) \(samples)" }
    static func < (a: Owned, b: Owned) -> Bool { a.description < b.description }
  }

  /// The contents of a store after a script.
  struct Summary: Equatable {
    struct Row: Equatable, CustomStringConvertible {
      var owned: Owned
      var details: String
      var description: String { "\(owned) \(details)" }
    }

    var sets: [Row]
    var workouts: [String]

    /// Returns the rows that only one of the two has. Ignores the order of sets, which depends on when they
    /// were first finalized.
    func difference(from other: Summary) -> [String] {
      func lines(_ summary: Summary) -> Set<String> {
        Set(
          summary.sets.map { $0.description.replacing(#/ order \d+/#, with: "") } + summary.workouts
        )
      }
      return lines(self).symmetricDifference(lines(other)).sorted()
    }
  }

  private(set) var messages: [[UInt8]] = []
  private(set) var expected: [Owned] = []

  var description: String {
    "\n" + messages.map { String(decoding: $0, as: UTF8.self).prefix(160) }.joined(separator: "\n")
  }

  init(random: inout RandomSource) {
    func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }
    let people = Array(["anna", "bert", ""].shuffled(using: &random).prefix(chance(2) ? 1 : 2))
    var rows: [[[UInt8]]] = []
    for (index, person) in people.enumerated() {
      var row: [[UInt8]] = []
      let count = Int.random(in: 1...2, using: &random)
      for number in 0..<count {
        row += session(
          "S\(index)\(number)", of: person, isOnly: people.count == 1, isLast: number == count - 1,
          base: Double(index * 10_000 + number * 5_000), random: &random)
      }
      rows.append(row)
    }
    messages = StreamMessages.interleaved(rows, random: &random)
    expected.sort()
  }

  private mutating func session(
    _ session: String, of person: String, isOnly: Bool, isLast: Bool, base: Double,
    random: inout RandomSource
  ) -> [[UInt8]] {
    func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }
    let (isNamed, isDated) = (!isOnly || chance(2), chance(2))
    var row: [[UInt8]] = []
    var (clock, exercise) = (base, "")
    func message(_ type: String, _ members: String = "") -> [UInt8] {
      let ids = isNamed || type == "startWorkout" ? ",\"sessionId\":\"\(session)\"" : ""
      let date = isDated ? ",\"timestamp\":\(1_760_000_000 + clock)" : ""
      return Array("{\"type\":\"\(type)\"\(ids)\(members)\(date)}".utf8)
    }
    row.append(message("startWorkout", person.isEmpty ? "" : ",\"userId\":\"\(person)\""))
    for number in 0..<Int.random(in: 1...3, using: &random) {
      clock += 60
      let hasId = isNamed || chance(2)
      let set = hasId ? ",\"setId\":\"\(session)-\(number)\"" : ""
      let source = Int.random(in: 0..<4, using: &random)
      let name = "E\(Int.random(in: 0..<2, using: &random))"
      let member = ",\"exerciseId\":\"\(source == 3 && !exercise.isEmpty ? exercise : name)\""
      // A chunk's exercise applies to its own set only.
      let own = source == 3 && exercise.isEmpty ? name : exercise
      if source == 1 || source == 2 { exercise = name }
      if source == 1 { row.append(message("startExercise", member)) }
      if !hasId || source == 2 || chance(2) {
        row.append(message("startSet", set + (source == 2 ? member : "")))
      }
      var chunks: [[UInt8]] = []
      var count = 0
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let samples = (0..<Int.random(in: 2...9, using: &random)).map { _ in
          clock += 0.02
          return
            "{\"timestamp\":\(clock),\"accelerationX\":\(Double.random(in: -1...1, using: &random))}"
        }
        count += samples.count
        let ids = (isNamed ? ",\"sessionId\":\"\(session)\"" : "") + set
        chunks.append(
          Array(
            "{\"phase\":\"execution\"\(ids)\(source == 3 ? member : ""),\"samples\":[\(samples.joined(separator: ","))]}"
              .utf8))
      }
      let late = hasId && chunks.count > 1 && chance(3) ? chunks.removeLast() : nil
      row += chunks
      if chance(3) {
        row.append(message("healthData", "\(set),\"heartRate\":99").withDate(1_760_000_000 + clock))
      }
      if !hasId || chance(2) {
        clock += 1
        row.append(message("endSet", set + (chance(2) ? ",\"reps\":\(number + 3)" : "")))
      }
      if let late { row.append(late) }
      expected.append(
        Owned(
          person: person, session: session, set: hasId ? "\(session)-\(number)" : "",
          exercise: source == 3 ? own : exercise, samples: count))
    }
    clock += 60
    if isLast || chance(2) { row.append(message("endWorkout")) }
    return row
  }

  /// Runs all messages in parts. After a kill a sender restarts after the last acknowledged message, or
  /// earlier.
  ///
  /// - Returns: The range of messages in each part.
  func run(in trial: StreamTrial, isClean: Bool, random: inout RandomSource) throws
    -> [Range<Int>]
  {
    var parts: [Range<Int>] = []
    var first = 0
    while true {
      let end =
        parts.count == 3 ? messages.count : Int.random(in: first...messages.count, using: &random)
      parts.append(first..<end)
      let engine = trial.engine()
      try trial.recover(engine)
      let before = trial.events.count
      try trial.feed(messages[first..<end], to: engine, firstNumber: first + 1, random: &random)
      if isClean || end == messages.count { try trial.finish(engine) }
      if end == messages.count { return parts }
      let acknowledged = trial.acknowledgedLines(after: before).max() ?? first
      first = isClean ? end : Int.random(in: 0...acknowledged, using: &random)
    }
  }

  func summary(of trial: StreamTrial) throws -> Summary {
    let store = trial.store
    #expect(try store.journal.sets().isEmpty)
    #expect(try store.workouts.allInProgress().isEmpty)
    var names: [HistoryUser.ID: String] = [:]
    for user in try store.users.all() {
      if let id = user.id { names[id] = user.uuid.rawValue }
    }
    names[HistoryUser.ID.local] = ""
    func seconds(_ date: Date?) -> String {
      date.map { String(format: "%.3f", $0.timeIntervalSince1970) } ?? "-"
    }
    let sets = try store.sets().map { set in
      let recording = try set.recordingId.map { try store.recording($0) }
      return Summary.Row(
        owned: Owned(
          person: names[set.user] ?? "?", session: set.sessionId?.rawValue ?? "",
          set: set.setId?.rawValue ?? "", exercise: set.exerciseId?.rawValue ?? "",
          samples: set.sampleCount),
        details: "order \(set.order) \(seconds(set.startTime)) to \(seconds(set.endTime)) "
          + "rest \(set.restTime.map { String(format: "%.3f", $0) } ?? "-") "
          + "said \(set.correctedReps.map(String.init) ?? "-") "
          + "health \(recording?.health.count ?? -1) "
          + "clock \(recording?.samples.times.first ?? -1)")
    }.sorted { $0.description < $1.description }
    let workouts = try store.workouts.page(HistoryFilter(user: nil)).map {
      "\(names[$0.user] ?? "?") \($0.key) \(seconds($0.date)) to \(seconds($0.endTime))"
    }.sorted()
    return Summary(sets: sets, workouts: workouts)
  }
}

extension [UInt8] {
  /// Adds a date to a message without one.
  fileprivate func withDate(_ date: Double) -> [UInt8] {
    let text = String(decoding: self, as: UTF8.self)
    guard !text.contains("\"timestamp\"") else { return self }
    return Array("\(text.dropLast()),\"timestamp\":\(date)}".utf8)
  }
}
