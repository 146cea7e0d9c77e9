import Foundation
import Motion
import RepDetection
import TestSupport
import Testing
import WorkoutHistory

@testable import MotionSynthesis
@testable import RecordingPipeline

/// Timelines, counts and final events do not depend on how chunks are cut, shuffled, repeated and
/// interleaved.
@Suite struct StreamPropertyTests {
  private static let trials = isFullRun ? 100 : 3

  /// Returns a set's chunks in random order, some repeated or overlapping, with `endSet` anywhere.
  private func scrambled(
    _ recording: Recording, _ identity: SetIdentity, random: inout RandomSource
  ) throws -> [[UInt8]] {
    var cuts = StreamMessages.cuts(recording, random: &random)
    cuts += StreamMessages.cuts(recording, random: &random).filter { _ in
      Int.random(in: 0..<4, using: &random) == 0
    }
    var messages = try cuts.map {
      try StreamMessages.frame(recording, rows: $0, identity: identity)
    }
    messages += messages.filter { _ in Int.random(in: 0..<4, using: &random) == 0 }
    messages.shuffle(using: &random)
    messages.insert(StreamMessages.control("startSet", identity), at: 0)
    let end = Int.random(in: 1...messages.count, using: &random)
    messages.insert(StreamMessages.control("endSet", identity), at: end)
    if Bool.random(using: &random) { messages.append(StreamMessages.control("endSet", identity)) }
    return messages
  }

  @Test(arguments: 0..<trials)
  func declaredSets(trial: Int) throws {
    var random = RandomSource(seed: UInt64(1000 + trial))
    let sets = try (0..<3).map { index in
      let identity = SetIdentity(
        sessionId: "session-\(index % 2)", exerciseId: "exercise-\(index)",
        setId: "set-\(trial)-\(index)")
      return (try StreamMessages.recording(seed: UInt64(10 * trial + index), reps: 4), identity)
    }
    let reference = try StreamTrial()
    var inOrder: [[UInt8]] = []
    for (recording, identity) in sets {
      inOrder.append(StreamMessages.control("startSet", identity))
      inOrder += try StreamMessages.frames(recording, identity: identity, random: &random)
      inOrder.append(StreamMessages.control("endSet", identity))
    }
    try reference.run(inOrder, random: &random)
    let expected = reference.finalAnswers
    #expect(expected.count == sets.count)
    for (recording, identity) in sets {
      let set = RepDetector.countSet(in: recording.samples, phases: recording.phases)
      #expect(expected["\(identity.setId ?? "") 0"] == "\(set)")
    }
    let contents = try reference.contents()
    #expect(contents.count == sets.count)

    for round in 0..<3 {
      let other = try StreamTrial()
      let messages = StreamMessages.interleaved(
        try sets.map { try scrambled($0.0, $0.1, random: &random) }, random: &random)
      var options = StreamTrial.options
      options.workers = round + 1
      // Ended sets are found in the store rather than in memory.
      if round == 2 { options.endedSets = 0 }
      try other.run(messages, options: options, random: &random)
      #expect(other.finalAnswers == expected)
      #expect(try other.contents() == contents)
    }
  }

  /// In trial 51 a set is recognized only after a later one was announced.
  @Test(arguments: [51] + (0..<trials).filter { $0 != 51 })
  func sessionsWithDetectedSets(trial: Int) throws {
    var random = RandomSource(seed: UInt64(2000 + trial))
    let sessions = try (0..<2).map { index in
      (
        try StreamMessages.recording(seed: UInt64(500 + 10 * trial + index), reps: 7),
        SetIdentity(sessionId: "session-\(trial)-\(index)")
      )
    }
    func messages(_ scrambles: Bool) throws -> [[UInt8]] {
      let rows = try sessions.map { recording, identity in
        var cuts = StreamMessages.cuts(recording, random: &random)
        if scrambles {
          cuts += cuts.filter { _ in Int.random(in: 0..<4, using: &random) == 0 }
          cuts.shuffle(using: &random)
        }
        var messages = try cuts.map {
          try StreamMessages.frame(recording, rows: $0, identity: identity)
        }
        let end = scrambles ? Int.random(in: 1...messages.count, using: &random) : messages.count
        messages.insert(StreamMessages.control("endWorkout", identity), at: end)
        return messages
      }
      return StreamMessages.interleaved(rows, random: &random)
    }
    let reference = try StreamTrial(try messages(false), random: &random)
    let contents = try reference.contents()
    #expect(contents.count == sessions.count)
    let found = sessions.reduce(0) {
      $0 + RepDetector.detectSets(in: $1.0.samples, phases: $1.0.phases).count
    }
    #expect(found > 0)
    #expect(reference.finalAnswers.count == found)
    for round in 0..<3 {
      let other = try StreamTrial()
      var options = StreamTrial.options
      if round == 2 { options.endedSets = 0 }
      try other.run(try messages(true), options: options, random: &random)
      #expect(other.finalAnswers == reference.finalAnswers)
      #expect(try other.contents() == contents)
    }
  }

