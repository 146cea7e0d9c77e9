import ChunkDecoding
import Foundation
import Motion
import TestSupport
import Testing
import TimelineFormat
import WorkoutHistory

@testable import MotionSynthesis
@testable import RecordingPipeline

/// Saving and restoring a session between any two messages does not change the stream's results.
@Suite struct StreamSessionTests {
  enum Scenario: CaseIterable {
    /// Sets with ids; late, repeated and shuffled chunks; a person's counts.
    case declared
    /// Sets started without an id, in messages that repeat byte for byte.
    case anonymous
    /// Detected sets.
    case found
    /// Sets detected before the first declared one; heart rate; invalid messages.
    case mixed
  }

  static func recording(seed: UInt64, sets: Int, reps: Int = 4, rest: Double = 8) throws
    -> Recording
  {
    var options = SynthesisOptions(seed: seed)
    options.sets = sets
    options.reps = reps
    options.restSeconds = rest
    options.rate = .watch
    return try RecordingSynthesizer(options).make().recording
  }

  static func messages(_ scenario: Scenario, seed: UInt64) throws -> [[UInt8]] {
    var random = RandomSource(seed: seed)
    let session = SetIdentity(sessionId: "Session-\(seed)")
    let recording = try recording(
      seed: seed, sets: scenario == .found ? 2 : 3, rest: scenario == .found ? 25 : 8)
    var messages = [StreamMessages.control("startWorkout", session)]
    var late: [[UInt8]] = []
    var number = 0
    for span in recording.phases {
      var identity = session
      let isDeclared =
        span.phase == .execution && scenario != .found && !(scenario == .mixed && number == 0)
      if span.phase == .execution { number += 1 }
      if isDeclared {
        if scenario != .anonymous { identity.setId = "Set-\(number)" }
        messages.append(StreamMessages.control("startSet", identity))
      }
      var chunks = try StreamMessages.frames(
        recording, rows: span.rows, size: 130, identity: identity,
        hasPhase: scenario == .declared)
      if isDeclared, scenario != .anonymous {
        // One chunk comes after the end, and some come twice.
        late.append(chunks.remove(at: chunks.count / 2))
        chunks += chunks.prefix(2)
        chunks.shuffle(using: &random)
      }
      messages += chunks
      if isDeclared {
        messages.append(StreamMessages.control("endSet", identity))
        if scenario == .mixed {
          messages.append(
            Array(#"{"type":"healthData","heartRate":101,"timestamp":1741388546.5}"#.utf8))
          messages.append(Array(#"{"samples":[{"timestamp":"#.utf8))
          messages.append(Array(#"{"type":"endSet","setId":"nobody"}"#.utf8))
        }
      }
      if late.count > 1 { messages.append(late.removeFirst()) }
    }
    messages += late + late
    if scenario == .declared {
      messages.append(
        Array(
          #"{"type":"correctSet","sessionId":"session-\#(seed)","setId":"set-1","reps":7}"#.utf8))
    }
    messages.append(StreamMessages.control("endWorkout", session))
    return messages
  }

  // MARK: - Equality

  /// The results of the undivided stream with a store.
  private struct Reference {
    var lines: [String]
    var contents: [String]
  }

  private static func reference(_ messages: [[UInt8]]) throws -> Reference {
    let trial = try StreamTrial()
    try trial.run(messages, batch: messages.count)
    let lines = trial.events.filter { if case .ack = $0.kind { false } else { true } }.map(
      \.jsonLine)
    let contents = try trial.store.recordings().map { row in
      let recording = try trial.store.recording(row.id)
      let sets = try trial.store.sets(ofRecording: row.id).map { set in
        "\(set.key) \(set.detectedReps ?? -1) \(set.confidence ?? -1) \(set.clockStart ?? -1) "
          + "\(set.clockEnd ?? -1) \(set.cause)"
      }
      return "\(row.key) \(recording.samples.digest()) \(joined(recording.phases)) "
        + "\(row.sampleCount) \(sets)"
    }
    return Reference(lines: lines, contents: contents.sorted())
  }

  /// Merges consecutive spans of the same phase.
  private static func joined(_ spans: [PhaseSpan]) -> [PhaseSpan] {
    spans.reduce(into: []) { all, span in
      if let last = all.last, last.phase == span.phase, last.rows.upperBound == span.rows.lowerBound
      {
        all[all.count - 1].rows = last.rows.lowerBound..<span.rows.upperBound
      } else {
        all.append(span)
      }
    }
  }

  /// The results of a session that is restored from its bytes after each batch.
  struct Run {
    var events: [String] = []
    /// Recordings as last finalized, by their names in the stream.
    var recordings: [String: String] = [:]
    var numbers: [Int] = []
    var longestHead = 0

    private struct Line: Decodable {
      struct FinalSet: Decodable {
        var key: String
        var cause: String
        var start: Double?
        var end: Double?
        var reps: Int
        var confidence: Double
      }

      struct Segment: Decodable { var size: Int }

      var number: Int
      var event: String?
      var recording: String?
      var stream: String?
      var samples: Int?
      var sets: [FinalSet]?
      var segments: [Segment]?
    }

    mutating func take(_ session: StreamSession) throws {
      let (lines, timelines) = session.takeResults()
      var offset = 0
      for text in lines.split(separator: 0x0A) {
        let line = try JSONDecoder().decode(Line.self, from: Data(text))
        numbers.append(line.number)
        if line.event != nil {
          events.append(
            String(decoding: text, as: UTF8.self).replacing("\"number\":\(line.number),", with: ""))
        }
        guard let recording = line.recording else { continue }
        var samples = MotionBatch()
        var phases: [PhaseSpan] = []
        for (index, segment) in (line.segments ?? []).enumerated() {
          let timeline = try TimelineDecoder().decode(
            Array(timelines[offset..<offset + segment.size]))
          offset += segment.size
          let row = samples.count
          phases += timeline.phases.map {
            PhaseSpan(rows: row + $0.rows.lowerBound..<row + $0.rows.upperBound, phase: $0.phase)
          }
          if index == 0 { samples = timeline.samples } else { samples.append(timeline.samples) }
        }
        let sets = (line.sets ?? []).map {
          "\($0.key) \($0.reps) \($0.confidence) \($0.start ?? -1) \($0.end ?? -1) \($0.cause)"
        }
        recordings[line.stream ?? ""] =
          "\(recording) \(samples.digest()) \(StreamSessionTests.joined(phases)) "
          + "\(line.samples ?? -1) \(sets)"
      }
      #expect(offset == timelines.count)
    }
  }

  enum Keeping: CaseIterable { case snapshots, parts }

  private static func run(
    _ messages: [[UInt8]], cutAt cuts: [Int], _ keeping: Keeping = .snapshots
  ) throws -> Run {
    var run = Run()
    var session = StreamSession()
    var kept: [UInt8] = []
    var first = 0
    for place in cuts + [messages.count] {
      try session.append(Array(messages[first..<place]))
      first = place
      try run.take(session)
      switch keeping {
      case .snapshots: session = try StreamSession.restored(from: try session.snapshot())
      case .parts:
        let saved = try session.save()
        run.longestHead = max(run.longestHead, saved.head.count)
        kept = (saved.replacesMessages ? [] : kept) + saved.messages
        session = try StreamSession.restored(from: saved.head + kept)
      }
    }
    try session.finish()
    try run.take(session)
    return run
  }

  private static func expectEqual(_ run: Run, _ reference: Reference, _ comment: Comment) {
    #expect(run.events == reference.lines, comment)
    #expect(run.recordings.values.sorted() == reference.contents, comment)
    #expect(run.numbers == Array(1...run.numbers.count), comment)
  }

  @Test(arguments: Scenario.allCases, Keeping.allCases)
  func restoringAfterEveryMessageKeepsTheResults(scenario: Scenario, keeping: Keeping) throws {
    let messages = try Self.messages(scenario, seed: 31)
    let run = try Self.run(messages, cutAt: Array(1..<messages.count), keeping)
    #expect(run.events.contains { $0.contains("setEnded") })
    Self.expectEqual(run, try Self.reference(messages), "\(scenario)")
  }

  /// Cuts once at every place, and at random places.
  @Test(arguments: Scenario.allCases)
  func cuttingOnceAnywhereKeepsTheResults(scenario: Scenario) throws {
    let messages = try Self.messages(scenario, seed: 32)
    let reference = try Self.reference(messages)
    for place in stride(from: 1, to: messages.count, by: isFullRun ? 1 : 17) {
      Self.expectEqual(
        try Self.run(messages, cutAt: [place]), reference, "\(scenario), cut at \(place)")
    }
    var random = RandomSource(seed: 33)
    for trial in 0..<(isFullRun ? 50 : 1) {
      let cuts = (1..<messages.count).filter { _ in Int.random(in: 0..<4, using: &random) == 0 }
      Self.expectEqual(
        try Self.run(messages, cutAt: cuts, .parts), reference, "\(scenario), trial \(trial)")
    }
  }

  // MARK: - Limits

  /// The chunk does not begin another set of that name.
  @Test func chunksForReleasedSetsAreRefused() throws {
    var limits = SessionLimits()
    limits.endedSets = 1
    let messages = try Self.messages(.declared, seed: 34)
    var session = StreamSession(limits: limits)
    try session.append(messages.dropLast())
    session = try StreamSession.restored(from: try session.snapshot(), limits: limits)
    let chunk = try #require(
      messages.first { String(decoding: $0, as: UTF8.self).contains("Set-1") && $0.first == 0x52 })
    var run = Run()
    try run.take(session)
    run.events = []
    try session.append([chunk, chunk])
    try run.take(session)
    #expect(run.events.count == 2)
    #expect(run.events.allSatisfy { $0.contains(#""kind":"tooLate""#) }, "\(run.events)")
  }

  /// A watch may send its samples after the workout.
  @Test(arguments: Scenario.allCases)
  func samplesMayArriveAfterTheEnd(scenario: Scenario) throws {
    let messages = try Self.messages(scenario, seed: 40)
    let statements = messages.filter { $0.first != 0x52 }
    let late = statements + messages.filter { $0.first == 0x52 }
    let run = try Self.run(late, cutAt: [statements.count], .parts)
    #expect(!run.recordings.isEmpty)
    #expect(!run.events.contains { $0.contains("tooLate") }, "\(run.events)")
    Self.expectEqual(run, try Self.reference(late), "\(scenario)")
  }

  /// Any input keeps the state within its limits, and released samples leave the saved messages.
  @Test func theStateIsBounded() throws {
    var limits = SessionLimits()
    limits.messageBytes = 200_000
    limits.endedSets = 2
    let recording = try Self.recording(seed: 35, sets: 1)
    var session = StreamSession(limits: limits)
    var run = Run()
    var kept: [UInt8] = []
    for number in 1...60 {
      let identity = SetIdentity(sessionId: "s", setId: "\(number)")
      let rows = recording.phases.first { $0.phase == .execution }?.rows ?? 0..<0
      try session.append([
        StreamMessages.control("startSet", identity),
        try StreamMessages.frame(recording, rows: rows, identity: identity),
      ])
      if number % 3 > 0 { try session.append([StreamMessages.control("endSet", identity)]) }
      try run.take(session)
      let saved = try session.save()
      kept = (saved.replacesMessages ? [] : kept) + saved.messages
      #expect(kept.count < 3 * limits.messageBytes)
      #expect(saved.head.count < 17 * 110_000)
      session = try StreamSession.restored(from: saved.head + kept, limits: limits)
    }
    try session.finish()
    try run.take(session)
    #expect(run.recordings.count == 60)
    #expect(run.events.contains { $0.contains(#""kind":"limit""#) })
  }

  /// An ended session keeps only what it needs to refuse messages for its sets.
  @Test(arguments: [Scenario.declared, .found])
  func endedSessionsAreSmall(scenario: Scenario) throws {
    let messages = try Self.messages(scenario, seed: 39)
    var session = StreamSession()
    try session.append(messages.dropLast())
    try session.end()
    var run = Run()
    try run.take(session)
    #expect(run.recordings.values.sorted() == (try Self.reference(messages)).contents)
    let snapshot = try session.snapshot()
    #expect(snapshot.count < 20_000)
    session = try StreamSession.restored(from: snapshot)
    try session.append(messages.filter { $0.first == 0x52 })
    run.events = []
    try run.take(session)
    #expect(!run.events.isEmpty)
    #expect(run.events.allSatisfy { $0.contains(#""kind":"tooLate""#) }, "\(run.events)")
  }

  /// The reader of the results may keep a set for longer than the session.
  @Test func correctionsOfUnknownSetsArePassedOn() throws {
    let session = StreamSession()
    try session.append([Array(#"{"type":"correctSet","sessionId":"s","setId":"x","reps":7}"#.utf8)])
    let lines = String(decoding: session.takeResults().lines, as: UTF8.self)
    #expect(lines.contains(#""step":"correctSet""#) && !lines.contains("unknownSet"), "\(lines)")
  }

  // MARK: - Hostile snapshots

  @Test func damagedSnapshotsAreRejected() throws {
    let messages = try Self.messages(.mixed, seed: 36)
    let session = StreamSession()
    try session.append(Array(messages.prefix(messages.count / 2)))
    let snapshot = try session.snapshot()
    #expect(throws: Never.self) { try StreamSession.restored(from: snapshot) }
    for end in [0, 1, 4, 5, 9, 20, 40] + Array(stride(from: 50, to: snapshot.count, by: 997)) {
      #expect(throws: SessionSnapshotError.self, "cut at \(end)") {
        try StreamSession.restored(from: Array(snapshot[..<end]))
      }
    }
    for place in Array(0..<40) + Array(stride(from: 40, to: snapshot.count, by: 991)) {
      var other = snapshot
      other[place] ^= 1 << UInt8(place % 8)
      #expect(throws: SessionSnapshotError.self, "byte \(place)") {
        try StreamSession.restored(from: other)
      }
    }
    #expect(throws: SessionSnapshotError.notASnapshot) {
      try StreamSession.restored(from: Array("no snapshot".utf8))
    }
    #expect(throws: SessionSnapshotError.damaged) {
      try StreamSession.restored(from: snapshot + [0])
    }
  }

  /// The error names the other version and advises to end sessions before an upgrade.
  @Test func snapshotsOfOtherVersionsAreRejected() throws {
    var snapshot = try StreamSession().snapshot()
    let version = 7..<7 + libraryVersion.utf8.count
    snapshot.replaceSubrange(version, with: Array("9.9.9".utf8))
    #expect(throws: SessionSnapshotError.otherVersion("9.9.9")) {
      try StreamSession.restored(from: snapshot)
    }
    #expect("\(SessionSnapshotError.otherVersion("9.9.9"))".contains("before an upgrade"))
  }

  /// The checksum of such numbers is valid.
  @Test func invalidNumbersDoNotTrap() throws {
    let messages = try Self.messages(.mixed, seed: 37)
    let session = StreamSession()
    try session.append(Array(messages.prefix(messages.count / 2)))
    let snapshot = try session.snapshot()
    let start = 7 + libraryVersion.utf8.count
    let sizes = snapshot[start..<start + 8].map(Int.init)
    func number(_ at: Int) -> Int { (0..<4).reversed().reduce(0) { $0 << 8 | sizes[at + $1] } }
    let (text, end) = (start + 8, start + 8 + number(0) + number(4))
    var random = RandomSource(seed: 38)
    for _ in 0..<(isFullRun ? 2_000 : 100) {
      var other = snapshot
      let digits = (text..<text + number(0)).filter { (0x30...0x39).contains(other[$0]) }
      for _ in 0..<3 {
        other[digits.randomElement(using: &random) ?? text] = [0x2D, 0x39, 0x65].randomElement(
          using: &random)!
      }
      let checksum = other[..<end].withUnsafeBytes { XXHash64.hash($0) }
      withUnsafeBytes(of: checksum.littleEndian) { other.replaceSubrange(end..<end + 8, with: $0) }
      guard let restored = try? StreamSession.restored(from: other) else { continue }
      try restored.append(Array(messages.suffix(6)))
      try restored.finish()
    }
  }
}
