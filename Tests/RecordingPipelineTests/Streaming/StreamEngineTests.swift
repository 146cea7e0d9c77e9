import Foundation
import Motion
import RepDetection
import Testing

@testable import MotionSynthesis
@testable import RecordingPipeline

@Suite struct StreamEngineTests {
  private let identity = SetIdentity(sessionId: "session", setId: "set")

  private func run(
    _ messages: [[UInt8]], options: StreamOptions = StreamOptions()
  ) throws -> [StreamEvent] {
    let engine = StreamEngine(options: options)
    var events = try engine.process(StreamMessages.inputs(messages)).events
    while let batch = try engine.finish() { events += batch.events }
    return events
  }

  private func frames(_ recording: Recording, size: Int = 100) throws -> [[UInt8]] {
    try recording.phases.flatMap { span in
      try StreamMessages.frames(recording, rows: span.rows, size: size, identity: identity)
    }
  }

  @Test func aSetFromStartToEnd() throws {
    let recording = try StreamMessages.recording(seed: 1, reps: 8)
    let events = try run(
      [StreamMessages.control("startSet", identity)] + frames(recording)
        + [StreamMessages.control("endSet", identity)])
    let names = events.map(\.name)
    #expect(names.first == "setStarted")
    #expect(names.last == "setEnded")
    #expect(names.count { $0 == "setEnded" } == 1)
    #expect(events.allSatisfy { $0.identity.setId == "set" && $0.clock == .device })
    // Each rep continues from the previous count or its correction.
    var (count, reps) = (0, 0)
    for event in events {
      switch event.kind {
      case .rep(let now, _):
        #expect(now == count + 1)
        (count, reps) = (now, reps + 1)
      case .repCorrected(let now): count = now
      default: break
      }
    }
    #expect(reps >= 6)
  }

  @Test func aSetWithoutSamplesEndsOnce() throws {
    let events = try run([
      StreamMessages.control("startSet", identity), StreamMessages.control("endSet", identity),
      StreamMessages.control("endSet", identity),
    ])
    #expect(events.map(\.name) == ["setStarted", "setEnded"])
    guard case .setEnded(let set)? = events.last?.kind else {
      Issue.record("no setEnded")
      return
    }
    #expect(set.reps.isEmpty)
  }

  @Test func waitsForAMissingChunkThenContinues() throws {
    let recording = try StreamMessages.recording(seed: 2, reps: 10)
    var messages = try frames(recording)
    let lost = messages.remove(at: 4)
    #expect(try run(messages).map(\.name).contains("gap"))
    var options = StreamOptions()
    options.gapWaitSeconds = 3
    let late = try run(
      messages + [StreamMessages.control("endSet", identity), lost], options: options)
    #expect(late.count { $0.name == "gap" } == 1)
    #expect(late.last?.name == "setRevised")
    // In time, the chunk leaves no trace of a gap.
    messages.insert(lost, at: 5)
    #expect(try !run(messages).map(\.name).contains("gap"))
    #expect(try run(messages).map(\.name) == run(try frames(recording)).map(\.name))
  }

  @Test func lateChunkRevisesTheCount() throws {
    let recording = try StreamMessages.recording(seed: 3, reps: 6)
    var messages = try frames(recording)
    let lost = messages.remove(at: messages.count / 2)
    let events = try run(messages + [StreamMessages.control("endSet", identity), lost, lost])
    #expect(events.count { $0.name == "setRevised" } == 1)
    guard case .setRevised(let set, _)? = events.last?.kind else {
      Issue.record("no setRevised")
      return
    }
    #expect(set == RepDetector.countSet(in: recording.samples, phases: recording.phases))
  }

  @Test func lateEndOfOneSetLeavesTheNextOpen() throws {
    let other = SetIdentity(sessionId: "session", setId: "next")
    let recording = try StreamMessages.recording(seed: 4)
    let bare = try StreamMessages.frame(
      recording, rows: 0..<50, identity: SetIdentity(sessionId: "session"))
    let events = try run([
      StreamMessages.control("startSet", identity), StreamMessages.control("startSet", other),
      StreamMessages.control("endSet", identity), bare,
    ])
    let started = events.filter { $0.name == "setStarted" }.compactMap(\.identity.setId)
    #expect(started == ["set", "next"])
    #expect(events.first { $0.name == "setEnded" }?.identity.setId == "set")
  }

  @Test func invalidLinesAreReportedAndSkipped() throws {
    let recording = try StreamMessages.recording(seed: 5)
    let bad = [
      "{", "nonsense", "[1,2]", "{\"type\":\"unheard\"}", "\u{0}\u{0}", "{\"samples\":3}",
      "{\"setId\":\"\(String(repeating: "x", count: 300))\",\"samples\":[]}",
      String(repeating: "[", count: 10_000), "{\"setId\":\"a\\u0000b\",\"samples\":[]}",
    ].map { Array($0.utf8) }
    let good = try frames(recording)
    let events = try run(bad + [[]] + good)
    let errors = events.filter { $0.name == "error" }
    #expect(errors.compactMap(\.line) == Array(1...bad.count))
    let rest = events.filter { $0.name != "error" }.map(\.jsonLine)
    #expect(rest == (try run(good)).map(\.jsonLine))
  }

  @Test func limitsAreEnforced() throws {
    let recording = try StreamMessages.recording(seed: 6)
    var options = StreamOptions()
    options.liveSets = 2
    options.endedSets = 1
    var messages: [[UInt8]] = []
    for index in 0..<5 {
      let identity = SetIdentity(sessionId: "s\(index)", setId: "set\(index)")
      messages.append(try StreamMessages.frame(recording, rows: 0..<40, identity: identity))
    }
    let events = try run(messages, options: options)
    #expect(events.count { $0.name == "setEnded" } == 5)
    #expect(events.count { $0.name == "warning" } == 3)
    #expect(
      events.first { $0.name == "setEnded" }?.identity.setId == "set0", "the idlest goes first")