  /// One engine stops at a random time, and another continues after the last acknowledged message. The store
  /// equals that of an uninterrupted run.
  @Test(arguments: 0..<trials)
  func restartedEngines(trial: Int) throws {
    var random = RandomSource(seed: UInt64(3000 + trial))
    let rows = try (0..<3).map { index in
      let recording = try StreamMessages.recording(seed: UInt64(900 + 10 * trial + index), reps: 4)
      // The third one is a session in which sets are detected.
      let identity = SetIdentity(
        sessionId: "session-\(index)", setId: index < 2 ? "set-\(index)" : nil)
      if index == 1 { return try scrambled(recording, identity, random: &random) }
      return [StreamMessages.control("startWorkout", identity)]
        + (try StreamMessages.frames(recording, identity: identity, random: &random))
        + [StreamMessages.control("endWorkout", identity)]
    }
    let messages = StreamMessages.interleaved(rows, random: &random)
    let reference = try StreamTrial(messages, random: &random)

    let disturbed = try StreamTrial()
    var done = 0
    for _ in 0..<4 {
      let engine = disturbed.engine()
      try disturbed.recover(engine)
      let stop = Int.random(in: done...messages.count, using: &random)
      let before = disturbed.events.count
      try disturbed.feed(messages[done..<stop], to: engine, firstNumber: done + 1, random: &random)
      done = disturbed.acknowledgedLines(after: before).max() ?? done
    }
    let engine = disturbed.engine()
    try disturbed.recover(engine)
    try disturbed.feed(messages[done...], to: engine, firstNumber: done + 1, random: &random)
    try disturbed.finish(engine)
    #expect(try disturbed.contents() == reference.contents())

    // Repeating all messages changes nothing.
    try disturbed.run(messages, random: &random)
    #expect(try disturbed.contents() == reference.contents())
  }

  /// A set ends, the program is restarted, and the wearer still rests.
  @Test func restContinuesAfterARestart() throws {
    var random = RandomSource(seed: 5)
    let identity = SetIdentity(sessionId: "x", setId: "s")
    let recording = try StreamMessages.recording(seed: 77)
    let chunks = try StreamMessages.frames(recording, identity: identity, random: &random)
    let trial = try StreamTrial()
    // The last chunk of the rest goes to the second engine.
    try trial.run(chunks.dropLast() + [StreamMessages.control("endSet", identity)], random: &random)
    let engine = trial.engine()
    try trial.feed(chunks.suffix(1), to: engine, firstNumber: 1, random: &random)
    try trial.finish(engine)
    _ = try trial.contents()
    let stored = try trial.store.recording(try #require(try trial.store.recordings().first).id)
    #expect(stored.samples.digest() == recording.samples.digest())
    #expect(stored.phases == recording.phases)
  }

  /// Events do not depend on the number of threads or on batch boundaries.
  @Test func eventsDependOnlyOnMessages() throws {
    var random = RandomSource(seed: 4)
    let rows = try (0..<4).map { index in
      try scrambled(
        try StreamMessages.recording(seed: UInt64(40 + index)),
        SetIdentity(sessionId: "x", setId: "s\(index)"), random: &random)
    }
    let messages = StreamMessages.interleaved(rows, random: &random)
    let outputs = try (1...3).map { workers in
      let trial = try StreamTrial()
      var options = StreamTrial.options
      options.workers = workers
      try trial.run(messages, options: options, random: &random)
      return trial.events.map(\.jsonLine)
    }
    #expect(outputs[0] == outputs[1])
    #expect(outputs[0] == outputs[2])
  }
}