    options = StreamOptions()
    options.samplesPerSet = 150
    let refused = try run(try frames(recording), options: options)
    #expect(refused.contains { $0.name == "error" })
    #expect(refused.count { $0.name == "setEnded" } == 1)
  }

  /// With a store, ended samples stay for a while, but do not end other sets.
  @Test func endedSamplesDoNotEndOtherSets() throws {
    let recording = try StreamMessages.recording(seed: 6)
    func message(_ set: Int, _ rows: Range<Int>) throws -> [UInt8] {
      try StreamMessages.frame(
        recording, rows: rows, identity: SetIdentity(sessionId: "s\(set)", setId: "x"))
    }
    let messages =
      try (0..<20).map { try message($0, 0..<20) } + [message(19, 20..<40)]
      + (40..<60).map { try message(19, $0..<$0 + 1) }
    for keepsJournal in [false, true] {
      var options = StreamOptions()
      options.samples = 400
      options.keepsJournal = keepsJournal
      #expect(try run(messages, options: options).count { $0.name == "warning" } == 2)
    }
  }

  /// With a store, many sets stay in memory until the store has their late chunks.
  @Test func setsWithLateChunksLeaveMemory() throws {
    let recording = try StreamMessages.recording(seed: 6)
    var options = StreamOptions()
    options.keepsJournal = true
    options.endedSets = 10
    let engine = StreamEngine(options: options)
    func take(_ messages: [[UInt8]]) throws {
      _ = try engine.process(messages.map { StreamMessages.input(1, $0) })
    }
    func chunk(_ set: Int, _ part: Int) throws -> [UInt8] {
      try StreamMessages.frame(
        recording, rows: part * 10..<(part + 1) * 10,
        identity: SetIdentity(sessionId: "s\(set)", setId: "x"))
    }
    for set in 0..<60 {
      let end = StreamMessages.control("endSet", SetIdentity(sessionId: "s\(set)", setId: "x"))
      try take([try chunk(set, 0), end] + (1..<13).map { try chunk(set, $0) })
    }
    for part in 0..<10 { try take([try chunk(60, part)]) }
    #expect(engine.memory.sets <= 12)
  }

  @Test func repeatedChunksDoNotCountTowardLimits() throws {
    var options = StreamOptions()
    (options.samples, options.samplesPerSet) = (150, 150)
    let recording = try StreamMessages.recording(seed: 6)
    let chunk = try StreamMessages.frame(recording, rows: 0..<100, identity: identity)
    let events = try run([[UInt8]](repeating: chunk, count: 50), options: options)
    #expect(events.map(\.name) == ["setStarted", "setEnded"])
  }

  @Test func limitsMayBeInfinite() throws {
    var options = StreamOptions()
    (options.liveSets, options.endedSets, options.samples) = (.max, .max, .max)
    #expect(try !run([StreamMessages.control("startSet", identity)], options: options).isEmpty)
  }

  @Test func acknowledgesChunksOfFinalizedSets() throws {
    var options = StreamOptions()
    options.keepsJournal = true
    options.acknowledgement = .finalized
    let recording = try StreamMessages.recording(seed: 6)
    let messages = try frames(recording)
    let engine = StreamEngine(options: options)
    func events(_ bytes: [[UInt8]]) throws -> [String] {
      try engine.process(bytes.map { StreamMessages.input(1, $0) }).events.map(\.name)
    }
    #expect(try !events(messages).contains("ack"))
    let end = try events([StreamMessages.control("endSet", identity)])
    #expect(end.first { $0 == "setEnded" || $0 == "ack" } == "setEnded")
    #expect(end.count { $0 == "ack" } == messages.count)

    // Without motion, rest is acknowledged within a minute.
    let still = Recording(
      name: "still",
      samples: MotionBatch([
        .time: (0..<10_000).map { Double($0) / 50 },
        .rotationRateX: [Double](repeating: 0, count: 10_000),
        .gravityY: [Double](repeating: -1, count: 10_000),
      ]))
    let session = SetIdentity(sessionId: "still")
    let rest = try events(StreamMessages.frames(still, size: 100, identity: session))
    #expect(rest.count { $0 == "ack" } >= 65)
  }

  @Test func samplesOutsideOfDeclaredSetsBecomeRest() throws {
    let recording = try StreamMessages.recording(seed: 7, reps: 10)
    let session = SetIdentity(sessionId: "session")
    var random = RandomSource(seed: 9)
    let undeclared = try StreamMessages.frames(recording, identity: session, random: &random)
    let found = try run(undeclared)
    try #require(found.contains { $0.name == "setEnded" })
    let declared = try run(undeclared + [StreamMessages.control("startSet", identity)])
    let ended = declared.filter { $0.name == "setEnded" && $0.setNumber == nil }
    #expect(ended.map(\.identity.setId) == ["set"])
    let started = declared.count { $0.name == "setStarted" && $0.setNumber != nil }
    #expect(started > 0)
    #expect(declared.count { $0.name == "setCancelled" } == started)
  }

  @Test func datesComeFromTheLastControlMessage() throws {
    let recording = try StreamMessages.recording(seed: 8)
    let start = Array(
      "{\"type\":\"startSet\",\"sessionId\":\"session\",\"setId\":\"set\",\"timestamp\":1750000000}"
        .utf8)
    let events = try run([start] + frames(recording))
    let first = try #require(events.first)
    #expect(first.time == recording.samples.times[0])
    #expect(abs(try #require(first.unixTime) - 1_750_000_000) < 1e-3)
  }
}
